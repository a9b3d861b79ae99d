use super::*;

const ORDER: OrderId = OrderId(100_028);

fn term(typed: &str) -> Term {
    Term::parse(typed).expect("a term")
}

fn text_of(typed: &str) -> String {
    term(typed).text
}

fn with_phone<'a>(code: &'a str, number: &'a str) -> SearchedFields<'a> {
    SearchedFields { country_code: Some(code), phone_number: Some(number), ..SearchedFields::default() }
}

/// Returns true if the search text leads to the order, and the order has the term.
fn finds(typed: &str, order: SearchedFields<'_>) -> bool {
    let (term, text) = (term(typed), search_text(ORDER, order));
    let may_have = text.contains(&term.text) && term.accented.iter().all(|part| text.contains(part));
    assert!(may_have || !term.is_in(ORDER, &order), "{typed} is not looked up");
    may_have && (!term.needs_second_look() || term.is_in(ORDER, &order))
}

#[test]
fn a_search_text_is_plain_and_ends_with_what_is_around_accents() {
    let order = SearchedFields {
        full_name: "José García",
        contact_email_address: "Jose@Post.example",
        account_email: Some("Jose@Post.example"),
        country_code: Some("62"),
        phone_number: Some("٠٨١٢-3456"),
        document_number: Some("PA 123-4567"),
    };
    let text = "jose garcia\njose@post.example\n6208123456\nvd-100028\npa 123-4567\npa1234567\nosé g\nrcía\n";
    assert_eq!(search_text(ORDER, order), text);
}

/// A version is of one form of the texts. Another form needs another version, or older texts stay as they are.
#[test]
fn plain_texts_of_version_0_are_those_of_this_version() {
    let order = SearchedFields {
        full_name: "  Ana   PUTRI ",
        contact_email_address: "ANA@post.example",
        account_email: Some("other@post.example"),
        country_code: Some("62"),
        phone_number: Some("0812 345"),
        document_number: Some("PA1234567"),
    };
    let text = "ana putri\nana@post.example\nother@post.example\n620812345\nvd-100028\npa1234567\n";
    assert_eq!((VERSION, search_text(ORDER, order).as_str()), (1, text));
}

#[test]
fn a_phone_number_is_found_however_it_is_typed() {
    for typed in ["+62 0812 3456", "0812-3456", "(0812) 3456", "08123456", "٠٨١٢ ٣٤٥٦"] {
        assert!(finds(typed, with_phone("62", "0812-3456")), "{typed}");
    }
}

#[test]
fn a_long_phone_number_is_found_with_and_without_its_prefix_and_zero() {
    for (code, number, typed) in [
        ("62", "0812 3456 7890", "6281234567890"),
        ("62", "0812 3456 7890", "(+62) 812 3456 7890"),
        ("62", "+62 812 3456 7890", "081234567890"),
        ("", "0062 812-3456-7890", "+62 (0)812 3456 7890"),
        ("", "0812 3456 7890", "+62 812 3456 7890"),
        ("62", "0812 3456 7890", "0062 812 3456 7890"),
        ("32", "02 123 45 67", "+32 2 123 45 67"),
        ("32", "02 123 45 67", "+32 02 123 45 67"),
        ("39", "06 6982 1234", "+390669821234"),
    ] {
        assert!(text_of(typed).len() >= 8 && finds(typed, with_phone(code, number)), "{typed} of {number}");
    }
    for (code, number, typed) in [
        ("62", "0812 345 6789", "+1 812 345 6789"),
        ("62", "0812 345 6789", "0060 812 345 6789"),
        ("62", "0813 345 67890", "+62 812 3456 7890"),
    ] {
        assert!(!finds(typed, with_phone(code, number)), "{typed} of {number}");
    }
}

#[test]
fn an_order_number_is_read_in_each_of_its_spellings() {
    for typed in ["VD-100028", "vd\u{2013}100028", "#100028", "VD 100 028.", "vd100028", "VD-١٠٠٠٢٨", "MjAwMDU2"]
    {
        assert_eq!(text_of(typed), "vd-100028", "{typed}");
    }
    for (typed, text) in [
        ("100028", "100028"),
        ("100 028", "100028"),
        ("#1002", "vd-1002"),
        ("VD-1OOO28", "vd-1ooo28"),
        ("WEB-100028", "web-100028"),
        ("#1 in line", "#1 in line"),
        ("#", "#"),
        ("Ana", "ana"),
    ] {
        assert_eq!(text_of(typed), text, "{typed}");
    }
}

#[test]
fn spaces_are_left_out_of_numbers_and_of_nothing_else() {
    for (typed, text) in [
        ("A 123 4567", "a1234567"),
        ("pa 123", "pa123"),
        ("1 234", "1234"),
        ("an nal", "an nal"),
        ("ann 12", "ann 12"),
        ("anna 123", "anna 123"),
        ("ann lee 2000", "ann lee 2000"),
        ("a@b 123", "a@b 123"),
        ("joe.1990", "joe.1990"),
    ] {
        assert_eq!(text_of(typed), text, "{typed}");
    }
}

#[test]
fn an_accent_is_looked_up_and_then_compared() {
    let named = |full_name| SearchedFields { full_name, ..SearchedFields::default() };
    for (typed, name) in [("josé garcia", "José García"), ("é", "Élan"), ("sé", "José"), ("łukasz", "Łukasz")]
    {
        assert!(finds(typed, named(name)), "{typed} in {name}");
    }
    for (typed, name) in [("garcía lopez", "García Garcia Lopez"), ("é", "Elan"), ("jösé", "José")] {
        assert!(!finds(typed, named(name)), "{typed} in {name}");
    }
    assert!(!term("jose").needs_second_look() && term("José").needs_second_look());
}

#[test]
fn a_term_that_older_rules_read_otherwise_has_both_readings() {
    let older = |typed: &str| term(typed).older.map(|older| older.text);
    for (typed, text) in [("José", "josé"), ("O’Brien", "o’brien"), ("Strauß", "strauß"), ("A 123 4567", "a 123 4567")]
    {
        assert_eq!(older(typed).as_deref(), Some(text));
    }
    for typed in ["jose", "o'brien", "+62 812-3456-7890", "VD-100028", "100028", "ana@post.example", "王小明"] {
        assert_eq!(older(typed), None, "{typed}");
    }
    let older = term("50%é").older.map(|older| older.like);
    assert_eq!(older.as_deref(), Some("%50\\%é%"));
}

#[test]
fn percent_and_underscore_are_plain_characters() {
    assert_eq!(term("50%_\\").like, "%50\\%\\_\\\\%");
    assert_eq!(Term::parse(" \u{200b} "), None);
}
