//! A corpus of names in thirty languages, as people type them and as passports and visas spell them, and of differences planted in them.
//! `VISADESK_TEST_LONG` makes 20,000 pairs of it, and `--nocapture` prints the table of docs/checks.md.

use std::collections::BTreeMap;

use chrono::NaiveDate;
use rand::rngs::ChaCha8Rng;
use rand::seq::{IndexedMutRandom, IndexedRandom};
use rand::{RngExt, SeedableRng};
use unicode_normalization::UnicodeNormalization;
use visadesk::deliveries::rules::{self as visas, ExpectedVisa, VisaOutcome};
use visadesk::orders::rules::personal_name::PersonalName;
use visadesk::papers::reading::{PassportReading, ReadFrom};
use visadesk::papers::rules::passport::{TypedPassport, compare};
use visadesk::papers::rules::{Finding, PaperField};

use crate::deliveries::pairs::visa;
use crate::support::passports::PASSPORTS;
use crate::support::rounds::{rounds, seed};

/// The names of a language.
struct Language {
    name: &'static str,
    given: Vec<Entry>,
    surnames: Vec<Entry>,
}

/// A name as people type it, and its spellings in passports if they are not those of the rule.
struct Entry {
    typed: &'static str,
    spelled: Vec<&'static str>,
}

fn languages() -> Vec<Language> {
    let entries = |list: &'static str| {
        let entry = |one: &'static str| {
            let (typed, spelled) = one.split_once('=').unwrap_or((one, ""));
            Entry { typed, spelled: spelled.split('|').filter(|one| !one.is_empty()).collect() }
        };
        list.split(", ").map(entry).collect()
    };
    let lines = include_str!("names.tsv").lines().filter(|line| !line.starts_with('#'));
    let languages = lines.map(|line| {
        let [name, given, surnames] = line.split('\t').collect::<Vec<_>>().try_into().expect("three columns");
        Language { name, given: entries(given), surnames: entries(surnames) }
    });
    languages.collect()
}

/// A letter of a document.
#[derive(Clone, Copy, PartialEq)]
struct Letter {
    /// A space between words is one, too.
    printed: char,
    /// The letter was typed as it is printed: another one is another name.
    is_certain: bool,
}

/// The letters that transcriptions do not vary.
const STABLE: &str = "BDFKLMNPRSTVZ";

/// The letter in documents (ICAO Doc 9303-3, section 6), where it is not the one without its accents.
fn spellings(letter: char) -> &'static [&'static str] {
    match letter {
        'Ä' => &["AE", "A"],
        'Å' => &["AA", "A"],
        'Æ' => &["AE"],
        'Ö' => &["OE", "O"],
        'Ø' | 'Œ' => &["OE"],
        'Ü' => &["UE", "U"],
        'ẞ' => &["SS"],
        'Þ' => &["TH"],
        'Đ' | 'Ð' => &["D"],
        'Ł' => &["L"],
        'Ħ' => &["H"],
        'İ' | 'I' => &["I"],
        '\'' | '’' => &[""],
        '-' => &[" "],
        _ => &[],
    }
}

impl Entry {
    /// The name as a document spells it.
    fn print(&self, rng: &mut ChaCha8Rng) -> Vec<Letter> {
        if let Some(spelled) = self.spelled.choose(rng) {
            return spelled.chars().map(|printed| Letter { printed, is_certain: STABLE.contains(printed) }).collect();
        }
        let mut letters = Vec::new();
        for typed in self.typed.replace('ß', "ẞ").replace('ı', "I").to_uppercase().nfc() {
            if let Some(spelled) = spellings(typed).choose(rng) {
                letters.extend(spelled.chars().map(|printed| Letter { printed, is_certain: typed == 'I' }));
            } else {
                let printed = typed.nfd().next().expect("a letter");
                letters.push(Letter { printed, is_certain: typed.is_ascii_alphabetic() });
            }
        }
        // A vowel beside a letter of two spellings may belong to it: GUEEMES and GUEMES are both Güemes.
        for at in 0..letters.len() {
            let is_beside = |other: usize| letters.get(other).is_some_and(|one| !one.is_certain);
            letters[at].is_certain &=
                !("AE".contains(letters[at].printed) && (is_beside(at + 1) || is_beside(at.wrapping_sub(1))));
        }
        letters
    }

    /// Latin letters, with accents or without.
    fn is_latin(&self) -> bool {
        self.typed.chars().all(|one| !one.is_alphabetic() || one < '\u{250}' || ('\u{1e00}'..'\u{1f00}').contains(&one))
    }
}

/// Both parts of a name, as the zone of a passport has them.
#[derive(Clone, PartialEq)]
struct Printed {
    given: Vec<Vec<Letter>>,
    surname: Vec<Letter>,
}

