//! The documents have valid links and pictures, CI runs the command of the README, and no file contains local paths.

use super::*;

/// The links between `opening` and `closing` in the documents that lead to a missing file.
fn dead_links(opening: &str, closing: char, is_wanted: impl Fn(&str) -> bool) -> Vec<String> {
    let (mut dead, mut links) = (Vec::new(), 0);
    for source in sources().iter().filter(|source| source.has_ending(&["md"])) {
        let folder = root().join(&source.path).parent().expect("a folder").to_owned();
        for link in source.text.split(opening).skip(1).filter_map(|rest| rest.split(closing).next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file.starts_with("mailto:") || !is_wanted(file) {
                continue;
            }
            links += 1;
            if !folder.join(file).exists() {
                dead.push(format!("{}: {link}", source.path));
            }
        }
    }
    assert!(links > 0, "no links were found");
    dead
}

fn is_picture(file: &str) -> bool {
    file.ends_with(".png")
}

#[test]
fn every_link_in_the_documents_resolves() {
    for document in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        assert!(root().join(document).exists(), "{document} is missing");
    }
    let dead = dead_links("](", ')', |file| !is_picture(file));
    assert_none(&dead, "The link is dead. Correct it, or add the file:");
}

#[test]
fn every_document_has_a_title_and_a_text() {
    let is_written = |text: &str| text.starts_with("# ") && text.lines().filter(|line| !line.is_empty()).count() > 3;
    let documents = sources().iter().filter(|source| source.has_ending(&["md"]));
    let bare = documents.filter(|source| !is_written(&source.text)).map(|source| source.path.clone());
    let bare: Vec<String> = bare.collect();
    assert_none(&bare, "The document is empty. Restore its text, or delete the file:");
}

#[test]
fn every_picture_in_the_documents_exists() {
    let dead = [dead_links("](", ')', is_picture), dead_links("src=\"", '"', is_picture)].concat();
    assert_none(&dead, "The picture is missing. Draw it with `cargo xtask pictures` and commit the result:");
}

#[test]
fn the_readme_has_two_commands_and_ci_runs_the_second() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let (readme, ci) = (read("README.md"), read(".ci/run"));
    let fenced = readme.split("```").skip(1).step_by(2);
    let commands: Vec<&str> = fenced.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(commands, ["cargo xtask run", "cargo xtask test"], "README.md names exactly the two commands");
    let runs = ci.lines().filter_map(|line| line.trim_start_matches("exec ").strip_prefix("cargo "));
    assert_eq!(runs.collect::<Vec<_>>(), ["xtask test"], ".ci/run calls the README's test command, and no other");
}

#[test]
fn the_repository_contains_no_machine_specific_paths() {
    // The parts are joined here, so that this file does not contain the paths.
    let local_paths = [["/wo", "rk/"].concat(), ["../sha", "red"].concat(), ["/ro", "ot/"].concat()];
    let mut broken = Vec::new();
    for source in sources() {
        for (at, line) in source.text.lines().enumerate() {
            // A URL may contain such a part.
            let is_not_in_url =
                |at: usize| !line[..at].ends_with(|one: char| one.is_alphanumeric() || one == '-' || one == '.');
            let hit = |word: &String| line.match_indices(word.as_str()).any(|(at, _)| is_not_in_url(at));
            if local_paths.iter().any(hit) {
                broken.push(format!("{}:{}", source.path, at + 1));
            }
        }
    }
    assert_none(&broken, "A clone has only committed files. Remove the local path:");
}
