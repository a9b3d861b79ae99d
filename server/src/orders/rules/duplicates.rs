//! Which facts two orders share, as a sign of the same person or of an order made twice. Pure.

use super::country::Country;
use super::personal_name::PersonalName;
use super::phone::Phone;
use crate::characters::normalize;
use crate::text_enum;

text_enum! {
    /// A fact that two orders share.
    pub enum SameFact {
        /// The number of the passport, unless its countries differ.
        Passport = "passport",
        /// The contact address.
        Email = "email",
        Phone = "phone",
        /// The sales site's id of the device.
        Device = "device",
        Card = "card",
    }
}

/// The shortest number of a passport that is compared: shorter texts are placeholders.
const MIN_DOCUMENT_LEN: usize = 5;

/// The fewest digits of a telephone number that are compared, without zeros at its beginning. The index has as many.
pub const MIN_PHONE_DIGITS: usize = 7;

/// The facts of an order that are compared, as they are stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DuplicateFacts {
    pub full_name: String,
    pub last_name: Option<String>,
    pub email: String,
    pub country_code: Option<String>,
    pub phone_number: Option<String>,
    pub nationality: Option<String>,
    /// The country that issued the passport.
    pub passport_from: Option<String>,
    pub document_number: Option<String>,
    pub device_id: Option<String>,
    pub purchase_ip: Option<String>,
    pub card_brand: Option<String>,
    pub card_last_four: Option<String>,
}

/// The facts that the orders share.
pub fn same_facts(one: &DuplicateFacts, other: &DuplicateFacts) -> Vec<SameFact> {
    let shared = |fact: &SameFact| match fact {
        SameFact::Passport => is_same_passport(one, other),
        SameFact::Email => is_same(&one.email, &other.email),
        SameFact::Phone => phone(one).is_some_and(|digits| Some(digits) == phone(other)),
        SameFact::Device => are_same(one.device_id.as_deref(), other.device_id.as_deref()) == Some(true),
        SameFact::Card => is_same_card(one, other),
    };
    SameFact::ALL.iter().copied().filter(shared).collect()
}

/// Returns true if both are equal but for case and spaces. None: one of them is missing.
fn are_same(one: Option<&str>, other: Option<&str>) -> Option<bool> {
    let (one, other) = (one.map(normalize)?, other.map(normalize)?);
    if one.is_empty() || other.is_empty() { None } else { Some(one == other) }
}

fn is_same(one: &str, other: &str) -> bool {
    are_same(Some(one), Some(other)) == Some(true)
}

/// Countries number their passports independently, so the number alone is not enough if a country is known to differ: the issuing
/// country, or the nationality where an issuing country is missing.
fn is_same_passport(one: &DuplicateFacts, other: &DuplicateFacts) -> bool {
    let are_same = |field: fn(&DuplicateFacts) -> Option<&str>| {
        Some(Country::read(field(one))?.key() == Country::read(field(other))?.key())
    };
    let same_country =
        are_same(|order| order.passport_from.as_deref()).or_else(|| are_same(|order| order.nationality.as_deref()));
    document(one).is_some_and(|number| Some(number) == document(other)) && same_country != Some(false)
}

/// The letters and digits of the passport's number, in lower case; none for a placeholder such as `-` or `00000`.
fn document(order: &DuplicateFacts) -> Option<String> {
    let number: String =
        normalize(order.document_number.as_deref()?).chars().filter(|one| one.is_alphanumeric()).collect();
    let is_number =
        number.chars().count() >= MIN_DOCUMENT_LEN && number.chars().any(|one| one.is_numeric() && one != '0');
    is_number.then_some(number)
}

/// The telephone number in the one form that all its spellings have.
fn phone(order: &DuplicateFacts) -> Option<String> {
    Phone::read(order.country_code.as_deref(), order.phone_number.as_deref())?.key(MIN_PHONE_DIGITS)
}

