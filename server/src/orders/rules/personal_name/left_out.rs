//! Words that people type into name fields and that no passport has: titles, and placeholders for a missing name.

/// Titles and forms of address, and words between names that passports leave out.
const TITLES: [&str; 46] = [
    "mr", "mrs", "ms", "miss", "mx", "master", "sir", "dr", "med", "prof", "ing", "dipl", "mag", "herr", "frau", "hr",
    "fr", "sr", "sra", "srta", "senor", "señor", "señora", "senhor", "senhora", "m", "mme", "mlle", "monsieur",
    "madame", "bpk", "bapak", "ibu", "haji", "hajjah", "hj", "shri", "sri", "smt", "kum", "bin", "binti", "bint",
    "ibn", "tn", "ny",
];

/// Words for no name.
const PLACEHOLDERS: [&str; 16] = [
    "fnu",
    "lnu",
    "null",
    "none",
    "nil",
    "na",
    "n/a",
    "undefined",
    "unknown",
    "xxx",
    "xx",
    "x",
    "noname",
    "nosurname",
    "nomiddlename",
    "nolastname",
];

/// Words before a name that its owner had before.
const FORMERLY: [&str; 6] = ["geb", "geboren", "née", "nee", "born", "formerly"];

/// Returns true if it is typed into a form that wants a name where there is none: `-`, `.`, `N/A`.
pub fn is_placeholder(typed: &str) -> bool {
    let word = plain(typed);
    !word.chars().any(char::is_alphabetic) || PLACEHOLDERS.contains(&word.as_str())
}

/// Removes titles, former names, placeholders and parts in brackets from a name. Returns none if there are none of them, or if nothing is left.
pub fn without_titles(name: &str) -> Option<String> {
    let (mut kept, mut is_in_brackets) = (Vec::new(), false);
    for word in name.split(' ') {
        is_in_brackets |= word.starts_with('(');
        let plain = plain(word);
        if FORMERLY.contains(&plain.as_str()) {
            break;
        }
        if !is_in_brackets && !TITLES.contains(&plain.as_str()) && !is_placeholder(word) {
            kept.push(word);
        }
        is_in_brackets &= !word.ends_with(')');
    }
    let kept = kept.join(" ");
    (!kept.is_empty() && kept != name).then_some(kept)
}

fn plain(word: &str) -> String {
    word.trim_matches(|one: char| !one.is_alphanumeric()).to_lowercase()
}
