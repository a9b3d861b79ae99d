//! Reads a PDF with poppler: its text, fonts, metadata and rendered pages.

use std::path::PathBuf;
use std::process::Command;

use image::{GrayImage, RgbImage};
use tempfile::TempDir;

/// A PDF in a temporary folder, where the poppler programs read it.
pub struct PackPdf {
    folder: TempDir,
}

/// The position of a word on a page, in points from the upper left.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub x: f64,
    pub y: f64,
    pub bottom: f64,
}

impl PackPdf {
    pub fn open(content: &[u8]) -> Self {
        assert!(content.starts_with(b"%PDF-"), "not a PDF: {}", String::from_utf8_lossy(content));
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

    /// The text of all pages in layout order, with whitespace collapsed.
    pub fn text(&self) -> String {
        collapse_whitespace(&self.run("pdftotext", &["-layout"], &["-"]))
    }

    /// The text of all pages in content order, line by line.
    pub fn lines(&self) -> Vec<String> {
        self.run("pdftotext", &["-raw"], &["-"]).lines().map(str::to_owned).collect()
    }

    /// The rightmost edge of the text on any page, in points.
    pub fn right_edge(&self) -> f64 {
        let words = self.run("pdftotext", &["-bbox"], &["-"]);
        let edges = words.split("xMax=\"").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
        edges.map(|edge| edge.parse::<f64>().expect("a number")).fold(0.0, f64::max)
    }

    /// The text of one page in reading order, with whitespace collapsed.
    pub fn page(&self, number: usize) -> String {
        let number = number.to_string();
        collapse_whitespace(&self.run("pdftotext", &["-f", &number, "-l", &number], &["-"]))
    }

    /// The value of a `pdfinfo` field.
    pub fn info(&self, field: &str) -> String {
        let output = self.run("pdfinfo", &[], &[]);
        let line = output.lines().find_map(|line| line.strip_prefix(&format!("{field}:")));
        line.unwrap_or_else(|| panic!("no {field} in {output}")).trim().to_owned()
    }

    pub fn pages(&self) -> usize {
        self.info("Pages").parse().expect("a number")
    }

    /// The XMP metadata.
    pub fn metadata(&self) -> String {
        self.run("pdfinfo", &["-meta"], &[])
    }

    /// Each font: its name, whether it is embedded, and whether it is a subset.
    pub fn fonts(&self) -> Vec<(String, bool, bool)> {
        let table = self.run("pdffonts", &[], &[]);
        let fonts = table.lines().skip(2).map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            // The columns emb, sub, uni and object ID are counted from the end: earlier columns may contain spaces.
            let yes = |back: usize| words[words.len() - back] == "yes";
            (words[0].to_owned(), yes(5), yes(4))
        });
        fonts.collect()
    }

    /// Each page rendered at 100 dpi.
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

    /// The first position of `word` on the first page.
    pub fn place_of(&self, word: &str) -> Place {
        let words = self.run("pdftotext", &["-bbox", "-f", "1", "-l", "1"], &["-"]);
        let line = words.lines().find(|line| line.contains(&format!(">{word}<")));
        let line = line.unwrap_or_else(|| panic!("no {word} in {words}"));
        let number = |name: &str| {
            let start = line.find(&format!("{name}=\"")).expect("the attribute exists") + name.len() + 2;
            line[start..].split('"').next().expect("a number").parse().expect("a number")
        };
        Place { x: number("xMin"), y: number("yMin"), bottom: number("yMax") }
    }

    /// The image to the right of `word`, in its line on the first page.
    pub fn beside(&self, word: &str) -> GrayImage {
        let place = self.place_of(word);
        let page = image::DynamicImage::from(self.pictures().remove(0)).to_luma8();
        let (left, top, bottom) = (to_pixels(place.x) + 100, to_pixels(place.y) - 5, to_pixels(place.bottom) + 5);
        image::imageops::crop_imm(&page, left, top, page.width() - left - 70, bottom - top).to_image()
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "coordinates on a page are small and positive"
)]
fn to_pixels(points: f64) -> u32 {
    (points / 72.0 * 100.0) as u32
}

fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The number of dark pixels in an image.
pub fn dark_pixels(picture: &GrayImage) -> usize {
    picture.pixels().filter(|pixel| pixel.0[0] < 128).count()
}
