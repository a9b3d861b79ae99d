//! JPEG of four inks. Their colours depend on the press, which a profile describes; without one, viewers multiply.

use image::{DynamicImage, RgbImage};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use super::colours::Colours;
use super::outcome::Refusal;

/// Decodes a JPEG of inks into the colours that its profile says they print.
pub fn decode(content: &[u8], colours: &Colours) -> Result<DynamicImage, Refusal> {
    let (width, height, inks) = decode_inks(content).ok_or(Refusal::DamagedPicture)?;
    let printed = colours.converted(&inks).ok_or(Refusal::DamagedPicture)?;
    RgbImage::from_raw(width, height, printed).map(DynamicImage::ImageRgb8).ok_or(Refusal::DamagedPicture)
}

/// Width, height, and for each pixel cyan, magenta, yellow and black, of which 255 is the most.
fn decode_inks(content: &[u8]) -> Option<(u32, u32, Vec<u8>)> {
    let options = DecoderOptions::default().set_strict_mode(false);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(content), options);
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    let stored = decoder.input_colorspace()?;
    decoder.set_options(options.jpeg_set_out_colorspace(stored));
    let mut inks = decoder.decode().ok()?;
    let (pixels, _) = inks.as_chunks_mut::<4>();
    match stored {
        // Adobe's programs store what is left white, and all others do as they do.
        ColorSpace::CMYK => pixels.as_flattened_mut().iter_mut().for_each(|ink| *ink = !*ink),
        ColorSpace::YCCK => pixels.iter_mut().for_each(|pixel| *pixel = of_ycck(*pixel)),
        _ => return None,
    }
    Some((u32::try_from(width).ok()?, u32::try_from(height).ok()?, inks))
}

/// The inks are as light and colour differences (JFIF), the black is stored as what is left white.
fn of_ycck([light, blue, red, black]: [u8; 4]) -> [u8; 4] {
    let (light, blue, red) = (i32::from(light) << 16, i32::from(blue) - 128, i32::from(red) - 128);
    // 1.402, 0.344136, 0.714136 and 1.772, times 65,536.
    let inks = [light + 91_881 * red, light - 22_553 * blue - 46_802 * red, light + 116_130 * blue];
    let [cyan, magenta, yellow] =
        inks.map(|ink| u8::try_from((ink + 0x8000) >> 16).unwrap_or(if ink < 0 { 0 } else { u8::MAX }));
    [cyan, magenta, yellow, !black]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_and_colour_differences_are_inks() {
        for (stored, inks) in [
            ([76, 85, 255, 255], [254, 0, 0, 0]),
            ([0, 128, 128, 0], [0, 0, 0, 255]),
            ([255, 128, 128, 255], [255, 255, 255, 0]),
        ] {
            assert_eq!(of_ycck(stored), inks, "{stored:?}");
        }
    }
}
