//! PNG by its chunks: those that the picture is drawn by are kept, all others are removed without being unpacked.

use std::io::Read;

use bytes::Bytes;
use flate2::Crc;
use flate2::read::ZlibDecoder;
use image::metadata::Orientation;

use super::colours::{ColourModel, Colours, MAX_PROFILE_BYTES};
use super::outcome::Refusal;
use super::stripped::StrippedPicture;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const END: &[u8] = b"\0\0\0\0IEND\xaeB`\x82";

/// Removes metadata, colours in words of their own, and everything behind the end. The end chunk may be missing, and checksums of chunks
/// that draw nothing may be wrong.
pub fn strip(content: &[u8]) -> Result<StrippedPicture, Refusal> {
    let mut chunks = Vec::new();
    let mut rest = content.strip_prefix(SIGNATURE).ok_or(Refusal::DamagedPicture)?;
    loop {
        let Some((chunk, behind)) = Chunk::first_of(rest) else {
            let is_cut_in_data = rest.get(4..8) == Some(b"IDAT");
            if is_cut_in_data {
                return Err(Refusal::DamagedPicture);
            }
            break;
        };
        rest = behind;
        match &chunk.kind {
            b"IEND" => break,
            b"acTL" => return Err(Refusal::Animated),
            b"IHDR" | b"PLTE" | b"IDAT" | b"tRNS" if !chunk.is_intact() => return Err(Refusal::DamagedPicture),
            _ if chunk.is_intact() => chunks.push(chunk),
            _ => {}
        }
    }
    let head = find(&chunks, *b"IHDR").ok_or(Refusal::DamagedPicture)?;
    find(&chunks, *b"IDAT").ok_or(Refusal::DamagedPicture)?;
    let model = if head.get(9).is_some_and(|kind| kind & 2 == 0) { ColourModel::Grey } else { ColourModel::Rgb };
    let (colours, keeps_colours) = colours(&chunks, model);
    let mut kept = Vec::with_capacity(content.len());
    kept.extend(SIGNATURE);
    for chunk in &chunks {
        let is_kept = match &chunk.kind {
            b"IHDR" | b"PLTE" | b"IDAT" | b"tRNS" | b"pHYs" => true,
            b"gAMA" | b"cHRM" | b"sRGB" => keeps_colours,
            _ => false,
        };
        if is_kept {
            kept.extend(chunk.whole);
        }
    }
    kept.extend(END);
    let exif = find(&chunks, *b"eXIf").and_then(Orientation::from_exif_chunk);
    Ok(StrippedPicture { content: Bytes::from(kept), orientation: exif.unwrap_or(Orientation::NoTransforms), colours })
}

struct Chunk<'a> {
    kind: [u8; 4],
    content: &'a [u8],
    /// With its length and checksum.
    whole: &'a [u8],
}

impl<'a> Chunk<'a> {
    /// The chunk at the beginning of these bytes, and what is behind it.
    fn first_of(bytes: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let length = usize::try_from(u32::from_be_bytes(*bytes.first_chunk()?)).ok()?;
        let (whole, rest) = bytes.split_at_checked(length.checked_add(12)?)?;
        Some((Self { kind: *whole[4..].first_chunk()?, content: &whole[8..8 + length], whole }, rest))
    }

    fn is_intact(&self) -> bool {
        let (covered, sum) = self.whole[4..].split_at(4 + self.content.len());
        let mut crc = Crc::new();
        crc.update(covered);
        crc.sum().to_be_bytes() == sum
    }
}

fn find<'a>(chunks: &[Chunk<'a>], kind: [u8; 4]) -> Option<&'a [u8]> {
    chunks.iter().find(|chunk| chunk.kind == kind).map(|chunk| chunk.content)
}

