//! Error codes are unique.

use std::collections::BTreeMap;

use syn::{Item, ItemEnum};

use super::{assert_none, server_sources};

/// Whether the variants of `item` are error codes: `#[derive(…, IntoStaticStr)]`.
fn has_codes(item: &ItemEnum) -> bool {
    let mut found = false;
    for attribute in item.attrs.iter().filter(|attribute| attribute.path().is_ident("derive")) {
        // Attributes that are not a list of paths cannot derive IntoStaticStr.
        let _ = attribute.parse_nested_meta(|derived| {
            found |= derived.path.is_ident("IntoStaticStr");
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
