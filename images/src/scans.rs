//! The scans of a JPEG: their Huffman codes are read, to know where the data of a picture ends and that none of it is missing. Decoders
//! fill what is missing with grey. ITU-T T.81; baseline, extended and progressive, with 8 bits.

mod bits;
mod frame;
mod reader;

use self::bits::{Bits, Huffman};
use self::frame::{Component, FrameSize, JpegFrame, NOTHING};
use self::reader::{ScanReader, SpectralBand};

/// The most scans of a picture. Encoders write some ten; each costs a look at every block.
const MAX_SCANS: usize = 100;
/// What has been read of a picture.
#[derive(Debug, Default)]
pub struct Scans {
    frame: Option<JpegFrame>,
    /// Of the first coefficients, and of all others.
    tables: [[Option<Huffman>; 4]; 2],
    restart_interval: usize,
    scans: usize,
}

impl Scans {
    /// Takes the content of a segment of Huffman tables (DHT). Returns none if it is malformed.
    pub fn read_tables(&mut self, mut segment: &[u8]) -> Option<()> {
        while let Some((&head, rest)) = segment.split_first() {
            let counts: &[u8; 16] = rest.first_chunk()?;
            let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
            let symbols = rest.get(16..16 + total)?;
            let table = self.tables.get_mut(usize::from(head >> 4))?.get_mut(usize::from(head & 15))?;
            *table = Some(Huffman::of(counts, symbols)?);
            segment = &rest[16 + total..];
        }
        Some(())
    }

    /// Takes the content of a restart interval (DRI).
    pub fn read_restart_interval(&mut self, segment: &[u8]) -> Option<()> {
        self.restart_interval = usize::from(u16::from_be_bytes(segment.try_into().ok()?));
        Some(())
    }

    /// Takes the content of a frame (SOF0, SOF1, SOF2). Returns none if it is malformed, or a second one.
    pub fn read_frame(&mut self, segment: &[u8], is_progressive: bool) -> Option<FrameSize> {
        let frame = JpegFrame::read(segment, is_progressive).filter(|_| self.frame.is_none())?;
        let size = frame.size;
        self.frame = Some(frame);
        Some(size)
    }

    /// Reads a scan: the content of its segment (SOS), and what follows it. Returns the length of its data, without anything that is behind
    /// its last block; none if blocks are missing or damaged.
    pub fn read_scan(&mut self, segment: &[u8], data: &[u8]) -> Option<usize> {
        self.scans += 1;
        let Scans { frame, tables, restart_interval, scans } = self;
        let frame = frame.as_mut().filter(|_| *scans <= MAX_SCANS)?;
        let (&count, rest) = segment.split_first()?;
        let (selectors, rest) = rest.split_at_checked(2 * usize::from(count))?;
        let &[first, last, bits] = rest else { return None };
        let (is_first, low) = (bits >> 4 == 0, bits & 15);
        let band = if frame.is_progressive {
            let (first, last) = (usize::from(first), usize::from(last));
            let fits = first <= last && last < 64 && (first > 0 || last == 0) && (first == 0 || count == 1);
            if !fits || low > 13 || !(is_first || bits >> 4 == low + 1) {
                return None;
            }
            SpectralBand { coefficients: first..=last, is_first }
        } else {
            SpectralBand { coefficients: 0..=63, is_first: true }
        };
        let mut coded = Vec::new();
        for selector in selectors.as_chunks::<2>().0 {
            let at = frame.components.iter().position(|component| component.id == selector[0])?;
            coded.push((at, [usize::from(selector[1] >> 4), usize::from(selector[1] & 15)]));
        }
        if coded.is_empty() || coded.len() > 4 {
            return None;
        }
        for (at, _) in &coded {
            let component = frame.components.get_mut(*at)?;
            if frame.is_progressive && component.nonzero.is_empty() {
                let (across, down) = (frame.groups.0 * component.sampling.0, frame.groups.1 * component.sampling.1);
                component.nonzero = vec![0; across * down];
            }
        }
        let mut reader = ScanReader { bits: Bits::of(data), tables, band: &band, skipped_blocks: 0 };
        let length = reader.read(frame, &coded, *restart_interval)?;
        for (at, _) in coded {
            let low = if frame.is_progressive { low } else { 0 };
            frame.components.get_mut(at)?.unread.get_mut(band.coefficients.clone())?.fill(low);
        }
        Some(length)
    }

