//! Invented photographs of applicants, and their faults.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::imageops::{self, FilterType};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
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

/// A head and shoulders before a wall, in colour, of 800 by 1,200 pixels.
pub fn portrait(chance: &mut Chance) -> RgbImage {
    let (width, height) = (800_u32, 1_200_u32);
    let wall = chance.tint([205, 210, 215], 30);
    let skin = [[241, 204, 177], [198, 134, 66], [141, 85, 36], [224, 172, 105]][chance.below(4) as usize];
    let (skin, hair, coat) = (Rgb(skin), chance.tint([30, 20, 15], 60), chance.tint([30, 45, 80], 70));
    let (middle, eyes) = (380.0 + chance.below(40) as f32, 470.0 + chance.below(60) as f32);
    let within = |x: f32, y: f32, at: (f32, f32), size: (f32, f32)| {
        ((x - at.0) / size.0).powi(2) + ((y - at.1) / size.1).powi(2) < 1.0
    };
    let mut picture = RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let eye = |side: f32, radius: f32| within(x, y, (middle + side * 70.0, eyes), (radius * 1.4, radius));
        if eye(-1.0, 9.0) || eye(1.0, 9.0) {
            Rgb([25, 20, 20])
        } else if eye(-1.0, 20.0) || eye(1.0, 20.0) {
            Rgb([240, 238, 235])
        } else if within(x, y, (middle, eyes + 170.0), (60.0, 14.0)) {
            Rgb([150, 60, 60])
        } else if within(x, y, (middle, eyes + 30.0), (170.0, 245.0)) && y > eyes - 130.0 {
            skin
        } else if within(x, y, (middle, eyes - 40.0), (200.0, 220.0)) {
            hair
        } else if within(x, y, (middle, 1_300.0), (420.0, 420.0)) {
            coat
        } else {
            wall
        }
    });
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
            Self::FileSize => imageops::resize(&picture, 3_800, 5_700, FilterType::Triangle),
            Self::Aspect => imageops::crop_imm(&picture, 0, 0, 800, 850 + chance.below(280)).to_image(),
            Self::Colour => DynamicImage::ImageRgb8(picture).into_luma8().to_rgb(),
            Self::Sharpness => imageops::blur(&picture, 5.0 + chance.below(8) as f32),
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
        if self == Self::Format {
            let mut webp = Cursor::new(Vec::new());
            DynamicImage::ImageRgb8(picture).write_to(&mut webp, ImageFormat::WebP).expect("a picture");
            return (MediaType::Webp, webp.into_inner());
        }
        let quality = if self == Self::FileSize { 100 } else { 88 };
        let mut jpeg = Vec::new();
        picture.write_with_encoder(JpegEncoder::new_with_quality(&mut jpeg, quality)).expect("a picture");
        (MediaType::Jpeg, jpeg)
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
