//! Names that others depend on: clients, stored rows, configuration files, scripts. `contract/names.json` lists them, and a renaming inside
//! the program must not change one. `VISADESK_TEST_UPDATE=1` updates the list.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::Command;

use serde_json::Value;
use visadesk::app::router;
use visadesk::config::Config;

use super::{Source, root, server_sources};

type Names = BTreeSet<String>;

#[test]
fn no_name_that_others_depend_on_changes() {
    let names: BTreeMap<&str, Names> = [
        ("calls", calls()),
        ("codes of errors", codes()),
        ("audit events", literals(is_event)),
        ("measurements", literals(|text| text.starts_with("visadesk_") && text.chars().all(is_of_name))),
        ("tables and columns", columns()),
        ("stored values", stored_values()),
        ("settings", settings()),
        ("command line", command_line()),
    ]
    .into();
    for (what, names) in &names {
        assert!(names.len() > 2, "no {what} are found: {names:?}");
    }
    let path = root().join("contract/names.json");
    let found = serde_json::to_value(&names).expect("names are JSON");
    if std::env::var_os("VISADESK_TEST_UPDATE").is_some() {
        let pretty = serde_json::to_string_pretty(&found).expect("names are JSON");
        fs::write(&path, pretty + "\n").expect("the list can be written");
    }
    let committed = fs::read_to_string(path).expect("contract/names.json");
    let committed: BTreeMap<String, Names> = serde_json::from_str(&committed).expect("names by what they are");
    let mut changes = Vec::new();
    for (what, names) in names {
        let known = committed.get(what).cloned().unwrap_or_default();
        changes.extend(known.difference(&names).map(|name| format!("gone from the {what}: {name}")));
        changes.extend(names.difference(&known).map(|name| format!("new among the {what}: {name}")));
    }
    assert!(
        changes.is_empty(),
        "A name that is gone breaks those who use it. If only new names are here, run the test with VISADESK_TEST_UPDATE=1 and commit \
         contract/names.json:\n{}",
        changes.join("\n")
    );
}

/// Method, path, parameters and fields of each call, with the values of those that have a list of them.
fn calls() -> Names {
    let contract = serde_json::to_value(router::contract()).expect("the contract is JSON");
    let mut names = Names::new();
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, call) in methods.as_object().expect("methods") {
            let at = format!("{} {path}", method.to_uppercase());
            for parameter in call["parameters"].as_array().into_iter().flatten() {
                names.insert(format!("{at} ?{}", parameter["name"].as_str().expect("a name")));
            }
            for content in call["requestBody"]["content"].as_object().into_iter().flatten() {
                add_fields(&contract, &content.1["schema"], &format!("{at} >"), &mut Vec::new(), &mut names);
            }
            for content in call["responses"]["200"]["content"].as_object().into_iter().flatten() {
                add_fields(&contract, &content.1["schema"], &format!("{at} <"), &mut Vec::new(), &mut names);
            }
            names.insert(at);
        }
    }
    names
}

/// Adds the fields of a schema and of those that it consists of. `within`: the schemas around it.
fn add_fields<'a>(contract: &'a Value, schema: &'a Value, at: &str, within: &mut Vec<&'a str>, names: &mut Names) {
    if !schema.is_object() {
        return;
    }
    if let Some(name) = schema["$ref"].as_str() {
        if !within.contains(&name) {
            within.push(name);
            let pointer = name.trim_start_matches('#');
            add_fields(contract, contract.pointer(pointer).expect("a schema"), at, within, names);
            within.pop();
        }
        return;
    }
    for (field, inner) in schema["properties"].as_object().into_iter().flatten() {
        let field = format!("{at} {field}");
        add_fields(contract, inner, &field, within, names);
        names.insert(field);
    }
    for value in schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        names.insert(format!("{at} = {value}"));
    }
    for parts in ["allOf", "oneOf", "anyOf"] {
        for inner in schema[parts].as_array().into_iter().flatten() {
            add_fields(contract, inner, at, within, names);
        }
    }
    for part in ["items", "additionalProperties", "contentSchema"] {
        add_fields(contract, &schema[part], at, within, names);
    }
}

