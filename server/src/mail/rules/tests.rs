use super::*;
use crate::timestamp::Timestamp;

fn at(time: &str) -> Timestamp {
    format!("2026-01-01T{time}Z").parse().unwrap()
}

#[test]
fn a_provider_is_read_without_regard_to_case() {
    let both = mail("smtps://aws.example", "smtps://sendgrid.example");
    for typed in ["AWS", "aws"] {
        assert_eq!(Provider::read(typed, &both).unwrap(), Provider::Aws, "{typed}");
    }
    for typed in ["Sendgrid", "SendGrid", "SENDGRID", " sendgrid "] {
        assert_eq!(Provider::read(typed, &both).unwrap(), Provider::Sendgrid, "{typed}");
    }
    for typed in ["Mailgun", "AWS,Sendgrid", "AWS Sendgrid"] {
        assert!(matches!(Provider::read(typed, &both), Err(MailError::UnknownMailProvider)), "{typed}");
    }
}

#[test]
fn a_provider_that_is_not_configured_is_refused_and_an_omitted_one_is_the_configured_one() {
    let (aws, sendgrid) = ("smtps://aws.example", "smtps://sendgrid.example");
    for (mail, omitted, refused) in [
        (mail(aws, sendgrid), Provider::Aws, None),
        (mail(aws, ""), Provider::Aws, Some(Provider::Sendgrid)),
        (mail("", sendgrid), Provider::Sendgrid, Some(Provider::Aws)),
        // Mails are written to files.
        (mail("", ""), Provider::Aws, None),
    ] {
        assert_eq!(Provider::read(" ", &mail).unwrap(), omitted, "{mail:?}");
        assert_eq!(Provider::again(refused, &mail), omitted, "{mail:?}");
        for provider in Provider::ALL {
            match Provider::read(provider.as_str(), &mail) {
                Ok(read) => assert!(read == *provider && refused != Some(*provider), "{provider} {mail:?}"),
                Err(MailError::MailProviderNotConfigured(named)) => {
                    assert_eq!(Some(named), refused.map(Provider::as_str), "{mail:?}");
                }
                Err(error) => panic!("{provider} {mail:?}: {error}"),
            }
        }
    }
}

#[test]
fn the_operator_learns_which_provider_is_missing() {
    let missing = |aws, sendgrid| missing_provider(&mail(aws, sendgrid)).unwrap_or_default();
    let url = "smtps://mail.example";
    assert_eq!(missing(url, url), "");
    assert_eq!(missing(url, ""), "Sendgrid is not set up, so members cannot send emails through it");
    assert_eq!(missing("", url), "AWS is not set up, so members cannot send emails through it");
    assert_eq!(missing("", ""), "mail.aws and mail.sendgrid are empty, so emails are only written to files");
}

fn mail(aws: &str, sendgrid: &str) -> config::MailSettings {
    config::MailSettings { aws: aws.into(), sendgrid: sendgrid.into(), ..config::Config::default().mail }
}

#[test]
fn a_recipient_is_exactly_one_address() {
    for (typed, wire) in [
        ("ana@post.example", "ana@post.example"),
        (" Ana.Putri+visa@post.example ", "Ana.Putri+visa@post.example"),
        ("ana@bücher.example", "ana@xn--bcher-kva.example"),
        ("ana@пример.рф", "ana@xn--e1afmkfd.xn--p1ai"),
        ("o'neil@post.example", "o'neil@post.example"),
    ] {
        assert_eq!(Address::parse(typed).unwrap().wire().to_string(), wire, "{typed}");
    }
    for typed in [
        "ana",
        "a@b.example,c@d.example",
        "a@b.example;c@d.example",
        "a@b.example c@d.example",
        "Ana a@b.example",
        "a@b@c.example",
        "a@b.example\r\n",
        "a@b.example\r\nBcc: c@d.example",
        "a\u{2028}@b.example",
        "a\u{0}@b.example",
        "a@127.0.0.1",
        "a@[127.0.0.1]",
        "a@b%0d%0a.example",
        &format!("{}@{}.example", "a".repeat(60), "b".repeat(240)),
        &format!("a@{}.example", "é".repeat(100)),
    ] {
        assert!(matches!(Address::parse(typed), Err(MailError::InvalidRecipient)), "{typed:?}");
    }
    assert_eq!(Address::parse("  ").unwrap_err().to_string(), "Please enter your email");
}

#[test]
fn an_order_s_own_addresses_are_known_in_any_case() {
    let address = Address::parse("Ana@Post.Example").unwrap();
    assert!(address.is_one_of(["other@post.example", "ana@post.example"]));
    assert!(!address.is_one_of(["other@post.example", ""]));
}

