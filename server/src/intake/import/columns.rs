//! The columns of a file, beside the fields of an order. Pure.

use strsim::osa_distance;

use crate::characters::one_line;

/// The fields of an order, and of the history that an older system has.
pub const FIELDS: [&str; 64] = [
    "external_reference",
    "full_name",
    "first_name",
    "middle_name",
    "last_name",
    "contact_email_address",
    "user.email",
    "processing_mode",
    "processing_date",
    "country_code",
    "phone_number",
    "nationality",
    "visa_type",
    "sex",
    "place_of_birth",
    "date_of_birth",
    "passport_from",
    "main_purpose_of_visit",
    "sub_purpose_of_visit",
    "stay_day",
    "arrival_date",
    "document_type",
    "document_number",
    "date_of_expiry",
    "issuing_place",
    "residence_type",
    "address",
    "postal_code",
    "province",
    "city",
    "district",
    "village",
    "immigration_office",
    "signature_name",
    "transaction_id",
    "merchant_name",
    "purchase_ip",
    "user_agent",
    "device_id",
    "three_d_secure",
    "terms_version",
    "terms_accepted_at",
    "gateway",
    "payment_reference",
    "amount",
    "currency",
    "card_brand",
    "card_last_four",
    "paid_at",
    "payment.gateway",
    "payment.payment_reference",
    "payment.amount",
    "payment.currency",
    "payment.card_brand",
    "payment.card_last_four",
    "payment.paid_at",
    "process_status",
    "created_at",
    "refund_date",
    "assign_to",
    "processed_by",
    "processed_at",
    "user",
    "payment",
];

/// The shortest name in which one letter more, less or other is a typing error. In a shorter one it is another word.
const MIN_TYPED_WRONG: usize = 5;

/// The name of a column as people see it: on one line, without what cannot be seen.
pub fn name_of(cell: &str) -> String {
    let seen = one_line(cell).unwrap_or_else(|| cell.to_owned());
    let unquoted = seen.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(&seen);
    unquoted.trim().to_owned()
}

/// Returns true if the column holds a field of an order.
pub fn is_known(name: &str) -> bool {
    FIELDS.contains(&name)
}

/// Finds out whether a file with these columns can be imported, before anything is written.
///
/// # Errors
/// The reason why not: a column is there twice, is close to a known one, or none is known.
pub fn check(names: &[String]) -> Result<(), String> {
    let named: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
    for (place, name) in named.iter().enumerate() {
        if named[..place].contains(name) {
            return Err(format!("its header names the column {name} twice"));
        }
        let nested = format!("payment.{name}");
        if named.contains(&nested.as_str()) {
            return Err(format!("its columns {name} and {nested} hold the same field. Remove one of them"));
        }
    }
    let close = named.iter().filter_map(|name| Some(format!("\"{name}\" is close to \"{}\"", close_to(name, &named)?)));
    let close: Vec<String> = close.collect();
    if !close.is_empty() {
        return Err(format!("nothing was imported. Rename these columns, or remove them: {}", close.join(", ")));
    }
    if named.iter().any(|name| is_known(name)) {
        Ok(())
    } else {
        Err("its first row names no column of an order, such as full_name".to_owned())
    }
}

/// The known name that an unknown one is close to: by its case and separators, by one letter, or as its beginning.
fn close_to(name: &str, all: &[&str]) -> Option<&'static str> {
    if is_known(name) {
        return None;
    }
    let own = key(name);
    let is_spelled_otherwise = |known: &&str| key(known) == own;
    let is_typed_wrong = |known: &&str| own.len() >= MIN_TYPED_WRONG && osa_distance(&key(known), &own) == 1;
    let begins = |known: &&str| own.len() >= MIN_TYPED_WRONG && known.split(['_', '.']).next() == Some(own.as_str());
    // The others are of another column if the known one is there, too: `phone_number_2`.
    let is_missing = |known: &&str| !all.contains(known);
    FIELDS.iter().copied().find(is_spelled_otherwise).or_else(|| {
        let mut missing = FIELDS.iter().copied().filter(is_missing);
        missing.find(|known| is_typed_wrong(known) || begins(known))
    })
}

/// The letters and digits of a name in lower case.
fn key(name: &str) -> String {
    name.chars().filter(|one| one.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::orders::rules::corrections;
    use crate::orders::rules::fields::is_never_kept;

    fn check_all(names: &[&str]) -> Result<(), String> {
        let with_name: Vec<String> = ["full_name"].iter().chain(names).map(|name| (*name).to_owned()).collect();
        check(&with_name)
    }

    #[test]
    fn a_column_that_is_close_to_a_known_one_stops_the_import() {
        for (close, known) in [
            ("Phone_Number", "phone_number"),
            ("Visa Type", "visa_type"),
            ("dateOfBirth", "date_of_birth"),
            ("phone", "phone_number"),
            ("nationailty", "nationality"),
            ("stay_days", "stay_day"),
            ("payment_gateway", "payment.gateway"),
        ] {
            let stopped = check_all(&[close]).unwrap_err();
            assert!(stopped.contains(close) && stopped.contains(known), "{stopped}");
        }
        for other in ["updated_at", "six", "gender", "utm_source", "loyalty_level"] {
            assert_eq!(check_all(&[other]), Ok(()), "{other}");
        }
        assert_eq!(check_all(&["phone_number", "phone_number_2"]), Ok(()));
    }

    #[test]
    fn a_field_by_two_names_stops_the_import() {
        assert!(check_all(&["nationality", "nationality"]).is_err_and(|reason| reason.contains("twice")));
        assert!(check_all(&["nationality", "Nationality"]).is_err_and(|reason| reason.contains("close")));
        assert!(check_all(&["amount", "payment.amount"]).is_err_and(|reason| reason.contains("same field")));
        assert!(check(&["W1".to_owned(), "Ann Lee".to_owned()]).is_err_and(|reason| reason.contains("full_name")));
    }

    /// A field that may be kept as it was sent can be settled: by a correction, or by finding that there is nothing to correct.
    #[test]
    fn every_field_is_refused_corrected_or_settled() {
        for field in FIELDS {
            let is_corrected = corrections::FIELDS.iter().any(|known| known.name == field);
            let ways = [is_never_kept(field), is_corrected, corrections::ONLY_SETTLED.contains(&field)];
            assert_eq!(ways.iter().filter(|way| **way).count(), 1, "{field}: {ways:?}");
        }
    }

    #[test]
    fn the_fields_of_the_sales_site_are_columns() {
        let contract: serde_json::Value =
            serde_json::from_str(include_str!("../../../../contract/openapi.json")).unwrap();
        let of = |schema: &str| contract["components"]["schemas"][schema]["properties"].as_object().unwrap().clone();
        let payment = of("AddPayment").into_iter().map(|(name, _)| format!("payment.{name}"));
        for name in of("CreateOrder").into_iter().map(|(name, _)| name).chain(payment) {
            assert!(is_known(&name), "{name}");
        }
    }

    #[test]
    fn a_name_is_what_people_see() {
        assert_eq!(name_of("\u{feff}nationality\u{a0}\u{200b}"), "nationality");
        assert_eq!(name_of(" \"full_name\""), "full_name");
    }
}
