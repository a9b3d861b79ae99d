//! Pictures: metadata is removed, colours become sRGB, and the rest is decoded completely, so that no broken picture is stored.

use std::io::Cursor;

use bytes::Bytes;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

use super::colours::ColourModel;
use super::outcome::Refusal;
use super::stripped::{StrippedPicture, check_dimensions};
use super::{gif, inks, jpeg, png, webp};
use crate::documents::limits::{MAX_BYTES, MAX_PIXELS, MAX_SIDE_LEN};
use crate::documents::rules::MediaType;

/// The most bytes of a decoded picture.
const MAX_UNPACKED: u64 = 4 * MAX_PIXELS;

/// The qualities of a photo that had to be rotated or converted. The loss of the first is invisible; the others are for photos that would
/// become too large.
const JPEG_QUALITIES: [u8; 3] = [93, 80, 65];
/// The most bytes of a photo that gets the first quality: it may double them. Encoding is most of the work, so it is not done in vain.
const MAX_FINE_BYTES: usize = 2 * MAX_BYTES / 5;

/// Removes metadata, rotates the picture upright, and converts its colours to sRGB. Refuses a picture that cannot be decoded completely.
pub fn clean(content: &Bytes, media_type: MediaType) -> Result<Bytes, Refusal> {
    let (format, stripped) = match media_type {
        MediaType::Jpeg => (ImageFormat::Jpeg, jpeg::strip(content)?),
        MediaType::Png => (ImageFormat::Png, png::strip(content)?),
        MediaType::Webp => (ImageFormat::WebP, webp::strip(content)?),
        MediaType::Gif => (ImageFormat::Gif, gif::strip(content)?),
        MediaType::Pdf => return Err(Refusal::Unreadable),
    };
    let StrippedPicture { content, orientation, colours } = stripped;
    let colours = colours.filter(|colours| !colours.are_srgb());
    let mut picture = match &colours {
        Some(colours) if colours.model() == ColourModel::Inks => inks::decode(&content, colours)?,
        _ => decode(&content, format)?,
    };
    let is_converted = match colours {
        Some(colours) => colours.model() == ColourModel::Inks || colours.convert(&mut picture).is_some(),
        None => false,
    };
    if !is_converted && orientation == Orientation::NoTransforms {
        return Ok(content);
    }
    let bytes = content.len();
    // A picture that is turned takes its memory twice.
    drop(content);
    picture.apply_orientation(orientation);
    encode(&picture, format, bytes)
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
    check_dimensions(width, height)?;
    if decoder.total_bytes() > MAX_UNPACKED { Err(Refusal::TooManyPixels) } else { Ok(decoder) }
}

fn decode(content: &[u8], format: ImageFormat) -> Result<DynamicImage, Refusal> {
    DynamicImage::from_decoder(decoder(content, format)?).map_err(refused)
}

fn refused(error: ImageError) -> Refusal {
    match error {
        ImageError::Limits(_) => Refusal::TooManyPixels,
        _ => Refusal::DamagedPicture,
    }
}

/// Encodes a picture that had `bytes` bytes.
fn encode(picture: &DynamicImage, format: ImageFormat, bytes: usize) -> Result<Bytes, Refusal> {
    if format != ImageFormat::Jpeg {
        let mut encoded = Cursor::new(Vec::new());
        picture.write_to(&mut encoded, format).map_err(|_| Refusal::DamagedPicture)?;
        return Ok(encoded.into_inner().into());
    }
    let [fine, usual, coarse] = JPEG_QUALITIES;
    let (first, second) = if bytes <= MAX_FINE_BYTES { (fine, usual) } else { (usual, coarse) };
    let encoded = images::jpeg::encode(picture, first).map_err(|_| Refusal::DamagedPicture)?;
    if encoded.len() <= MAX_BYTES {
        return Ok(encoded.into());
    }
    drop(encoded);
    Ok(images::jpeg::encode(picture, second).map_err(|_| Refusal::DamagedPicture)?.into())
}

#[cfg(test)]
mod tests {
    use img_parts::png::Png;
    use img_parts::webp::WebP;

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

    fn with_profile(format: ImageFormat, profile: &moxcms::ColorProfile) -> Bytes {
        use img_parts::ImageICC;
        let (plain, profile) = (Bytes::from(encoded(format)), Some(Bytes::from(profile.encode().unwrap())));
        match format {
            ImageFormat::Png => {
                let mut png = Png::from_bytes(plain).unwrap();
                png.set_icc_profile(profile);
                png.encoder().bytes()
            }
            ImageFormat::WebP => {
                let mut webp = WebP::from_bytes(plain).unwrap();
                webp.set_icc_profile(profile);
                webp.encoder().bytes()
            }
            _ => {
                let mut jpeg = img_parts::jpeg::Jpeg::from_bytes(plain).unwrap();
                jpeg.set_icc_profile(profile);
                jpeg.encoder().bytes()
            }
        }
    }

    #[test]
    fn a_profile_goes_and_the_pixels_change_only_if_it_is_not_that_of_srgb() {
        let mut linear = moxcms::ColorProfile::new_srgb();
        let straight = Some(moxcms::curve_from_gamma(1.0));
        (linear.red_trc, linear.green_trc, linear.blue_trc) = (straight.clone(), straight.clone(), straight);
        for (format, media_type) in KINDS {
            let plain = decode(&encoded(format), format).unwrap();
            let same = clean(&with_profile(format, &moxcms::ColorProfile::new_srgb()), media_type).unwrap();
            let brighter = clean(&with_profile(format, &linear), media_type).unwrap();
            assert!(!holds(&same, b"acsp") && !holds(&brighter, b"acsp"), "{format:?}");
            assert_eq!(decode(&same, format).unwrap(), plain, "{format:?}");
            // 10 of 255 is a light of 4 %, which sRGB stores as 56.
            let dark = decode(&brighter, format).unwrap().into_rgb8().get_pixel(5, 5).0;
            assert!(dark.iter().all(|part| part.abs_diff(56) < 4), "{format:?}: {dark:?}");
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
                assert_eq!(
                    clean(&whole.slice(..length), media_type),
                    Err(Refusal::DamagedPicture),
                    "{format:?} {length}"
                );
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
