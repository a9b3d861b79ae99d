//! The stored results of mutants, and the page that shows them to people.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::catalogue::{Database, FOLDER, Mutant};

const FILE: &str = "results.json";

/// How the tests of a fault ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Each of them failed.
    Detected,
    /// These passed.
    Missed(Vec<String>),
    /// The fault cannot be tried, for this reason.
    Broken(String),
}

impl Outcome {
    /// The stored word.
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Detected => "detected",
            Outcome::Missed(_) => "missed",
            Outcome::Broken(_) => "broken",
        }
    }

    /// The word, with what it needs to be understood.
    pub fn describe(&self) -> String {
        match self {
            Outcome::Detected => self.word().to_owned(),
            Outcome::Missed(tests) => format!("missed by {}", tests.join(", ")),
            Outcome::Broken(reason) => format!("broken: {reason}"),
        }
    }

    fn to_json(&self) -> Value {
        match self {
            Outcome::Detected => Value::Null,
            Outcome::Missed(tests) => json!(tests),
            Outcome::Broken(reason) => json!(reason),
        }
    }

    fn read(stored: &Value) -> Option<Outcome> {
        match stored["result"].as_str()? {
            "detected" => Some(Outcome::Detected),
            "missed" => {
                let tests = stored["because"].as_array()?.iter().filter_map(Value::as_str);
                Some(Outcome::Missed(tests.map(str::to_owned).collect()))
            }
            _ => Some(Outcome::Broken(stored["because"].as_str()?.to_owned())),
        }
    }
}

/// The stored results. `first` has those of the suite before the catalogue, `latest` those of the last run of each fault.
pub struct Results {
    first: Map<String, Value>,
    latest: Map<String, Value>,
}

impl Results {
    /// Reads the results below `root`; none if there is no file.
    ///
    /// # Errors
    /// If the file is malformed.
    pub fn read(root: &Path) -> Result<Results> {
        let file = root.join(FOLDER).join(FILE);
        let stored: Value = match fs::read_to_string(&file) {
            Ok(text) => serde_json::from_str(&text).with_context(|| file.display().to_string())?,
            Err(_) => json!({}),
        };
        let part = |name: &str| stored[name].as_object().cloned().unwrap_or_default();
        Ok(Results { first: part("first"), latest: part("latest") })
    }

    /// The result of a fault if nothing that it depends on has changed since.
    pub fn find(&self, name: &str, inputs: &str) -> Option<Outcome> {
        let stored = self.latest.get(name).filter(|stored| stored["inputs"] == inputs)?;
        Outcome::read(stored)
    }

    /// Sets the result of a fault.
    pub fn set(&mut self, name: &str, outcome: &Outcome, commit: &str, inputs: &str) {
        let mut stored = json!({ "result": outcome.word(), "commit": commit, "inputs": inputs });
        if *outcome != Outcome::Detected {
            stored["because"] = outcome.to_json();
        }
        self.latest.insert(name.to_owned(), stored);
    }

    /// Writes the results, in the order of the catalogue.
    ///
    /// # Errors
    /// If the disk fails.
    pub fn write(&self, root: &Path, mutants: &[Mutant]) -> Result<()> {
        let mut text = String::from("{\n");
        for (place, (part, results)) in [("first", &self.first), ("latest", &self.latest)].into_iter().enumerate() {
            let listed = mutants.iter().filter_map(|mutant| Some((&mutant.name, results.get(&mutant.name)?)));
            let lines: Vec<String> = listed.map(|(name, result)| format!("  \"{name}\": {result}")).collect();
            writeln!(text, "\"{part}\": {{\n{}\n}}{}", lines.join(",\n"), if place == 0 { "," } else { "" })?;
        }
        text.push_str("}\n");
        Ok(fs::write(root.join(FOLDER).join(FILE), text)?)
    }

    /// The page in `docs`.
    pub fn page(&self, mutants: &[Mutant]) -> String {
        let word = |results: &Map<String, Value>, mutant: &Mutant| {
            results.get(&mutant.name).and_then(|stored| stored["result"].as_str()).unwrap_or("not run").to_owned()
        };
        let count = |results: &Map<String, Value>, wanted: &str| {
            mutants.iter().filter(|mutant| word(results, mutant) == wanted).count()
        };
        let run = mutants.len() - count(&self.first, "not run");
        let mut page = format!(
            "{HEAD}\n{} faults. The suite at 6f0f1751, before the catalogue, missed {} of the {run} that were tried with it. In the last run \
             of each, {} are detected, {} missed, {} broken and {} not run.\n",
            mutants.len(),
            count(&self.first, "missed"),
            count(&self.latest, "detected"),
            count(&self.latest, "missed"),
            count(&self.latest, "broken"),
            count(&self.latest, "not run"),
        );
        let mut theme = "";
        for mutant in mutants {
            if mutant.theme != theme {
                theme = &mutant.theme;
                let title = theme[..1].to_uppercase() + &theme[1..];
                page += &format!(
                    "\n## {title}\n\n| fault | rule | tests that detect it | at 6f0f1751 | last run |\n|---|---|---|---|---|\n"
                );
            }
            let on = match mutant.database {
                None => "",
                Some(Database::Sqlite) => " (SQLite)",
                Some(Database::Postgres) => " (PostgreSQL)",
            };
            let tests: Vec<String> = mutant.tests.iter().map(|test| format!("`{test}`")).collect();
            page += &format!(
                "| **{}**{on}. {} | {} | {} | {} | {} |\n",
                mutant.name,
                mutant.fault.replace('|', "\\|"),
                mutant.source,
                tests.join("<br>"),
                word(&self.first, mutant),
                word(&self.latest, mutant),
            );
        }
        page
    }
}

const HEAD: &str = "# Faults that the tests must detect

A test that cannot fail proves nothing. The catalogue in `mutants/` names faults that a careless change would introduce. `cargo xtask mutants`
runs the tests of each with the fault in place: each of them must fail. A fault is a search text with its replacement, so it
survives moved code; a fault whose text is gone is rewritten, not removed. Faults in the bodies of functions are compiled together, and the
environment of a test run says which one is in force. The others, and those that are missed this way, get a build of their own.
`mutants/results.json` has the result of each with its commit. A fault runs again once its entry, a file that it changes or a file of its tests
has changed; `--long` runs all of them. The command and `cargo xtask gen` write this page.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_holds_until_its_inputs_change() {
        let mut results = Results { first: Map::new(), latest: Map::new() };
        let missed = Outcome::Missed(vec!["refunds::once".to_owned()]);
        results.set("paid-twice", &missed, "abc", "1");
        assert_eq!(results.find("paid-twice", "1"), Some(missed));
        assert_eq!(results.find("paid-twice", "2"), None);
        results.set("paid-twice", &Outcome::Detected, "abd", "2");
        assert_eq!(results.find("paid-twice", "2"), Some(Outcome::Detected));
    }
}
