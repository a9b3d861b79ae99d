//! The repository checks itself: the laws of ARCHITECTURE.md and CONTRIBUTING.md, each as a test that says what to do.

mod coverage;
mod errors;
mod imports;
mod papers;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, iter};

/// The most lines of a source file.
const MAX_LINES: usize = 400;

/// Names that say nothing about what lies in the file or folder.
const EMPTY_NAMES: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "misc", "manager", "service"];

/// The rooms: one noun of the product each.
const ROOMS: [&str; 13] = [
    "audit",
    "casework",
    "chargebacks",
    "documents",
    "gateways",
    "intake",
    "mail",
    "orders",
    "public",
    "reports",
    "staff",
    "tracking",
    "visas",
];

/// Made by tools.
const GENERATED: [&str; 4] = ["web/src/api/schema.ts", "contract/openapi.json", "Cargo.lock", "package-lock.json"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").to_owned()
}

/// A text file of the repository.
struct Source {
    /// From the repository's root, with slashes.
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

    /// Where it lies within `server/src`, if it does.
    fn in_server(&self) -> Option<&str> {
        self.path.strip_prefix("server/src/")
    }

    /// Its room, if it lies in one.
    fn room(&self) -> Option<&'static str> {
        let (room, _) = self.in_server()?.split_once('/')?;
        ROOMS.into_iter().find(|name| *name == room)
    }

    /// Its lines of code before its tests, numbered from 1, without what follows `//` and without texts in quotes.
    fn code(&self) -> impl Iterator<Item = (usize, String)> {
        let lines = self.text.lines().enumerate().map(|(at, line)| (at + 1, line));
        lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]").map(|(at, line)| (at, bare(line)))
    }

    /// `path:line` of each line of code that holds one of `words`.
    fn lines_with(&self, words: &[&str]) -> Vec<String> {
        let hits = self.code().filter(|(_, line)| words.iter().any(|word| line.contains(word)));
        hits.map(|(at, line)| format!("{}:{at}: {}", self.path, line.trim())).collect()
    }
}

/// A line without its comment and without what its quotes hold.
fn bare(line: &str) -> String {
    let (mut kept, mut quoted, mut before) = (String::new(), false, ' ');
    for one in line.chars() {
        if one == '"' && before != '\\' {
            quoted = !quoted;
        }
        if !quoted && one == '/' && before == '/' {
            kept.pop();
            break;
        }
        if !quoted {
            kept.push(one);
        }
        before = one;
    }
    kept
}

/// Every text file that is ours: what git would not ignore, pictures left out.
fn sources() -> Vec<Source> {
    fn walk(folder: &Path, into: &mut Vec<PathBuf>) {
        const NOT_OURS: [&str; 9] = [
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
            if NOT_OURS.iter().any(|not_ours| name == *not_ours) {
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
        let path = path.strip_prefix(&root).expect("within the repository").display().to_string();
        Some(Source { path, text })
    };
    let sources: Vec<Source> = paths.into_iter().filter_map(read).collect();
    assert!(sources.len() > 150, "the repository is here");
    sources
}

fn server_sources() -> Vec<Source> {
    let sources: Vec<Source> = sources().into_iter().filter(|source| source.in_server().is_some()).collect();
    assert!(sources.len() > 50, "the server is here");
    sources
}

#[track_caller]
fn assert_none(broken: &[String], what_to_do: &str) {
    assert!(broken.is_empty(), "{what_to_do}\n{}", broken.join("\n"));
}

#[test]
fn no_source_file_exceeds_the_line_limit() {
    let sources = sources();
    let ours = sources.iter().filter(|source| source.has_ending(&["rs", "ts", "tsx", "css"]) && !source.is_generated());
    let long = ours.map(|source| (source, source.text.lines().count())).filter(|(_, lines)| *lines > MAX_LINES);
    let long: Vec<String> = long.map(|(source, lines)| format!("{}: {lines} lines", source.path)).collect();
    assert_none(&long, &format!("Split by verb what is longer than {MAX_LINES} lines:"));
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
        "Name it after the noun that it holds (utils, helpers, common, manager and service say nothing):",
    );
}

#[test]
fn queries_use_no_http_and_endpoints_run_no_queries() {
    let mut broken = Vec::new();
    for source in server_sources().iter().filter(|source| source.room().is_some()) {
        // Calls and their wire types stand in files that list their endpoints.
        if source.text.contains("utoipa_axum") {
            broken.extend(source.lines_with(&["diesel"]));
        } else if source.text.contains("diesel::") || source.path.ends_with("/store.rs") {
            let http = ["axum", "StatusCode", "HeaderMap", "http::answer", "http::json", "http::idempotency"];
            broken.extend(source.lines_with(&http));
        }
    }
    assert_none(&broken, "Queries belong in store.rs, calls in http.rs. Hand plain values from one to the other:");
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
    assert!(rules >= 4, "there are rules");
    // What an order's status is called is a column's word as well, and that is one line.
    broken.retain(|line| !line.contains("crate::db::text_enum") && !line.contains("crate::text_enum"));
    assert_none(&broken, "A rule decides from plain values. Read before it, write after it, pass the time in:");
}

#[test]
fn no_room_uses_the_endpoints_of_another_room() {
    let mut broken = Vec::new();
    for source in server_sources() {
        let Some(own) = source.room() else { continue };
        for room in ROOMS.into_iter().filter(|room| *room != own) {
            let calls = server_sources().into_iter().filter(|other| other.room() == Some(room));
            let calls = calls.filter(|other| other.text.contains("utoipa_axum"));
            for call in calls {
                let module = call.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".rs").to_owned();
                broken.extend(source.lines_with(&[&format!("{room}::{module}::"), &format!("{room}::{module};")]));
            }
        }
    }
    assert_none(&broken, "A room uses another room's rules and store, never its http. Move what both need there:");
}

