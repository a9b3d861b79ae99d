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

    /// The picture, made larger if its longest side has fewer pixels: what stands between pixels is drawn before anything is cut out.
    pub fn enlarged(&self, longest: usize) -> Self {
        let scale = longest as f32 / self.width.max(self.height).max(1) as f32;
        if scale <= 1.0 {
            return self.clone();
        }
        let (width, height) = (whole(self.width as f32 * scale), whole(self.height as f32 * scale));
        imageops::resize(&self.to_image(), narrow(width), narrow(height), FilterType::CatmullRom).into()
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

    /// A picture of that size, whose pixels are those of this one at the places that `from` names.
    pub fn sampled(&self, (width, height): (usize, usize), from: impl Fn(f32, f32) -> (f32, f32)) -> Self {
        let mut sampled = Self::blank(width, height, 255);
        for y in 0..height {
            for x in 0..width {
                let place = from(x as f32, y as f32);
                sampled.pixels[y * width + x] = self.between(place.0, place.1);
            }
        }
        sampled
    }

    /// The picture around its middle, turned by an angle to the left. Its border goes on into the corners.
    pub fn turned_by(&self, angle: f32) -> Self {
        if angle == 0.0 {
            return self.clone();
        }
        let (sin, cos) = angle.sin_cos();
        let (across, down) = (self.width as f32, self.height as f32);
        let size = (whole(across * cos.abs() + down * sin.abs()), whole(across * sin.abs() + down * cos.abs()));
        let middle = (size.0 as f32 / 2.0, size.1 as f32 / 2.0);
        self.sampled(size, |x, y| {
            let (x, y) = (x - middle.0, y - middle.1);
            let place = (across / 2.0 + x * cos - y * sin, down / 2.0 + x * sin + y * cos);
            (place.0.min(across - 1.01).max(0.0), place.1.min(down - 1.01).max(0.0))
        })
    }

    /// How much each pixel differs from its neighbour to the left: print alternates, photographs and paper do not.
    pub fn edges(&self) -> Self {
        let mut edges = Self::blank(self.width, self.height, 0);
        for y in 0..self.height {
            for x in 1..self.width {
                let at = y * self.width + x;
                edges.pixels[at] = self.pixels[at].abs_diff(self.pixels[at - 1]);
            }
        }
        edges
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
