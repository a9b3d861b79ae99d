//! A grey picture, and what the other files of this folder do with one.

use image::imageops::{self, FilterType};
use image::{DynamicImage, GrayImage};

use crate::jpeg;

/// A grey picture, row after row. 0 is black.
#[derive(Clone, Debug)]
pub struct Grey {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u8>,
}

/// The nearest whole number from 0.
pub fn whole(value: f32) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a float saturates, and is not negative"
    )]
    let whole = value.max(0.0).round() as usize;
    whole
}

/// A number of pixels for `image`, which counts in 32 bits.
fn narrow(pixels: usize) -> u32 {
    u32::try_from(pixels).unwrap_or(u32::MAX)
}

impl Grey {
    /// The picture, made smaller if a side has more than `longest` pixels.
    pub fn of(picture: &DynamicImage, longest: u32) -> Self {
        let grey = if picture.width().max(picture.height()) > longest {
            picture.resize(longest, longest, FilterType::Triangle).into_luma8()
        } else {
            picture.to_luma8()
        };
        Self::from(grey)
    }

    /// A picture of one shade.
    pub fn blank(width: usize, height: usize, shade: u8) -> Self {
        Self { width, height, pixels: vec![shade; width * height] }
    }

    fn to_image(&self) -> GrayImage {
        GrayImage::from_raw(narrow(self.width), narrow(self.height), self.pixels.clone()).unwrap_or_default()
    }

    pub fn at(&self, x: usize, y: usize) -> u8 {
        self.pixels.get(y * self.width + x).copied().unwrap_or(u8::MAX)
    }

    /// The picture in another size.
    pub fn resized(&self, width: usize, height: usize) -> Self {
        imageops::resize(&self.to_image(), narrow(width.max(1)), narrow(height.max(1)), FilterType::Triangle).into()
    }

    /// The picture, turned by quarters to the right.
    pub fn turned(&self, quarters: u8) -> Self {
        match quarters % 4 {
            1 => imageops::rotate90(&self.to_image()).into(),
            2 => imageops::rotate180(&self.to_image()).into(),
            3 => imageops::rotate270(&self.to_image()).into(),
            _ => self.clone(),
        }
    }

    /// Black on white at every place: each pixel against the paper around it, so that shadows and weak print do not matter.
    pub fn flattened(&self) -> Self {
        const BLOCK: usize = 8;
        let (wide, high) = (self.width.div_ceil(BLOCK), self.height.div_ceil(BLOCK));
        let mut paper = Self::blank(wide, high, 0);
        for y in 0..self.height {
            for x in 0..self.width {
                let block = &mut paper.pixels[(y / BLOCK) * wide + x / BLOCK];
                *block = (*block).max(self.pixels[y * self.width + x]);
            }
        }
        let paper: Self = imageops::fast_blur(&paper.to_image(), 4.0).into();
        let paper = paper.resized(self.width, self.height);
        let ratio = |(ink, paper): (&u8, &u8)| {
            let ratio = u32::from(*ink) * 255 / u32::from((*paper).max(1));
            u8::try_from(ratio).unwrap_or(u8::MAX)
        };
        let pixels = self.pixels.iter().zip(&paper.pixels).map(ratio).collect();
        Self { width: self.width, height: self.height, pixels }.stretched()
    }

    /// The darkest and the brightest shades become black and white.
    pub fn stretched(&self) -> Self {
        let counts = self.histogram();
        let share = self.pixels.len() / 100;
        let reached = |shade_at: fn(usize) -> usize| {
            let mut seen = 0;
            (0..256).map(shade_at).find(|shade| {
                seen += counts[*shade];
                seen > share
            })
        };
        let low = reached(|at| at).unwrap_or(0);
        let high = reached(|at| 255 - at).unwrap_or(255).max(low + 1);
        let stretch = |shade: &u8| {
            let above = usize::from(*shade).saturating_sub(low) * 255 / (high - low);
            u8::try_from(above).unwrap_or(u8::MAX)
        };
        Self { width: self.width, height: self.height, pixels: self.pixels.iter().map(stretch).collect() }
    }

    fn histogram(&self) -> [usize; 256] {
        let mut counts = [0; 256];
        for shade in &self.pixels {
            counts[usize::from(*shade)] += 1;
        }
        counts
    }

    /// The shade between ink and paper (Otsu).
    pub fn threshold(&self) -> u8 {
        let counts = self.histogram();
        let all: usize = self.pixels.len();
        let sum: usize = counts.iter().enumerate().map(|(shade, count)| shade * count).sum();
        let (mut below, mut sum_below, mut best, mut threshold) = (0_usize, 0_usize, -1.0_f32, 128);
        for shade in 0..=255_u8 {
            below += counts[usize::from(shade)];
            sum_below += usize::from(shade) * counts[usize::from(shade)];
            let above = all - below;
            if below == 0 || above == 0 {
                continue;
            }
            let apart = sum_below as f32 / below as f32 - (sum - sum_below) as f32 / above as f32;
            let between = below as f32 * above as f32 * apart * apart;
            if between > best {
                (best, threshold) = (between, shade);
            }
        }
        threshold
    }

    /// A part of the picture around `centre`, turned by `slope` (its tangent) to the horizontal, and scaled to `width` pixels.
    pub fn strip(&self, centre: (f32, f32), slope: f32, size: (f32, f32), width: usize) -> Self {
        let scale = size.0 / width as f32;
        let height = whole(size.1 / scale).max(1);
        let angle = slope.atan();
        let (sin, cos) = angle.sin_cos();
        let mut strip = Self::blank(width, height, 255);
        for y in 0..height {
            let down = (y as f32 - height as f32 / 2.0) * scale;
            for x in 0..width {
                let right = (x as f32 - width as f32 / 2.0) * scale;
                strip.pixels[y * width + x] =
                    self.between(centre.0 + right * cos - down * sin, centre.1 + right * sin + down * cos);
            }
        }
        strip
    }

    /// The shade at a place between pixels.
    fn between(&self, x: f32, y: f32) -> u8 {
        if x < 0.0 || y < 0.0 || x >= (self.width - 1) as f32 || y >= (self.height - 1) as f32 {
            return 255;
        }
        let (left, top) = (whole(x.floor()), whole(y.floor()));
        let (right, down) = (x - x.floor(), y - y.floor());
        let row = |y: usize| {
            let (first, second) = (f32::from(self.at(left, y)), f32::from(self.at(left + 1, y)));
            first + (second - first) * right
        };
        let shade = row(top) + (row(top + 1) - row(top)) * down;
        u8::try_from(whole(shade)).unwrap_or(u8::MAX)
    }

    /// The picture as a portable grey map, which Tesseract reads.
    pub fn to_pgm(&self) -> Vec<u8> {
        let head = format!("P5\n{} {}\n255\n", self.width, self.height);
        [head.as_bytes(), &self.pixels].concat()
    }

    /// The picture as a JPEG.
    pub fn to_jpeg(&self, quality: u8) -> Option<Vec<u8>> {
        jpeg::encode(&self.to_image().into(), quality).ok()
    }
}

impl From<GrayImage> for Grey {
    fn from(image: GrayImage) -> Self {
        let (width, height) = (image.width() as usize, image.height() as usize);
        Self { width, height, pixels: image.into_raw() }
    }
}