fn text(letters: &[Letter]) -> String {
    letters.iter().map(|letter| letter.printed).collect()
}

impl Printed {
    fn given(&self) -> String {
        self.given.iter().map(|name| text(name)).collect::<Vec<_>>().join(" ")
    }

    /// The first line of the zone. None: there is no room for the name.
    fn line(&self) -> Option<String> {
        let names = format!("{}<<{}", text(&self.surname), self.given()).replace(' ', "<");
        (names.len() <= 38).then(|| format!("{:<<44}", format!("P<XXX{names}")))
    }
}

/// A person: how they type their name, and how their documents spell it.
struct Pair {
    given: String,
    surname: String,
    printed: Printed,
}

fn pair(language: &Language, rng: &mut ChaCha8Rng) -> Pair {
    let count = if rng.random_bool(0.5) { 2 } else { 1 };
    let names: Vec<&Entry> = language.given.sample(rng, count).collect();
    let surname = language.surnames.choose(rng).expect("a surname");
    let printed = Printed { given: names.iter().map(|name| name.print(rng)).collect(), surname: surname.print(rng) };
    if !surname.is_latin() && rng.random_bool(0.5) {
        // Many type what their passport says.
        let certain = |letters: &[Letter]| letters.iter().map(|one| Letter { is_certain: true, ..*one }).collect();
        let printed = Printed {
            given: printed.given.iter().map(|name| certain(name)).collect(),
            surname: certain(&printed.surname),
        };
        return Pair { given: printed.given(), surname: text(&printed.surname), printed };
    }
    let given = names.iter().map(|name| name.typed).collect::<Vec<_>>().join(" ");
    Pair { given, surname: surname.typed.to_owned(), printed }
}

/// The kinds of planted differences. The first eleven are those that a careless comparison misses.
const KINDS: usize = 13;

/// The document of somebody else whose name differs by one thing. None: the name has no place for it.
fn planted(kind: usize, printed: &Printed, language: &Language, rng: &mut ChaCha8Rng) -> Option<Printed> {
    let mut other = printed.clone();
    let is_in_surname = rng.random_bool(0.5);
    let name = if is_in_surname { &mut other.surname } else { other.given.choose_mut(rng)? };
    let places: Vec<usize> = (0..name.len()).filter(|at| name[*at].is_certain).collect();
    match kind {
        0..=4 => {
            let at = *places.choose(rng)?;
            let others: Vec<char> = ('A'..='Z').filter(|one| *one != name[at].printed).collect();
            name[at].printed = *others.choose(rng)?;
        }
        5 => drop(name.remove(*places.choose(rng)?)),
        6 => {
            let at = *places.choose(rng)?;
            name.insert(at, name[at]);
        }
        7 => drop((other.given.len() > 1).then(|| other.given.pop())?),
        8 => other.given.push(language.given.choose(rng)?.print(rng)),
        9 => *other.given.first_mut()? = language.given.choose(rng)?.print(rng),
        10 => other.surname = language.surnames.choose(rng)?.print(rng),
        11 => {
            let at = *places.iter().find(|at| places.contains(&(**at + 1)) && name[**at] != name[**at + 1])?;
            name.swap(at, at + 1);
        }
        _ => {
            let someone = pair(language, rng).printed;
            other = someone;
        }
    }
    Some(other)
}

/// Two documents that may be those of one person: their certain letters are the same, in any order of the names.
fn may_be_one(one: &Printed, other: &Printed) -> bool {
    let certain = |printed: &Printed| {
        let names = printed.given.iter().map(Vec::as_slice).chain([printed.surname.as_slice()]);
        let stable = |name: &[Letter]| -> String {
            name.iter().map(|one| one.printed).filter(|one| STABLE.contains(*one)).collect()
        };
        let mut names: Vec<String> = names.map(stable).collect();
        names.sort();
        names
    };
    certain(one) == certain(other)
}

/// What a comparison says of a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Same,
    Look,
    Differs,
}

fn on_passport(pair: &Pair, line: String, is_whole: bool) -> Verdict {
    let [_, second] = PASSPORTS[0].lines();
    let reading =
        PassportReading { from: ReadFrom::TextLayer, first: [Some(line), Some(second)], second: None, crop: None };
    let typed = TypedPassport {
        full_name: format!("{} {}", pair.given, pair.surname),
        first_name: (!is_whole).then(|| pair.given.clone()),
        last_name: (!is_whole).then(|| pair.surname.clone()),
        ..TypedPassport::default()
    };
    let names = [PaperField::Surname, PaperField::GivenNames, PaperField::FullName];
    let found = compare(&reading, &typed, NaiveDate::from_ymd_opt(2026, 11, 20).expect("a day"));
    let found: Vec<Finding> = found
        .iter()
        .filter(|found| names.contains(&found.field))
        .map(visadesk::papers::rules::FieldFinding::finding)
        .collect();
    match () {
        () if found.iter().all(|one| *one == Finding::Same) && !found.is_empty() => Verdict::Same,
        () if found.contains(&Finding::Differs) => Verdict::Differs,
        () => Verdict::Look,
    }
}