fn codes() -> Names {
    let errors = fs::read_to_string(root().join("contract/errors.json")).expect("the errors");
    let errors: BTreeMap<String, BTreeMap<String, Names>> = serde_json::from_str(&errors).expect("errors of calls");
    errors.into_values().flat_map(BTreeMap::into_values).flatten().collect()
}

/// The texts in the code of the server that `is_name` accepts.
fn literals(is_name: fn(&str) -> bool) -> Names {
    let lines = |source: &Source| {
        let code = source.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
        code.filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect::<Vec<_>>()
    };
    let code = server_sources().into_iter().flat_map(lines);
    let texts = code.flat_map(|line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>());
    texts.filter(|text| is_name(text)).collect()
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter == '_' || letter == '-'
}

/// An event of the audit or of the access log: one that the web app has a label for.
fn is_event(text: &str) -> bool {
    const LABELS: [&str; 2] = [
        include_str!("../../../../web/src/features/audit/auditEvents.ts"),
        include_str!("../../../../web/src/features/audit/accessActions.ts"),
    ];
    let is_verb_of_noun =
        text.split_once('.').is_some_and(|(noun, verb)| !noun.is_empty() && verb.chars().all(is_of_name));
    is_verb_of_noun && LABELS.iter().any(|labels| labels.contains(&format!("'{text}'")))
}

/// `orders.order_id` of each column in the schema.
fn columns() -> Names {
    let schema = concat!(
        include_str!("../../../src/db/schema.rs"),
        include_str!("../../../src/db/schema/members.rs"),
        include_str!("../../../src/db/schema/standalone.rs")
    );
    let tables = schema.split("table! { ").skip(1).filter_map(|rest| rest.split_once("\n} }"));
    let columns = tables.flat_map(|(table, _)| {
        let (name, rest) = table.split_once(' ').expect("a table has a name");
        let columns = rest.lines().filter_map(|line| line.trim().split_once(" -> "));
        columns.map(|(column, _)| format!("{name}.{column}")).collect::<Vec<_>>()
    });
    columns.collect()
}

/// The texts of the variants of enums, which rows and responses contain.
fn stored_values() -> Names {
    let lines = |source: &Source| source.text.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>();
    let variants = server_sources().into_iter().flat_map(lines).filter_map(|line| {
        let (variant, text) = line.strip_suffix("\",")?.split_once(" = \"")?;
        let is_variant = variant.starts_with(char::is_uppercase) && variant.chars().all(char::is_alphanumeric);
        is_variant.then(|| text.to_owned())
    });
    variants.collect()
}

fn settings() -> Names {
    fn add(value: &Value, at: &str, names: &mut Names) {
        match value.as_object().filter(|inner| !inner.is_empty()) {
            Some(inner) => {
                for (key, value) in inner {
                    let key = if at.is_empty() { key.clone() } else { format!("{at}.{key}") };
                    add(value, &key, names);
                }
            }
            None => drop(names.insert(at.to_owned())),
        }
    }
    let mut names = Names::new();
    add(&serde_json::to_value(Config::default()).expect("settings are JSON"), "", &mut names);
    names
}

/// Each command with its options, as its help lists them.
fn command_line() -> Names {
    fn add(command: &[String], names: &mut Names) {
        let program = env!("CARGO_BIN_EXE_visadesk");
        let help = Command::new(program).args(command).arg("--help").output().expect("the program runs").stdout;
        let help = String::from_utf8(help).expect("a text");
        let mut within = "";
        for line in help.lines() {
            let first = line.split_whitespace().find(|word| !word.starts_with("-h") && !word.starts_with("-V"));
            match (line.starts_with(' '), first) {
                (false, _) => within = line,
                (true, Some(name)) if within == "Commands:" && line.starts_with("  ") && !line.starts_with("   ") => {
                    if name != "help" {
                        let command: Vec<String> = command.iter().cloned().chain([name.to_owned()]).collect();
                        add(&command, names);
                        names.insert(command.join(" "));
                    }
                }
                (true, Some(option)) if within == "Options:" && option.starts_with("--") => {
                    names.insert(format!("{} {option}", command.join(" ")).trim().to_owned());
                }
                (true, Some(argument)) if within == "Arguments:" && argument.starts_with(['<', '[']) => {
                    names.insert(format!("{} {argument}", command.join(" ")));
                }
                (true, _) => {}
            }
        }
    }
    let mut names = Names::new();
    add(&[], &mut names);
    names
}
