//! Tests with a file of one network in the format of <https://maxmind.github.io/MaxMind-DB/>.

use std::net::Ipv4Addr;

use super::*;

/// 2026-06-01.
const BUILT_AT: u64 = 1_780_272_000;

fn text(value: &str) -> Vec<u8> {
    let length = u8::try_from(value.len()).unwrap();
    assert!(length < 29, "longer ones have another head");
    [&[0b0100_0000 | length], value.as_bytes()].concat()
}

/// Unsigned numbers: 16 bits are kind 5, 32 bits 6, and 64 bits kind 9, which takes a second byte.
fn number(kind: u8, value: u64) -> Vec<u8> {
    let bytes = value.to_be_bytes();
    match kind {
        5 => [&[0b1010_0010], &bytes[6..]].concat(),
        6 => [&[0b1100_0100], &bytes[4..]].concat(),
        _ => [&[0b0000_1000, 2], &bytes[..]].concat(),
    }
}

fn map(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let head = 0b1110_0000 | u8::try_from(fields.len()).unwrap();
    let fields = fields.iter().flat_map(|(key, value)| [text(key), value.clone()].concat());
    std::iter::once(head).chain(fields).collect()
}

/// A file that has 8.0.0.0/8 in the country `code`.
fn file(code: &str) -> Vec<u8> {
    const NODES: u32 = 8;
    let mut file = Vec::new();
    for node in 0..NODES {
        let bit = 8_u32 >> (7 - node) & 1;
        let found = if node == NODES - 1 { NODES + 16 } else { node + 1 };
        for side in 0..2 {
            let record = if side == bit { found } else { NODES };
            file.extend(&record.to_be_bytes()[1..]);
        }
    }
    file.extend([0; 16]);
    file.extend(map(&[("country_code", text(code))]));
    file.extend(b"\xab\xcd\xefMaxMind.com");
    file.extend(map(&[
        ("binary_format_major_version", number(5, 2)),
        ("binary_format_minor_version", number(5, 0)),
        ("build_epoch", number(9, BUILT_AT)),
        ("database_type", text("test")),
        ("description", map(&[])),
        ("ip_version", number(5, 4)),
        ("languages", vec![0b0000_0000, 4]),
        ("node_count", number(6, NODES.into())),
        ("record_size", number(5, 24)),
    ]));
    file
}

fn country_of(code: &str, address: IpAddr) -> Option<String> {
    let countries = Countries::read(file(code).into()).expect("the file can be read");
    assert_eq!(countries.as_of.to_string(), "2026-06-01");
    countries.find(address).map(|place| place.country)
}

#[test]
fn an_address_is_in_the_country_that_the_file_names() {
    let known = Ipv4Addr::new(8, 8, 8, 8).into();
    assert_eq!(country_of("US", known).as_deref(), Some("United States"));
    assert_eq!(country_of("ID", known).as_deref(), Some("Indonesia"));
    assert_eq!(country_of("QX", known).as_deref(), Some("QX"), "a code without a name stands for itself");
}

#[test]
fn an_address_outside_the_file_has_no_country() {
    for unknown in ["127.0.0.1", "10.0.0.1", "9.9.9.9", "::1", "2001:db8::1"] {
        assert_eq!(country_of("US", unknown.parse().unwrap()), None, "{unknown}");
    }
    assert_eq!(country_of("ZZ", Ipv4Addr::new(8, 8, 8, 8).into()), None);
    assert!(Countries::read(Cow::Borrowed(b"no such file")).is_none());
    assert_eq!(find(Ipv4Addr::LOCALHOST.into()), None);
}

#[test]
fn every_name_has_a_code_of_two_letters() {
    assert!(NAMES.len() > 240);
    assert!(NAMES.iter().all(|(code, name)| code.len() == 2 && !name.is_empty()));
}

#[test]
fn the_packaged_file_knows_the_countries_of_addresses() {
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/node_modules/@ip-location-db");
    if !std::path::Path::new(packages).exists() {
        // Without the web app's packages a binary shows no countries, and there is nothing to read.
        assert!(COUNTRIES.is_none());
        return;
    }
    let country = |address: &str| find(address.parse().unwrap()).map(|place| place.country);
    for (address, expected) in [
        ("8.8.8.8", Some("United States")),
        ("36.68.1.1", Some("Indonesia")),
        ("2001:448a::1", Some("Indonesia")),
        ("127.0.0.1", None),
        ("192.168.7.9", None),
        ("::1", None),
        ("fd00::1", None),
    ] {
        assert_eq!(country(address).as_deref(), expected, "{address}");
    }
    let as_of = find("8.8.8.8".parse().unwrap()).map(|place| place.as_of);
    assert!(as_of > NaiveDate::from_ymd_opt(2026, 1, 1), "{as_of:?}");
}
