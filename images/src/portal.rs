//! Draws the portal's version of a photograph: a part of it, in the portal's ratio, below the portal's limits.

use image::imageops::FilterType;
use image::{DynamicImage, Rgb, RgbImage};

use crate::jpeg;

/// The qualities of a JPEG that are tried until it is small enough.
const QUALITIES: [u8; 4] = [92, 85, 75, 60];
/// How many times the least size the version has at most.
const LARGEST: u32 = 2;

/// A rectangle of a picture, in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

/// Cuts out the part and encodes it as a JPEG in colour of at most `max_bytes`. None if it cannot be made so small.
pub fn version(picture: &DynamicImage, part: Part, least: (u32, u32), max_bytes: usize) -> Option<Vec<u8>> {
    let cut = picture.crop_imm(part.left, part.top, part.width, part.height);
    let most = (least.0 * LARGEST, least.1 * LARGEST);
    let size = if cut.width() > most.0 { most } else { (cut.width(), cut.width() * least.1 / least.0) };
    let sized = on_white(&cut.resize_exact(size.0, size.1, FilterType::Lanczos3)).into();
    QUALITIES.into_iter().find_map(|quality| {
        let jpeg = jpeg::encode(&sized, quality).ok()?;
        (jpeg.len() <= max_bytes).then_some(jpeg)
    })
}

/// What is transparent becomes white.
fn on_white(picture: &DynamicImage) -> RgbImage {
    let picture = picture.to_rgba8();
    RgbImage::from_fn(picture.width(), picture.height(), |x, y| {
        let [red, green, blue, alpha] = picture.get_pixel(x, y).0;
        let mixed = |shade: u8| {
            let mixed = (u32::from(shade) * u32::from(alpha) + 255 * (255 - u32::from(alpha))) / 255;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        Rgb([red, green, blue].map(mixed))
    })
}
