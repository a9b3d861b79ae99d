//! Everything that a call needs apart from its rules, in one list: the message has all that is missing, of all calls.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use utoipa::openapi::HttpMethod;
use utoipa::openapi::path::OperationBuilder;
use visadesk::access::{Access, access_to};
use visadesk::app::router;

use super::described::{find_undescribed, has_description};
use super::examples::without_example;
use crate::support::expected_calls::{FILE, expected_calls};

/// A call of the contract.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    name: &'a str,
    declared: &'a Value,
}

/// The committed files that say something about each call.
struct Files {
    contract: Value,
    errors: Value,
    reference: String,
    web_types: String,
    /// The sources of the tests.
    tests: String,
}

/// A place, and what it lacks of a call.
type Place = (&'static str, fn(&Files, &Operation<'_>) -> Vec<String>);

/// All places, in the order in which a call is added to them.
const PLACES: [Place; 10] = [
    ("its handler", undocumented),
    ("server/src/access.rs", |_, call| missing(access_to(call.name).is_some(), "no row in ACCESS")),
    ("server/src/app/contract.rs", |_, call| undeclared(call)),
    (FILE, |_, call| match expected_calls().get(call.name) {
        None => vec!["no row".to_owned()],
        // Whether staff see something about customers is decided for every call of theirs.
        Some(row) => {
            let is_of_staff = matches!(access_to(call.name), Some(Access::Staff(_)));
            missing(is_of_staff == (row.shows != "-"), "noted or free, of calls of staff alone")
        }
    }),
    ("server/tests/api", |files, call| {
        let last = call.path.rsplit('/').find(|part| !part.starts_with('{')).unwrap_or_default();
        missing(files.tests.contains(&format!("/{last}")), "no test makes it")
    }),
    ("contract/examples.json", |_, call| without_example(call.declared)),
    ("contract/errors.json", |files, call| {
        let values = call.declared["parameters"].as_array().into_iter().flatten();
        let takes_values =
            call.declared["requestBody"].is_object() || values.clone().any(|value| value["in"] != "header");
        let has_errors = files.errors[call.name].is_object() || !takes_values;
        missing(
            has_errors,
            "no error: `cargo xtask test --only server-sqlite --update-errors` records those of the tests",
        )
    }),
    ("contract/openapi.json", |files, call| {
        let is_there = files.contract["paths"][call.path][call.method].is_object();
        missing(is_there, "not in it: run `cargo xtask gen`")
    }),
    ("contract/reference.html", |files, call| {
        missing(files.reference.contains(&format!("id=\"{}\"", call.name)), "not in it: run `cargo xtask gen`")
    }),
    ("web/src/api/schema.ts", |files, call| {
        missing(files.web_types.contains(&format!("\n  {}: {{", call.name)), "not in it: run `cargo xtask gen`")
    }),
];

fn missing(is_there: bool, what: &str) -> Vec<String> {
    if is_there { Vec::new() } else { vec![what.to_owned()] }
}

/// What the declaration of a handler lacks.
fn undocumented(files: &Files, call: &Operation<'_>) -> Vec<String> {
    let declared = call.declared;
    let mut lacks = missing(declared["summary"].is_string(), "no summary");
    let tag = &declared["tags"][0];
    let is_described = files.contract["tags"].as_array().into_iter().flatten().any(|known| known["name"] == *tag);
    lacks.extend(missing(is_described, "no tag that is described: serve it among the calls of its room"));
    for parameter in declared["parameters"].as_array().into_iter().flatten().filter(|one| !has_description(one)) {
        lacks.push(format!("no doc comment of {}", parameter["name"]));
    }
    let mut undescribed = Vec::new();
    find_undescribed(declared, "", &mut undescribed);
    lacks.extend(undescribed.into_iter().map(|at| format!("no doc comment of {at}")));
    lacks
}

/// What the contract does not say about a call of its kind.
fn undeclared(call: &Operation<'_>) -> Vec<String> {
    let scheme = call.declared["security"][0].as_object().and_then(|one| one.keys().next()).map(String::as_str);
    let expected = access_to(call.name).and_then(|access| match access {
        Access::Staff(_) => Some("staff_token"),
        Access::SalesSite(_) => Some("api_key"),
        Access::Visitor => Some("visitor_grant"),
        Access::Public | Access::RateLimited(_) => None,
    });
    let mut lacks = missing(scheme == expected, &format!("its security is {scheme:?} instead of {expected:?}"));
    let responses = &call.declared["responses"];
    let knows_signed_out = codes(&responses["401"]).contains(&"signed_out");
    lacks.extend(missing(knows_signed_out == (scheme == Some("staff_token")), "signed_out, for staff alone"));
    for (status, response) in responses.as_object().into_iter().flatten() {
        let is_error = !status.starts_with(['2', '3']);
        let has_codes = !codes(response).is_empty();
        lacks.extend(missing(is_error == has_codes, &format!("{status}: errors, and only errors, have codes")));
        let waits = response["headers"]["Retry-After"].is_object();
        lacks.extend(missing(waits == (status == "429" || status == "503"), &format!("{status}: Retry-After")));
    }
    let is_key = |parameter: &Value| parameter["name"] == "Idempotency-Key" && parameter["in"] == "header";
    let takes_key = call.declared["parameters"].as_array().into_iter().flatten().any(is_key);
    lacks.extend(missing(takes_key == (call.method == "post"), "Idempotency-Key, of a POST alone"));
    lacks
}

