//! Invented photographs of applicants, and their faults.

use std::io::Cursor;

use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use images::grey::whole;
use images::jpeg;
use visadesk::documents::rules::MediaType;

/// A small source of chance, the same for the same number.
pub struct Chance(u32);

impl Chance {
    pub fn new(seed: u32) -> Self {
        Self(seed.wrapping_mul(2_654_435_761) | 1)
    }

    /// A number below `most`.
    pub fn below(&mut self, most: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        self.0 % most
    }

    fn tint(&mut self, base: [u8; 3], spread: u8) -> Rgb<u8> {
        Rgb(base.map(|shade| shade.saturating_add(u8::try_from(self.below(spread.into())).expect("below a byte"))))
    }
}

/// The nearest row or column.
fn rounded(place: f32) -> u32 {
    u32::try_from(whole(place)).expect("a place in a picture")
}

/// A head and shoulders before a wall, in colour, of 800 by 1,200 pixels.
fn portrait(chance: &mut Chance) -> RgbImage {
    let (width, height) = (800_u32, 1_200_u32);
    let wall = chance.tint([205, 210, 215], 30);
    let skin = [[241, 204, 177], [198, 134, 66], [141, 85, 36], [224, 172, 105]][chance.below(4) as usize];
    let (skin, hair, coat) = (Rgb(skin), chance.tint([30, 20, 15], 60), chance.tint([30, 45, 80], 70));
    let (middle, eyes) = (380.0 + chance.below(40) as f32, 470.0 + chance.below(60) as f32);
    let mut picture = RgbImage::from_pixel(width, height, wall);
    let mut oval = |colour: Rgb<u8>, (x, y): (f32, f32), size: (f32, f32), top: f32| {
        // Only the pixels inside are visited: the tests' build makes each of them dear.
        for row in rounded((y - size.1).max(top))..rounded(y + size.1).min(height) {
            let half = size.0 * (1.0 - ((row as f32 - y) / size.1).powi(2)).max(0.0).sqrt();
            for column in rounded(x - half)..rounded(x + half).min(width) {
                picture.put_pixel(column, row, colour);
            }
        }
    };
    oval(coat, (middle, 1_300.0), (420.0, 420.0), 0.0);
    oval(hair, (middle, eyes - 40.0), (200.0, 220.0), 0.0);
    oval(skin, (middle, eyes + 30.0), (170.0, 245.0), eyes - 130.0);
    oval(Rgb([150, 60, 60]), (middle, eyes + 170.0), (60.0, 14.0), 0.0);
    for side in [-70.0, 70.0] {
        oval(Rgb([240, 238, 235]), (middle + side, eyes), (28.0, 20.0), 0.0);
        oval(Rgb([25, 20, 20]), (middle + side, eyes), (12.6, 9.0), 0.0);
    }
    // Strands of hair, and the noise of a camera.
    for pixel in picture.pixels_mut() {
        let noise = u8::try_from(chance.below(5)).expect("small");
        let strand = if *pixel == hair && chance.below(3) == 0 { 25 } else { 0 };
        pixel.0 = pixel.0.map(|shade| shade.saturating_add(noise).saturating_add(strand));
    }
    picture
}

/// What is wrong with a photograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    None,
    Format,
    Pixels,
    FileSize,
    Aspect,
    Colour,
    Sharpness,
    Border,
}

impl Fault {
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Format,
        Self::Pixels,
        Self::FileSize,
        Self::Aspect,
        Self::Colour,
        Self::Sharpness,
        Self::Border,
    ];

    /// A photograph with this fault, and with no other one.
    pub fn photograph(self, chance: &mut Chance) -> (MediaType, Vec<u8>) {
        let picture = portrait(chance);
        let picture = match self {
            Self::None | Self::Format => picture,
            Self::Pixels => {
                let width = 200 + chance.below(190);
                imageops::resize(&picture, width, width * 3 / 2, FilterType::Lanczos3)
            }
            Self::FileSize => imageops::resize(&picture, 1_600, 2_400, FilterType::Triangle),
            Self::Aspect => imageops::crop_imm(&picture, 0, 0, 800, 850 + chance.below(280)).to_image(),
            Self::Colour => DynamicImage::ImageRgb8(picture).into_luma8().to_rgb(),
            Self::Sharpness => imageops::fast_blur(&picture, 5.0 + chance.below(8) as f32),
            Self::Border => {
                let wide = 20 + chance.below(60);
                RgbImage::from_fn(800, 1_200, |x, y| match *picture.get_pixel(x, y) {
                    Rgb([red, green, blue])
                        if red > 200 && green > 200 && blue > 200 && (x / wide + y / 90).is_multiple_of(2) =>
                    {
                        Rgb([90, 110, 70])
                    }
                    pixel => pixel,
                })
            }
        };
        let (media_type, format) = match self {
            Self::Format => (MediaType::Webp, ImageFormat::WebP),
            // Larger than a JPEG of so many pixels.
            Self::FileSize => (MediaType::Png, ImageFormat::Png),
            _ => (MediaType::Jpeg, ImageFormat::Jpeg),
        };
        let picture = DynamicImage::ImageRgb8(picture);
        if format == ImageFormat::Jpeg {
            return (media_type, jpeg::encode(&picture, 88).expect("a picture"));
        }
        let mut content = Cursor::new(Vec::new());
        picture.write_to(&mut content, format).expect("a picture");
        (media_type, content.into_inner())
    }
}

trait ToRgb {
    fn to_rgb(&self) -> RgbImage;
}

impl ToRgb for image::GrayImage {
    fn to_rgb(&self) -> RgbImage {
        DynamicImage::ImageLuma8(self.clone()).into_rgb8()
    }
}