/// The colours that a picture says it has, and whether the chunks gAMA, cHRM and sRGB stay. A chunk that is wrong leaves it to the next:
/// PNG, third edition, 4.3.
fn colours(chunks: &[Chunk<'_>], model: ColourModel) -> (Option<Colours>, bool) {
    let of_code_points = find(chunks, *b"cICP").and_then(|points| Colours::of_code_points(points, model));
    let of_profile = || Colours::of_profile(&unpacked(find(chunks, *b"iCCP")?)?, model);
    if let Some(colours) = of_code_points.or_else(of_profile) {
        // Without the chunk that counts, the next one would.
        return (Some(colours), false);
    }
    if find(chunks, *b"sRGB").is_some_and(|intent| intent.len() == 1) {
        return (None, true);
    }
    let gamma = find(chunks, *b"gAMA").and_then(|gamma| Some(u32::from_be_bytes(gamma.try_into().ok()?)));
    let points = find(chunks, *b"cHRM").and_then(|points| {
        let (values, _) = points.as_chunks::<4>();
        <[u32; 8]>::try_from(values.iter().copied().map(u32::from_be_bytes).collect::<Vec<_>>()).ok()
    });
    (gamma.and_then(|gamma| Colours::of_gamma(gamma, points, model)), true)
}

/// The profile in the content of an iCCP chunk: its name and the method of compression come first.
fn unpacked(content: &[u8]) -> Option<Vec<u8>> {
    let name = content.iter().take(80).position(|byte| *byte == 0)?;
    let packed = content.get(name + 1..)?.strip_prefix(&[0])?;
    let mut profile = Vec::new();
    // One byte more than a profile may have shows that it is too long.
    ZlibDecoder::new(packed).take(MAX_PROFILE_BYTES + 1).read_to_end(&mut profile).ok()?;
    Some(profile)
}

#[cfg(test)]
mod tests {
    use std::io::{Cursor, Write};

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use image::{ImageFormat, RgbImage};
    use proptest::prelude::*;

    use super::*;

    fn picture() -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::from_pixel(8, 8, image::Rgb([9, 99, 199])).write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let mut crc = Crc::new();
        crc.update(&[kind, content].concat());
        [&u32::try_from(content.len()).unwrap().to_be_bytes()[..], kind, content, &crc.sum().to_be_bytes()].concat()
    }

    /// The picture with chunks before its data.
    fn with(chunks: &[u8]) -> Vec<u8> {
        let (head, rest) = (&picture()[..33], &picture()[33..]);
        [head, chunks, rest].concat()
    }

    fn packed(profile: &[u8]) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(b"a profile\0\0".to_vec(), Compression::best());
        encoder.write_all(profile).unwrap();
        chunk(b"iCCP", &encoder.finish().unwrap())
    }

    fn stripped(content: &[u8]) -> Result<Vec<u8>, Refusal> {
        strip(content).map(|stripped| stripped.content.to_vec())
    }

    #[test]
    fn only_the_picture_stays() {
        let picture = picture();
        let mut wrong = chunk(b"tEXt", b"Software\0an editor");
        let end = wrong.len() - 1;
        wrong[end] ^= 1;
        let density = chunk(b"pHYs", &[0, 0, 11, 19, 0, 0, 11, 19, 1]);
        for (what, content) in [
            ("texts", with(&[chunk(b"zTXt", b"Comment\0\0no zlib"), wrong].concat())),
            ("a time", with(&chunk(b"tIME", &[0; 7]))),
            ("something behind it", [&picture[..], b"\n\0\0\0\x01IDAT"].concat()),
            ("no end", picture[..picture.len() - 12].to_vec()),
            ("half an end", picture[..picture.len() - 5].to_vec()),
        ] {
            assert_eq!(stripped(&content).unwrap(), picture, "{what}");
        }
        assert_eq!(stripped(&picture).unwrap(), picture);
        assert_eq!(stripped(&with(&density)).unwrap(), with(&density));
        assert!(matches!(strip(&with(&chunk(b"acTL", &[0; 8]))), Err(Refusal::Animated)));
    }

    #[test]
    fn data_that_is_missing_or_damaged_is_told() {
        let picture = picture();
        for length in 0..picture.len() - 12 {
            assert_eq!(stripped(&picture[..length]), Err(Refusal::DamagedPicture), "{length}");
        }
        let mut changed = picture.clone();
        changed[45] ^= 1;
        assert_eq!(stripped(&changed), Err(Refusal::DamagedPicture));
    }

    #[test]
    fn the_chunk_that_comes_first_in_the_specification_says_the_colours() {
        let profile = packed(&moxcms::ColorProfile::new_display_p3().encode().unwrap());
        let (usual, linear) = (chunk(b"sRGB", &[0]), chunk(b"gAMA", &100_000_u32.to_be_bytes()));
        let srgb = chunk(b"cICP", &[1, 13, 0, 1]);
        let bomb = packed(&vec![0; 5 * 1024 * 1024]);
        for (what, chunks, is_converted, is_gamma_kept) in [
            ("code points before a profile", [&srgb[..], &profile, &linear].concat(), false, false),
            ("a profile before the rest", [&profile[..], &usual, &linear].concat(), true, false),
            ("sRGB before gamma", [&usual[..], &linear].concat(), false, true),
            ("gamma alone", linear.clone(), true, true),
            ("a profile that is too long", [&bomb[..], &linear].concat(), true, true),
        ] {
            let stripped = strip(&with(&chunks)).unwrap();
            assert_eq!(stripped.colours.is_some_and(|colours| !colours.are_srgb()), is_converted, "{what}");
            let holds_gamma = stripped.content.windows(4).any(|kind| kind == b"gAMA");
            assert_eq!(holds_gamma, is_gamma_kept, "{what}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(at in 8usize..80, bytes in proptest::collection::vec(0u8.., 0..60)) {
            let mut picture = picture();
            let end = (at + bytes.len() / 2).min(picture.len());
            picture.splice(at.min(end)..end, bytes.clone());
            let _ = strip(&picture);
            let _ = strip(&with(&chunk(b"iCCP", &bytes)));
            let _ = strip(&with(&chunk(b"cHRM", &bytes)));
        }
    }
}
