//! GIF by its blocks: one picture and its drawing parameters are kept, comments and application data are removed.

use super::outcome::Refusal;

const END: u8 = 0x3b;

/// Removes comments, application data, and everything after the end.
pub fn strip(content: &[u8]) -> Result<Vec<u8>, Refusal> {
    let mut blocks = Blocks { content, at: 0, kept: Vec::with_capacity(content.len()) };
    blocks.head().ok_or(Refusal::Unreadable)?;
    let mut pictures = 0;
    loop {
        match blocks.next().ok_or(Refusal::Unreadable)? {
            GifBlock::Picture if pictures == 1 => return Err(Refusal::Animated),
            GifBlock::Picture => pictures += 1,
            GifBlock::Other => {}
            GifBlock::End if pictures == 1 => return Ok(blocks.kept),
            GifBlock::End => return Err(Refusal::Unreadable),
        }
    }
}

enum GifBlock {
    Picture,
    Other,
    End,
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

    fn next(&mut self) -> Option<GifBlock> {
        let from = self.at;
        match *self.content.get(from)? {
            END => {
                self.skip(1)?;
                self.keep(from)?;
                Some(GifBlock::End)
            }
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

    #[test]
    fn only_the_picture_stays() {
        let dirty = [
            HEAD,
            b"\x21\xfe\x09a comment\0",
            b"\x21\xff\x0bXMP DataXMP\x03GPS\0",
            DRAW,
            PICTURE,
            b"\x21\xfe\x04more\0",
            &[END],
            b"and a program behind it",
        ]
        .concat();
        assert_eq!(strip(&dirty).unwrap(), [HEAD, DRAW, PICTURE, &[END]].concat());
    }

    #[test]
    fn no_picture_or_more_than_one_is_refused() {
        assert_eq!(strip(&[HEAD, &[END]].concat()), Err(Refusal::Unreadable));
        let two = [HEAD, PICTURE, DRAW, PICTURE, &[END]].concat();
        assert_eq!(strip(&two), Err(Refusal::Animated));
    }

    #[test]
    fn what_has_no_end_is_no_picture() {
        let picture = [HEAD, DRAW, PICTURE, &[END]].concat();
        for length in 0..picture.len() {
            assert_eq!(strip(&picture[..length]), Err(Refusal::Unreadable), "{length}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in proptest::collection::vec(0u8.., 0..300)) {
            let _ = strip(&[HEAD, &bytes].concat());
        }
    }
}
