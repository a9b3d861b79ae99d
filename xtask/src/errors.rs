//! Compares the errors that the tests saw with those that the contract declares.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::workspace::Workspace;

/// The codes of each call by status.
type Errors = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// One error of one call: the operation's id, the status and the code.
type Seen = BTreeSet<(String, String, String)>;

/// Where the tests write what they see; empty before a run.
///
/// # Errors
/// If an earlier file cannot be removed.
pub fn fresh_file(workspace: &Workspace) -> Result<PathBuf> {
    let file = workspace.seen_errors();
    if file.exists() {
        fs::remove_file(&file)?;
    }
    Ok(file)
}

/// Compares the errors in `file` with the contract, or writes them into it.
///
/// # Errors
/// If a call gave an error that the contract does not declare for it, or `contract/errors.json` declares one that no test saw.
pub fn compare(workspace: &Workspace, file: &Path, update: bool) -> Result<()> {
    let listed_file = workspace.root.join("contract/errors.json");
    let listed: Errors = serde_json::from_str(&fs::read_to_string(&listed_file)?)?;
    let contract: Value = serde_json::from_str(&fs::read_to_string(workspace.root.join("contract/openapi.json"))?)?;
    let listed = flat(&listed);
    let common: Seen = declared(&contract).difference(&listed).cloned().collect();
    let seen = read(&fs::read_to_string(file).context("the tests recorded no errors")?, &contract);
    let special: Seen = seen.difference(&common).cloned().collect();
    if update {
        fs::write(&listed_file, serde_json::to_string_pretty(&nested(&special))? + "\n")?;
        println!("Updated contract/errors.json; `cargo xtask gen` brings it into the contract");
        return Ok(());
    }
    let lines = |errors: &mut dyn Iterator<Item = &(String, String, String)>| {
        errors.map(|(call, status, code)| format!("  {call} {status} {code}\n")).collect::<String>()
    };
    let (new, gone) = (lines(&mut special.difference(&listed)), lines(&mut listed.difference(&special)));
    ensure!(
        new.is_empty() && gone.is_empty(),
        "contract/errors.json differs from what the tests saw.\nNot declared:\n{new}Declared, and seen by no test:\n{gone}\
         `cargo xtask test --only server-sqlite --update-errors` and `cargo xtask gen` bring it up to date"
    );
    Ok(())
}

fn flat(errors: &Errors) -> Seen {
    let calls =
        errors.iter().flat_map(|(call, by_status)| by_status.iter().map(move |(status, codes)| (call, status, codes)));
    calls
        .flat_map(|(call, status, codes)| codes.iter().map(|code| (call.clone(), status.clone(), code.clone())))
        .collect()
}

fn nested(seen: &Seen) -> Errors {
    let mut errors = Errors::new();
    for (call, status, code) in seen {
        errors.entry(call.clone()).or_default().entry(status.clone()).or_default().insert(code.clone());
    }
    errors
}

/// Every operation of the contract: its method in lower case, its path, and itself.
fn operations(contract: &Value) -> impl Iterator<Item = (&str, &str, &Value)> {
    let paths = contract["paths"].as_object().into_iter().flatten();
    paths.flat_map(|(path, methods)| {
        let methods = methods.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    })
}

fn declared(contract: &Value) -> Seen {
    let mut declared = Seen::new();
    for (_, _, operation) in operations(contract) {
        for (status, response) in operation["responses"].as_object().into_iter().flatten() {
            let codes = response.pointer("/content/application~1json/schema/allOf/1/properties/code/enum");
            for code in codes.and_then(Value::as_array).into_iter().flatten() {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                declared.insert((text(&operation["operationId"]), status.clone(), text(code)));
            }
        }
    }
    declared
}

/// Reads lines such as `POST /api/… 409 code`. Calls that are not in the contract are left out.
fn read(lines: &str, contract: &Value) -> Seen {
    let mut ids = BTreeMap::new();
    for (method, path, operation) in operations(contract) {
        ids.insert((method.to_uppercase(), path), operation["operationId"].as_str().unwrap_or_default());
    }
    let seen = lines.lines().filter_map(|line| {
        let [method, path, status, code] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
        let call = ids.get(&(method.to_owned(), path))?;
        Some((String::from(*call), status.to_owned(), code.to_owned()))
    });
    seen.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_tests_saw_is_read_by_operation() {
        let code = json!({ "properties": { "code": { "enum": ["signed_out"] } } });
        let response = json!({ "content": { "application/json": { "schema": { "allOf": [{}, code] } } } });
        let contract =
            json!({ "paths": { "/api/a/{id}": { "post": { "operationId": "a", "responses": { "401": response } } } } });
        let one = |code: &str, status: &str| ("a".to_owned(), status.to_owned(), code.to_owned());
        assert_eq!(declared(&contract), Seen::from([one("signed_out", "401")]));
        let lines = "POST /api/a/{id} 409 taken\nGET /uploads/{name} 404 gone\n";
        assert_eq!(read(lines, &contract), Seen::from([one("taken", "409")]));
        assert_eq!(flat(&nested(&Seen::from([one("taken", "409")]))), Seen::from([one("taken", "409")]));
    }
}
