//! The form of a file, found out by one pass over it before its rows are read: its characters, and how it writes quotes within quotes.

use std::io::{self, Read};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use memchr::memchr_iter;

/// The bytes that are looked at together.
const CHUNK: usize = 1 << 16;

/// The form of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileForm {
    pub encoding: &'static Encoding,
    /// A backslash before a quote makes it a part of the cell, as MySQL writes it.
    pub has_backslash_quotes: bool,
}

impl FileForm {
    /// The form of a file that cannot be read twice.
    pub const USUAL: Self = Self { encoding: UTF_8, has_backslash_quotes: false };

    /// Finds out the form of a whole file.
    ///
    /// # Errors
    /// If it cannot be read, or is neither UTF-8, UTF-16 with a mark nor Windows-1252.
    pub fn find(file: &mut impl Read) -> io::Result<Self> {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        let (mut marks, mut utf8) = (BackslashQuotes::default(), Utf8Count::default());
        let (mut chunk, mut is_first) = (vec![0; CHUNK], true);
        loop {
            let read = fill(file, &mut chunk)?;
            let bytes = &chunk[..read];
            if is_first && let Some((encoding, _)) = Encoding::for_bom(bytes).filter(|(found, _)| *found != UTF_8) {
                return Ok(Self { encoding, has_backslash_quotes: false });
            }
            let is_last = read < CHUNK;
            utf8.add(bytes, is_last);
            marks.add(bytes);
            detector.feed(bytes, is_last);
            is_first = false;
            if is_last {
                break;
            }
        }
        Ok(Self { encoding: utf8.encoding(&detector)?, has_backslash_quotes: marks.found })
    }

    /// The name of the encoding, if it was guessed.
    pub fn guessed(self) -> Option<&'static str> {
        let is_certain = [UTF_8, UTF_16LE, UTF_16BE].contains(&self.encoding);
        (!is_certain).then(|| self.encoding.name())
    }
}

/// Reads until `into` is full, or the file ends.
fn fill(file: &mut impl Read, into: &mut [u8]) -> io::Result<usize> {
    let mut bytes = 0;
    while bytes < into.len() {
        match file.read(&mut into[bytes..]) {
            Ok(0) => break,
            Ok(read) => bytes += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(bytes)
}

/// The characters beyond ASCII that are UTF-8, and the bytes that are not.
#[derive(Default)]
struct Utf8Count {
    /// The beginning of a character at the end of a chunk.
    carried: Vec<u8>,
    has_letters: bool,
    has_broken: bool,
}

impl Utf8Count {
    fn add(&mut self, bytes: &[u8], is_last: bool) {
        if self.carried.is_empty() && bytes.is_ascii() {
            return;
        }
        let joined = [&std::mem::take(&mut self.carried), bytes].concat();
        let mut chunks = joined.utf8_chunks().peekable();
        while let Some(chunk) = chunks.next() {
            self.has_letters |= !chunk.valid().is_ascii();
            let broken = chunk.invalid();
            // A character may go on in the next chunk.
            if chunks.peek().is_none() && !is_last && may_go_on(broken) {
                self.carried = broken.to_vec();
            } else {
                self.has_broken |= !broken.is_empty();
            }
        }
    }

    /// A file with letters in UTF-8 is UTF-8, also if a cell was cut within a letter.
    fn encoding(&self, detector: &EncodingDetector) -> io::Result<&'static Encoding> {
        if !self.has_broken || self.has_letters {
            return Ok(UTF_8);
        }
        let guess = detector.guess(None, Utf8Detection::Deny);
        if guess == WINDOWS_1252 {
            return Ok(guess);
        }
        let name = guess.name();
        let reason = format!("it is not UTF-8, and seems to be {name}. Save it as \"CSV UTF-8\", and import it again");
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}

/// Returns true if bytes may be the beginning of a character of UTF-8.
fn may_go_on(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| match first {
        0xc2..=0xdf => bytes.len() < 2,
        0xe0..=0xef => bytes.len() < 3,
        0xf0..=0xf4 => bytes.len() < 4,
        _ => false,
    })
}

/// Looks for `\"` within a cell. At the end of one, the backslash is the cell's last character.
#[derive(Default)]
struct BackslashQuotes {
    /// The last two bytes before this chunk.
    before: Vec<u8>,
    found: bool,
}

impl BackslashQuotes {
    fn add(&mut self, bytes: &[u8]) {
        if self.found {
            return;
        }
        let joined = [&std::mem::take(&mut self.before), bytes].concat();
        self.found = memchr_iter(b'\\', &joined).any(|place| {
            let follows = joined.get(place + 1).zip(joined.get(place + 2));
            follows.is_some_and(|(quote, next)| *quote == b'"' && !b",;\t|\"\r\n".contains(next))
        });
        self.before = joined[joined.len().saturating_sub(2)..].to_vec();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(bytes: &[u8]) -> Result<(&'static str, bool), String> {
        let found = FileForm::find(&mut &*bytes).map_err(|error| error.to_string())?;
        Ok((found.encoding.name(), found.has_backslash_quotes))
    }

    #[test]
    fn the_characters_of_a_file_are_found_out() {
        assert_eq!(form(b"a,b\n"), Ok(("UTF-8", false)));
        assert_eq!(form("José\n".as_bytes()), Ok(("UTF-8", false)));
        assert_eq!(form(b"Jos\xc3\xa9,Caf\xc3\n"), Ok(("UTF-8", false)), "cut within a letter");
        assert_eq!(form(b"\xff\xfea\0"), Ok(("UTF-16LE", false)));
        assert_eq!(form(b"\xfe\xff\0a"), Ok(("UTF-16BE", false)));
        let refused = form(b"\xc0\xed\xed\xe0 \xc8\xe2\xe0\xed\xee\xe2\xe0, \xcc\xee\xf1\xea\xe2\xe0\n");
        assert!(refused.is_err_and(|reason| reason.contains("not UTF-8")));
    }

    #[test]
    fn a_letter_between_two_chunks_is_whole() {
        let mut long = vec![b'a'; CHUNK - 1];
        long.extend("é".as_bytes());
        assert_eq!(form(&long), Ok(("UTF-8", false)));
    }

    #[test]
    fn a_backslash_before_a_quote_counts_within_a_cell_alone() {
        assert!(form(br#""Ann \"Annie\" Lee""#).is_ok_and(|(_, has)| has));
        assert!(form(b"\"Unit 3\\\",\"Australia\"\n").is_ok_and(|(_, has)| !has));
    }
}
