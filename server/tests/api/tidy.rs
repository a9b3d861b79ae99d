//! Checks of the repository: the rules of ARCHITECTURE.md and CONTRIBUTING.md. Each failure says what to do.

mod assertions;
mod boundary;
mod comments;
mod coverage;
mod documents;
mod errors;
mod functions;
mod imports;
mod names;
mod statuses;
mod without_sql;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The maximum number of lines of a source file.
const MAX_LINES: usize = 400;

/// Names that do not describe the content of a file or folder.
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "misc", "manager", "service"];

/// Files that tools generate.
const GENERATED: [&str; 5] =
    ["web/src/api/schema.ts", "contract/openapi.json", "contract/reference.html", "Cargo.lock", "package-lock.json"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// A text file of the repository.
struct Source {
    /// The path from the root of the repository, with slashes.
    path: String,
    text: String,
}

impl Source {
    fn has_ending(&self, endings: &[&str]) -> bool {
        endings.iter().any(|ending| self.path.ends_with(&format!(".{ending}")))
    }

    fn is_generated(&self) -> bool {
        GENERATED.iter().any(|name| self.path.ends_with(name))
    }

    /// The path within `server/src`, if the file is there.
    fn in_server(&self) -> Option<&str> {
        self.path.strip_prefix("server/src/")
    }

    /// The room of the file, if it belongs to one.
    fn room(&self) -> Option<&'static str> {
        let (room, _) = self.in_server()?.split_once('/')?;
        imports::rooms().iter().copied().find(|name| *name == room)
    }

    /// The lines of code before the tests, numbered from 1, without comments and string contents.
    fn code(&self) -> impl Iterator<Item = (usize, String)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines
            .take_while(|(_, line)| line.trim() != "#[cfg(test)]")
            .map(|(at, line)| (at, strip_comment_and_strings(line)))
    }

    /// `path:line` of each line of code that contains one of `words`.
    fn lines_with(&self, words: &[&str]) -> Vec<String> {
        let hits = self.code().filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        hits.map(|(at, line)| format!("{}:{at}: {}", self.path, line.trim())).collect()
    }
}

/// A line without its comment and its string contents.
fn strip_comment_and_strings(line: &str) -> String {
    let (mut code, mut in_string, mut previous) = (String::new(), false, ' ');
    for character in line.chars() {
        if character == '"' && previous != '\\' {
            in_string = !in_string;
        }
        if !in_string && character == '/' && previous == '/' {
            code.pop();
            break;
        }
        if !in_string {
            code.push(character);
        }
        previous = character;
    }
    code
}

/// Every text file of the repository, without ignored folders and binary files.
fn sources() -> &'static [Source] {
    static SOURCES: LazyLock<Vec<Source>> = LazyLock::new(read_sources);
    &SOURCES
}

fn read_sources() -> Vec<Source> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        const IGNORED: [&str; 9] = [
            ".git",
            "target",
            "node_modules",
            "dist",
            "data",
            "data.unfinished",
            "test-results",
            "playwright-report",
            "screens",
        ];
        for entry in fs::read_dir(folder).expect("a folder of the repository").map(|entry| entry.expect("an entry")) {
            let (path, name) = (entry.path(), entry.file_name());
            if IGNORED.iter().any(|ignored| name == *ignored) {
                continue;
            }
            match entry.file_type().expect("a file's type") {
                kind if kind.is_dir() => walk(&path, into),
                kind if kind.is_file() => into.push(path),
                _ => {}
            }
        }
    }
    let (root, mut paths) = (root(), Vec::new());
    walk(&root, &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = String::from_utf8(fs::read(&path).expect("a file of the repository")).ok()?;
        let path = path.strip_prefix(&root).expect("a path within the repository").display().to_string();
        Some(Source { path, text })
    };
    let sources: Vec<Source> = paths.into_iter().filter_map(read).collect();
    assert!(sources.len() > 150, "too few files were found");
    sources
}

fn server_sources() -> Vec<&'static Source> {
    let sources: Vec<_> = sources().iter().filter(|source| source.in_server().is_some()).collect();
    assert!(sources.len() > 50, "too few server files were found");
    sources
}

#[track_caller]
fn assert_none(broken: &[String], instruction: &str) {
    assert!(broken.is_empty(), "{instruction}\n{}", broken.join("\n"));
}

