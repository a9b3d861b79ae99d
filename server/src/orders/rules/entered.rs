//! The data that a customer enters about the applicant, the trip and the contact details: the rules of each field, for intake and
//! for corrections. Pure.

use chrono::NaiveDate;

use super::dates::day;
use super::fields::Fields;
use super::personal_name::PersonalName;
use super::phone::{self, Phone};
use super::sex::Sex;
use crate::characters::{is_visible_letter, plain_number};
use crate::orders::facts::{Application, OrderFacts};
use crate::visas::catalogue;

/// The values of an order that the customer enters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EnteredOrder {
    pub full_name: Option<String>,
    pub contact_email_address: Option<String>,
    /// Digits, without a plus sign.
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    /// A code of the catalogue.
    pub visa_type: Option<String>,
    pub application: Application,
}

impl EnteredOrder {
    pub fn of(order: &OrderFacts, application: Application) -> Self {
        Self {
            full_name: Some(order.full_name.clone()),
            contact_email_address: Some(order.contact_email_address.clone()),
            country_code: order.country_code.clone(),
            phone_number: order.phone_number.clone(),
            nationality: order.nationality.clone(),
            visa_type: order.visa_type.clone(),
            application,
        }
    }

    /// The valid fields of those given.
    pub fn read(fields: &mut Fields<'_>, today: NaiveDate) -> Self {
        Self {
            application: application(fields, today),
            contact_email_address: fields.email("contact_email_address"),
            full_name: full_name(fields),
            country_code: country_code(fields),
            phone_number: phone_number(fields),
            nationality: nationality(fields),
            visa_type: visa_type(fields),
        }
    }
}

/// The application form, without the account.
pub fn application(fields: &mut Fields<'_>, today: NaiveDate) -> Application {
    let dates = day(1900, 1, 1)..=day(2100, 12, 31);
    Application {
        account_email: None,
        first_name: fields.text("first_name", 100),
        middle_name: fields.text("middle_name", 100),
        last_name: fields.text("last_name", 100),
        sex: sex(fields),
        place_of_birth: fields.text("place_of_birth", 100),
        date_of_birth: fields.date("date_of_birth", day(1900, 1, 1)..=today),
        passport_from: fields.text("passport_from", 100),
        main_purpose_of_visit: read_named(fields, "main_purpose_of_visit", catalogue::main_purpose),
        sub_purpose_of_visit: read_named(fields, "sub_purpose_of_visit", catalogue::sub_purpose),
        stay_day: fields.days("stay_day", 1..=3_650),
        arrival_date: fields.date("arrival_date", day(2000, 1, 1)..=day(2100, 12, 31)),
        document_type: fields.text("document_type", 50),
        document_number: fields.text("document_number", 50),
        date_of_expiry: fields.date("date_of_expiry", dates),
        issuing_place: fields.text("issuing_place", 100),
        residence_type: fields.text("residence_type", 100),
        address: fields.text("address", 500),
        postal_code: fields.text("postal_code", 20),
        province: fields.text("province", 100),
        city: fields.text("city", 100),
        district: fields.text("district", 100),
        village: fields.text("village", 100),
        immigration_office: fields.text("immigration_office", 150),
        signature_name: fields.text("signature_name", 200),
    }
}

pub fn full_name(fields: &mut Fields<'_>) -> Option<String> {
    fields.read("full_name", 200, |typed| match PersonalName::read(typed) {
        // What was sent stays as it was sent.
        Some(name) if name.shown().chars().any(is_visible_letter) => Ok(typed.to_owned()),
        _ => Err("must have a letter that can be seen".to_owned()),
    })
}

/// A known word of any language in its normal form. With strict fields every text stays as it was sent.
fn sex(fields: &mut Fields<'_>) -> Option<String> {
    if !fields.are_lenient() {
        return fields.text("sex", 20);
    }
    let unknown = || "is not a word for a sex that is known here".to_owned();
    fields.read("sex", 100, |text| Sex::read(text).map(|sex| sex.as_str().to_owned()).ok_or_else(unknown))
}

