//! A corpus of invented passports with damage and planted differences. It needs no database, so it runs on one of the two only.
//! `VISADESK_TEST_LONG` makes it larger, and `--nocapture` prints the table of docs/checks.md.

mod progress;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use chrono::{Days, NaiveDate};
use serde::{Deserialize, Serialize};
use visadesk::documents::rules::MediaType;
use visadesk::papers::reading::PaperReading;
use visadesk::papers::rules::passport::{TypedPassport, compare};
use visadesk::papers::rules::{FieldFinding, Finding, Paper, PaperField};
use visadesk::papers::store::FinishedCheck;
use visadesk::papers::worker::read_paper;

use self::progress::Progress;
use super::tesseract;
use crate::support::damage::Damage;
use crate::support::passports::{PASSPORTS, Passport, jpeg, scanned_pdf};
use crate::support::program::BINARY;
use crate::support::rounds::rounds;

fn day(digits: &str, century: i32) -> NaiveDate {
    let part = |from: usize| digits[from..from + 2].parse::<u32>().expect("digits");
    NaiveDate::from_ymd_opt(century + i32::try_from(part(0)).expect("a year"), part(2), part(4)).expect("a day")
}

/// What the owner of the passport types.
pub fn typed(passport: &Passport) -> TypedPassport {
    let century = if passport.birth.starts_with('0') { 2000 } else { 1900 };
    TypedPassport {
        full_name: format!("{} {}", passport.typed_given, passport.typed_surname),
        first_name: Some(passport.typed_given.into()),
        middle_name: None,
        last_name: Some(passport.typed_surname.into()),
        sex: Some(if passport.sex == 'F' { "Female" } else { "Male" }.into()),
        date_of_birth: Some(day(passport.birth, century)),
        nationality: Some(passport.country.into()),
        passport_from: Some(passport.country.into()),
        document_number: Some(passport.number.into()),
        date_of_expiry: Some(day(passport.expiry, 2000)),
        visa_type: None,
        document_type: None,
        arrival_date: None,
    }
}

/// A page of the corpus: a passport, what happened to it, and how it is stored.
#[derive(Clone, Copy)]
struct Page {
    passport: &'static Passport,
    damage: Damage,
    chance: f32,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Picture,
    /// A PDF with text.
    Pdf,
    /// A PDF of a picture.
    ScannedPdf,
}

impl Page {
    fn content(self) -> (MediaType, Vec<u8>) {
        let damaged = || self.damage.apply(&self.passport.scan(), self.chance);
        match self.form {
            Form::Picture => (MediaType::Jpeg, jpeg(&damaged())),
            Form::Pdf => (MediaType::Pdf, self.passport.pdf()),
            Form::ScannedPdf => (MediaType::Pdf, scanned_pdf(&damaged())),
        }
    }
}

/// The pages of one round: every passport with each damage, or in the short form with a quarter of them. PDFs are in the first.
fn pages(round: usize, is_long: bool) -> Vec<Page> {
    let mut pages = Vec::new();
    for (number, passport) in PASSPORTS.iter().enumerate() {
        let page = |damage, chance, form| Page { passport, damage, chance, form };
        for (kind, damage) in Damage::ALL.into_iter().enumerate() {
            let chance = ((number * 37 + kind * 11 + round * 53) % 97) as f32 / 96.0;
            if is_long || (number + kind) % 4 == 0 {
                pages.push(page(damage, chance, Form::Picture));
            }
        }
        if round == 0 {
            pages.push(page(Damage::None, 0.0, Form::Pdf));
        }
        if round == 0 && number % 4 == 0 {
            pages.push(page(Damage::Tilted, 0.8, Form::ScannedPdf));
        }
    }
    pages
}

/// One letter of a name, replaced by one that looks like it or stands beside it.
fn misspelled(name: &str) -> Vec<String> {
    const ALIKE: [(char, char); 10] = [
        ('a', 'k'),
        ('e', 'c'),
        ('i', 'l'),
        ('l', 'i'),
        ('o', 'q'),
        ('n', 'm'),
        ('r', 'k'),
        ('s', 'z'),
        ('u', 'v'),
        ('t', 'f'),
    ];
    let changed = |(at, letter): (usize, char)| {
        let (_, other) = ALIKE.iter().find(|(one, _)| letter.to_lowercase().eq([*one]))?;
        Some(format!("{}{other}{}", &name[..at], &name[at + letter.len_utf8()..]))
    };
    name.char_indices().filter_map(changed).collect()
}

