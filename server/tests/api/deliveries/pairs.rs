//! Many orders with visas as a portal would write them, some of them wrong.

use chrono::{Days, NaiveDate};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use unicode_normalization::UnicodeNormalization;
use visadesk::deliveries::rules::{ExpectedVisa, VisaOutcome, compare};
use visadesk::orders::rules::personal_name::PersonalName;

/// The text of an issued visa.
pub fn visa(number: &str, name: &str, birth: &str) -> String {
    format!(
        "REPUBLIK INDONESIA\nVISA ELEKTRONIK / ELECTRONIC VISA\nNo. 2A13EH4471-W Index C1\nNama / Name: {name}\n\
         Nomor Paspor / Passport No: {number}\nTanggal Lahir / Date of Birth: {birth}\nBerlaku sampai 14/03/2027"
    )
}

/// A name as a portal writes it: capitals without accents.
fn plain(name: &str) -> String {
    let letters = name.nfkd().map(|one| if one == 'ø' { 'o' } else { one });
    letters.filter(|one| one.is_ascii_alphabetic() || " -'".contains(*one)).collect::<String>().to_uppercase()
}

const GIVEN: [&str; 12] =
    ["Ann", "José", "Li", "Fatima", "Olga", "Ravi", "Mia", "Çağlar", "Søren", "Anne-Marie", "D'Arcy", "Zoë"];
const FAMILIES: [&str; 10] =
    ["Lee", "García", "Visser", "Volkov", "Öztürk", "Iyer", "Zhou", "van den Berg", "O'Neill", "Nguyễn"];
const FORMATS: [&str; 5] = ["%d/%m/%Y", "%d-%m-%Y", "%Y-%m-%d", "%d %b %Y", "%d %B %Y"];

fn invented(rng: &mut ChaCha8Rng) -> ExpectedVisa {
    let pick = |rng: &mut ChaCha8Rng, names: &[&str]| names[rng.random_range(0..names.len())].to_owned();
    let letters: String = (0..2).map(|_| char::from(b'A' + rng.random_range(0..26))).collect();
    let given = [pick(rng, &GIVEN), pick(rng, &GIVEN)].join(" ");
    ExpectedVisa {
        document_number: Some(format!("{letters}{:07}", rng.random_range(0..10_000_000))),
        names: PersonalName::read(&format!("{given} {}", pick(rng, &FAMILIES))).into_iter().collect(),
        date_of_birth: Some(NaiveDate::from_ymd_opt(1940, 1, 1).unwrap() + Days::new(rng.random_range(0..25_000))),
    }
}

/// The visa of an order, as a portal would write it: without accents, in capitals, in one of some forms.
fn issued(order: &ExpectedVisa, rng: &mut ChaCha8Rng) -> String {
    let name = plain(order.names[0].shown());
    let number = order.document_number.clone().unwrap();
    let number = if rng.random_bool(0.2) { format!("{} {}", &number[..2], &number[2..]) } else { number };
    let format = FORMATS[rng.random_range(0..FORMATS.len())];
    visa(&number, &name, &order.date_of_birth.unwrap().format(format).to_string())
}

/// Changes one letter or digit of a text to another.
fn misspell(text: &str, rng: &mut ChaCha8Rng) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    let places: Vec<usize> = (0..letters.len()).filter(|at| letters[*at].is_ascii_alphanumeric()).collect();
    let at = places[rng.random_range(0..places.len())];
    let others: Vec<char> = if letters[at].is_ascii_digit() { ('0'..='9').collect() } else { ('A'..='Z').collect() };
    loop {
        let other = others[rng.random_range(0..others.len())];
        if other != letters[at].to_ascii_uppercase() {
            letters[at] = other;
            return letters.into_iter().collect();
        }
    }
}

/// One visa in a hundred is wrong by a letter, a digit or a day, or is that of another order. None may pass, and of the right ones less than
/// three in a hundred may ask for a look.
#[test]
fn of_ten_thousand_visas_no_wrong_one_passes() {
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let (mut looks, mut right, mut wrong) = (0, 0, 0);
    for number in 0..10_000 {
        let order = invented(&mut rng);
        if number % 100 == 0 {
            let other = match number / 100 % 4 {
                0 => ExpectedVisa {
                    document_number: order.document_number.as_deref().map(|it| misspell(it, &mut rng)),
                    ..order.clone()
                },
                1 => ExpectedVisa {
                    names: PersonalName::read(&misspell(&plain(order.names[0].shown()), &mut rng))
                        .into_iter()
                        .collect(),
                    ..order.clone()
                },
                2 => {
                    ExpectedVisa { date_of_birth: order.date_of_birth.map(|date| date + Days::new(1)), ..order.clone() }
                }
                _ => invented(&mut rng),
            };
            let found = compare(&issued(&other, &mut rng), &order);
            assert_eq!(found.outcome, VisaOutcome::Differs, "{order:?} has the visa of {other:?}");
            wrong += 1;
        } else {
            looks += u32::from(compare(&issued(&order, &mut rng), &order).outcome != VisaOutcome::Same);
            right += 1;
        }
    }
    println!("{wrong} wrong visas, none passed; {looks} of {right} right ones asked for a look");
    assert!(f64::from(looks) < 0.03 * f64::from(right), "{looks} of {right} right visas asked for a look");
}
