use super::*;

fn folded(text: &str) -> String {
    plain(&letters(text))
}

fn finds(typed: &str, text: &str) -> bool {
    contains(&letters(text), &letters(typed))
}

#[test]
fn plain_letters_are_the_same_in_every_case_width_and_composition() {
    for (text, plain) in [
        ("Straße STRASSE STRAẞE", "strasse strasse strasse"),
        ("ΠΑΠΑΔΟΠΟΥΛΟΣ Παπαδόπουλος", "παπαδοπουλοσ παπαδοπουλοσ"),
        ("İPEK Işık ipek", "ipek isik ipek"),
        ("Łukasz Søren Đặng Þór Ħal", "lukasz soren dang thor hal"),
        ("ＡＮＮ\u{3000} ﾀﾅｶﾞ ﬁ", "ann タナガ fi"),
        ("\u{1100}\u{1175}\u{11b7} 김", "김 김"),
        ("أحمد محمّد مح\u{640}\u{640}مد فاطمة", "احمد محمد محمد فاطمه"),
        ("\u{6a9}\u{631}\u{6cc}\u{645} علی\u{200c}رضا", "\u{643}\u{631}\u{64a}\u{645} عليرضا"),
        ("Артём й", "артем и"),
        ("O’Brien Ka\u{2bb}a `a´b ŉ", "o'brien ka'a 'a'b 'n"),
        ("Garcia\u{2011}Lopez \u{2212}5 \u{2013}", "garcia-lopez -5 -"),
        ("٠١٢ ２３ ४", "012 23 4"),
        ("שָׁלוֹם", "שלום"),
        ("कोमल ครู", "कोमल ครู"),
        (" \u{301}a  b\t\u{301} ", "a b"),
        ("", ""),
    ] {
        assert_eq!(folded(text), plain, "{text}");
    }
}

#[test]
fn what_is_folded_is_folded_for_good() {
    for text in ["Straße", "İPEK", "Đặng", "أحمد", "ガトウ", "김민수", "Ǽǿ", "x\u{30c}\u{304}", "ᾳ"]
    {
        assert_eq!(folded(&folded(text)), folded(text), "{text}");
    }
}

#[test]
fn a_plain_letter_finds_all_of_its_kind_and_an_accented_one_itself() {
    for (typed, text) in [
        ("jose", "José"),
        ("JOSE\u{301}", "josé"),
        ("josé garcia", "José García"),
        ("nguyễn", "NGUYÊ\u{303}N"),
        ("łukasz", "ŁUKASZ"),
        ("kjær", "KJÆR"),
        ("kjaer", "Kjær"),
        ("jaer", "Kjær"),
        ("ışık", "IŞIK"),
        ("أحمد", "ا\u{654}حمد"),
        ("علي", "علی"),
        ("", "a"),
    ] {
        assert!(finds(typed, text), "{typed} in {text}");
    }
    for (typed, text) in [
        ("José", "Jose"),
        ("Nguyên", "Nguyễn"),
        ("łukasz", "Lukasz"),
        ("kjær", "Kjaer"),
        ("İpek", "IPEK"),
        ("أحمد", "احمد"),
        ("カトウ", "ガトウ"),
        ("कमल", "कोमल"),
        ("기", "김"),
        ("garcía lopez", "García Garcia Lopez"),
        ("abc", "ab"),
    ] {
        assert!(!finds(typed, text), "{typed} in {text}");
    }
}

#[test]
fn a_part_around_an_accent_is_within_the_part_of_a_longer_text() {
    let parts = |text: &str| accented_parts(&letters(text));
    assert_eq!(parts("José García"), ["osé g", "rcía"]);
    assert_eq!(parts("é"), ["é"]);
    assert_eq!(parts("Kjær"), ["kjæer"]);
    assert_eq!(parts("Anna"), [""; 0]);
    for (typed, text) in
        [("sé", "José García"), ("é g", "José García"), ("ễn t", "Nguyễn Thị"), ("x\u{30c}", "ax\u{30c}b")]
    {
        let (typed, text) = (parts(typed), parts(text));
        assert!(typed.iter().all(|part| text.iter().any(|whole| whole.contains(part))), "{typed:?} in {text:?}");
    }
}

proptest::proptest! {
    #[test]
    fn every_text_contains_its_parts_and_no_text_panics(text in "\\PC{0,12}", from in 0usize..12, length in 0usize..12) {
        let letters = letters(&text);
        let part = &letters[from.min(letters.len())..(from + length).min(letters.len())];
        proptest::prop_assert!(contains(&letters, part));
        proptest::prop_assert!(plain(&letters).contains(&plain(part)));
        let whole = accented_parts(&letters);
        for part in accented_parts(part) {
            proptest::prop_assert!(whole.iter().any(|other| other.contains(&part)), "{:?}", part);
        }
    }
}
