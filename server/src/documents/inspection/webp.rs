//! WebP by its chunks: those that the picture is drawn by are kept, all others are removed.

use bytes::Bytes;
use image::metadata::Orientation;

use super::colours::{ColourModel, Colours};
use super::outcome::Refusal;
use super::stripped::StrippedPicture;

/// Of the flags of the extended head, that of transparency. Those of a profile, Exif, XMP and animation announce what is removed.
const TRANSPARENCY: u8 = 0b0001_0000;

/// Removes metadata, the profile, and everything behind the end.
pub fn strip(content: &[u8]) -> Result<StrippedPicture, Refusal> {
    let mut rest = body(content).ok_or(Refusal::DamagedPicture)?;
    let mut kept = b"WEBP".to_vec();
    kept.reserve(content.len());
    let (mut orientation, mut colours) = (None, None);
    while !rest.is_empty() {
        let (kind, chunk, behind) = first_chunk(rest).ok_or(Refusal::DamagedPicture)?;
        rest = behind;
        let mut chunk = chunk.to_vec();
        match kind {
            b"ANIM" | b"ANMF" => return Err(Refusal::Animated),
            b"VP8X" => *chunk.first_mut().ok_or(Refusal::DamagedPicture)? &= TRANSPARENCY,
            b"VP8 " | b"VP8L" | b"ALPH" => {}
            b"EXIF" => {
                let exif = chunk.strip_prefix(b"Exif\0\0").unwrap_or(&chunk);
                orientation = orientation.or_else(|| Orientation::from_exif_chunk(exif));
                continue;
            }
            b"ICCP" => {
                colours = colours.or_else(|| Colours::of_profile(&chunk, ColourModel::Rgb));
                continue;
            }
            _ => continue,
        }
        kept.extend(kind);
        kept.extend(u32::try_from(chunk.len()).map_err(|_| Refusal::DamagedPicture)?.to_le_bytes());
        if chunk.len() % 2 == 1 {
            chunk.push(0);
        }
        kept.extend(chunk);
    }
    let length = u32::try_from(kept.len()).map_err(|_| Refusal::DamagedPicture)?.to_le_bytes();
    let content = Bytes::from([b"RIFF", &length[..], &kept].concat());
    Ok(StrippedPicture { content, orientation: orientation.unwrap_or(Orientation::NoTransforms), colours })
}

/// The chunks. Some programs do not write the byte that fills the last one.
fn body(content: &[u8]) -> Option<&[u8]> {
    let rest = content.strip_prefix(b"RIFF")?;
    let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).ok()?;
    let rest = &rest[4..];
    rest.get(..length).or_else(|| (rest.len() + 1 == length).then_some(rest))?.strip_prefix(b"WEBP")
}

/// The kind and content of the first chunk, and what is behind it.
fn first_chunk(bytes: &[u8]) -> Option<(&[u8; 4], &[u8], &[u8])> {
    let (kind, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*rest.first_chunk()?)).ok()?;
    let (chunk, rest) = rest[4..].split_at_checked(length)?;
    Some((kind, chunk, rest.get(length % 2..).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, RgbImage};

    use super::*;

    fn picture() -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::from_pixel(8, 8, image::Rgb([9, 99, 199])).write_to(&mut bytes, ImageFormat::WebP).unwrap();
        bytes.into_inner()
    }

    fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let fill = if content.len() % 2 == 1 { &[0][..] } else { &[] };
        [kind, &u32::try_from(content.len()).unwrap().to_le_bytes()[..], content, fill].concat()
    }

    fn riff(chunks: &[u8]) -> Vec<u8> {
        let length = u32::try_from(chunks.len() + 4).unwrap().to_le_bytes();
        [b"RIFF", &length[..], b"WEBP", chunks].concat()
    }

    fn stripped(content: &[u8]) -> Result<Vec<u8>, Refusal> {
        strip(content).map(|stripped| stripped.content.to_vec())
    }

    #[test]
    fn only_the_picture_stays() {
        let picture = picture();
        assert_eq!(stripped(&picture).unwrap(), picture);
        assert_eq!(stripped(&[&picture[..], b"and more"].concat()).unwrap(), picture);
        let (data, size) = (&picture[12..], [7, 0, 0, 7, 0, 0]);
        let extended = |flags: u8| chunk(b"VP8X", &[&[flags, 0, 0, 0][..], &size].concat());
        let dirty = [
            extended(0b0011_1100),
            chunk(b"ICCP", b"none"),
            data.to_vec(),
            chunk(b"EXIF", b"GPS"),
            chunk(b"XMP ", b"x"),
        ];
        assert_eq!(stripped(&riff(&dirty.concat())).unwrap(), riff(&[extended(TRANSPARENCY), data.to_vec()].concat()));
        assert_eq!(stripped(&riff(&[data, &chunk(b"ANMF", b"")].concat())), Err(Refusal::Animated));
    }

    #[test]
    fn the_byte_that_fills_the_last_chunk_may_be_missing() {
        let whole = riff(&[&picture()[12..], &chunk(b"EXIF", b"odd")].concat());
        assert_eq!(stripped(&whole[..whole.len() - 1]).unwrap(), picture());
    }

    #[test]
    fn what_is_cut_off_is_damaged() {
        let picture = picture();
        for length in 0..picture.len() - 1 {
            assert_eq!(stripped(&picture[..length]), Err(Refusal::DamagedPicture), "{length}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(0u8.., 0..100)) {
            let _ = stripped(&[b"RIFF", &bytes[..]].concat());
            let _ = stripped(&riff(&bytes));
        }
    }
}
