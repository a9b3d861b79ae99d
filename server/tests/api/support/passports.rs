//! Invented passports: as a PDF with text, as a picture, and as scanners and phones store one. `damage.rs`: what happens to it before.

use bytes::Bytes;
use image::{DynamicImage, GrayImage, Luma, RgbImage};
use images::jpeg;
use visadesk::documents::page_images::{self, ImageSize, RenderedPage};

use super::sample_files::{pdf_of_pages, stream};

/// Debian's OCR-B, the letters of machine-readable zones.
const OCR_B: &[u8] = include_bytes!("../../fonts/OCRB.otf");

/// An invented person's passport, and how the form spells its owner.
#[derive(Clone, Copy, Debug)]
pub struct Passport {
    pub state: &'static str,
    pub country: &'static str,
    /// As the zone spells them.
    pub surname: &'static str,
    pub given: &'static str,
    /// As the applicant types them.
    pub typed_surname: &'static str,
    pub typed_given: &'static str,
    pub number: &'static str,
    /// YYMMDD.
    pub birth: &'static str,
    pub sex: char,
    pub expiry: &'static str,
}

/// Eight nationalities, whose names are written in several scripts.
pub const PASSPORTS: [Passport; 8] = [
    person(
        "AUS",
        "Australia",
        ["CLARKE", "EMILY ROSE"],
        ["Clarke", "Emily Rose"],
        "PX1204437",
        ["900412", "330506"],
        'F',
    ),
    person(
        "D",
        "Germany",
        ["MUELLER SCHOEN", "JUERGEN"],
        ["Müller-Schön", "Jürgen"],
        "C0CX7FH42",
        ["640812", "291130"],
        'M',
    ),
    person(
        "SWE",
        "Sweden",
        ["AAKERSTROEM", "BJOERN OLOF"],
        ["Åkerström", "Björn Olof"],
        "94172636",
        ["710203", "310901"],
        'M',
    ),
    person(
        "VNM",
        "Vietnam",
        ["NGUYEN", "THI KIM KHANH"],
        ["Nguyễn", "Thị Kim Khánh"],
        "N7654327",
        ["991231", "301109"],
        'F',
    ),
    person("UKR", "Ukraine", ["PETRENKO", "OLENA"], ["Petrenko", "Olena"], "FX473921", ["850617", "280214"], 'F'),
    person("TUR", "Turkey", ["YILDIZ", "CAGLAR"], ["Yıldız", "Çağlar"], "U23417659", ["930925", "321005"], 'M'),
    person(
        "EGY",
        "Egypt",
        ["ELSHERIF", "MAHMOUD HASSAN"],
        ["El‘Sherif", "Mahmoud Hassan"],
        "Z30127746",
        ["780101", "291212"],
        'M',
    ),
    person(
        "FRA",
        "France",
        ["DURAND", "ZOE FRANCOISE"],
        ["Durand", "Zoé Françoise"],
        "19KB42673",
        ["020228", "340617"],
        'F',
    ),
];

