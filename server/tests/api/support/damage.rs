//! What happens to the page of a passport before it is uploaded: what scanners and phones make of it.

use image::imageops::{self, FilterType};
use image::{Rgb, RgbImage};

/// What happened to a page before it was uploaded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Damage {
    None,
    QuarterTurn,
    HalfTurn,
    ThreeQuarterTurn,
    Tilted,
    Blurred,
    Cropped,
    Glare,
    LowContrast,
    Perspective,
    Small,
    Noisy,
    OnATable,
    TiltedFar,
    Bent,
    SeenFromBelow,
    SeenFromTheSide,
    VerySmall,
}

impl Damage {
    pub const ALL: [Self; 18] = [
        Self::None,
        Self::QuarterTurn,
        Self::HalfTurn,
        Self::ThreeQuarterTurn,
        Self::Tilted,
        Self::Blurred,
        Self::Cropped,
        Self::Glare,
        Self::LowContrast,
        Self::Perspective,
        Self::Small,
        Self::Noisy,
        Self::OnATable,
        Self::TiltedFar,
        Self::Bent,
        Self::SeenFromBelow,
        Self::SeenFromTheSide,
        Self::VerySmall,
    ];

    /// The page after it. `chance` draws its strength, from 0 to 1.
    pub fn apply(self, page: &RgbImage, chance: f32) -> RgbImage {
        let (width, height) = page.dimensions();
        match self {
            Self::None => page.clone(),
            Self::QuarterTurn => imageops::rotate90(page),
            Self::HalfTurn => imageops::rotate180(page),
            Self::ThreeQuarterTurn => imageops::rotate270(page),
            Self::Tilted => {
                let angle = (chance - 0.5) * 0.24;
                let angle = if angle.abs() < 0.03 { 0.03 } else { angle };
                warp(page, page.dimensions(), |x, y| {
                    let (x, y) = (x - width as f32 / 2.0, y - height as f32 / 2.0);
                    let (sin, cos) = angle.sin_cos();
                    ((x * cos - y * sin) * 1.12 + width as f32 / 2.0, (x * sin + y * cos) * 1.12 + height as f32 / 2.0)
                })
            }
            Self::Blurred => imageops::blur(page, 1.0 + 2.5 * chance),
            Self::Cropped => {
                let top = height / 2 + pixels(height as f32 * 0.15 * chance);
                imageops::crop_imm(page, 0, top, width, height - top).to_image()
            }
            Self::Glare => shaded(page, |x, y| {
                let (x, y) = (x / width as f32 - 0.2 - 0.6 * chance, y / height as f32 - 0.75);
                255.0 * (-(x * x * 30.0 + y * y * 40.0)).exp() * 0.75
            }),
            Self::LowContrast => {
                let contrast = 0.2 + 0.25 * chance;
                RgbImage::from_fn(width, height, |x, y| {
                    Rgb(page.get_pixel(x, y).0.map(|shade| self::shade(110.0 + f32::from(shade) * contrast)))
                })
            }
            Self::Perspective => {
                let depth = 0.04 + 0.1 * chance;
                warp(page, page.dimensions(), |x, y| {
                    let squeeze = 1.0 + depth * (1.0 - y / height as f32);
                    ((x - width as f32 / 2.0) * squeeze + width as f32 / 2.0, y)
                })
            }
            Self::Small => {
                let wide = 800 + pixels(400.0 * chance);
                imageops::resize(page, wide, height * wide / width, FilterType::Triangle)
            }
            Self::Noisy => {
                let mut state = pixels(chance * 1e6) | 1;
                let mut noise = move || {
                    state ^= state << 13;
                    state ^= state >> 17;
                    state ^= state << 5;
                    f32::from(u8::try_from(state % 61).expect("small")) - 30.0
                };
                let mut noisy = page.clone();
                for pixel in noisy.pixels_mut() {
                    let noise = noise();
                    pixel.0 = pixel.0.map(|shade| self::shade(f32::from(shade) + noise));
                }
                noisy
            }
            Self::OnATable => {
                let (wide, high) = (width * 3 / 2, height * 2);
                let mut table = RgbImage::from_fn(wide, high, |x, y| {
                    let grain = u8::try_from(((x / 9 + y / 131) % 7) * 6).expect("a small number");
                    Rgb([96 + grain, 70 + grain, 48 + grain])
                });
                let left = i64::from(pixels(width as f32 * 0.5 * chance));
                imageops::overlay(&mut table, page, left, i64::from(height / 3));
                table
            }
            // Up to a corner below, and back again.
            Self::TiltedFar => View { tilt: 10.0 + 160.0 * chance, ..View::FLAT }.of(page),
            Self::Bent => View { bend: signed(chance, 0.01, 0.04), ..View::FLAT }.of(page),
            Self::SeenFromBelow => {
                View { bend: signed(chance, 0.0, 0.02), perspective: 0.05 + 0.15 * chance, ..View::FLAT }.of(page)
            }
            Self::SeenFromTheSide => {
                let view = View { width: 1_200, perspective: 0.05 + 0.15 * chance, ..View::FLAT };
                imageops::rotate270(&view.of(&imageops::rotate90(page)))
            }
            Self::VerySmall => View { width: 500 + pixels(120.0 * chance), ..View::FLAT }.of(page),
        }
    }
}