fn on_visa(pair: &Pair, printed: &Printed) -> Verdict {
    let expected = ExpectedVisa {
        document_number: Some("PA1234567".into()),
        names: PersonalName::read(&format!("{} {}", pair.given, pair.surname)).into_iter().collect(),
        date_of_birth: NaiveDate::from_ymd_opt(1990, 5, 17),
    };
    let name = format!("{} {}", printed.given(), text(&printed.surname));
    match visas::compare(&visa("PA1234567", &name, "17/05/1990"), &expected).outcome {
        VisaOutcome::Same => Verdict::Same,
        VisaOutcome::NotRead => Verdict::Look,
        VisaOutcome::Differs => Verdict::Differs,
    }
}

/// What was said of the names of a language: of those that are the same, and how many differences were planted.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    same: usize,
    look: usize,
    differs: usize,
    planted: usize,
}

impl Score {
    fn count(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Same => self.same += 1,
            Verdict::Look => self.look += 1,
            Verdict::Differs => self.differs += 1,
        }
    }

    fn right(self) -> usize {
        self.same + self.look + self.differs
    }

    /// A row of docs/checks.md.
    fn row(self) -> String {
        let share = |part: usize| format!("{:.1} %", 100.0 * part as f64 / self.right().max(1) as f64);
        let cells = [share(self.same), share(self.look), share(self.differs)];
        format!("{} | {} | {}", self.right(), cells.join(" | "), self.planted)
    }
}

#[test]
fn no_difference_that_is_planted_in_a_name_is_called_the_same() {
    let mut rng = ChaCha8Rng::from_seed(seed());
    let languages = languages();
    let each = rounds(8, 20_000 / languages.len() + 1);
    let (mut scores, mut missed, mut alarms) = (BTreeMap::new(), Vec::new(), BTreeMap::<String, usize>::new());
    for language in &languages {
        let score: &mut Score = scores.entry(language.name).or_default();
        let mut made = 0;
        while made < each {
            let pair = pair(language, &mut rng);
            let Some(line) = pair.printed.line() else { continue };
            made += 1;
            let is_whole = made % 2 == 0;
            let found = [on_passport(&pair, line, is_whole), on_visa(&pair, &pair.printed)];
            found.iter().for_each(|verdict| score.count(*verdict));
            if found.contains(&Verdict::Differs) {
                let what = format!(
                    "{} {} / {} {}",
                    pair.given,
                    pair.surname,
                    pair.printed.given(),
                    text(&pair.printed.surname)
                );
                *alarms.entry(format!("{}: {what}", language.name)).or_default() += 1;
            }
            for kind in 0..KINDS {
                let Some(other) = planted(kind, &pair.printed, language, &mut rng) else { continue };
                let Some(line) = other.line().filter(|_| !may_be_one_name(kind, &pair.printed, &other)) else {
                    continue;
                };
                let found = [on_passport(&pair, line, is_whole), on_visa(&pair, &other)];
                score.planted += found.len();
                if found.contains(&Verdict::Same) {
                    let what = format!("{} {} / {} {}", pair.given, pair.surname, other.given(), text(&other.surname));
                    missed.push(format!(
                        "{} kind {kind}: {what}, passport {}, visa {}",
                        language.name,
                        found[0] == Verdict::Same,
                        found[1] == Verdict::Same
                    ));
                }
            }
        }
    }
    scores.iter().for_each(|(language, score)| println!("| {language} | {} |", score.row()));
    println!("right names that differ: {alarms:#?}");
    assert!(missed.is_empty(), "{} planted differences that were called the same: {missed:#?}", missed.len());
    let in_latin = languages.iter().filter(|one| one.surnames.iter().all(Entry::is_latin));
    let in_latin = in_latin
        .map(|language| scores[language.name])
        .fold((0, 0), |(same, right), score| (same + score.same, right + score.right()));
    assert!(in_latin.0 * 100 >= in_latin.1 * 95, "{scores:#?}");
    assert!(scores.values().map(|score| score.planted).sum::<usize>() >= rounds(4_000, 400_000));
}

/// Another name of the language may be the same one by chance, or in another spelling.
fn may_be_one_name(kind: usize, printed: &Printed, other: &Printed) -> bool {
    kind > 8 && kind != 11 && may_be_one(printed, other)
}
