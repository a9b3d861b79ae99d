//! GIF by its blocks: one picture and its drawing parameters are kept, comments and application data are removed.

use image::metadata::Orientation;

use super::outcome::Refusal;
use super::stripped::StrippedPicture;

const END: u8 = 0x3b;

/// Removes comments, application data, and everything after the end. Behind the picture, whatever is no whole block is the end, too.
pub fn strip(content: &[u8]) -> Result<StrippedPicture, Refusal> {
    let mut blocks = Blocks { content, at: 0, kept: Vec::with_capacity(content.len()) };
    blocks.head().ok_or(Refusal::DamagedPicture)?;
    let mut pictures = 0;
    while let Some(block) = blocks.next() {
        match block {
            GifBlock::Picture if pictures == 1 => return Err(Refusal::Animated),
            GifBlock::Picture => pictures += 1,
            GifBlock::Other => {}
        }
    }
    if pictures == 0 {
        return Err(Refusal::DamagedPicture);
    }
    blocks.kept.push(END);
    Ok(StrippedPicture { content: blocks.kept.into(), orientation: Orientation::NoTransforms, colours: None })
}

enum GifBlock {
    Picture,
    Other,
}

struct Blocks<'a> {
    content: &'a [u8],
    at: usize,
    kept: Vec<u8>,
}

impl Blocks<'_> {
    /// The version, the screen, and the global colour table.
    fn head(&mut self) -> Option<()> {
        let flags = *self.content.get(10)?;
        self.skip(13 + colours(flags))?;
        self.keep(0)
    }

    /// None at the end, and where no whole block is.
    fn next(&mut self) -> Option<GifBlock> {
        let from = self.at;
        match *self.content.get(from)? {
            0x2c => {
                let flags = *self.content.get(from + 9)?;
                // Position, colour table, and code size.
                self.skip(10 + colours(flags) + 1)?;
                self.parts()?;
                self.keep(from)?;
                Some(GifBlock::Picture)
            }
            0x21 => {
                // Of all extensions only the graphic control is kept.
                let draws = *self.content.get(from + 1)? == 0xf9;
                self.skip(2)?;
                self.parts()?;
                if draws {
                    self.keep(from)?;
                }
                Some(GifBlock::Other)
            }
            _ => None,
        }
    }

    /// Skips the sub-blocks up to the empty one.
    fn parts(&mut self) -> Option<()> {
        loop {
            let length = usize::from(*self.content.get(self.at)?);
            self.skip(1 + length)?;
            if length == 0 {
                return Some(());
            }
        }
    }

    fn skip(&mut self, bytes: usize) -> Option<()> {
        self.at = self.at.checked_add(bytes).filter(|at| *at <= self.content.len())?;
        Some(())
    }

    fn keep(&mut self, from: usize) -> Option<()> {
        self.kept.extend(self.content.get(from..self.at)?);
        Some(())
    }
}

/// The length of a colour table, by its flags.
fn colours(flags: u8) -> usize {
    if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    const DRAW: &[u8] = b"\x21\xf9\x04\0\0\0\0\0";
    const PICTURE: &[u8] = b"\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";

    fn stripped(content: &[u8]) -> Result<Vec<u8>, Refusal> {
        strip(content).map(|stripped| stripped.content.to_vec())
    }

    #[test]
    fn only_the_picture_stays() {
        let before = [HEAD, b"\x21\xfe\x09a comment\0", b"\x21\xff\x0bXMP DataXMP\x03GPS\0", DRAW, PICTURE].concat();
        for behind in [&b"\x21\xfe\x04more\0;and a program"[..], b"", b"\0\0\0;", b"\x21\xfe\x09cut off", b"junk"] {
            let content = [&before, behind].concat();
            assert_eq!(stripped(&content).unwrap(), [HEAD, DRAW, PICTURE, &[END]].concat(), "{behind:?}");
        }
    }

    #[test]
    fn no_picture_or_more_than_one_is_refused() {
        assert_eq!(stripped(&[HEAD, &[END]].concat()), Err(Refusal::DamagedPicture));
        let two = [HEAD, PICTURE, DRAW, PICTURE, &[END]].concat();
        assert_eq!(stripped(&two), Err(Refusal::Animated));
    }

    #[test]
    fn what_is_cut_off_is_damaged() {
        let picture = [HEAD, DRAW, PICTURE].concat();
        for length in 0..picture.len() {
            assert_eq!(stripped(&picture[..length]), Err(Refusal::DamagedPicture), "{length}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(0u8.., 0..300)) {
            let _ = stripped(&[HEAD, &bytes].concat());
        }
    }
}