const fn person(
    state: &'static str,
    country: &'static str,
    [surname, given]: [&'static str; 2],
    [typed_surname, typed_given]: [&'static str; 2],
    number: &'static str,
    [birth, expiry]: [&'static str; 2],
    sex: char,
) -> Passport {
    Passport { state, country, surname, given, typed_surname, typed_given, number, birth, sex, expiry }
}

impl Passport {
    /// The two lines of its zone.
    pub fn lines(&self) -> [String; 2] {
        let digit = |field: &str| mrz::check_digit(field).expect("a field of the zone").to_string();
        let names = format!("{}<<{}", self.surname, self.given).replace(' ', "<");
        let first = format!("{:<<44}", format!("P<{:<<3}{names}", self.state));
        let number = format!("{:<<9}", self.number);
        let parts = [number.clone() + &digit(&number), self.birth.to_owned() + &digit(self.birth)];
        let expiry = self.expiry.to_owned() + &digit(self.expiry) + "<<<<<<<<<<<<<<0";
        let second = format!("{}{:<<3}{}{}{expiry}", parts[0], self.state, parts[1], self.sex);
        let composite = digit(&format!("{}{}{expiry}", parts[0], parts[1]));
        [first, second + &composite]
    }

    /// A PDF of the data page, with its text.
    pub fn pdf(&self) -> Vec<u8> {
        let [first, second] = self.lines();
        let label = |y: usize, text: &str| format!("BT /H 8 Tf 120 {y} Td ({text}) Tj ET\n");
        let mut drawn = String::from("0.94 0.93 0.88 rg 0 0 354 249 re f 0.55 0.6 0.65 rg 18 70 86 112 re f\n");
        for line in 0..24 {
            drawn += &format!("0.85 0.87 0.9 RG 0.4 w 0 {} m 354 {} l S\n", line * 11, 249 - line * 9);
        }
        drawn += "0.25 0.22 0.2 rg 40 120 42 44 re f 0.1 g\n";
        drawn += &label(190, &format!("PASSPORT {}", self.country.to_uppercase()));
        drawn += &label(165, self.surname);
        drawn += &label(145, self.given);
        drawn += &label(125, self.number);
        drawn += &label(105, &format!("{} {}", self.birth, self.expiry));
        drawn += &format!("0.1 g BT /O 10 Tf 18 36 Td ({first}) Tj 0 -18 Td ({second}) Tj ET");
        let page = "/MediaBox[0 0 354 249]/Resources<</Font<</O 3 0 R/H 6 0 R>>>>";
        let widths = ["723"; 64].join(" ");
        let font = format!(
            "<</Type/Font/Subtype/Type1/BaseFont/OCRB/FirstChar 32/LastChar 95/Widths[{widths}]/FontDescriptor 4 0 R/Encoding/WinAnsiEncoding>>"
        );
        let descriptor = "<</Type/FontDescriptor/FontName/OCRB/Flags 33/FontBBox[0 -200 723 800]/ItalicAngle 0/Ascent 800\
            /Descent -200/CapHeight 700/StemV 80/FontFile3 5 0 R>>";
        let file = stream("/Subtype/Type1C/Filter/ASCIIHexDecode", &hex::encode(compact_font()));
        let helvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>";
        pdf_of_pages(&[(page, &drawn)], &[&font, descriptor, &file, helvetica])
    }

    /// A scan of the data page, some 2,000 pixels wide.
    pub fn scan(&self) -> RgbImage {
        match page_images::render_here(1, ImageSize::Screen, Bytes::from(self.pdf())) {
            RenderedPage::Page { content, .. } => image::load_from_memory(&content).expect("a picture").into_rgb8(),
            RenderedPage::Unreadable | RenderedPage::NotBuilt => panic!("the passport cannot be rendered"),
        }
    }
}

/// The outlines of OCR-B: the table `CFF ` of its OpenType file.
fn compact_font() -> Vec<u8> {
    let number = |at: usize| u32::from_be_bytes(OCR_B[at..at + 4].try_into().expect("four bytes")) as usize;
    let tables = usize::from(u16::from_be_bytes([OCR_B[4], OCR_B[5]]));
    let entry = (0..tables).map(|table| 12 + 16 * table).find(|at| &OCR_B[*at..*at + 4] == b"CFF ").expect("outlines");
    OCR_B[number(entry + 8)..number(entry + 8) + number(entry + 12)].to_vec()
}

/// The page as a phone stores it.
pub fn jpeg(page: &RgbImage) -> Vec<u8> {
    jpeg::encode(&page.clone().into(), 85).expect("a JPEG")
}

/// The page as a scanner stores it: a PDF of A4 with a picture and no text.
pub fn scanned_pdf(page: &RgbImage) -> Vec<u8> {
    let grey = DynamicImage::ImageLuma8(DynamicImage::ImageRgb8(page.clone()).into_luma8());
    let jpeg = jpeg::encode(&grey, 85).expect("a JPEG");
    let (width, height) = (grey.width(), grey.height());
    let entries = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceGray/BitsPerComponent 8\
         /Filter[/ASCIIHexDecode/DCTDecode]"
    );
    let picture = stream(&entries, &hex::encode(jpeg));
    let high = 400 * height / width;
    let drawn = format!("{} 0 0 {high} 90 300 cm /X Do", 400);
    pdf_of_pages(&[("/MediaBox[0 0 595 842]/Resources<</XObject<</X 3 0 R>>>>", &drawn)], &[&picture])
}

/// A page without a passport: a photograph of nothing.
pub fn no_passport() -> Vec<u8> {
    let page =
        GrayImage::from_fn(1_200, 900, |x, y| Luma([u8::try_from(x * y / 7_000 % 200).expect("below 200") + 30]));
    jpeg(&DynamicImage::ImageLuma8(page).into_rgb8())
}