#[test]
fn a_mod_rs_documents_its_room_and_its_dependencies() {
    let mut broken = Vec::new();
    for source in server_sources().iter().filter(|source| source.path.ends_with("/mod.rs")) {
        if !source.text.starts_with("//!") {
            broken.push(format!("{}: does not say what the room is", source.path));
        }
        let parsed = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let is_module = |item: &syn::Item| matches!(item, syn::Item::Mod(module) if module.content.is_none());
        let others = parsed.items.iter().filter(|item| !is_module(item) && !matches!(item, syn::Item::Use(_)));
        let others: Vec<&syn::Item> = others.collect();
        if !matches!(others[..], [] | [syn::Item::Struct(_)]) {
            broken.push(format!("{}: holds more than one struct", source.path));
        }
    }
    assert_none(
        &broken,
        "mod.rs holds words about the room, module lines and the one struct of what it needs. Give the rest a file of its own:",
    );
}

#[test]
fn the_code_has_no_markers_of_unfinished_work() {
    let left: Vec<String> = ["TO DO", "FIX ME", "/ / XXX", "to do!(", "unimplem ented!(", "db g!(", "console .log("]
        .iter()
        .map(|word| word.replace(' ', ""))
        .collect();
    let mut broken = Vec::new();
    for source in sources().iter().filter(|source| !source.is_generated() && !source.path.starts_with("docs/")) {
        if !source.has_ending(&["rs", "ts", "tsx", "css", "sql", "toml", "mjs"]) {
            continue;
        }
        for (at, line) in source.text.lines().enumerate() {
            if left.iter().any(|word| has_word(line, word)) {
                broken.push(format!("{}:{}: {}", source.path, at + 1, line.trim()));
            }
        }
    }
    assert_none(&broken, "Do it now, or say in docs what is missing:");
}

/// Whether `word` stands in the line, not as a part of a longer one.
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
            // A reason is a comment on the same line or the line above, an #[expect] above, or `const {…}`: the compiler's.
            let above = lines[at.saturating_sub(4)..at - 1].iter().map(|line| line.trim_start());
            let reason = above.into_iter().any(|line| line.starts_with("//") || line.starts_with("#[expect("));
            if may_stop && !reason && !line.contains("const {") && !lines[at - 1].contains("// ") {
                broken.push(format!("{}:{at}: {}", source.path, line.trim()));
            }
        }
    }
    assert_none(&broken, "Turn it into an error, or prove in a comment above it that it cannot happen:");
}

#[test]
fn every_migration_exists_for_both_databases() {
    let folders = |database: &str| -> BTreeSet<String> {
        let folder = root().join("server/migrations").join(database);
        let entries = fs::read_dir(folder).expect("the migrations").map(|entry| entry.expect("an entry"));
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    };
    let (sqlite, postgres) = (folders("sqlite"), folders("postgres"));
    assert!(!sqlite.is_empty(), "there are migrations");
    let alone: Vec<String> = sqlite.symmetric_difference(&postgres).cloned().collect();
    assert_none(&alone, "Add the same step, under the same name, to server/migrations/sqlite and /postgres:");
    let backwards = |name: &String| root().join("server/migrations/sqlite").join(name).join("down.sql").exists();
    let backwards: Vec<String> = sqlite.into_iter().filter(backwards).collect();
    assert_none(&backwards, "Migrations only go forward. Remove the down.sql of:");
}

#[test]
fn every_test_file_is_part_of_the_one_test_binary() {
    let main = fs::read_to_string(root().join("server/tests/api/main.rs")).expect("main.rs");
    let entries =
        fs::read_dir(root().join("server/tests/api")).expect("the tests").map(|entry| entry.expect("an entry"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().trim_end_matches(".rs").to_owned());
    let forgotten: Vec<String> =
        names.filter(|name| name != "main" && !main.contains(&format!("mod {name};"))).collect();
    assert_none(&forgotten, "Add the module to server/tests/api/main.rs:");
    let binaries = fs::read_dir(root().join("server/tests")).expect("the tests").count();
    assert_eq!(
        iter::once("api").count(),
        binaries,
        "server/tests holds one binary, api: each more links everything anew"
    );
}