/// Numbers with one letter or digit that is another one.
fn mistyped(number: &str) -> Vec<String> {
    let changed = |(at, one): (usize, char)| {
        let others: &[char] = match one {
            'K' => &['A', 'X'],
            'B' => &['L', '8'],
            '0' => &['O', '6'],
            '1' => &['7', 'I'],
            _ if one.is_ascii_digit() => &['3', '8'],
            _ => &['M', 'V'],
        };
        let others = others.iter().filter(move |other| **other != one);
        others.map(move |other| format!("{}{other}{}", &number[..at], &number[at + 1..])).collect::<Vec<_>>()
    };
    number.char_indices().flat_map(changed).collect()
}

/// What was typed with one planted difference each, and the field that has it.
fn planted(typed: &TypedPassport) -> Vec<(PaperField, TypedPassport)> {
    let mut all = Vec::new();
    for surname in misspelled(typed.last_name.as_deref().expect("a surname")) {
        all.push((PaperField::Surname, TypedPassport { last_name: Some(surname), ..typed.clone() }));
    }
    for given in misspelled(typed.first_name.as_deref().expect("a name")) {
        all.push((PaperField::GivenNames, TypedPassport { first_name: Some(given), ..typed.clone() }));
    }
    for number in mistyped(typed.document_number.as_deref().expect("a number")) {
        all.push((PaperField::Number, TypedPassport { document_number: Some(number), ..typed.clone() }));
    }
    for days in [1, 10, 31, 365, 36_525] {
        let birth = typed.date_of_birth.and_then(|date| date.checked_sub_days(Days::new(days)));
        all.push((PaperField::DateOfBirth, TypedPassport { date_of_birth: birth, ..typed.clone() }));
        let expiry = typed.date_of_expiry.and_then(|date| date.checked_add_days(Days::new(days)));
        all.push((PaperField::Expiry, TypedPassport { date_of_expiry: expiry, ..typed.clone() }));
    }
    let other_sex = if typed.sex.as_deref() == Some("Male") { "Female" } else { "Male" };
    all.push((PaperField::Sex, TypedPassport { sex: Some(other_sex.into()), ..typed.clone() }));
    for country in ["Austria", "Denmark", "Vanuatu"] {
        all.push((PaperField::Nationality, TypedPassport { nationality: Some(country.into()), ..typed.clone() }));
        all.push((PaperField::IssuingState, TypedPassport { passport_from: Some(country.into()), ..typed.clone() }));
    }
    all
}

/// What must be looked into: planted differences that were called the same, and fields that were typed right and "differ".
#[derive(Default, Serialize, Deserialize)]
struct Errors {
    missed: Vec<String>,
    false_alarms: Vec<String>,
}

/// What the checks said over the pages with one kind of damage.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Score {
    pages: usize,
    read: usize,
    /// Fields that were typed right, and what the check says of them.
    right: usize,
    same: usize,
    look: usize,
    false_alarms: usize,
    planted: usize,
    found: usize,
}

fn check(page: Page, score: &mut Score, errors: &mut Errors) {
    let today = NaiveDate::from_ymd_opt(2026, 11, 20).expect("a day");
    let (media_type, content) = page.content();
    let ended = read_paper(Path::new(BINARY), Some(&tesseract()), Paper::Passport, media_type, &content.into());
    score.pages += 1;
    let FinishedCheck::Read(reading) = ended.expect("children start") else { return };
    let PaperReading::Passport(reading) = reading else { panic!("a passport was read as another paper") };
    let right = typed(page.passport);
    let what = |found: &FieldFinding| format!("{} {:?} {}: {found:?}", page.passport.state, page.damage, page.chance);
    let findings = compare(&reading, &right, today);
    // Of some pages only the lines are found, for a person.
    score.read += usize::from(findings.iter().any(|found| found.finding() != Finding::NotReadable));
    for found in findings {
        score.right += 1;
        match found.finding() {
            Finding::Same => score.same += 1,
            Finding::Look => score.look += 1,
            Finding::Differs => {
                score.false_alarms += 1;
                errors.false_alarms.push(what(&found));
            }
            Finding::NotReadable | Finding::NotTyped => {}
        }
    }
    for (field, wrong) in planted(&right) {
        let found = compare(&reading, &wrong, today).into_iter().find(|found| found.field == field);
        let found = found.expect("each field is compared");
        score.planted += 1;
        match found.finding() {
            Finding::Differs | Finding::Look => score.found += 1,
            Finding::Same => errors.missed.push(what(&found)),
            Finding::NotReadable | Finding::NotTyped => {}
        }
    }
}

