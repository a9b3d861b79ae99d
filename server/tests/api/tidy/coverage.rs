//! `docs/spec-coverage.md` and `docs/security.md`: every row names existing tests that prove it.

use std::collections::BTreeMap;

use super::*;

const PAGE: &str = "docs/spec-coverage.md";
const SECURITY: &str = "docs/security.md";
/// What the page says of a threat, or of a part of it, that is not met yet.
const WAITS: &str = "waits";

/// One requirement with its proofs.
struct Row {
    line: usize,
    what: String,
    /// Each file with the name of its test.
    proofs: Vec<(String, String)>,
}

/// The rows of the tables on a page, without their headers.
fn rows(page: &str) -> Vec<Row> {
    let text = fs::read_to_string(root().join(page)).expect("the page");
    let lines: Vec<&str> = text.lines().collect();
    let is_row = |at: usize| lines.get(at).is_some_and(|line| line.starts_with('|'));
    let is_rule = |at: usize| lines.get(at).is_some_and(|line| line.starts_with("|--") || line.starts_with("| --"));
    let mut rows = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        if !is_row(at) || is_rule(at) || is_rule(at + 1) {
            continue;
        }
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        assert!(cells.len() == 3, "{page}:{}: a row has three cells, and the last one names its proofs", at + 1);
        let proofs = cells[2].split("<br>").map(|proof| {
            let proof = proof.trim().trim_start_matches('`');
            let (file, name) = proof.split_once('`').unwrap_or((proof, ""));
            (file.to_owned(), name.trim().trim_matches('"').to_owned())
        });
        rows.push(Row { line: at + 1, what: cells[0].to_owned(), proofs: proofs.collect() });
    }
    assert!(rows.len() > 60, "too few rows were found");
    rows
}

/// The contents of the named files.
fn proving_files(rows: &[Row]) -> BTreeMap<&str, Option<String>> {
    let names = rows.iter().flat_map(|row| &row.proofs).map(|(file, _)| file.as_str());
    names.map(|name| (name, fs::read_to_string(root().join(name)).ok())).collect()
}

/// Whether the file has a test with this name: a function with a test attribute, or a title passed to `test`.
fn has_test(file: &str, text: &str, name: &str) -> bool {
    if file.ends_with(".rs") {
        let function = format!("fn {name}(");
        return text.match_indices(&function).any(|(at, _)| {
            let above = text[..at].rsplit_once('\n').map_or("", |(above, _)| above.lines().last().unwrap_or_default());
            let above = above.trim();
            matches!(above, "#[test]" | "#[tokio::test]") || above.starts_with("#[tokio::test(")
        });
    }
    ["'", "\"", "`"].iter().any(|quote| {
        let title = format!("{quote}{name}{quote}");
        text.match_indices(&title).any(|(at, _)| {
            text[..at].trim_end().ends_with('(') && text[at + title.len()..].trim_start().starts_with(',')
        })
    })
}

#[test]
fn every_coverage_row_names_an_existing_test() {
    assert_none(&broken(PAGE), "The named test does not exist. Name an existing test, or write it:");
}

#[test]
fn every_threat_names_an_existing_test_or_waits() {
    let broken = broken(SECURITY);
    let broken: Vec<String> = broken.into_iter().filter(|proof| !proof.contains(&format!(": {WAITS}: "))).collect();
    assert_none(
        &broken,
        "The named test does not exist. Name an existing test, write it, or say what the threat waits for:",
    );
}

/// The proofs of a page that do not exist.
fn broken(page: &str) -> Vec<String> {
    let rows = rows(page);
    let files = proving_files(&rows);
    let mut broken = Vec::new();
    for row in &rows {
        for (file, name) in &row.proofs {
            let text = files.get(file.as_str()).and_then(Option::as_deref);
            if !text.is_some_and(|text| !name.is_empty() && has_test(file, text, name)) {
                broken.push(format!("{page}:{}: {file} {name}", row.line));
            }
        }
    }
    broken
}

#[test]
fn text_quoted_in_a_coverage_row_is_in_a_file_that_proves_it() {
    let rows = rows(PAGE);
    let files = proving_files(&rows);
    let mut broken = Vec::new();
    for row in &rows {
        let proofs: Vec<&str> =
            row.proofs.iter().filter_map(|(file, _)| files.get(file.as_str())?.as_deref()).collect();
        for quoted in row.what.split('`').skip(1).step_by(2) {
            if !proofs.iter().any(|text| text.contains(quoted)) {
                broken.push(format!("{PAGE}:{}: {quoted}", row.line));
            }
        }
    }
    assert_none(&broken, "None of the named files contains this exact text, so none of them proves it:");
}

#[test]
fn the_web_app_has_the_state_areas_of_the_specification() {
    // Server state is kept by TanStack Query under a key per area. Of remarks, only the draft has state of its own.
    for (area, file, state) in [
        ("auth", "../session/me.ts", "queryKey: ['auth', "),
        ("order", "order/orderQueries.ts", "ORDER = ['order'] as const"),
        ("gateway", "gateway/GatewaySetting.tsx", "queryKey: ['gateway', "),
        ("manageTeam", "manageTeam/teamQueries.ts", "MANAGE_TEAM = ['manageTeam'] as const"),
        ("remark", "order/detail/remarks/useRemarkForm.ts", "name: 'remark',"),
        ("visitor", "visitor/useVisitorOrder.ts", "useState<DownloadHistory | null>"),
    ] {
        let file = root().join("web/src/features").join(file);
        let text = fs::read_to_string(&file).unwrap_or_default();
        assert!(text.contains(state), "{area}: {} does not hold its state, {state}", file.display());
    }
}
