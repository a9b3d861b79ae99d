//! Actions of a PDF, which run when somebody opens it or clicks in it, and the files embedded in it. They are judged by the structure of the objects and
//! only where they take effect: words in texts, names of resources and empty lists do nothing (ISO 32000-2, 12.6 and 7.11).

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use crate::documents::inspection::outcome::Refusal;

/// Actions that a click may start: they go to a place in the document, or open an address in the browser.
const CLICKED: [&[u8]; 2] = [b"GoTo", b"URI"];

/// Actions that may start by themselves.
const AUTOMATIC: [&[u8]; 1] = [b"GoTo"];

/// All other actions (ISO 32000-2, table 201), each the value of `S`.
const REFUSED: [&[u8]; 18] = [
    b"GoToR",
    b"GoToE",
    b"GoToDp",
    b"Launch",
    b"Thread",
    b"Sound",
    b"Movie",
    b"Hide",
    b"Named",
    b"SubmitForm",
    b"ResetForm",
    b"ImportData",
    b"SetOCGState",
    b"Rendition",
    b"Trans",
    b"GoTo3DView",
    b"JavaScript",
    b"RichMediaExecute",
];

/// Annotations that play or hold a file.
const ANNOTATIONS: [&[u8]; 6] = [b"FileAttachment", b"RichMedia", b"Screen", b"Movie", b"Sound", b"3D"];

/// The most actions and nodes that one thing may lead to.
const MOST_STEPS: usize = 10_000;

/// Refuses a document that acts by itself, leads out of itself by more than a link, or holds files.
pub fn check(document: &Document) -> Result<(), Refusal> {
    check_dictionary(document, &document.trailer)?;
    if let Ok(catalogue) = document.catalog() {
        check_catalogue(document, catalogue)?;
    }
    document.objects.values().try_for_each(|object| check_object(document, object))
}

/// [`check`] for those objects only that `known` has not.
pub fn check_others(document: &Document, known: &Document) -> Result<(), Refusal> {
    check_dictionary(document, &document.trailer)?;
    if let Ok(catalogue) = document.catalog() {
        check_catalogue(document, catalogue)?;
    }
    let others = document.objects.iter().filter(|(id, object)| known.objects.get(id) != Some(object));
    others.map(|(_, object)| object).try_for_each(|object| check_object(document, object))
}

fn check_object(document: &Document, object: &Object) -> Result<(), Refusal> {
    match object {
        Object::Dictionary(entries) => check_dictionary(document, entries),
        Object::Stream(stream) => check_dictionary(document, &stream.dict),
        Object::Array(items) => items.iter().try_for_each(|item| check_object(document, item)),
        _ => Ok(()),
    }
}

fn check_dictionary(document: &Document, entries: &Dictionary) -> Result<(), Refusal> {
    let name_of = |key: &[u8]| entries.get(key).ok().and_then(|value| name(document, value));
    if name_of(b"Type") == Some(b"Catalog") {
        check_catalogue(document, entries)?;
    }
    if name_of(b"Type") == Some(b"EmbeddedFile") {
        return Err(active(b"EmbeddedFile"));
    }
    // Elements of a text's structure have an `S` with names of the author's choice.
    if let Some(action) = name_of(b"S").filter(|action| REFUSED.contains(action) && !is_structure(document, entries)) {
        return Err(active(action));
    }
    if let Some(kind) = name_of(b"Subtype").filter(|kind| ANNOTATIONS.contains(kind)) {
        return Err(active(kind));
    }
    for (key, value) in entries {
        check_entry(document, key, value)?;
        check_object(document, value)?;
    }
    Ok(())
}

fn check_entry(document: &Document, key: &[u8], value: &Object) -> Result<(), Refusal> {
    let has_effect = match (key, resolved(document, value)) {
        // Of a script. Resources that are called so are dictionaries and streams.
        (b"JS", Some(Object::String(..))) => true,
        (b"A" | b"PA", Some(Object::Dictionary(action))) => return check_action(document, action, &CLICKED),
        (b"AA", Some(Object::Dictionary(events))) => {
            events.iter().any(|(_, action)| acts_by_itself(document, action) != Ok(false))
        }
        (b"EF", Some(Object::Dictionary(files))) => {
            let names = [&b"F"[..], b"UF", b"DOS", b"Mac", b"Unix"];
            names.iter().any(|name| files.has(name))
        }
        // A colour space of that name begins with a name.
        (b"AF", Some(Object::Array(files))) => files.first().is_some_and(|first| first.as_name().is_err()),
        _ => false,
    };
    if has_effect { Err(active(key)) } else { Ok(()) }
}

fn check_catalogue(document: &Document, catalogue: &Dictionary) -> Result<(), Refusal> {
    if let Ok(opening) = catalogue.get(b"OpenAction")
        && opens_elsewhere(document, opening)
    {
        return Err(active(b"OpenAction"));
    }
    let dictionary = |key: &[u8]| {
        catalogue.get(key).ok().and_then(|value| resolved(document, value)).and_then(|value| value.as_dict().ok())
    };
    if let Some(names) = dictionary(b"Names") {
        for key in [&b"JavaScript"[..], b"EmbeddedFiles"] {
            if names.get(key).is_ok_and(|tree| has_entries(document, tree)) {
                return Err(active(key));
            }
        }
    }
    let form = dictionary(b"AcroForm").and_then(|form| form.get(b"XFA").ok());
    match form.and_then(|form| resolved(document, form)) {
        None | Some(Object::Null) => Ok(()),
        Some(Object::Array(parts)) if parts.is_empty() => Ok(()),
        Some(_) => Err(active(b"XFA")),
    }
}

