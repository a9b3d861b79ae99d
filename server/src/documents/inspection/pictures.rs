//! Pictures: metadata is removed, and the rest is decoded completely, so that no broken picture is stored.

use std::io::Cursor;

use bytes::Bytes;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use img_parts::png::Png;
use img_parts::riff::RiffContent;
use img_parts::webp::{self, WebP};

use super::outcome::Refusal;
use super::{gif, jpeg};
use crate::documents::limits::{MAX_PIXELS, MAX_SIDE_LEN};
use crate::documents::rules::MediaType;

/// The most bytes of a decoded picture.
const MAX_UNPACKED: u64 = 4 * MAX_PIXELS;

/// The quality of a photo that had to be rotated: the loss is invisible.
const JPEG_QUALITY: u8 = 93;

/// The chunks that a PNG is drawn by. Others are removed.
const PNG_CHUNKS: [[u8; 4]; 9] =
    [*b"IHDR", *b"PLTE", *b"IDAT", *b"IEND", *b"tRNS", *b"gAMA", *b"cHRM", *b"sRGB", *b"pHYs"];

/// The chunks that a WEBP is drawn by.
const WEBP_CHUNKS: [[u8; 4]; 4] = [webp::CHUNK_VP8X, webp::CHUNK_VP8, webp::CHUNK_VP8L, webp::CHUNK_ALPH];

/// Removes metadata and rotates the picture upright. Refuses a picture that cannot be decoded completely.
pub fn clean(content: &Bytes, media_type: MediaType) -> Result<Bytes, Refusal> {
    let (format, stripped) = match media_type {
        MediaType::Jpeg => (ImageFormat::Jpeg, jpeg::strip(content).ok_or(Refusal::Unreadable)?.into()),
        MediaType::Png => (ImageFormat::Png, strip_png(content)?),
        MediaType::Webp => (ImageFormat::WebP, strip_webp(content)?),
        MediaType::Gif => (ImageFormat::Gif, gif::strip(content)?.into()),
        MediaType::Pdf => return Err(Refusal::Unreadable),
    };
    let picture = decode(&stripped, format)?;
    match orientation(content, format) {
        Orientation::NoTransforms => Ok(stripped),
        orientation => turn(picture, orientation, format),
    }
}

fn decoder(content: &[u8], format: ImageFormat) -> Result<impl ImageDecoder + '_, Refusal> {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE_LEN);
    limits.max_image_height = Some(MAX_SIDE_LEN);
    limits.max_alloc = Some(2 * MAX_UNPACKED);
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    reader.limits(limits);
    let decoder = reader.into_decoder().map_err(refused)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_UNPACKED {
        return Err(Refusal::TooManyPixels);
    }
    Ok(decoder)
}

fn decode(content: &[u8], format: ImageFormat) -> Result<DynamicImage, Refusal> {
    DynamicImage::from_decoder(decoder(content, format)?).map_err(refused)
}

fn refused(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::Unreadable,
    }
}

/// The orientation in the metadata. Unreadable metadata counts as none.
fn orientation(content: &[u8], format: ImageFormat) -> Orientation {
    let noted = decoder(content, format).ok().and_then(|mut decoder| decoder.orientation().ok());
    noted.unwrap_or(Orientation::NoTransforms)
}

/// Rotates the pixels, because the metadata is removed.
fn turn(mut picture: DynamicImage, orientation: Orientation, format: ImageFormat) -> Result<Bytes, Refusal> {
    picture.apply_orientation(orientation);
    let turned = match format {
        ImageFormat::Jpeg => images::jpeg::encode(&picture, JPEG_QUALITY),
        format => {
            let mut turned = Cursor::new(Vec::new());
            picture.write_to(&mut turned, format).map(|()| turned.into_inner())
        }
    };
    Ok(turned.map_err(|_| Refusal::Unreadable)?.into())
}

fn strip_png(content: &Bytes) -> Result<Bytes, Refusal> {
    let mut png = Png::from_bytes(content.clone()).map_err(|_| Refusal::Unreadable)?;
    if png.chunk_by_type(*b"acTL").is_some() {
        return Err(Refusal::Animated);
    }
    png.chunks_mut().retain(|chunk| PNG_CHUNKS.contains(&chunk.kind()));
    Ok(png.encoder().bytes())
}

