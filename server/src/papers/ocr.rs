//! Lets Tesseract read the letters of two lines, or the text of a page, in a child that is confined to Tesseract: `visadesk read-letters` and
//! `visadesk read-page`.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::reading::ReadLines;
use crate::child::{self, ChildLimits, ChildOutcome, ChildSpec};
use crate::error::{Error, Result};

/// The command of the child.
pub const VERB: &str = "read-letters";

/// The command of the child that reads a page.
pub const PAGE_VERB: &str = "read-page";

/// Where Tesseract lies if the settings do not say: as Debian and others install it.
const USUAL: &str = "/usr/bin/tesseract";

/// Where Tesseract's data lies.
const DATA: [&str; 3] = ["/usr/share/tesseract-ocr", "/usr/share/tessdata", "/usr/local/share/tessdata"];

const SPEC: ChildSpec =
    ChildSpec { verb: VERB, at_once: 1, waiting: 0, max_time: Duration::from_secs(60), max_reply_bytes: 64 * 1024 };

const PAGE_SPEC: ChildSpec = ChildSpec { verb: PAGE_VERB, ..SPEC };

const LIMITS: ChildLimits = ChildLimits { memory_bytes: 1024 * 1024 * 1024, processor_seconds: 20, input_bytes: 0 };

/// The letters of a machine-readable zone, without its filler.
const LETTERS: &str = "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// A single block of text (`psm 6`), with Debian's model for English. The lines contain no words, so no dictionary is used.
const ARGUMENTS: [&str; 12] =
    ["stdin", "stdout", "--psm", "6", "-l", "eng", "-c", LETTERS, "-c", "load_system_dawg=0", "-c", "load_freq_dawg=0"];

/// A page of any layout (`psm 3`), with Debian's model for English.
const PAGE_ARGUMENTS: [&str; 6] = ["stdin", "stdout", "--psm", "3", "-l", "eng"];

/// The kind of text that Tesseract is to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The two lines of a machine-readable zone.
    Zone,
    /// A page of text.
    Page,
}

/// Tesseract, if it is installed.
pub fn find(setting: &str) -> Option<PathBuf> {
    let path = PathBuf::from(if setting.is_empty() { USUAL } else { setting });
    path.is_file().then_some(path)
}

/// The child's work: becomes Tesseract. Returns only if that fails.
pub fn run(tesseract: &Path, subject: Subject) -> Result<()> {
    let tesseract = tesseract.canonicalize().map_err(Error::internal)?;
    let arguments: &[&str] = match subject {
        Subject::Zone => &ARGUMENTS,
        Subject::Page => &PAGE_ARGUMENTS,
    };
    child::become_program(&tesseract, &DATA.map(Path::new), LIMITS, arguments)
}

/// Reads the text of a page. None if the child did not come to an end within its limits.
pub fn read_page(program: &Path, tesseract: &Path, picture: &[u8]) -> Option<String> {
    match child::run_with(program, PAGE_SPEC, &[tesseract.as_os_str() as &OsStr], picture) {
        ChildOutcome::Replied(text) => Some(String::from_utf8_lossy(&text).into_owned()),
        ChildOutcome::Crashed | ChildOutcome::TimedOut | ChildOutcome::Busy | ChildOutcome::NotStarted => None,
    }
}

/// Reads two lines whose cells are known. None if the child did not come to an end within its limits.
pub fn read(program: &Path, tesseract: &Path, picture: &[u8], cells: &[String; 2]) -> Option<ReadLines> {
    match child::run_with(program, SPEC, &[tesseract.as_os_str() as &OsStr], picture) {
        ChildOutcome::Replied(text) => Some(fill_in(&String::from_utf8_lossy(&text), cells)),
        ChildOutcome::Crashed | ChildOutcome::TimedOut | ChildOutcome::Busy | ChildOutcome::NotStarted => None,
    }
}

/// The lines, if as many letters were read as there are cells for them.
fn fill_in(text: &str, cells: &[String; 2]) -> ReadLines {
    let only_letters = |line: &str| line.chars().filter(char::is_ascii_alphanumeric).collect::<String>();
    let mut read: Vec<String> = text.lines().map(only_letters).filter(|line| !line.is_empty()).collect();
    let wanted = cells.each_ref().map(|cells| cells.chars().filter(|cell| *cell == 'x').count());
    // A speck may be read as a line of its own.
    read.retain(|line| line.len() > 3);
    let lines = [read.first(), read.get(1)];
    let mut filled = [None, None];
    for (at, line) in lines.into_iter().enumerate() {
        let Some(line) = line.filter(|line| read.len() == 2 && line.len() == wanted[at]) else { continue };
        let mut letters = line.chars();
        let spelled = cells[at].chars().map(|cell| if cell == 'x' { letters.next().unwrap_or('<') } else { '<' });
        filled[at] = Some(spelled.collect());
    }
    filled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_put_into_their_cells_and_a_line_with_too_many_is_not_read() {
        let cells = ["x<xxx<<".to_owned(), "xxxx<<x".to_owned()];
        assert_eq!(fill_in("P ABC\n1234 5\n", &cells), [Some("P<ABC<<".to_owned()), Some("1234<<5".to_owned())]);
        assert_eq!(fill_in("PPABC\n12345\n", &cells), [None, Some("1234<<5".to_owned())]);
        assert_eq!(fill_in("PABC\n\n", &cells), [None, None]);
    }
}
