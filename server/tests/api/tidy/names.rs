//! One name, one type, and a type is a noun.

use std::collections::{BTreeMap, BTreeSet};

use syn::{Item, ItemMod};

use super::{assert_none, sources};

/// The names that several types share, each with the reason.
const SHARED: [(&str, &str); 3] = [
    ("Identities", "the same interface in a build without the feature"),
    ("Recipient", "the same interface in a build without the feature"),
    ("RelyingParty", "the same interface in a build without the feature"),
];

/// The types whose name looks like a participle, each with the reason.
const PARTICIPLES: [(&str, &str); 9] = [
    ("Allowed", "the contract has this name"),
    ("Done", "the contract has this name"),
    ("Filing", "a noun of this trade"),
    ("Finding", "a noun of this trade"),
    ("Found", "the contract has this name"),
    ("Selected", "the contract has this name"),
    ("Tracked", "the contract has this name"),
    ("Tracking", "a noun of this trade"),
    ("Warning", "a noun"),
];

/// The irregular participles. The regular ones end with `ed`, and those of the present with `ing`.
const IRREGULAR: [&str; 20] = [
    "Begun", "Built", "Done", "Found", "Given", "Got", "Held", "Kept", "Known", "Left", "Lost", "Made", "Met", "Read",
    "Seen", "Sent", "Shown", "Taken", "Told", "Written",
];

/// Returns true if a name is one word that looks like a participle.
fn is_participle(name: &str) -> bool {
    let is_one_word = !name.chars().skip(1).any(char::is_uppercase);
    let is_regular = name.ends_with("ing") || (name.ends_with("ed") && !name.ends_with("eed"));
    is_one_word && (is_regular || IRREGULAR.contains(&name))
}

/// The names of the types among `items`, except those of tests.
fn types(items: &[Item], into: &mut Vec<String>) {
    for item in items {
        match item {
            Item::Struct(item) => into.push(item.ident.to_string()),
            Item::Enum(item) => into.push(item.ident.to_string()),
            Item::Trait(item) => into.push(item.ident.to_string()),
            Item::Union(item) => into.push(item.ident.to_string()),
            // Such as `text_enum!`.
            Item::Macro(item) => {
                let tokens = item.mac.tokens.to_string();
                let words: Vec<&str> = tokens.split_whitespace().collect();
                let defined = words.windows(2).filter(|pair| ["enum", "struct"].contains(&pair[0]));
                into.extend(defined.map(|pair| pair[1].to_owned()).filter(|name| name.starts_with(char::is_uppercase)));
            }
            Item::Mod(ItemMod { ident, content: Some((_, items)), .. }) if ident != "tests" => types(items, into),
            _ => {}
        }
    }
}

/// The files in which each type is defined, without those of tests.
fn places() -> BTreeMap<String, BTreeSet<String>> {
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
    places
}

fn is_listed(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(listed, _)| *listed == name)
}

fn assert_needed(list: &[(&str, &str)], names: &BTreeSet<String>) {
    let unused: Vec<String> =
        list.iter().filter(|(name, _)| !names.contains(*name)).map(|(name, _)| (*name).to_owned()).collect();
    assert_none(&unused, "Remove these names from the list:");
}

#[test]
fn no_two_types_share_a_name() {
    let mut places = places();
    places.retain(|_, places| places.len() > 1);
    let new: Vec<String> = places
        .iter()
        .filter(|(name, _)| !is_listed(&SHARED, name))
        .map(|(name, places)| format!("{name}: {}", places.iter().cloned().collect::<Vec<_>>().join(", ")))
        .collect();
    assert_none(&new, "Rename all but one of these types, or list the name with its reason:");
    assert_needed(&SHARED, &places.into_keys().collect());
}

#[test]
fn a_type_is_a_noun() {
    let names: BTreeSet<String> = places().into_keys().filter(|name| is_participle(name)).collect();
    let new: Vec<String> = names.iter().filter(|name| !is_listed(&PARTICIPLES, name)).cloned().collect();
    assert_none(&new, "Name these types after what they are, or list them with the reason:");
    assert_needed(&PARTICIPLES, &names);
}

#[test]
fn participles_are_told_from_nouns() {
    for name in ["Noted", "Asking", "Kept"] {
        assert!(is_participle(name), "{name}");
    }
    for name in ["NotedLink", "Seed", "Order"] {
        assert!(!is_participle(name), "{name}");
    }
}