fn strip_webp(content: &Bytes) -> Result<Bytes, Refusal> {
    let mut picture = WebP::from_bytes(content.clone()).map_err(|_| Refusal::Unreadable)?;
    if picture.has_chunk(webp::CHUNK_ANIM) || picture.has_chunk(webp::CHUNK_ANMF) {
        return Err(Refusal::Animated);
    }
    picture.chunks_mut().retain(|chunk| WEBP_CHUNKS.contains(&chunk.id()));
    for chunk in picture.chunks_mut().iter_mut().filter(|chunk| chunk.id() == webp::CHUNK_VP8X) {
        // Clear the flags of a profile, Exif, XMP and animation: all of them are removed.
        if let RiffContent::Data(announced) = chunk.content_mut() {
            let mut without = announced.to_vec();
            *without.first_mut().ok_or(Refusal::Unreadable)? &= 0b0001_0000;
            *announced = without.into();
        }
    }
    Ok(picture.encoder().bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A picture whose left half is dark, so that turning it shows.
    fn halves() -> DynamicImage {
        DynamicImage::ImageRgb8(image::RgbImage::from_fn(40, 20, |x, _| image::Rgb([if x < 20 { 10 } else { 240 }; 3])))
    }

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        halves().write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    /// Exif that says which side is up, and where the picture was taken.
    fn exif(orientation: u8) -> Vec<u8> {
        let entries = [
            [&[0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0][..]].concat(),
            [&[0x25, 0x88, 4, 0, 1, 0, 0, 0, 0x26, 0, 0, 0][..]].concat(),
        ];
        [b"II*\0\x08\0\0\0\x02\0".as_slice(), &entries.concat(), b"\0\0\0\0GPSLatitude -6.2, 106.8"].concat()
    }

    fn with_exif(format: ImageFormat, orientation: u8) -> Bytes {
        use img_parts::ImageEXIF;
        let (plain, exif) = (Bytes::from(encoded(format)), Some(Bytes::from(exif(orientation))));
        match format {
            ImageFormat::Png => {
                let mut png = Png::from_bytes(plain).unwrap();
                png.set_exif(exif);
                png.encoder().bytes()
            }
            ImageFormat::WebP => {
                let mut webp = WebP::from_bytes(plain).unwrap();
                webp.set_exif(exif);
                webp.encoder().bytes()
            }
            _ => {
                let mut jpeg = img_parts::jpeg::Jpeg::from_bytes(plain).unwrap();
                jpeg.set_exif(exif);
                jpeg.encoder().bytes()
            }
        }
    }

    const KINDS: [(ImageFormat, MediaType); 3] = [
        (ImageFormat::Jpeg, MediaType::Jpeg),
        (ImageFormat::Png, MediaType::Png),
        (ImageFormat::WebP, MediaType::Webp),
    ];

    fn holds(content: &[u8], word: &[u8]) -> bool {
        content.windows(word.len()).any(|window| window == word)
    }

    #[test]
    fn nothing_of_where_and_when_is_left_and_the_pixels_are_the_same() {
        for (format, media_type) in KINDS {
            let dirty = with_exif(format, 1);
            assert!(holds(&dirty, b"GPSLatitude"), "{format:?}");
            let clean = clean(&dirty, media_type).unwrap();
            for word in [&b"GPS"[..], b"Exif", b"eXIf", b"EXIF", b"II*\0"] {
                assert!(!holds(&clean, word), "{format:?}");
            }
            assert_eq!(decode(&clean, format).unwrap(), decode(&encoded(format), format).unwrap(), "{format:?}");
        }
    }

    #[test]
    fn a_picture_that_lies_on_its_side_is_turned() {
        for (format, media_type) in KINDS {
            // 6: the right side is up, so that it has to be turned by a quarter.
            let clean = clean(&with_exif(format, 6), media_type).unwrap();
            assert!(!holds(&clean, b"GPS") && !holds(&clean, b"Exif"), "{format:?}");
            let turned = decode(&clean, format).unwrap().into_rgb8();
            assert_eq!(turned.dimensions(), (20, 40), "{format:?}");
            assert!(turned.get_pixel(10, 5).0[0] < 60 && turned.get_pixel(10, 35).0[0] > 200, "{format:?}");
        }
    }

    #[test]
    fn a_clean_picture_stays_as_it_is() {
        for (format, media_type) in [KINDS[0], KINDS[1], KINDS[2], (ImageFormat::Gif, MediaType::Gif)] {
            let plain = Bytes::from(encoded(format));
            let clean = clean(&plain, media_type).unwrap();
            assert_eq!(decode(&clean, format).unwrap(), decode(&plain, format).unwrap(), "{format:?}");
            assert_eq!(super::clean(&clean, media_type).unwrap(), clean, "{format:?}: once is enough");
        }
    }

    #[test]
    fn a_picture_that_was_cut_off_is_refused() {
        for (format, media_type) in KINDS {
            let whole = Bytes::from(encoded(format));
            for length in [whole.len() / 2, whole.len() - 20, 30] {
                assert_eq!(clean(&whole.slice(..length), media_type), Err(Refusal::Unreadable), "{format:?} {length}");
            }
        }
    }

    #[test]
    fn a_small_file_of_a_huge_picture_is_refused_by_what_it_says() {
        let mut png = Png::from_bytes(encoded(ImageFormat::Png).into()).unwrap();
        let mut head = png.chunk_by_type(*b"IHDR").unwrap().contents().to_vec();
        for (width, height) in [(100_000_u32, 100_000_u32), (12_001, 10), (10, 12_001), (11_000, 11_000)] {
            head[..4].copy_from_slice(&width.to_be_bytes());
            head[4..8].copy_from_slice(&height.to_be_bytes());
            png.chunks_mut()[0] = img_parts::png::PngChunk::new(*b"IHDR", head.clone().into());
            let huge = png.clone().encoder().bytes();
            assert_eq!(clean(&huge, MediaType::Png), Err(Refusal::TooManyPixels), "{width} by {height}");
        }
    }
}
