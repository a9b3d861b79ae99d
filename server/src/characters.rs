//! The properties of characters in Unicode. Texts of people are read by these properties, never by lists of characters.

pub mod folding;

use std::sync::LazyLock;

use icu_properties::props::{
    BidiClass, DefaultIgnorableCodePoint, GeneralCategory, JoinControl, VariationSelector, WhiteSpace,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The first characters of the rows of ten digits, from zero on: rows of one script follow one another.
static ZEROS: LazyLock<Vec<u32>> = LazyLock::new(|| {
    let rows = CodePointMapData::<GeneralCategory>::new().iter_ranges_for_value(GeneralCategory::DecimalNumber);
    rows.flat_map(|row| row.step_by(10)).collect()
});

fn category(one: char) -> GeneralCategory {
    CodePointMapData::<GeneralCategory>::new().get(one)
}

/// The value of a decimal digit of any script.
pub fn digit(one: char) -> Option<u8> {
    let code = u32::from(one);
    let row = ZEROS.partition_point(|zero| *zero <= code).checked_sub(1)?;
    let value = code - ZEROS.get(row)?;
    u8::try_from(value).ok().filter(|value| *value < 10)
}

/// Returns true if nothing is drawn for the character, such as a joiner, a direction mark or a filler.
pub fn is_ignorable(one: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(one)
}

/// Returns true for a control character, the end of a line, and a character that reorders or hides its neighbours. Joiners and selectors of
/// variants are none: names and pictures need them.
pub fn is_unseen(one: char) -> bool {
    if one.is_ascii() {
        return one.is_ascii_control();
    }
    let shapes = |one| {
        CodePointSetData::new::<JoinControl>().contains(one)
            || CodePointSetData::new::<VariationSelector>().contains(one)
    };
    match category(one) {
        GeneralCategory::Control | GeneralCategory::LineSeparator | GeneralCategory::ParagraphSeparator => true,
        _ => is_ignorable(one) && !shapes(one),
    }
}

/// Returns true for a space of any width, a tab and the end of a line.
pub fn is_space(one: char) -> bool {
    CodePointSetData::new::<WhiteSpace>().contains(one)
}

/// Returns true for a hyphen, a dash or a minus sign.
pub fn is_dash(one: char) -> bool {
    // U+2212 is a symbol.
    category(one) == GeneralCategory::DashPunctuation || one == '\u{2212}'
}

/// Returns true for what people type for an apostrophe: some of them are letters or symbols.
pub fn is_apostrophe(one: char) -> bool {
    matches!(one, '\'' | '’' | '‘' | '‛' | '`' | 'ʼ' | 'ʻ' | 'ʹ' | '´' | '′')
}

/// Compatibility forms, lower case and single spaces: `ＡＢＣ`, `abc` and `Abc` become the same, and so does `é` in both spellings.
pub fn normalize(text: &str) -> String {
    let lower: String = text.nfkc().flat_map(char::to_lowercase).nfkc().collect();
    lower.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns true for a letter of any script that is drawn.
pub fn is_visible_letter(one: char) -> bool {
    one.is_alphabetic() && !is_ignorable(one)
}

/// A number as it was typed, in plain characters: digits of any script are ASCII, dashes are hyphens, spaces are single, and what is not drawn
/// is left out.
pub fn plain_number(typed: &str) -> String {
    let mut plain = String::with_capacity(typed.len());
    for one in typed.nfkc().filter(|one| !is_ignorable(*one)) {
        match digit(one) {
            Some(value) => plain.push(char::from(b'0' + value)),
            None if is_dash(one) => plain.push('-'),
            None if is_space(one) => plain.extend((!plain.ends_with(' ')).then_some(' ')),
            None => plain.push(one),
        }
    }
    plain.trim().to_owned()
}

/// The most marks that a language puts on one letter. More of them cover their neighbours.
const MAX_MARKS: usize = 10;

/// Reads a text as one line, as its writer saw it: NFC, single spaces, and nothing that is not drawn except what shapes its neighbours. None: the text is
/// shown otherwise than it is stored, or a character in it says nothing to anybody else.
pub fn one_line(typed: &str) -> Option<String> {
    let (mut line, mut marks, mut joiner) = (String::with_capacity(typed.len()), 0, None);
    for one in typed.nfc() {
        if is_unclear(one) {
            return None;
        }
        marks = if is_combining_mark(one) { marks + 1 } else { 0 };
        if marks > MAX_MARKS {
            return None;
        }
        if one == '\0' {
            // PostgreSQL stores none, and nothing is drawn for it.
        } else if is_blank(one) {
            joiner = None;
            line.extend((!line.ends_with(' ')).then_some(' '));
        } else if !is_ignorable(one) {
            // A joiner joins two letters: at the end of a word it is left out.
            line.extend(joiner.take());
            line.push(one);
        } else if CodePointSetData::new::<JoinControl>().contains(one) {
            joiner = Some(one).filter(|_| !line.ends_with(' ') && !line.is_empty());
        } else if CodePointSetData::new::<VariationSelector>().contains(one) && line.ends_with(|before| before != ' ') {
            line.push(one);
        }
    }
    Some(line.trim().to_owned())
}

/// Returns true for spaces of any width, ends of lines, and what is drawn as a space: fillers, which are letters that are not drawn, and a cell of
/// braille without dots.
fn is_blank(one: char) -> bool {
    let is_filler = || is_ignorable(one) && category(one) == GeneralCategory::OtherLetter;
    is_space(one) || one == '\u{2800}' || is_filler()
}

/// Returns true for a character that turns the order of its neighbours round, or whose writer alone knows what it shows.
fn is_unclear(one: char) -> bool {
    let turns = matches!(
        CodePointMapData::<BidiClass>::new().get(one),
        BidiClass::LeftToRightOverride | BidiClass::RightToLeftOverride
    );
    turns
        || match category(one) {
            GeneralCategory::Control => one != '\0' && !is_space(one),
            GeneralCategory::PrivateUse | GeneralCategory::Unassigned => !is_ignorable(one),
            _ => one == char::REPLACEMENT_CHARACTER,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_or_reorders_its_neighbours_is_unseen_and_what_shapes_them_is_not() {
        for unseen in [
            '\0',
            '\n',
            '\u{85}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{202e}',
            '\u{2028}',
            '\u{2066}',
            '\u{3164}',
            '\u{e0041}',
        ] {
            assert!(is_unseen(unseen), "{unseen:?}");
        }
        for seen in ['a', ' ', '\u{a0}', '\u{200c}', '\u{200d}', '\u{fe0f}', '\u{301}', '王'] {
            assert!(!is_unseen(seen), "{seen:?}");
        }
    }

    #[test]
    fn a_digit_has_its_value_in_every_script() {
        for row in
            ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹", "०१२३४५६७८९", "０１２３４５６７８９", "𝟎𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖𝟗", "𝟬𝟭𝟮𝟯𝟰𝟱𝟲𝟳𝟴𝟵"]
        {
            let values: Vec<Option<u8>> = row.chars().map(digit).collect();
            assert_eq!(values, (0..10).map(Some).collect::<Vec<_>>(), "{row}");
        }
        for none in ['a', '²', '½', '一', '/', ':'] {
            assert_eq!(digit(none), None, "{none}");
        }
        let digits = (0..=u32::from(char::MAX)).filter_map(char::from_u32).filter(|one| digit(*one).is_some()).count();
        assert_eq!(digits, ZEROS.len() * 10, "no character beside the rows is a digit");
    }

    #[test]
    fn what_is_not_drawn_is_known() {
        for unseen in ['\u{200b}', '\u{200d}', '\u{3164}', '\u{ad}', '\u{feff}', '\u{115f}', '\u{e0041}', '\u{fe0f}'] {
            assert!(is_ignorable(unseen) && !is_visible_letter(unseen), "{unseen:?}");
        }
        assert!(['a', 'ß', '王', 'ක'].into_iter().all(is_visible_letter));
    }

    #[test]
    fn a_line_is_what_its_writer_saw() {
        for (typed, line) in [
            ("Ann\r\n\t Lee\u{feff}", "Ann Lee"),
            ("a\u{2028}b\u{85}c\u{3000}d\u{3164}e", "a b c d e"),
            ("Nusa Ti\u{ad}mur\0", "Nusa Timur"),
            ("\u{202b}سارة\u{202c}\u{200f}", "سارة"),
            ("علی\u{200c}رضا\u{200d}", "علی\u{200c}رضا"),
            ("\u{fe0f}葛\u{e0100}城", "葛\u{e0100}城"),
            (" \u{200b}\u{2060}\u{a0}\u{2800}\u{e0061} ", ""),
            ("K\u{335}\u{336}uta", "K\u{335}\u{336}uta"),
        ] {
            assert_eq!(one_line(typed).as_deref(), Some(line), "{typed:?}");
        }
        for unclear in ["a\u{202e}b", "a\u{7}", "O\u{92}Brien", "Villa \u{e042}", "Jos\u{fffd}", "\u{378}"] {
            assert_eq!(one_line(unclear), None, "{unclear:?}");
        }
        assert_eq!(one_line(&format!("K{}", "\u{335}".repeat(32))), None);
    }

    #[test]
    fn a_number_is_plain_whatever_keyboard_it_was_typed_on() {
        assert_eq!(plain_number("\u{202d}ＶＤ\u{2011}１００\u{a0} ٠٢٨\u{202c}\n"), "VD-100 028");
        assert_eq!(plain_number("+49\u{2013}30"), "+49-30");
    }
}
