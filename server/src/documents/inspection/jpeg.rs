//! JPEG by its segments: those that the picture is made of are kept unchanged, all others are removed.

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;

/// Removes Exif, XMP, profile, comments, thumbnail, and everything after the end. Returns none if the segments lead to no end.
pub fn strip(content: &[u8]) -> Option<Vec<u8>> {
    if !content.starts_with(&[0xff, START]) {
        return None;
    }
    let mut kept = vec![0xff, START];
    let mut rest = &content[2..];
    loop {
        let marker;
        (marker, rest) = next_marker(rest)?;
        if marker == END {
            kept.extend([0xff, END]);
            return Some(kept);
        }
        let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
        let segment = rest.get(2..length)?;
        rest = &rest[length..];
        keep(marker, segment, &mut kept)?;
        if marker == SCAN {
            let scan = scan_length(rest)?;
            // Fill bytes may precede the next marker.
            let fill = rest[..scan].iter().rev().take_while(|byte| **byte == 0xff).count();
            kept.extend(&rest[..scan - fill]);
            rest = &rest[scan..];
        }
    }
}

/// The marker at this place, after optional fill bytes, and the bytes after it. Markers without a segment are invalid here, except
/// the end.
fn next_marker(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let fill = bytes.iter().take_while(|byte| **byte == 0xff).count();
    let marker = *bytes.get(fill).filter(|_| fill > 0)?;
    let stands_alone = matches!(marker, 0x00 | 0x01 | 0xd0..=START);
    (!stands_alone).then(|| (marker, &bytes[fill + 1..]))
}

/// The length of the scan: up to a marker that is neither an escaped byte nor a restart.
fn scan_length(bytes: &[u8]) -> Option<usize> {
    let mut pairs = bytes.windows(2).enumerate();
    pairs.find(|(_, pair)| pair[0] == 0xff && !matches!(pair[1], 0x00 | 0xd0..=0xd7 | 0xff)).map(|(at, _)| at)
}

fn keep(marker: u8, segment: &[u8], kept: &mut Vec<u8>) -> Option<()> {
    let segment: &[u8] = match marker {
        // Frames, tables, restart intervals, line counts, scans.
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
    use super::*;

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker], &length[..], content].concat()
    }

    #[test]
    fn only_the_picture_stays() {
        let frame = segment(0xc0, b"frame");
        let scan = [segment(SCAN, b"scan"), vec![1, 0xff, 0, 2, 0xff, 0xd3, 3]].concat();
        let picture = [&[0xff, START][..], &frame, &scan, &segment(0xc4, b"table"), &scan, &[0xff, END]].concat();
        let other = [
            segment(0xe1, b"Exif\0\0GPS"),
            segment(0xe2, b"ICC_PROFILE\0"),
            segment(0xe0, b"JFXX\0thumbnail"),
            segment(0xfe, b"a comment"),
        ]
        .concat();
        let dirty = [
            &[0xff, START][..],
            &other,
            &frame,
            &other,
            &scan,
            &[0xff, 0xff],
            &other,
            &segment(0xc4, b"table"),
            &scan,
            &[0xff, END],
            b"and a film behind it",
        ]
        .concat();
        assert_eq!(strip(&dirty).unwrap(), picture);
        assert_eq!(strip(&picture).unwrap(), picture);
    }

    #[test]
    fn a_thumbnail_goes_and_the_density_stays() {
        let header = segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x48\x01\x01\xaa\xbb\xcc");
        let picture = [&[0xff, START][..], &header, &[0xff, END]].concat();
        let clean = [&[0xff, START][..], &segment(0xe0, b"JFIF\0\x01\x02\x01\0\x48\0\x48\0\0"), &[0xff, END]].concat();
        assert_eq!(strip(&picture).unwrap(), clean);
    }

    #[test]
    fn what_has_no_end_is_no_picture() {
        let picture =
            [&[0xff, START][..], &segment(0xc0, b"frame"), &segment(SCAN, b"scan"), &[1, 2, 0xff, END]].concat();
        assert!(strip(&picture).is_some());
        for length in 0..picture.len() {
            assert_eq!(strip(&picture[..length]), None, "{length}");
        }
        assert_eq!(
            strip(&[0xff, START, 0xff, 0xe0, 0, 0, 0xff, END]),
            None,
            "a segment is never shorter than its length"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(0u8.., 0..300)) {
            let _ = strip(&[&[0xff, START][..], &bytes].concat());
        }
    }
}