/// The scores by what happened to the pages, and their errors.
type Scores = (BTreeMap<String, Score>, Errors);

/// Adds the scores of further pages.
fn add(all: &mut Scores, (scores, errors): &Scores) {
    for (name, score) in scores {
        let known = all.0.entry(name.clone()).or_default();
        *known = known.plus(*score);
    }
    all.1.missed.extend_from_slice(&errors.missed);
    all.1.false_alarms.extend_from_slice(&errors.false_alarms);
}

/// Checks pages on two threads.
fn check_all(pages: &[Page], all: &Mutex<Scores>) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (mut score, mut errors) = (Score::default(), Errors::default());
                    check(*page, &mut score, &mut errors);
                    let name = match page.form {
                        Form::Picture => format!("{:?}", page.damage),
                        Form::Pdf => "PDF with text".into(),
                        Form::ScannedPdf => "PDF of a scan, tilted".into(),
                    };
                    let scores = (BTreeMap::from([(name, score)]), errors);
                    add(&mut all.lock().expect("no page panics"), &scores);
                }
            });
        }
    });
}

fn print_table(after: usize, (scores, errors): &Scores) {
    println!("after round {after}: {} planted differences called the same", errors.missed.len());
    println!("false alarms: {:#?}", errors.false_alarms);
    for (name, score) in scores {
        println!("| {name} | {} |", score.row());
    }
}

#[test]
fn no_planted_difference_is_called_the_same_and_undamaged_pages_are_read_whole() {
    let is_long = rounds(false, true);
    let mut all = Scores::default();
    // The long form takes an hour and a half: each round tells what is known after it, and is kept.
    let mut progress = Progress::open(is_long);
    for round in 0..if is_long { 48 } else { 1 } {
        let scores = progress.round(round, || {
            let scores = Mutex::default();
            check_all(&pages(round, is_long), &scores);
            scores.into_inner().expect("no page panics")
        });
        add(&mut all, scores);
        print_table(round, &all);
    }
    let (scores, Errors { missed, false_alarms }) = all;
    assert!(missed.is_empty(), "planted differences that were called the same: {missed:#?}");
    let total = scores.values().fold(Score::default(), |all, one| all.plus(*one));
    assert!(total.planted > rounds(800, 2_000), "{total:?}");
    // Blur and glare can turn one letter into another, twice in the same way. One in a thousand is none in the short form.
    assert!(false_alarms.len() * 1000 <= total.right, "{false_alarms:#?}");
    let readable = scores.iter().filter(|(name, _)| !["Blurred", "Glare"].contains(&name.as_str()));
    assert_eq!(readable.map(|(_, score)| score.false_alarms).sum::<usize>(), 0, "{false_alarms:#?}");
    // Numbers with letters that no check digit tells apart are never "same".
    let read_whole = |score: &Score| score.same * 100 >= score.right * 85 && score.read == score.pages;
    let undamaged = ["None", "QuarterTurn", "HalfTurn", "ThreeQuarterTurn", "PDF with text"].map(|name| scores[name]);
    let all = undamaged.iter().fold(Score::default(), |all, one| all.plus(*one));
    assert!(read_whole(&all), "{scores:#?}");
    // The few pages of the short form say nothing about each kind.
    assert!(!is_long || undamaged.iter().all(read_whole), "{scores:#?}");
    assert!(total.read * 10 >= total.pages * 8, "{scores:#?}");
}

impl Score {
    fn plus(self, other: Self) -> Self {
        Self {
            pages: self.pages + other.pages,
            read: self.read + other.read,
            right: self.right + other.right,
            same: self.same + other.same,
            look: self.look + other.look,
            false_alarms: self.false_alarms + other.false_alarms,
            planted: self.planted + other.planted,
            found: self.found + other.found,
        }
    }

    /// A row of docs/checks.md.
    fn row(self) -> String {
        let share = |part: usize, all: usize| format!("{:.1} %", 100.0 * part as f64 / all.max(1) as f64);
        [
            format!("{} of {}", self.read, self.pages),
            share(self.same, self.right),
            share(self.look, self.right),
            share(self.false_alarms, self.right),
            format!("{} of {}", self.found, self.planted),
        ]
        .join(" | ")
    }
}
