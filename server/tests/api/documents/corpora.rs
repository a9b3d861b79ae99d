//! Public collections of PDFs: what is taken and what is refused is what it was when somebody looked. `cargo xtask test --only corpora` fetches
//! them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::support::TestApp;

/// The verdicts: collection, name, digest, verdict, and the reason where a file is refused or rewritten.
const VERDICTS: &str = "tests/corpora/verdicts.tsv";

/// The variable with the folders of the collections, a line `name=folder` each.
const FOLDERS: &str = "VISADESK_TEST_CORPORA";

/// The variable that has the verdicts written anew. Look at each that changes.
const UPDATE: &str = "VISADESK_TEST_UPDATE";

/// All PDFs below a folder, by their names in it.
fn pdfs(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(inside) = folders.pop() {
        for entry in fs::read_dir(&inside).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end.eq_ignore_ascii_case("pdf")) {
                let name = path.strip_prefix(folder).expect("a file below the folder").display().to_string();
                found.push((name, path));
            }
        }
    }
    found.sort();
    found
}

/// The verdict and the reason for it, by collection, name and digest.
fn verdicts() -> BTreeMap<[String; 3], [String; 2]> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(VERDICTS)).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let rows = lines.map(|line| {
        let [corpus, name, digest, verdict, reason] =
            line.split('\t').map(str::to_owned).collect::<Vec<_>>().try_into().expect("five columns");
        ([corpus, name, digest], [verdict, reason])
    });
    rows.collect()
}

#[tokio::test]
#[ignore = "reads collections that `cargo xtask test --only corpora` fetches"]
async fn what_is_taken_of_public_collections_is_what_it_was() {
    let test = TestApp::start().await;
    let mut known = verdicts();
    let mut changed = Vec::new();
    let folders = std::env::var(FOLDERS).expect("the folders of the collections");
    for (corpus, folder) in folders.lines().filter_map(|line| line.split_once('=')) {
        let files = pdfs(Path::new(folder));
        assert!(!files.is_empty(), "{folder} has no PDF");
        for (name, path) in files {
            let content = fs::read(path).expect("a file");
            let verdict = match test.app.documents.inspector.inspect(content.clone().into()).await {
                Ok(inspected) if inspected.content == content => "taken".to_owned(),
                Ok(_) => "rewritten".to_owned(),
                Err(error) => error.code().to_owned(),
            };
            let key = [corpus.to_owned(), name, hex::encode(Sha256::digest(&content))];
            let before = known.get(&key).map(|[verdict, _]| verdict.clone());
            if before.as_ref() != Some(&verdict) {
                changed.push(format!("{} {}: {verdict}, was {before:?}", key[0], key[1]));
                known.insert(key, [verdict, "-".to_owned()]);
            }
        }
    }
    if std::env::var_os(UPDATE).is_some() {
        let rows = known.iter().map(|(key, verdict)| format!("{}\t{}\n", key.join("\t"), verdict.join("\t")));
        let text = format!("# collection\tname\tSHA-256\tverdict\treason\n{}", rows.collect::<String>());
        fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join(VERDICTS), text).expect("the verdicts are written");
    }
    assert!(changed.is_empty(), "look at these, and write their reasons: {changed:#?}");
    let unexplained: Vec<_> =
        known.iter().filter(|(_, [verdict, reason])| verdict != "taken" && reason.len() < 5).collect();
    assert!(unexplained.is_empty(), "write the reasons of these: {unexplained:#?}");
}
