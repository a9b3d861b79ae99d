//! JPEG by its segments: those that the picture is made of are kept unchanged, all others are removed. So is whatever lies between and
//! behind them: viewers skip it.

use image::metadata::Orientation;
use images::scans::Scans;

use super::colours::{ColourModel, Colours};
use super::outcome::Refusal;
use super::stripped::{StrippedPicture, check_dimensions};

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const EXIF: &[u8] = b"Exif\0\0";
const PROFILE: &[u8] = b"ICC_PROFILE\0";

/// Removes Exif, XMP, profile, comments, thumbnail, and everything that is not needed to draw the picture, such as a film behind it. The
/// picture needs no end marker if all of it is there.
pub fn strip(content: &[u8]) -> Result<StrippedPicture, Refusal> {
    let mut segments = Segments::default();
    segments.kept.reserve(content.len());
    segments.kept.extend([0xff, START]);
    let mut rest = content.strip_prefix(&[0xff, START]).ok_or(Refusal::DamagedPicture)?;
    loop {
        let marker;
        (marker, rest) = next_marker(rest).ok_or(Refusal::DamagedPicture)?;
        if marker == END {
            if !segments.scans.has_every_block() {
                return Err(Refusal::DamagedPicture);
            }
            break;
        }
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk().ok_or(Refusal::DamagedPicture)?));
        let segment = rest.get(2..length).ok_or(Refusal::DamagedPicture)?;
        rest = &rest[length..];
        segments.read(marker, segment)?;
        if marker == SCAN {
            let data = segments.scans.read_scan(segment, rest).ok_or(Refusal::DamagedPicture)?;
            segments.kept.extend(&rest[..data]);
            rest = &rest[data..];
            if segments.scans.is_complete() {
                break;
            }
        }
    }
    segments.kept.extend([0xff, END]);
    Ok(StrippedPicture {
        colours: segments.colours(),
        content: segments.kept.into(),
        orientation: segments.orientation.unwrap_or(Orientation::NoTransforms),
    })
}

/// The next marker with a segment, or the end, and the bytes after it. Bytes before it are skipped, and markers that stand alone.
fn next_marker(mut bytes: &[u8]) -> Option<(u8, &[u8])> {
    loop {
        let at = bytes.iter().position(|byte| *byte == 0xff)?;
        bytes = bytes.get(at + 1..)?;
        let marker = *bytes.first()?;
        if !matches!(marker, 0x00 | 0x01 | 0xd0..=START | 0xff) {
            return Some((marker, &bytes[1..]));
        }
    }
}

/// The segments that were read so far.
#[derive(Default)]
struct Segments<'a> {
    kept: Vec<u8>,
    scans: Scans,
    orientation: Option<Orientation>,
    /// The parts of a profile: number, count, and content.
    profile: Vec<(u8, u8, &'a [u8])>,
}

impl<'a> Segments<'a> {
    fn read(&mut self, marker: u8, segment: &'a [u8]) -> Result<(), Refusal> {
        match marker {
            0xc4 => self.scans.read_tables(segment).ok_or(Refusal::DamagedPicture)?,
            0xc0..=0xc2 => {
                let size = self.scans.read_frame(segment, marker == 0xc2).ok_or(Refusal::DamagedPicture)?;
                check_dimensions(size.width, size.height)?;
            }
            // Without loss, or with arithmetic coding: no browser shows these.
            0xc3..=0xcf => return Err(Refusal::DamagedPicture),
            0xdd => self.scans.read_restart_interval(segment).ok_or(Refusal::DamagedPicture)?,
            0xe1 if segment.starts_with(EXIF) && self.orientation.is_none() => {
                self.orientation = Orientation::from_exif_chunk(&segment[EXIF.len()..]);
            }
            0xe2 => {
                if let Some([number, count, part @ ..]) = segment.strip_prefix(PROFILE) {
                    self.profile.push((*number, *count, part));
                }
            }
            _ => {}
        }
        keep(marker, segment, &mut self.kept).ok_or(Refusal::DamagedPicture)
    }

    /// The colours that the profile describes, if it is there as a whole.
    fn colours(&self) -> Option<Colours> {
        let mut parts = self.profile.clone();
        parts.sort_by_key(|(number, ..)| *number);
        let numbers = 1..=u8::MAX;
        let is_whole = numbers.zip(&parts).all(|(number, part)| part.0 == number && usize::from(part.1) == parts.len());
        let model = match self.scans.size()?.components {
            1 => ColourModel::Grey,
            3 => ColourModel::Rgb,
            4 => ColourModel::Inks,
            _ => return None,
        };
        let profile: Vec<u8> = parts.iter().flat_map(|(.., part)| *part).copied().collect();
        if is_whole { Colours::of_profile(&profile, model) } else { None }
    }
}