#[test]
fn no_source_file_exceeds_the_line_limit() {
    let ours =
        sources().iter().filter(|source| source.has_ending(&["rs", "ts", "tsx", "css"]) && !source.is_generated());
    let long = ours.map(|source| (source, source.text.lines().count())).filter(|(_, lines)| *lines > MAX_LINES);
    let long: Vec<String> = long.map(|(source, lines)| format!("{}: {lines} lines", source.path)).collect();
    assert_none(&long, &format!("Split files longer than {MAX_LINES} lines by verb:"));
}

#[test]
fn every_file_and_folder_is_named_after_what_it_holds() {
    let is_empty = |part: &str| {
        let name = part.split('.').next().unwrap_or(part);
        let words = name.split(['_', '-']).map(str::to_lowercase);
        let ending = EMPTY_NAMES.iter().any(|empty| {
            let capital = empty[..1].to_uppercase() + &empty[1..];
            name.ends_with(&capital)
        });
        ending || words.into_iter().any(|word| EMPTY_NAMES.contains(&&*word))
    };
    let mut names = BTreeSet::new();
    for source in sources() {
        names.extend(source.path.split('/').filter(|part| is_empty(part)).map(|_| source.path.clone()));
    }
    let names: Vec<String> = names.into_iter().collect();
    assert_none(
        &names,
        "Name it after the noun that it contains (utils, helpers, common, manager and service describe nothing):",
    );
}

#[test]
fn queries_use_no_http_and_endpoints_run_no_queries() {
    let mut broken = Vec::new();
    for source in server_sources().iter().filter(|source| source.room().is_some()) {
        // Files with endpoints and their wire types use utoipa_axum.
        if source.text.contains("utoipa_axum") {
            broken.extend(source.lines_with(&["diesel"]));
        } else if source.text.contains("diesel::") || source.path.ends_with("/store.rs") {
            let http = ["axum", "StatusCode", "HeaderMap", "http::answer", "http::json", "http::idempotency"];
            broken.extend(source.lines_with(&http));
        }
    }
    assert_none(&broken, "Put queries in store.rs and endpoints in http.rs. Pass plain values between them:");
}

#[test]
fn rules_are_pure() {
    let impure = ["diesel", "async ", ".await", "Conn", "Clock", "clock::", "axum", "crate::db", "Utc::now", "rand::"];
    let mut rules = 0;
    let mut broken = Vec::new();
    for source in server_sources() {
        let Some(path) = source.in_server() else { continue };
        if path.ends_with("/rules.rs") || path.contains("/rules/") {
            rules += 1;
            broken.extend(source.lines_with(&impure));
        }
    }
    assert!(rules >= 4, "too few rules files were found");
    // The text of an enum column is derived by one macro line in the rules.
    broken.retain(|line| !line.contains("crate::db::text_enum") && !line.contains("crate::text_enum"));
    assert_none(&broken, "A rule takes plain values. Read before the call, write after it, and pass the time in:");
}

#[test]
fn no_room_uses_the_endpoints_of_another_room() {
    let mut endpoints = Vec::new();
    for source in server_sources().iter().filter(|source| source.text.contains("utoipa_axum")) {
        let Some(room) = source.room() else { continue };
        let module = source.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs");
        endpoints.push((room, [format!("{room}::{module}::"), format!("{room}::{module};")]));
    }
    assert!(endpoints.len() > 15, "too few endpoints were found");
    let mut broken = Vec::new();
    for source in server_sources() {
        let Some(own) = source.room() else { continue };
        let others = endpoints.iter().filter(|(room, _)| *room != own).flat_map(|(_, names)| names);
        let others: Vec<&str> = others.map(String::as_str).collect();
        broken.extend(source.lines_with(&others));
    }
    assert_none(
        &broken,
        "A room may use the rules and the store of another room, not its http. Move shared code there:",
    );
}

#[test]
fn a_mod_rs_documents_its_room_and_its_dependencies() {
    let mut broken = Vec::new();
    for source in server_sources().iter().filter(|source| source.path.ends_with("/mod.rs")) {
        if !source.text.starts_with("//!") {
            broken.push(format!("{}: has no documentation of the room", source.path));
        }
        let parsed = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let is_module = |item: &syn::Item| matches!(item, syn::Item::Mod(module) if module.content.is_none());
        let others = parsed.items.iter().filter(|item| !is_module(item) && !matches!(item, syn::Item::Use(_)));
        let others: Vec<&syn::Item> = others.collect();
        if !matches!(others[..], [] | [syn::Item::Struct(_)]) {
            broken.push(format!("{}: has more than one struct", source.path));
        }
    }
    assert_none(
        &broken,
        "mod.rs has room documentation, module lines and one struct of dependencies. Move the rest to another file:",
    );
}

