//! One name, one type.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, ItemMod};

use super::{assert_none, sources};

/// The names that several types share, each with the reason.
const SHARED: [(&str, &str); 3] = [
    ("Identities", "stands in for the real one where the feature is not built"),
    ("Recipient", "stands in for the real one where the feature is not built"),
    ("RelyingParty", "stands in for the real one where the feature is not built"),
];

/// The names of the types among `items`, except those of tests.
fn types(items: &[Item], into: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Struct(item) => into.push(item.ident.to_string()),
            Item::Enum(item) => into.push(item.ident.to_string()),
            Item::Trait(item) => into.push(item.ident.to_string()),
            Item::Union(item) => into.push(item.ident.to_string()),
            Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) if ident != "tests" => types(items, into),
            _ => {}
        }
    }
}

#[test]
fn no_two_types_share_a_name() {
    let mut places = BTreeMap::<String, BTreeSet<String>>::new();
    let ours = sources().iter().filter(|source| {
        let is_ours =
            ["server/src/", "images/src/", "derive/src/"].iter().any(|folder| source.path.starts_with(folder));
        is_ours && source.has_ending(&["rs"]) && !source.path.ends_with("/tests.rs")
    });
    for source in ours {
        let file = syn::parse_file(&source.text).unwrap_or_else(|error| panic!("{}: {error}", source.path));
        let mut found = Vec::new();
        types(&file.items, &mut found);
        for name in found {
            places.entry(name).or_default().insert(source.path.clone());
        }
    }
    assert!(places.len() > 800, "only {} types were found", places.len());
    places.retain(|_, places| places.len() > 1);
    let shared = |name: &str| SHARED.iter().any(|(shared, _)| *shared == name);
    let new: Vec<String> = places
        .iter()
        .filter(|(name, _)| !shared(name))
        .map(|(name, places)| format!("{name}: {}", places.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    assert_none(&new, "Rename all but one of these types, or list the name with its reason:");
    let unused: Vec<String> =
        SHARED.iter().filter(|(name, _)| !places.contains_key(*name)).map(|(name, _)| (*name).to_owned()).collect();
    assert_none(&unused, "These names are no longer shared. Remove them from the list:");
}
