//! Functions are short.

use super::{assert_none, sources};

/// The most lines of a function.
const MAX_LINES: usize = 75;

/// The functions that may be longer, each with the reason.
const LONGER: [(&str, &str); 5] = [
    ("server/src/app.rs with", "one statement for each room: the whole wiring is read in one place"),
    ("server/src/chargebacks/packs/rules/evidence.rs list", "one row for each piece of evidence"),
    ("server/src/commands.rs command", "one statement for each command"),
    ("server/src/config.rs default", "one value for each setting"),
    ("server/src/details/http.rs wire", "one field for each field of the answer"),
];

/// The functions of a source and their lines. A function ends with a brace as far to the left as it begins.
fn functions(text: &str) -> Vec<(String, usize)> {
    let lines: Vec<&str> = text.lines().collect();
    let begins = |line: &str| {
        let code = line.trim_start();
        let name = code.split_once("fn ").filter(|(before, _)| {
            before
                .split_whitespace()
                .all(|word| word.starts_with("pub") || ["async", "const", "super)", "crate)"].contains(&word))
        });
        name.map(|(_, rest)| {
            (line.len() - code.len(), rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect())
        })
    };
    let mut found = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        let Some((indent, name)): Option<(usize, String)> = begins(line) else { continue };
        let end = format!("{}}}", " ".repeat(indent));
        if let Some(length) = lines[start..].iter().position(|line| *line == end) {
            found.push((name, length + 1));
        }
    }
    found
}

#[test]
fn a_function_has_at_most_75_lines_or_a_reason() {
    let ours = sources().iter().filter(|source| {
        let is_ours = ["server/src/", "images/src/", "derive/src/", "xtask/src/"];
        is_ours.iter().any(|folder| source.path.starts_with(folder)) && source.has_ending(&["rs"])
    });
    let mut longer = Vec::new();
    let mut count = 0;
    for source in ours {
        for (name, lines) in functions(&source.text) {
            count += 1;
            if lines > MAX_LINES {
                longer.push((format!("{} {name}", source.path), lines));
            }
        }
    }
    assert!(count > 3_000, "only {count} functions were found");
    let new: Vec<String> = longer
        .iter()
        .filter(|(place, _)| LONGER.iter().all(|(known, _)| known != place))
        .map(|(place, lines)| format!("{place}: {lines} lines"))
        .collect();
    assert_none(&new, "Split these functions, or list them with the reason:");
    let shorter: Vec<String> = LONGER
        .iter()
        .filter(|(known, _)| longer.iter().all(|(place, _)| place != known))
        .map(|(known, _)| (*known).to_owned())
        .collect();
    assert_none(&shorter, "These functions are short now. Remove them from the list:");
}

#[test]
fn the_lines_of_a_function_are_counted_from_its_name_to_its_brace() {
    let text = "pub(crate) async fn first() {\n    let one = {\n    };\n}\n    fn second() {\n    }\n/// No fn here.\n";
    assert_eq!(functions(text), [("first".to_owned(), 4), ("second".to_owned(), 2)]);
}