/// A photograph of a page that lies on something dark.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The width of the photograph, in pixels.
    pub width: u32,
    /// In degrees, to the right.
    pub tilt: f32,
    /// By how much the middle of each line is above its ends, as a part of the page's width.
    pub bend: f32,
    /// By how much the upper side, which is farther away, is shorter than the lower one, as a part of it.
    pub perspective: f32,
}

impl View {
    pub const FLAT: Self = Self { width: 1_600, tilt: 0.0, bend: 0.0, perspective: 0.0 };
    /// The page and its surroundings, as a part of the page.
    const MARGIN: f32 = 1.06;

    /// The photograph.
    pub fn of(self, page: &RgbImage) -> RgbImage {
        let high = page.height() as f32 / page.width() as f32;
        let sides = (0..=20).map(|part| part as f32 / 20.0);
        let outline: Vec<(f32, f32)> = sides
            .flat_map(|part| [(part, 0.0), (part, high), (0.0, part * high), (1.0, part * high)])
            .map(|place| self.seen(place, high))
            .collect();
        let bounds = |of: fn(&(f32, f32)) -> f32| {
            let (first, last) =
                outline.iter().map(of).fold((f32::MAX, f32::MIN), |(first, last), at| (first.min(at), last.max(at)));
            (f32::midpoint(first, last), (last - first) * Self::MARGIN)
        };
        let (across, down) = (bounds(|place| place.0), bounds(|place| place.1));
        let scale = self.width as f32 / across.1;
        // A page of that size has no detail that the photograph cannot show.
        let wide = pixels(scale * 1.25);
        let sized = imageops::resize(page, wide, pixels(wide as f32 * high), FilterType::Triangle);
        let size = (self.width, pixels(down.1 * scale));
        warp(&sized, size, |x, y| {
            let place = (x / scale - across.1 / 2.0 + across.0, y / scale - down.1 / 2.0 + down.0);
            let (x, y) = self.on_page(place, high);
            (x * wide as f32, y * wide as f32)
        })
    }

    /// The place in the photograph of a place on the page. Both in widths of the page; the page is `high`.
    fn seen(self, (x, y): (f32, f32), high: f32) -> (f32, f32) {
        let up = high - y;
        let size = 1.0 / (1.0 + self.depth() * up / high);
        let x = (x - 0.5) * size;
        let y = -up * size - self.rise(x);
        let (sin, cos) = self.tilt.to_radians().sin_cos();
        (x * cos - y * sin, x * sin + y * cos)
    }

    /// The place on the page of a place in the photograph.
    fn on_page(self, (x, y): (f32, f32), high: f32) -> (f32, f32) {
        let (sin, cos) = self.tilt.to_radians().sin_cos();
        let (x, y) = (x * cos + y * sin, y * cos - x * sin);
        let seen_up = -y - self.rise(x);
        let size = 1.0 - self.depth() * seen_up / high;
        if size <= 0.0 {
            return (-1.0, -1.0);
        }
        (x / size + 0.5, high - seen_up / size)
    }

    fn depth(self) -> f32 {
        self.perspective / (1.0 - self.perspective)
    }

    fn rise(self, x: f32) -> f32 {
        self.bend * (1.0 - 4.0 * x * x)
    }
}

/// A number between `least` and `most`, above zero or below it.
fn signed(chance: f32, least: f32, most: f32) -> f32 {
    let drawn = 2.0 * chance - 1.0;
    (least + (most - least) * drawn.abs()).copysign(drawn)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float saturates")]
fn pixels(number: f32) -> u32 {
    number as u32
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a float saturates")]
fn shade(number: f32) -> u8 {
    number as u8
}

/// Each pixel of the result is that of the page at the place that `from` names.
fn warp(page: &RgbImage, (width, height): (u32, u32), from: impl Fn(f32, f32) -> (f32, f32)) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = from(x as f32, y as f32);
        imageops::interpolate_bilinear(page, x, y).unwrap_or(Rgb([60, 60, 60]))
    })
}

/// The page with more light at some places.
fn shaded(page: &RgbImage, light: impl Fn(f32, f32) -> f32) -> RgbImage {
    RgbImage::from_fn(page.width(), page.height(), |x, y| {
        let more = light(x as f32, y as f32);
        Rgb(page.get_pixel(x, y).0.map(|shade| self::shade(f32::from(shade) + more)))
    })
}