#[test]
fn the_code_has_no_markers_of_unfinished_work() {
    let markers: Vec<String> = ["TO DO", "FIX ME", "/ / XXX", "to do!(", "unimplem ented!(", "db g!(", "console .log("]
        .iter()
        .map(|word| word.replace(' ', ""))
        .collect();
    let mut broken = Vec::new();
    for source in sources().iter().filter(|source| !source.is_generated() && !source.path.starts_with("docs/")) {
        if !source.has_ending(&["rs", "ts", "tsx", "css", "sql", "toml", "mjs"]) {
            continue;
        }
        for (at, line) in source.text.lines().enumerate() {
            if markers.iter().any(|word| has_word(line, word)) {
                broken.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    assert_none(&broken, "Do it now, or describe the missing part in docs:");
}

/// Whether the line contains `word` as a whole word.
fn has_word(line: &str, word: &str) -> bool {
    let part = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    line.match_indices(word).any(|(at, _)| {
        let ends_itself = !word.ends_with(char::is_alphanumeric);
        !part(line[..at].chars().next_back()) && (ends_itself || !part(line[at + word.len()..].chars().next()))
    })
}

#[test]
fn every_possible_panic_has_a_reason() {
    let mut broken = Vec::new();
    for source in server_sources().iter().filter(|source| !source.path.ends_with("/tests.rs")) {
        let lines: Vec<&str> = source.text.lines().collect();
        for (at, line) in source.code() {
            let may_stop = [".unwrap()", ".expect(", "unreachable!(", "panic!("].iter().any(|word| line.contains(word));
            // A reason is a comment on the same line or above, an #[expect] above, or `const {…}`, which the compiler checks.
            let above = lines[at.saturating_sub(4)..at - 1].iter().map(|line| line.trim_start());
            let reason = above.into_iter().any(|line| line.starts_with("//") || line.starts_with("#[expect("));
            if may_stop && !reason && !line.contains("const {") && !lines[at - 1].contains("// ") {
                broken.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    assert_none(&broken, "Return an error, or explain in a comment above it why it cannot happen:");
}

#[test]
fn every_migration_exists_for_both_databases() {
    let folders = |database: &str| -> BTreeSet<String> {
        let folder = root().join("server/migrations").join(database);
        let entries = fs::read_dir(folder).expect("the migrations").map(|entry| entry.expect("an entry"));
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let (sqlite, postgres) = (folders("sqlite"), folders("postgres"));
    assert!(!sqlite.is_empty(), "no migrations were found");
    let unmatched: Vec<String> = sqlite.symmetric_difference(&postgres).cloned().collect();
    assert_none(&unmatched, "Add a migration with the same name to server/migrations/sqlite and /postgres:");
    let with_down = |name: &String| root().join("server/migrations/sqlite").join(name).join("down.sql").exists();
    let with_down: Vec<String> = sqlite.into_iter().filter(with_down).collect();
    assert_none(&with_down, "Migrations are forward-only. Remove the down.sql of:");
}

#[test]
fn every_test_file_is_part_of_the_one_test_binary() {
    let main = fs::read_to_string(root().join("server/tests/api/main.rs")).expect("main.rs");
    let entries =
        fs::read_dir(root().join("server/tests/api")).expect("the tests").map(|entry| entry.expect("an entry"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned());
    let missing: Vec<String> = names.filter(|name| name != "main" && !main.contains(&format!("mod {name};"))).collect();
    assert_none(&missing, "Add the module to server/tests/api/main.rs:");
    // Cargo's rule for what it finds by itself.
    let is_binary = |path: &PathBuf| path.join("main.rs").exists() || path.extension().is_some_and(|end| end == "rs");
    let entries = fs::read_dir(root().join("server/tests")).expect("the tests");
    let binaries: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).filter(is_binary).collect();
    let only = root().join("server/tests/api");
    assert_eq!(binaries, [only], "server/tests has one binary, api: each further binary links everything again");
}