/// The codes of an error response.
fn codes(response: &Value) -> Vec<&str> {
    let codes = response.pointer("/content/application~1json/schema/allOf/1/properties/code/enum");
    codes.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
}

fn read(path: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository").join(path);
    fs::read_to_string(file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The text of every source below `folder`.
fn sources(folder: &Path) -> String {
    let entries = fs::read_dir(folder).expect("the tests").map(|entry| entry.expect("an entry").path());
    let texts =
        entries.map(|path| if path.is_dir() { sources(&path) } else { fs::read_to_string(path).unwrap_or_default() });
    texts.collect()
}

/// What the calls of `contract` lack: the call, the place, and what is missing there.
fn lacks(contract: &Value) -> Vec<String> {
    let json = |path: &str| serde_json::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let files = Files {
        contract: json("contract/openapi.json"),
        errors: json("contract/errors.json"),
        reference: read("contract/reference.html"),
        web_types: read("web/src/api/schema.ts"),
        tests: sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api")),
    };
    let (mut lacks, mut names) = (Vec::new(), HashSet::new());
    for (path, methods) in contract["paths"].as_object().expect("paths") {
        for (method, declared) in methods.as_object().expect("methods") {
            let name = declared["operationId"].as_str().unwrap_or_default();
            assert!(names.insert(name), "{method} {path}: the name {name} is missing or not unique");
            let call = Operation { method, path, name, declared };
            for (place, lacking) in PLACES {
                lacks.extend(lacking(&files, &call).into_iter().map(|what| format!("{name}: {place}: {what}")));
            }
        }
    }
    lacks
}

#[test]
fn every_call_is_complete() {
    let lacks = lacks(&serde_json::to_value(router::contract()).expect("the contract is JSON"));
    assert!(lacks.is_empty(), "{} entries are missing:\n{}", lacks.len(), lacks.join("\n"));
}

#[test]
fn all_that_a_new_call_lacks_is_listed_at_once() {
    // In two parts, because a test that names the path makes the call.
    let path = ["/api/admin/print", "-everything"].concat();
    let mut contract = router::contract();
    let new = OperationBuilder::new().operation_id(Some("print_everything")).build();
    contract.paths.add_path_operation(&path, vec![HttpMethod::Post], new);
    let mut contract = serde_json::to_value(contract).expect("the contract is JSON");
    let fields = json!({ "type": "object", "properties": { "year": { "type": "integer" } } });
    let new = &mut contract["paths"][&path]["post"];
    new["requestBody"] = json!({ "content": { "application/json": { "schema": fields } } });
    new["responses"] = json!({ "200": { "content": { "application/json": {} } }, "409": {} });
    new["parameters"] = json!([{ "name": "limit", "in": "query" }]);
    insta::assert_snapshot!(lacks(&contract).join("\n"), @r#"
    print_everything: its handler: no summary
    print_everything: its handler: no tag that is described: serve it among the calls of its room
    print_everything: its handler: no doc comment of "limit"
    print_everything: its handler: no doc comment of /requestBody/content/application/json/schema.year
    print_everything: server/src/access.rs: no row in ACCESS
    print_everything: server/src/app/contract.rs: 409: errors, and only errors, have codes
    print_everything: server/src/app/contract.rs: Idempotency-Key, of a POST alone
    print_everything: server/tests/calls.txt: no row
    print_everything: server/tests/api: no test makes it
    print_everything: contract/examples.json: no response
    print_everything: contract/examples.json: no request
    print_everything: contract/errors.json: no error: `cargo xtask test --only server-sqlite --update-errors` records those of the tests
    print_everything: contract/openapi.json: not in it: run `cargo xtask gen`
    print_everything: contract/reference.html: not in it: run `cargo xtask gen`
    print_everything: web/src/api/schema.ts: not in it: run `cargo xtask gen`
    "#);
}