    /// Returns true if all bits of all coefficients were read.
    pub fn is_complete(&self) -> bool {
        let has_all = |component: &Component| component.unread.iter().all(|unread| *unread == 0);
        self.frame.as_ref().is_some_and(|frame| frame.components.iter().all(has_all))
    }

    /// Returns true if something of all blocks was read. A progressive picture may leave out details.
    pub fn has_every_block(&self) -> bool {
        let has_any = |component: &Component| component.unread[0] != NOTHING;
        self.frame.as_ref().is_some_and(|frame| frame.components.iter().all(has_any))
    }

    /// None before the frame.
    pub fn size(&self) -> Option<FrameSize> {
        self.frame.as_ref().map(|frame| frame.size)
    }
}

#[cfg(test)]
mod tests {
    use image::{ImageFormat, RgbImage};

    use super::*;

    /// A JPEG with grain: its frame, its scan, and the data behind it up to the end marker.
    fn picture() -> (Scans, Vec<u8>, Vec<u8>) {
        let grain = RgbImage::from_fn(50, 30, |x, y| {
            image::Rgb([x * x + y * 91, (x * 7) ^ y, x * y].map(|one| one.to_le_bytes()[0]))
        });
        let mut jpeg = std::io::Cursor::new(Vec::new());
        grain.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
        let jpeg = jpeg.into_inner();
        let (mut scans, mut at) = (Scans::default(), 2);
        loop {
            let length = usize::from(u16::from_be_bytes([jpeg[at + 2], jpeg[at + 3]]));
            let segment = &jpeg[at + 4..at + 2 + length];
            match jpeg[at + 1] {
                0xc0 => assert_eq!(scans.read_frame(segment, false).unwrap().components, 3),
                0xc4 => scans.read_tables(segment).unwrap(),
                0xda => {
                    return (
                        scans,
                        segment.to_vec(),
                        jpeg[at + 2 + length..].strip_suffix(b"\xff\xd9").unwrap().to_vec(),
                    );
                }
                _ => {}
            }
            at += 2 + length;
        }
    }

    #[test]
    fn the_data_ends_behind_its_last_block_whatever_follows() {
        let (mut scans, segment, data) = picture();
        assert!(!scans.has_every_block());
        for behind in [&b""[..], b"\xff\xd9", b"\x7f\0\x2a", b"\0\0\0\x18ftypmp42\xff\xc0\xff\0"] {
            assert_eq!(scans.read_scan(&segment, &[&data[..], behind].concat()), Some(data.len()), "{behind:?}");
        }
        assert!(scans.is_complete() && scans.has_every_block());
    }

    #[test]
    fn no_byte_may_be_missing() {
        let (mut scans, segment, data) = picture();
        for length in data.len() - 90..data.len() {
            assert_eq!(scans.read_scan(&segment, &data[..length]), None, "{length} of {}", data.len());
            assert_eq!(scans.read_scan(&segment, &[&data[..length], b"\xff\xd9"].concat()), None, "{length}");
            scans.scans = 0;
        }
        assert!(!scans.is_complete());
    }

    proptest::proptest! {
        #[test]
        fn any_scan_is_read_without_a_panic(
            head in proptest::collection::vec(0u8.., 0..12),
            flips in proptest::collection::vec((0usize..2_000, 0u8..), 0..20),
            is_progressive: bool,
        ) {
            let (mut scans, mut segment, mut data) = picture();
            if is_progressive && let Some(frame) = &mut scans.frame {
                frame.is_progressive = true;
                let low = head.first().map_or(0, |bits| bits & 0x1f);
                segment = vec![1, head.get(1).map_or(1, |id| id % 3 + 1), 0, head.get(2).map_or(0, |at| at & 63), 63, low];
            }
            for (at, value) in flips {
                if let Some(byte) = data.get_mut(at) {
                    *byte = value;
                }
            }
            let _ = scans.read_scan(&segment, &data);
            let _ = scans.read_scan(&head, &data);
            let _ = scans.read_tables(&head);
            let _ = scans.read_frame(&head, is_progressive);
        }
    }
}
