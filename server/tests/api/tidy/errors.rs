//! Error codes are unique, and handlers declare the errors of the services that they use.

use std::collections::BTreeMap;

use syn::{Item, ItemEnum};

use super::{Source, assert_none, server_sources};

/// Returns true if the variants of `item` are error codes: `#[derive(…, Reason)]`.
fn has_codes(item: &ItemEnum) -> bool {
    let mut found = false;
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // Attributes that are not a list of paths cannot derive Reason.
        let _ = attribute.parse_nested_meta(|derived| {
            found |= derived.path.is_ident("Reason");
            Ok(())
        });
    }
    found
}

#[test]
fn no_two_errors_share_a_code() {
    let mut places = BTreeMap::<String, Vec<String>>::new();
    for source in server_sources().iter().filter(|source| source.has_ending(&["rs"])) {
        let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        for item in file.items {
            let Item::Enum(item) = item else { continue };
            for variant in item.variants.iter().filter(|_| has_codes(&item)) {
                places.entry(variant.ident.to_string()).or_default().push(format!("{}::{}", item.ident, variant.ident));
            }
        }
    }
    assert!(places.len() > 100, "only {} codes were found", places.len());
    let shared: Vec<String> =
        places.into_values().filter(|places| places.len() > 1).map(|places| places.join(", ")).collect();
    assert_none(&shared, "An error code identifies the rule that refused. Give each error its own variant name:");
}

/// A permission that a handler does not take as an argument brings no errors into its contract.
#[test]
fn handlers_take_their_permissions_as_arguments() {
    let makes_one_up = |source: &&&Source, call: &str| source.code().any(|(_, line)| line.contains(call));
    let name = |source: &Source| source.path.rsplit('/').next().unwrap_or_default().to_owned();
    let sources = server_sources();
    let in_background =
        sources.iter().filter(|source| makes_one_up(source, "Permission::in_background(")).map(|source| &source.path);
    let handlers: Vec<String> = sources
        .iter()
        .filter(|source| name(source).starts_with("http") && makes_one_up(source, "Permission::in_background("))
        .map(|source| source.path.clone())
        .collect();
    assert!(in_background.count() > 5, "the permission of work in the background has another name");
    assert_none(&handlers, "Take `Permission` as an argument of the handler:");
    let by_argument: Vec<String> = sources
        .iter()
        .filter(|source| makes_one_up(source, "by_argument("))
        .map(|source| source.path.trim_start_matches("server/src/").to_owned())
        .collect();
    assert_eq!(by_argument, ["documents/forms.rs", "error.rs", "http/routes.rs"], "only an extractor is an argument");
}