pub fn country_code(fields: &mut Fields<'_>) -> Option<String> {
    if !fields.are_lenient() {
        return fields.read("country_code", 10, read_plain_prefix);
    }
    let unknown = || "is not the prefix, code or name of a country".to_owned();
    fields.read("country_code", 60, |text| {
        let prefix = read_plain_prefix(text).ok().or_else(|| phone::calling_prefix(text));
        prefix.filter(|prefix| prefix.len() <= 4).ok_or_else(unknown)
    })
}

/// A number in plain characters stays as it was typed. One in other spellings is stored as people read it, and what was typed is kept beside it.
pub fn phone_number(fields: &mut Fields<'_>) -> Option<String> {
    if !fields.are_lenient() {
        // A stored number comes back with corrections of its order, and among what the customer sent.
        let stored = |text: &str| respelled(None, text).filter(|number| number == text);
        return fields
            .read("phone_number", 100, |text| read_plain_phone(text).or_else(|| stored(text)).ok_or_else(no_phone));
    }
    let country = fields.find("country_code").map(|code| code.as_str().map_or_else(|| code.to_string(), str::to_owned));
    // Read before, as everywhere.
    let (is_of_unknown_country, mut is_respelled) = (fields.is_doubted("country_code"), false);
    let number = fields.read("phone_number", 100, |text| {
        let whole = without_fraction(text);
        is_respelled = whole.len() < text.len();
        if is_of_unknown_country && !is_international(whole) {
            return Err("belongs to a country that is not known".to_owned());
        }
        read_plain_phone(whole)
            .or_else(|| respelled(country.as_deref(), whole).inspect(|_| is_respelled = true))
            .ok_or_else(no_phone)
    });
    if is_respelled {
        fields.keep_as_evidence("phone_number", number.as_deref());
    }
    number
}

pub fn nationality(fields: &mut Fields<'_>) -> Option<String> {
    fields.text("nationality", 100)
}

pub fn visa_type(fields: &mut Fields<'_>) -> Option<String> {
    fields.read("visa_type", 100, read_visa_type)
}

/// A purpose in the catalogue becomes its label. The sales site's own text stays, because the groups of the catalogue are ours.
fn read_named(fields: &mut Fields<'_>, field: &str, known: fn(&str) -> Option<&'static str>) -> Option<String> {
    fields.read(field, 150, |text| Ok(known(text).map_or_else(|| text.to_owned(), ToOwned::to_owned)))
}

fn read_visa_type(text: &str) -> Result<String, String> {
    catalogue::visa_code(text).map(ToOwned::to_owned).ok_or_else(|| "is not in the catalogue".to_owned())
}

fn read_plain_prefix(text: &str) -> Result<String, String> {
    let digits = text.strip_prefix('+').unwrap_or(text);
    let plain = (1..=4).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if plain { Ok(digits.to_owned()) } else { Err("must be one to four digits".to_owned()) }
}

fn read_plain_phone(text: &str) -> Option<String> {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_plain = text.len() <= 40 && text.chars().all(|one| one.is_ascii_digit() || " +-().".contains(one));
    (is_plain && (4..=20).contains(&digits)).then(|| text.to_owned())
}

/// A number with its country's prefix.
fn is_international(number: &str) -> bool {
    let plain = plain_number(number);
    ["+", "00", "tel:+"].iter().any(|sign| plain.starts_with(sign))
}

/// The number before the fraction that a spreadsheet gives to whole numbers: `34600000001.0`. Nobody dials groups of one digit.
fn without_fraction(text: &str) -> &str {
    let whole = text.strip_suffix(".0").filter(|whole| whole.bytes().all(|byte| byte.is_ascii_digit()));
    whole.filter(|whole| whole.len() >= 4).unwrap_or(text)
}

/// A number in digits of another script, as an address, or with an extension.
fn respelled(country: Option<&str>, text: &str) -> Option<String> {
    let phone = Phone::read(country, Some(text))?;
    phone.digits().map(|_| phone.shown())
}

fn no_phone() -> String {
    "must be a telephone number".to_owned()
}
