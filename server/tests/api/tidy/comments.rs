//! Doc comments begin with a noun phrase or a verb, not with a question.

use super::sources;

/// The words with which a question begins.
const QUESTIONS: [&str; 5] = ["What", "Whether", "How", "Who", "One"];

#[test]
fn doc_comments_begin_with_a_noun_phrase_or_a_verb() {
    let ours = sources().iter().filter(|source| {
        let is_code = source.in_server().is_some() || source.path.starts_with("web/src/");
        is_code && source.has_ending(&["rs", "ts", "tsx"]) && !source.is_generated()
    });
    let found: Vec<String> = ours
        .flat_map(|source| source.text.lines().zip(1..).map(move |(line, at)| (source, line, at)))
        .filter(|(_, line, _)| is_question(line))
        .map(|(source, line, at)| format!("{}:{at}: {}", source.path, line.trim()))
        .collect();
    assert!(found.is_empty(), "Reword these comments:\n{}", found.join("\n"));
}

/// The line begins a doc comment, or goes on with it, with a word of a question.
fn is_question(line: &str) -> bool {
    let line = line.trim_start();
    let comment = ["///", "//!", "/**", "* "].iter().find_map(|start| line.strip_prefix(start));
    let word = comment.and_then(|text| text.split_whitespace().next());
    word.is_some_and(|word| QUESTIONS.contains(&word))
}

#[test]
fn a_question_is_found_in_each_form_of_a_doc_comment() {
    for line in ["    /// Whether it is new.", "//! What belongs to a room.", "/** How far it is. */", " * Who did it."]
    {
        assert!(is_question(line), "{line}");
    }
    for line in ["// What is next", "/// Returns what was stored.", "/// Whatever comes.", "let one = \"/// What\";"] {
        assert!(!is_question(line), "{line}");
    }
}
