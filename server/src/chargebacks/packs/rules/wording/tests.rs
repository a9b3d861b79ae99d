use crate::timestamp::Timestamp;

use super::super::LIMITS;
use super::*;

fn instant(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn context(not_shown: &[&str]) -> RenderContext {
    RenderContext {
        at: instant("2026-11-20T12:00:00Z"),
        zone: chrono_tz::Asia::Jakarta,
        by: "Ayu (Manager)".into(),
        agency: "Agency".into(),
        terms_text: String::new(),
        document_number: "X98765432".into(),
        limits: LIMITS[0],
        not_shown: not_shown.iter().map(|piece| (*piece).to_owned()).collect(),
    }
}

#[test]
fn an_instant_stands_in_both_zones_and_names_them() {
    let night = instant("2026-10-05T03:12:44Z");
    assert_eq!(at(night), At { utc: "5 Oct 2026 03:12:44 UTC".into(), est: "4 Oct 2026 22:12:44 EST".into() });
    assert_eq!(both(night), "5 Oct 2026 03:12:44 UTC (4 Oct 22:12:44 EST)");
    // EST all year, whatever New York does in summer.
    assert_eq!(both(instant("2026-07-05T13:00:00Z")), "5 Jul 2026 13:00:00 UTC (08:00:00 EST)");
}

#[test]
fn a_passport_s_number_that_somebody_typed_is_masked() {
    let context = context(&[]);
    let typed = "Passport x98765432, again (X98765432), 护照X98765432号. Not AX98765432 or X987654321";
    let shown =
        "Passport [ending in 432], again ([ending in 432]), 护照[ending in 432]号. Not AX98765432 or X987654321";
    assert_eq!(context.line(typed), shown);
    assert_eq!(context.paragraphs("İ X98765432\n\nX98765432", 100), ["İ [ending in 432]", "[ending in 432]"]);
    for no_number in ["2026", "PENDING", "on file 12"] {
        let context = RenderContext { document_number: no_number.into(), ..context.clone() };
        assert_eq!(context.line(no_number), no_number);
    }
}

#[test]
fn a_passport_s_number_is_told_by_its_last_three() {
    assert_eq!(
        ["A12345678", " X999 ", "123", ""].map(masked),
        ["ending in 678", "ending in 999", "on file", "on file"]
    );
}

#[test]
fn a_fact_is_one_line_without_what_cannot_be_seen_and_not_too_long() {
    let context = context(&[]);
    assert_eq!(context.line(" Jalan\u{202e} Raya\n\t12\u{200b} "), "Jalan Raya 12");
    assert_eq!(context.line("#import \"x\" $a$ *b* @c \\ ] #{ <d>"), "#import \"x\" $a$ *b* @c \\ ] #{ <d>");
    let long = context.line(&"x".repeat(500));
    assert_eq!((long.chars().count(), long.ends_with('…')), (LIMITS[0].line, true));
}

#[test]
fn what_no_font_has_is_said_in_words() {
    let context = context(&["👩\u{200d}💻", "🎉", "க"]);
    for (typed, shown) in [
        ("Ready 🎉🎉 now", "Ready [characters that cannot be shown] now"),
        ("🎉", "[characters that cannot be shown]"),
        ("a🎉", "a[characters that cannot be shown]"),
        ("by 👩\u{200d}💻 and க 🎉 .", "by [characters that cannot be shown] and [characters that cannot be shown] ."),
        ("plain", "plain"),
    ] {
        assert_eq!(context.line(typed), shown, "{typed}");
    }
}

#[test]
fn a_name_is_in_its_own_script_or_in_the_letters_of_the_passport_and_never_a_number() {
    let latin =
        Application { first_name: Some("Kavitha".into()), last_name: Some("Selvam".into()), ..Application::default() };
    let tamil = Application { first_name: Some("கவிதா".into()), ..Application::default() };
    let (shown, boxes) = (context(&[]), context(&["🌸", "க", "வி"]));
    let name = "கவிதா செல்வம்";
    let passport = Some("KAVITHA SELVAM");
    assert_eq!(shown.name(name, &latin, passport), name, "while a font may have it");
    assert_eq!(boxes.name(name, &latin, None), "Kavitha Selvam");
    assert_eq!(boxes.name(name, &tamil, passport), "KAVITHA SELVAM");
    assert_eq!(boxes.name(name, &tamil, None), NAME_NOT_SHOWN);
    assert_eq!(boxes.name("Ann Lee 🌸", &tamil, passport), "Ann Lee", "a picture is no part of a name");
    assert_eq!(boxes.name("anna_maria  o'neil", &tamil, passport), "anna maria o'neil");
}

#[test]
fn a_mail_s_text_keeps_its_paragraphs_and_loses_its_links() {
    let text = "Dear Ana,\r\n\r\nDownload it:\r\nhttps://desk.example/track-order/MjAw\r\n\r\n\r\nBali Visa Desk\r\n";
    let context = context(&[]);
    let expected = ["Dear Ana,", "Download it:\n[link to the order’s page]", "Bali Visa Desk"];
    assert_eq!(context.paragraphs(text, 2_000), expected);
    assert_eq!(context.paragraphs(text, 12), ["Dear Ana,…"]);
}
