use chrono_tz::Asia::Jakarta;

use super::*;

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn check(change: impl FnOnce(&mut TypedKey)) -> Result<NewKey, String> {
    let mut typed = TypedKey { name: " shop ".into(), ..TypedKey::default() };
    change(&mut typed);
    NewKey::check(&typed, at("2026-11-23T00:00:00Z"), Jakarta).map_err(|error| error.to_string())
}

fn texts(texts: &[&str]) -> Option<Vec<String>> {
    Some(texts.iter().map(|&text| text.to_owned()).collect())
}

#[test]
fn a_key_without_options_has_all_rights_and_no_limits() {
    let key = check(|_| {}).expect("it is valid");
    assert_eq!((key.name.as_str(), key.limits.clone()), ("shop", KeyLimits::default()));
    assert_eq!((key.limits.stored_rights(), key.describe()), (None, "shop".into()));
    assert_eq!(read_stored_rights(None), KeyRight::ALL);
    let blank = check(|typed| {
        (typed.source, typed.expires, typed.networks) = (Some(" ".into()), Some(String::new()), Some(" ".into()));
    });
    assert_eq!(blank.map(|key| (key.source, key.limits)), Ok((None, KeyLimits::default())));
}

#[test]
fn each_option_limits_the_key_and_is_described() {
    let key = check(|typed| {
        typed.source = Some(" Visa  Shop ".into());
        typed.rights = texts(&["payments", "orders", "payments"]);
        typed.expires = Some("2027-01-31".into());
        typed.networks = Some("203.0.113.7, 10.0.0.0/8".into());
        typed.calls_per_minute = Some(60);
    });
    let key = key.expect("it is valid");
    assert_eq!(
        key.describe(),
        "shop; source Visa Shop; rights orders, payments; expires 31-01-2027 17:00:00 UTC; from 203.0.113.7, 10.0.0.0/8; 60 calls a minute"
    );
    assert_eq!(key.limits.stored_rights().as_deref(), Some("orders,payments"));
    assert_eq!(read_stored_rights(Some("orders,payments,later")), [KeyRight::Orders, KeyRight::Payments]);
}

#[test]
fn a_date_of_expiry_is_the_last_day_in_the_agencys_time_zone() {
    let expiry = |text: &str| check(|typed| typed.expires = Some(text.into())).map(|key| key.limits.expires_at);
    assert_eq!(expiry("2027-01-31"), Ok(Some(at("2027-01-31T17:00:00Z"))));
    assert_eq!(expiry("2027-01-31T12:30:00+07:00"), Ok(Some(at("2027-01-31T05:30:00Z"))));
    assert_eq!(expiry("2026-11-22"), Err("The key would be expired already. Please choose a later date".into()));
    for odd in ["tomorrow", "31-01-2027", "2101-01-01", "9999-12-31T00:00:00Z"] {
        assert!(expiry(odd).is_err_and(|message| message.starts_with("Please write the expiry as")), "{odd}");
    }
}

#[test]
fn invalid_options_are_refused_with_the_reason() {
    let refused = |change: &dyn Fn(&mut TypedKey)| check(change).map(|key| key.describe()).expect_err("it is refused");
    for name in ["", "  ", "a\u{202e}b", &"x".repeat(101)] {
        assert!(refused(&|typed| typed.name = name.into()).starts_with("Please give the key a name"), "{name}");
    }
    assert!(refused(&|typed| typed.source = Some("x".repeat(101))).starts_with("Please give the source a name"));
    assert_eq!(refused(&|typed| typed.rights = texts(&[])), "Please choose at least one right for the key");
    assert_eq!(
        refused(&|typed| typed.rights = texts(&["orders", "all"])),
        "The rights of a key are orders, payments, documents, gateway. Please choose from these"
    );
    assert!(refused(&|typed| typed.networks = Some("10.0.0.0/8, shop".into())).starts_with("shop is neither"));
    assert!(
        refused(&|typed| typed.networks = Some(vec!["10.0.0.1"; 51].join(","))).starts_with("Please enter at most 50")
    );
    for rate in [0, -1, 100_001, i64::MAX] {
        assert!(refused(&|typed| typed.calls_per_minute = Some(rate)).contains("from 1 to 100000"), "{rate}");
    }
}

#[test]
fn a_key_is_refused_from_the_instant_it_expires_and_from_other_networks() {
    let limits = KeyLimits {
        expires_at: Some(at("2027-01-31T17:00:00Z")),
        networks: "203.0.113.0/24".parse().expect("a network"),
        ..KeyLimits::default()
    };
    let check = |address: &str, now| limits.check_use(address.parse().expect("an address"), at(now));
    assert_eq!(check("203.0.113.9", "2027-01-31T16:59:59Z"), Ok(()));
    assert_eq!(check("203.0.113.9", "2027-01-31T17:00:00Z"), Err(KeyRefusal::Expired));
    assert_eq!(check("198.51.100.1", "2027-01-31T16:59:59Z"), Err(KeyRefusal::WrongNetwork));
    let unlimited = KeyLimits::default();
    assert_eq!(unlimited.check_use(IpAddr::from([198, 51, 100, 1]), at("2100-01-01T00:00:00Z")), Ok(()));
}