/// Four digits and a brand are shared by strangers: among a million orders each pair of them occurs many times. So the card counts only
/// together with a fact about the payer: the full name, the last name (one card pays for a family) or the address of the purchase.
fn is_same_card(one: &DuplicateFacts, other: &DuplicateFacts) -> bool {
    let both = |field: fn(&DuplicateFacts) -> Option<&str>| are_same(field(one), field(other)) == Some(true);
    let have_same_name = |field: fn(&DuplicateFacts) -> Option<&str>| {
        let key = |order| field(order).and_then(PersonalName::read).map(|name| name.key());
        key(one).is_some_and(|name| Some(name) == key(other))
    };
    both(|order| order.card_last_four.as_deref())
        && both(|order| order.card_brand.as_deref())
        && (have_same_name(|order| Some(&order.full_name))
            || have_same_name(|order| order.last_name.as_deref())
            || both(|order| order.purchase_ip.as_deref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An order without any fact that could be shared.
    fn order(change: impl FnOnce(&mut DuplicateFacts)) -> DuplicateFacts {
        let mut order = DuplicateFacts::default();
        change(&mut order);
        order
    }

    fn text(value: &str) -> Option<String> {
        Some(value.to_owned())
    }

    #[test]
    fn nothing_is_shared_by_orders_without_facts() {
        assert_eq!(same_facts(&DuplicateFacts::default(), &DuplicateFacts::default()), []);
    }

    #[test]
    fn a_passport_is_the_same_in_any_spelling_unless_its_countries_differ() {
        let with = |number: &str, from: Option<&str>, nationality: Option<&str>| {
            order(|order| {
                order.document_number = text(number);
                (order.passport_from, order.nationality) = (from.map(Into::into), nationality.map(Into::into));
            })
        };
        let one = with("PA 123-4567", Some("Australia"), Some("Australia"));
        for other in [
            with("pa1234567", Some("AUSTRALIA "), Some("France")),
            with("PA1234567", Some("AUS"), None),
            with("PA1234567", None, Some("Australia")),
            with("PA1234567", None, None),
        ] {
            assert_eq!(same_facts(&one, &other), [SameFact::Passport], "{other:?}");
        }
        for other in [
            with("PA1234568", Some("Australia"), None),
            with("PA1234567", Some("France"), Some("Australia")),
            with("PA1234567", None, Some("France")),
        ] {
            assert_eq!(same_facts(&one, &other), [], "{other:?}");
        }
        for placeholder in ["-", "n/a", "00000000", "A123", "UNKNOWN"] {
            assert_eq!(same_facts(&with(placeholder, None, None), &with(placeholder, None, None)), [], "{placeholder}");
        }
    }

    #[test]
    fn a_telephone_number_is_the_same_with_and_without_its_prefix_and_zeros() {
        let with = |code: Option<&str>, number: &str| {
            order(|order| (order.country_code, order.phone_number) = (code.map(Into::into), text(number)))
        };
        let one = with(Some("62"), "0812 345-6789");
        for other in
            [with(Some("62"), "8123456789"), with(None, "+62 (812) 345.6789"), with(Some("62"), "0062 8123456789")]
        {
            assert_eq!(same_facts(&one, &other), [SameFact::Phone], "{other:?}");
        }
        for other in [with(Some("61"), "8123456789"), with(None, "8123456789"), with(Some("62"), "8123456780")] {
            assert_eq!(same_facts(&one, &other), [], "{other:?}");
        }
        assert_eq!(same_facts(&with(Some("62"), "0123456"), &with(Some("62"), "0123456")), [], "too short");
    }

    #[test]
    fn an_email_and_a_device_are_compared_without_case_and_spaces() {
        let with = |email: &str, device: &str| {
            order(|order| (order.email, order.device_id) = (email.to_owned(), text(device)))
        };
        let one = with("Ana@Post.example", "device-1");
        assert_eq!(same_facts(&one, &with(" ana@post.EXAMPLE", "Device-1")), [SameFact::Email, SameFact::Device]);
        assert_eq!(same_facts(&one, &with("ana@post.example.org", "device-12")), []);
    }

    #[test]
    fn a_card_counts_only_with_its_brand_and_a_fact_about_the_payer() {
        let card = |brand: &str, change: fn(&mut DuplicateFacts)| {
            order(|order| {
                (order.card_brand, order.card_last_four) = (text(brand), text("4242"));
                (order.full_name, order.last_name) = ("Ana Putri".into(), text("Putri"));
                order.purchase_ip = text("203.0.113.9");
                change(order);
            })
        };
        let stranger = |order: &mut DuplicateFacts| {
            (order.full_name, order.last_name) = ("Li Wei".into(), text("Li"));
            order.purchase_ip = text("198.51.100.7");
        };
        let one = card("Visa", |_| {});
        let same_card = [SameFact::Card];
        assert_eq!(same_facts(&one, &card("visa", |_| {})), same_card);
        assert_eq!(same_facts(&one, &card("Visa", stranger)), []);
        assert_eq!(same_facts(&one, &card("Mastercard", |_| {})), []);
        assert_eq!(same_facts(&one, &card("Visa", |order| order.card_last_four = text("4243"))), []);
        assert_eq!(same_facts(&one, &card("Visa", |order| order.card_brand = None)), []);
        let with_address = |order: &mut DuplicateFacts| {
            (order.full_name, order.last_name) = ("Li Wei".into(), None);
        };
        assert_eq!(same_facts(&one, &card("Visa", with_address)), same_card);
        let family = |order: &mut DuplicateFacts| {
            (order.full_name, order.purchase_ip) = ("Budi Putri".into(), None);
        };
        assert_eq!(same_facts(&one, &card("Visa", family)), same_card);
    }
}
