//! Encodes pictures.

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ImageResult};

/// The picture as a JPEG of a quality from 1 to 100: in grey if it is grey with 8 bits, else in colour, without transparency.
///
/// # Errors
/// If a side has more than the 65,535 pixels that a JPEG can have.
pub fn encode(picture: &DynamicImage, quality: u8) -> ImageResult<Vec<u8>> {
    let mut jpeg = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut jpeg, quality);
    match picture {
        DynamicImage::ImageLuma8(grey) => grey.write_with_encoder(encoder)?,
        DynamicImage::ImageRgb8(colours) => colours.write_with_encoder(encoder)?,
        picture => picture.to_rgb8().write_with_encoder(encoder)?,
    }
    Ok(jpeg)
}