#[test]
fn a_greeting_holds_a_name_and_nothing_that_acts() {
    for (name, greets) in [
        ("Ana Putri", Some("Ana Putri")),
        ("ana_maria  lópez", Some("ana maria lópez")),
        ("O\u{2019}Neil-Smith Jr.", Some("O'Neil-Smith Jr")),
        ("J.R. Smith", Some("J. R. Smith")),
        ("王小明", Some("王小明")),
        ("अंजली", Some("अंजली")),
        ("<a href=//evil>", Some("a hrefevil")),
        ("</td><img src=//x>", Some("tdimg srcx")),
        ("{{7*7}}", None),
        ("&#60;script", Some("script")),
        ("evil.com", Some("evil. com")),
        ("https://evil.com/x", Some("httpsevil. comx")),
        ("javascript:alert(1)", Some("javascriptalert")),
        ("Bob\r\nBcc: x@y.example", Some("Bob Bcc xy. example")),
        ("\u{202e}moc.live", Some("moc. live")),
        ("...", None),
        ("", None),
    ] {
        assert_eq!(greeting(name).as_deref(), greets, "{name}");
    }
    assert_eq!(greeting(&"x".repeat(10_000)).map(|name| name.len()), Some(80));
}

#[test]
fn waits_double_from_a_second_to_ten_minutes_and_leave_half_to_chance() {
    let longest = |attempts| wait_after(attempts, 0.0).num_milliseconds();
    assert_eq!(
        [1, 2, 3, 9, 10, 11, 40, u32::MAX].map(longest),
        [1_000, 2_000, 4_000, 256_000, 512_000, 600_000, 600_000, 600_000]
    );
    assert_eq!(wait_after(1, 1.0).num_milliseconds(), 500);
    assert_eq!(wait_after(40, 1.0).num_milliseconds(), 300_000);
}

#[test]
fn what_may_have_arrived_is_tried_once_more_and_then_left_to_a_person() {
    let day = TimeDelta::hours(24);
    let after = |outcome, unknowns, hours| {
        next(EndedAttempt { outcome, attempts: 1, unknowns, age: TimeDelta::hours(hours) }, day, 0.0)
    };
    let again = Next::Again(TimeDelta::seconds(1));
    assert_eq!(after(Outcome::Accepted, 2, 99), Next::Sent);
    assert_eq!(after(Outcome::PutOff, 0, 0), again);
    assert_eq!(after(Outcome::PutOff, 1, 0), again);
    assert_eq!(after(Outcome::PutOff, 0, 24), Next::Failed);
    assert_eq!(after(Outcome::PutOff, 1, 24), Next::Unknown);
    assert_eq!(after(Outcome::Refused, 0, 0), Next::Failed);
    assert_eq!(after(Outcome::Refused, 1, 0), Next::Unknown);
    assert_eq!(after(Outcome::Unknown, 1, 0), again);
    assert_eq!(after(Outcome::Unknown, 1, 24), Next::Unknown);
    assert_eq!(after(Outcome::Unknown, 2, 0), Next::Unknown);
}

#[test]
fn one_more_than_an_hour_allows_waits_for_the_oldest_to_leave_it() {
    let limits = Limits { resends_per_order_and_hour: 2, ..crate::config::Config::default().limits };
    let recent =
        |of_order: &[&str]| Recent { of_order: of_order.iter().map(|time| at(time)).collect(), ..Recent::default() };
    let check = |recent: &Recent| check_limits(Permission::in_background(), recent, &limits, at("12:00:00"));
    assert!(check(&recent(&["11:50:00"])).is_ok());
    let refused = check(&recent(&["11:50:00", "11:10:00"])).unwrap_err();
    assert!(matches!(refused, MailError::TooManyMailsForOrder(600)), "{refused:?}");
    assert!(refused.to_string().ends_with("Please wait 10 minutes and try again"), "{refused}");
}

#[test]
fn only_mails_to_strangers_count_as_such() {
    let limits = Limits { mails_elsewhere_per_member_and_hour: 1, ..crate::config::Config::default().limits };
    let recent = Recent { elsewhere: vec![at("11:50:00")], ..Recent::default() };
    let check =
        |is_elsewhere| check_elsewhere(Permission::in_background(), &recent, is_elsewhere, &limits, at("12:00:00"));
    assert!(check(false).is_ok());
    let refused = check(true).unwrap_err();
    assert!(matches!(refused, MailError::TooManyMailsElsewhere(_)), "{refused:?}");
}