/// Returns true if the value of `OpenAction` does more than to set the page and zoom at which the document opens.
fn opens_elsewhere(document: &Document, value: &Object) -> bool {
    match resolved(document, value) {
        None | Some(Object::Null | Object::Name(_) | Object::String(..)) => false,
        Some(Object::Array(place)) => !is_place(place),
        Some(Object::Dictionary(_)) => acts_by_itself(document, value) != Ok(false),
        Some(_) => true,
    }
}

/// Returns whether an action that starts by itself does more than to go to a place. Going nowhere counts as more.
///
/// # Errors
/// Too many further actions.
fn acts_by_itself(document: &Document, value: &Object) -> Result<bool, Refusal> {
    let Some(Object::Dictionary(action)) = resolved(document, value) else { return Ok(false) };
    // Resources that are called `AA` have dictionaries, too.
    let kind = action.get(b"S").ok().and_then(|kind| name(document, kind));
    let is_known = kind.is_some_and(|kind| REFUSED.contains(&kind) || CLICKED.contains(&kind));
    if !is_known && !action.has(b"Next") {
        return Ok(false);
    }
    let goes = action.get(b"D").ok().and_then(|place| resolved(document, place)).is_some_and(|place| match place {
        Object::Array(place) => is_place(place),
        Object::Name(_) | Object::String(..) => true,
        _ => false,
    });
    match check_action(document, action, &AUTOMATIC) {
        Ok(()) => Ok(!goes),
        Err(Refusal::Active(_)) => Ok(true),
        Err(other) => Err(other),
    }
}

/// A destination: a page, and how to show it.
fn is_place(place: &[Object]) -> bool {
    place.iter().all(|item| {
        matches!(item, Object::Null | Object::Integer(_) | Object::Real(_) | Object::Name(_) | Object::Reference(_))
    })
}

/// Refuses an action, or one that follows it, that is none of `allowed`. A dictionary without a type of action does nothing.
fn check_action(document: &Document, action: &Dictionary, allowed: &[&[u8]]) -> Result<(), Refusal> {
    let mut actions = vec![action];
    let mut seen = HashSet::new();
    for _ in 0..MOST_STEPS {
        let Some(action) = actions.pop() else { return Ok(()) };
        let entry = |key: &[u8]| action.get(key).ok().and_then(|value| resolved(document, value));
        match entry(b"S").map(Object::as_name) {
            None => continue,
            Some(Ok(kind)) if !allowed.contains(&kind) => return Err(active(kind)),
            Some(Ok(_)) => {}
            Some(Err(_)) => return Err(active(b"S")),
        }
        if let Some(Object::String(address, _)) = entry(b"URI")
            && is_script(address)
        {
            return Err(active(b"JavaScript"));
        }
        let next = action.get(b"Next").ok();
        let list = match next.and_then(|next| resolved(document, next)) {
            Some(Object::Array(list)) => list.as_slice(),
            Some(_) => std::slice::from_ref(next.unwrap_or(&Object::Null)),
            None => &[],
        };
        let is_new = |value: &&Object| value.as_reference().map_or(true, |id| seen.insert(id));
        let further = list.iter().filter(is_new).filter_map(|value| resolved(document, value)?.as_dict().ok());
        actions.extend(further);
    }
    Err(Refusal::Inflates)
}

/// An address that browsers run.
fn is_script(address: &[u8]) -> bool {
    let scheme: Vec<u8> = address.iter().filter(|byte| byte.is_ascii_graphic()).take(11).copied().collect();
    scheme.eq_ignore_ascii_case(b"javascript:")
}

/// Returns true if a name tree has an entry, or more nodes than anybody reads.
fn has_entries(document: &Document, tree: &Object) -> bool {
    let mut nodes = vec![tree];
    let mut seen: HashSet<ObjectId> = HashSet::new();
    for _ in 0..MOST_STEPS {
        let Some(node) = nodes.pop() else { return false };
        let Some(Object::Dictionary(entries)) = resolved(document, node) else { continue };
        let list = |key: &[u8]| {
            let value = entries.get(key).ok().and_then(|value| resolved(document, value));
            value.and_then(|value| value.as_array().ok()).map_or(&[][..], Vec::as_slice)
        };
        if !list(b"Names").is_empty() {
            return true;
        }
        nodes.extend(list(b"Kids").iter().filter(|kid| kid.as_reference().map_or(true, |id| seen.insert(id))));
    }
    true
}

/// An element of the structure of a text (ISO 32000-2, 14.7.2): `P` is its parent, and what it holds is `K`.
fn is_structure(document: &Document, entries: &Dictionary) -> bool {
    match entries.get(b"Type").ok().and_then(|value| name(document, value)) {
        Some(name) => name == b"StructElem",
        None => entries.has(b"P") && entries.has(b"K"),
    }
}

fn resolved<'a>(document: &'a Document, value: &'a Object) -> Option<&'a Object> {
    document.dereference(value).ok().map(|(_, value)| value)
}

fn name<'a>(document: &'a Document, value: &'a Object) -> Option<&'a [u8]> {
    resolved(document, value)?.as_name().ok()
}

fn active(name: &[u8]) -> Refusal {
    Refusal::Active(String::from_utf8_lossy(name).into_owned())
}