fn keep(marker: u8, segment: &[u8], kept: &mut Vec<u8>) -> Option<()> {
    let segment: &[u8] = match marker {
        // Frames, tables, restart intervals, scans.
        0xc0..=0xcf | SCAN..=0xdf => segment,
        // The colour transform.
        0xee if segment.starts_with(b"Adobe") => segment,
        // The pixel density. A thumbnail may follow, which may show what was cropped away.
        0xe0 if segment.starts_with(b"JFIF\0") => {
            let density = segment.get(5..12)?;
            kept.extend([0xff, marker, 0, 16]);
            kept.extend(b"JFIF\0");
            kept.extend(density);
            kept.extend([0, 0]);
            return Some(());
        }
        _ => return Some(()),
    };
    let length = u16::try_from(segment.len() + 2).ok()?;
    kept.extend([0xff, marker]);
    kept.extend(length.to_be_bytes());
    kept.extend(segment);
    Some(())
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, RgbImage};

    use super::*;

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker], &length[..], content].concat()
    }

    fn picture() -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let waves =
            RgbImage::from_fn(40, 20, |x, y| image::Rgb([x * 6, y * 12, x * y / 4].map(|one| one.to_le_bytes()[0])));
        waves.write_to(&mut bytes, ImageFormat::Jpeg).unwrap();
        bytes.into_inner()
    }

    fn stripped(content: &[u8]) -> Result<Vec<u8>, Refusal> {
        strip(content).map(|stripped| stripped.content.to_vec())
    }

    #[test]
    fn only_the_picture_stays() {
        let picture = picture();
        assert_eq!(stripped(&picture).unwrap(), picture);
        let scan = picture.windows(2).position(|pair| pair == [0xff, SCAN]).unwrap();
        let other = [
            segment(0xe1, b"Exif\0\0GPS"),
            segment(0xe2, b"ICC_PROFILE\0\x01\x01no profile"),
            segment(0xe0, b"JFXX\0thumbnail"),
            segment(0xfe, b"a comment"),
            b"\0\0".to_vec(),
        ]
        .concat();
        let whole = &picture[..picture.len() - 2];
        for behind in
            [&b"\xff\xd9"[..], b"\x7f\0\x2a\xff\xd9", b"", b"\xff\xd9SEFH and a film", b"\0\0\0\x18ftypmp42\xff\xc0"]
        {
            let dirty = [&[0xff, START][..], &other, &whole[2..scan], &[0xff], &other, &whole[scan..], behind].concat();
            assert_eq!(stripped(&dirty).unwrap(), picture, "{behind:?}");
        }
    }

    #[test]
    fn a_thumbnail_goes_and_the_density_stays() {
        let header = segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x48\x01\x01\xaa\xbb\xcc");
        let clean = segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x48\0\0");
        let picture = picture();
        let content = [&[0xff, START][..], &header, &picture[2..]].concat();
        assert!(stripped(&content).unwrap().starts_with(&[&[0xff, START][..], &clean].concat()));
    }

    #[test]
    fn a_picture_that_lacks_data_is_damaged() {
        let picture = picture();
        for length in 0..picture.len() - 2 {
            assert_eq!(stripped(&picture[..length]), Err(Refusal::DamagedPicture), "{length}");
            let ended = [&picture[..length], &[0xff, END]].concat();
            assert_eq!(stripped(&ended), Err(Refusal::DamagedPicture), "{length}");
        }
        assert_eq!(
            stripped(&[0xff, START, 0xff, 0xe0, 0, 0, 0xff, END]),
            Err(Refusal::DamagedPicture),
            "a segment is never shorter than its length"
        );
    }

    #[test]
    fn a_huge_frame_is_refused_before_its_scans_are_read() {
        let frame = segment(0xc0, &[8, 0xea, 0x60, 0xea, 0x60, 1, 1, 0x11, 0]);
        let content = [&[0xff, START][..], &frame].concat();
        assert_eq!(stripped(&content), Err(Refusal::TooManyPixels));
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(
            bytes in proptest::collection::vec(0u8.., 0..300),
            at in 0usize..800,
        ) {
            let _ = stripped(&[&[0xff, START][..], &bytes].concat());
            let mut picture = picture();
            let end = (at + bytes.len() / 30).min(picture.len());
            picture.splice(at.min(end)..end, bytes);
            let _ = stripped(&picture);
        }
    }
}
