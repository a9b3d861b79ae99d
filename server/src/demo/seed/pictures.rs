//! Small real files for the newest orders: a passport-like page, a portrait, other documents, an issued visa. Drawn, not photographed.

use chrono::{Datelike, NaiveDate};
use image::{Rgb, RgbImage};
use images::jpeg;
use mrz::{Date, MrzDate, Sex, Td3Fields};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};
use rand::{Rng, RngExt};

use crate::error::{Error, Result};
use crate::orders::new_order::NewOrder;

/// A passport's page of data, as a PDF with its two machine-readable lines.
pub fn passport(order: &NewOrder) -> Vec<u8> {
    let application = &order.application;
    let text = |text: &Option<String>| latin(text.as_deref().unwrap_or("-"));
    let (first, last) = (text(&application.first_name).to_uppercase(), text(&application.last_name).to_uppercase());
    let number = text(&application.document_number);
    let lines = [
        "PASSPORT (SAMPLE, NOT A DOCUMENT)".to_owned(),
        format!("Surname  {last}"),
        format!("Given names  {first}"),
        format!("Nationality  {}", text(&order.nationality)),
        format!("Passport No.  {number}"),
        format!("Place of birth  {}", text(&application.place_of_birth)),
    ];
    let zone = machine_lines(order);
    page(360.0, 250.0, &lines.into_iter().chain(zone).collect::<Vec<_>>())
}

/// A document that the visa type needs, such as a bank statement.
pub fn document(order: &NewOrder, label: &str) -> Vec<u8> {
    let application = &order.application;
    let lines = [
        "SAMPLE, NOT A DOCUMENT".to_owned(),
        latin(label),
        format!("Full name  {}", full_name(order)),
        format!("Passport No.  {}", application.document_number.as_deref().unwrap_or("-")),
        format!("Date  {}", order.created_at.format("%d-%m-%Y")),
    ];
    page(595.0, 842.0, &lines)
}

/// The issued visa.
pub fn visa(order: &NewOrder) -> Vec<u8> {
    let application = &order.application;
    let lines = [
        "ELECTRONIC VISA (SAMPLE, NOT A DOCUMENT)".to_owned(),
        format!("Index  {}", order.visa_type.as_deref().unwrap_or("-")),
        format!("Full name  {}", full_name(order)),
        format!("Passport No.  {}", application.document_number.as_deref().unwrap_or("-")),
        format!("Stay  {} days", application.stay_day.unwrap_or_default()),
        "Must be used within 90 days".to_owned(),
    ];
    page(595.0, 842.0, &lines)
}

/// A head and shoulders on a plain ground.
pub fn portrait(rng: &mut impl Rng) -> Result<Vec<u8>> {
    const SKIN: [[u8; 3]; 4] = [[241, 204, 177], [224, 172, 105], [141, 85, 36], [198, 134, 66]];
    let skin = Rgb(SKIN[rng.random_range(0..SKIN.len())]);
    let shirt = Rgb([rng.random_range(20..180), rng.random_range(20..180), rng.random_range(60..220)]);
    let hair = Rgb([rng.random_range(10..90), rng.random_range(10..70), rng.random_range(5..60)]);
    let picture = RgbImage::from_fn(180, 240, |x, y| {
        let inside = |cx: f32, cy: f32, rx: f32, ry: f32| {
            let (dx, dy) = ((x as f32 - cx) / rx, (y as f32 - cy) / ry);
            dx * dx + dy * dy < 1.0
        };
        if inside(90.0, 112.0, 42.0, 56.0) {
            skin
        } else if inside(90.0, 92.0, 50.0, 58.0) {
            hair
        } else if inside(90.0, 250.0, 80.0, 80.0) {
            shirt
        } else {
            Rgb([236, 238, 240])
        }
    });
    jpeg::encode(&picture.into(), 70).map_err(Error::internal)
}

fn full_name(order: &NewOrder) -> String {
    let NewOrder { application, .. } = order;
    [&application.first_name, &application.last_name].map(|part| latin(part.as_deref().unwrap_or(""))).join(" ")
}

/// The letters that Helvetica has in every reader.
fn latin(text: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    text.nfkd().filter(|one| one.is_ascii_graphic() || *one == ' ').collect()
}

/// The machine-readable lines of the passport.
fn machine_lines(order: &NewOrder) -> Vec<String> {
    let application = &order.application;
    let date = |date: Option<NaiveDate>| {
        date.map_or(MrzDate::Unknown, |date| MrzDate::Calendar(Date::new(date.year(), date.month(), date.day())))
    };
    let state = |country: &Option<String>| country.as_deref().and_then(mrz::code_for_name).unwrap_or("XXX").to_owned();
    let name = |name: &Option<String>| latin(name.as_deref().unwrap_or_default());
    let zone = mrz::format_td3(&Td3Fields {
        issuing_country: state(&application.passport_from),
        nationality: state(&order.nationality),
        document_number: application.document_number.clone().unwrap_or_default(),
        surname: name(&application.last_name),
        given_names: name(&application.first_name),
        date_of_birth: date(application.date_of_birth),
        date_of_expiry: date(application.date_of_expiry),
        sex: Sex::from_zone(application.sex.as_deref().and_then(|sex| sex.chars().next()).unwrap_or('<')),
        ..Td3Fields::default()
    });
    zone.lines().map(str::to_owned).collect()
}

fn page(width: f32, height: f32, lines: &[String]) -> Vec<u8> {
    let [catalog, pages, page, font, content] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    let mut one = pdf.page(page);
    one.media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(content);
    one.resources().fonts().pair(Name(b"F1"), font);
    one.finish();
    pdf.type1_font(font).base_font(Name(b"Helvetica"));
    let mut text = Content::new();
    text.rect(12.0, 12.0, width - 24.0, height - 24.0).stroke();
    text.begin_text();
    text.set_font(Name(b"F1"), 11.0).set_leading(24.0).next_line(30.0, height - 44.0);
    for line in lines {
        text.show(Str(line.as_bytes())).next_line(0.0, -24.0);
    }
    text.end_text();
    pdf.stream(content, &text.finish());
    pdf.finish()
}
