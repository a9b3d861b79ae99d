//! Inputs as people write them: the cases of `server/tests/inputs`, whose README says what is in them.

mod files;
mod imports;
mod orders;
mod packs;
mod pages;
mod passports;
mod values;
mod visas;

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use crate::support::TestApp;

/// A case, and the names of what it gives and expects.
pub struct Case {
    /// `01-sex/spanish-woman`.
    name: String,
    table: String,
    given: Table,
    expected: Table,
}

impl Case {
    fn read(path: &Path) -> Case {
        let name = path.with_extension("");
        let mut parts = name.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy().into_owned());
        let (stem, kind) = (parts.next().expect("a file"), parts.next().expect("a folder"));
        let name = format!("{kind}/{stem}");
        let text = fs::read_to_string(path).expect("a readable case");
        let mut all: Table = text.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(["source", "reason"].iter().any(|key| all.contains_key(*key)), "{name} has neither source nor reason");
        let Some(Value::Table(expected)) = all.remove("expected") else { panic!("{name} expects nothing") };
        let mut tables = all.into_iter().filter_map(|(key, value)| match value {
            Value::Table(table) => Some((key, table)),
            _ => None,
        });
        let (table, given) = tables.next().unwrap_or_else(|| panic!("{name} has no input"));
        assert!(tables.next().is_none(), "{name} has two inputs");
        Case { name, table, given, expected }
    }

    /// All cases, ordered by their names.
    fn all() -> Vec<Case> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs");
        let inside = |folder: &Path| {
            let mut paths: Vec<_> =
                fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
            paths.sort();
            paths
        };
        let files = inside(&folder).into_iter().filter(|path| path.is_dir()).flat_map(|kind| inside(&kind));
        files.filter(|path| path.extension().is_some_and(|end| end == "toml")).map(|path| Case::read(&path)).collect()
    }

    /// The folder of its kind, with the files that it names.
    fn folder(&self) -> PathBuf {
        let kind = self.name.split('/').next().unwrap_or_default();
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/inputs").join(kind)
    }

    /// A text of the input; empty if it is not there.
    fn text(&self, name: &str) -> &str {
        self.given.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// What differs from the expected: `surname is look instead of same`.
    fn faults(&self) -> Vec<String> {
        match self.table.as_str() {
            "passport" => passports::faults(self),
            "visa" => visas::faults(self),
            "order_number" => values::order_number(self),
            "email" => values::email(self),
            "phone" => values::phone(self),
            "address" => values::address(self),
            "code" => values::code(self),
            other => panic!("{}: there is no input {other}", self.name),
        }
    }

    /// Compares a value with the expected one of that name, if one is named.
    fn compare(&self, name: &str, is: impl Into<Value>) -> Option<String> {
        let (is, expected) = (is.into(), self.expected.get(name)?);
        (is != *expected).then(|| format!("{name} is {is} instead of {expected}"))
    }
}

/// Checks that no case has a fault.
fn assert_understood<'a>(checked: impl Iterator<Item = (&'a Case, Vec<String>)>) {
    let wrong = checked.filter(|(_, faults)| !faults.is_empty());
    let wrong: Vec<String> = wrong.map(|(case, faults)| format!("{}: {}", case.name, faults.join("; "))).collect();
    assert!(wrong.is_empty(), "{} cases:\n{}", wrong.len(), wrong.join("\n"));
}

#[tokio::test]
async fn every_input_is_understood_as_its_case_says() {
    let cases: Vec<Case> = Case::all().into_iter().filter(|case| case.table != pages::TABLE).collect();
    let test = TestApp::start().await;
    let shop = orders::Shop::open(&test).await;
    let mut packs = packs::faults(&cases).await;
    let mut checked = Vec::new();
    for case in &cases {
        let faults = match case.table.as_str() {
            "order" => orders::faults(case, &test, &shop).await,
            "pack" => packs.remove(case.name.as_str()).expect("a pack"),
            "file" => files::faults(case, &test, &shop).await,
            "file_name" => files::name_faults(case, &test, &shop).await,
            "import" => imports::faults(case).await,
            "search" => values::search(case, &test).await,
            _ => case.faults(),
        };
        checked.push((case, faults));
    }
    assert_understood(checked.into_iter());
}
