//! Reading a PDF back with poppler: its text, its fonts, what it says of itself, and how its pages look.

use std::path::PathBuf;
use std::process::Command;

use image::{GrayImage, RgbImage};
use tempfile::TempDir;

/// A PDF on the disk, for other programs to read.
pub struct Paper {
    folder: TempDir,
}

/// Where a word stands on a page, in points from the upper left.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub bottom: f64,
}

impl Paper {
    pub fn of(content: &[u8]) -> Self {
        assert!(content.starts_with(b"%PDF-"), "a PDF: {}", String::from_utf8_lossy(content));
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("pack.pdf"), content).expect("it is written");
        Self { folder }
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("pack.pdf")
    }

    fn run(&self, program: &str, before: &[&str], after: &[&str]) -> String {
        let output = Command::new(program).args(before).arg(self.file()).args(after).output();
        let output = output.unwrap_or_else(|error| {
            panic!("{program} cannot be started: {error}. On Debian: sudo apt-get install poppler-utils")
        });
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// The text of all pages as it is laid out, with runs of spaces drawn together.
    pub fn text(&self) -> String {
        words_of(&self.run("pdftotext", &["-layout"], &["-"]))
    }

    /// The text of all pages in the order of their content, each line as it ends on the page.
    pub fn lines(&self) -> Vec<String> {
        self.run("pdftotext", &["-raw"], &["-"]).lines().map(str::to_owned).collect()
    }

    /// How far right the text of any page reaches, in points.
    pub fn right_edge(&self) -> f64 {
        let words = self.run("pdftotext", &["-bbox"], &["-"]);
        let edges = words.split("xMax=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
        edges.map(|edge| edge.parse::<f64>().expect("a number")).fold(0.0, f64::max)
    }

    /// The text of one page, in its reading order.
    pub fn page(&self, number: usize) -> String {
        let number = number.to_string();
        words_of(&self.run("pdftotext", &["-f", &number, "-l", &number], &["-"]))
    }

    /// What `pdfinfo` says of `what`.
    pub fn info(&self, what: &str) -> String {
        let said = self.run("pdfinfo", &[], &[]);
        let line = said.lines().find_map(|line| line.strip_prefix(&format!("{what}:")));
        line.unwrap_or_else(|| panic!("no {what} in {said}")).trim().to_owned()
    }

    pub fn pages(&self) -> usize {
        self.info("Pages").parse().expect("a number")
    }

    /// Its XMP.
    pub fn metadata(&self) -> String {
        self.run("pdfinfo", &["-meta"], &[])
    }

    /// Each font: its name, and whether it is embedded and a subset.
    pub fn fonts(&self) -> Vec<(String, bool, bool)> {
        let table = self.run("pdffonts", &[], &[]);
        let fonts = table.lines().skip(2).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            // … emb sub uni object ID, from behind: what stands before them may hold spaces.
            let yes = |back: usize| words[words.len() - back] == "yes";
            (words[0].to_owned(), yes(5), yes(4))
        });
        fonts.collect()
    }

    /// Each page as it looks, 100 points to the inch.
    pub fn pictures(&self) -> Vec<RgbImage> {
        let stem = self.folder.path().join("page");
        self.run("pdftoppm", &["-r", "100", "-png"], &[stem.to_str().expect("a path")]);
        let mut files: Vec<PathBuf> = std::fs::read_dir(self.folder.path())
            .expect("the folder")
            .map(|entry| entry.expect("an entry").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "png"))
            .collect();
        files.sort();
        files.iter().map(|file| image::open(file).expect("a picture").to_rgb8()).collect()
    }

    /// Where `word` first stands on the first page.
    pub fn place_of(&self, word: &str) -> Place {
        let words = self.run("pdftotext", &["-bbox", "-f", "1", "-l", "1"], &["-"]);
        let line = words.lines().find(|line| line.contains(&format!(">{word}<")));
        let line = line.unwrap_or_else(|| panic!("no {word} in {words}"));
        let number = |name: &str| {
            let start = line.find(&format!("{name}=\"")).expect("it is there") + name.len() + 2;
            line[start..].split('"').next().expect("a number").parse().expect("a number")
        };
        Place { x: number("xMin"), y: number("yMin"), bottom: number("yMax") }
    }

    /// What stands right of `word` on the first page, in its line.
    pub fn beside(&self, word: &str) -> GrayImage {
        let place = self.place_of(word);
        let page = image::DynamicImage::from(self.pictures().remove(0)).to_luma8();
        let (left, top, bottom) = (dots(place.x) + 100, dots(place.y) - 5, dots(place.bottom) + 5);
        image::imageops::crop_imm(&page, left, top, page.width() - left - 70, bottom - top).to_image()
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place on a page")]
fn dots(points: f64) -> u32 {
    (points / 72.0 * 100.0) as u32
}

fn words_of(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How many dots of a picture are dark.
pub fn ink(picture: &GrayImage) -> usize {
    picture.pixels().filter(|dot| dot.0[0] < 128).count()
}
