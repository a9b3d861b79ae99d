//! Combines many faults in one build, so that the server is compiled once and not once for each fault. The body of a function is preceded by a
//! copy with the fault, which runs instead if an environment variable names the fault.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::PathBuf;

use anyhow::{Result, ensure};

use super::catalogue::Program;
use super::tree::Tree;

/// The environment variable that names the fault to switch on.
pub const SWITCH: &str = "VISADESK_FAULT";

const LOG: &str = "combined";

/// The changed files of a fault, with their new content.
pub type Changes = BTreeMap<PathBuf, String>;

/// Writes the faults that can be combined into the tree, compiles it, and returns their names. A fault cannot be combined if it changes more
/// than the bodies of functions, or if its copy does not compile.
///
/// # Errors
/// If the build fails for another reason than a fault.
pub fn build(tree: &Tree<'_>, faults: &BTreeMap<String, Changes>) -> Result<BTreeSet<String>> {
    let mut copies = Vec::new();
    let mut originals = BTreeMap::new();
    for (fault, changes) in faults {
        let mut of_fault = Vec::new();
        for (path, changed) in changes {
            let original = match originals.get(path) {
                Some(original) => original,
                None => originals.entry(path.clone()).or_insert(fs::read_to_string(tree.root.join(path))?),
            };
            of_fault.extend(copy_of(original, changed).map(|(place, body)| Copy {
                fault: fault.clone(),
                path: path.clone(),
                place,
                body,
            }));
        }
        if of_fault.len() == changes.len() {
            copies.extend(of_fault);
        }
    }
    loop {
        let mut lines = Vec::new();
        for (path, original) in &originals {
            let of_file: Vec<&Copy> = copies.iter().filter(|copy| copy.path == *path).collect();
            let (text, ranges) = with_copies(original, &of_file);
            tree.write([(path.as_path(), text.as_str())])?;
            lines.extend(of_file.into_iter().map(|copy| copy.fault.clone()).zip(ranges).map(|of| (path.clone(), of)));
        }
        if tree.compiles(Program::Unit, LOG)? && tree.compiles(Program::Api, LOG)? {
            return Ok(copies.into_iter().map(|copy| copy.fault).collect());
        }
        let errors = errors_of(&fs::read_to_string(tree.log(LOG))?);
        let is_culprit = |(path, (_, range)): &&(PathBuf, (String, Range<usize>))| {
            errors.iter().any(|(at, line)| at == path && range.contains(line))
        };
        let culprits: BTreeSet<&String> = lines.iter().filter(is_culprit).map(|(_, (fault, _))| fault).collect();
        ensure!(!culprits.is_empty(), "the faults do not compile together; see {}", tree.log(LOG).display());
        println!("{} faults do not compile beside the others", culprits.len());
        copies.retain(|copy| !culprits.contains(&copy.fault));
    }
}

/// A body with a fault.
struct Copy {
    fault: String,
    path: PathBuf,
    /// The byte offset of the original body, after its opening brace.
    place: usize,
    body: String,
}

/// Inserts the copies into a file. Returns its text and the lines of each copy, counted from one.
fn with_copies(original: &str, copies: &[&Copy]) -> (String, Vec<Range<usize>>) {
    let mut order: Vec<usize> = (0..copies.len()).collect();
    order.sort_by_key(|index| copies[*index].place);
    let (mut text, mut done) = (String::new(), 0);
    let mut ranges = vec![0..0; copies.len()];
    for index in order {
        let Copy { fault, place, body, .. } = copies[index];
        text += &original[done..*place];
        done = *place;
        let first = text.lines().count() + 1;
        text += &format!(
            "if std::env::var_os({SWITCH:?}).is_some_and(|fault| fault == {fault:?}) {{\nreturn {{\n{body}}};\n}}\n"
        );
        ranges[index] = first..text.lines().count() + 1;
    }
    (text + &original[done..], ranges)
}

/// The byte offset of the function body that contains a change, and the changed body. None if no single body contains the change.
fn copy_of(original: &str, changed: &str) -> Option<(usize, String)> {
    let same = |(one, other): &(char, char)| one == other;
    let start: usize = original.chars().zip(changed.chars()).take_while(same).map(|(it, _)| it.len_utf8()).sum();
    let (rest, other) = (&original[start..], &changed[start..]);
    let behind: usize = rest.chars().rev().zip(other.chars().rev()).take_while(same).map(|(it, _)| it.len_utf8()).sum();
    let (end, replacement) = (original.len() - behind, &other[..other.len() - behind]);
    let body = bodies(original).into_iter().rfind(|body| body.start <= start && end <= body.end)?;
    Some((body.start, format!("{}{replacement}{}", &original[body.start..start], &original[end..body.end])))
}

/// The bodies of all functions, without their braces. Relies on rustfmt: the closing brace has the indentation of the function. Constant functions
/// are left out, because they cannot read the environment.
fn bodies(text: &str) -> Vec<Range<usize>> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line.trim_end()));
        at += line.len();
    }
    let mut bodies = Vec::new();
    for (index, (_, line)) in lines.iter().enumerate() {
        let indent = line.len() - line.trim_start().len();
        let (head, is_function) = match line.split_once("fn ") {
            Some((head, _)) => (head.trim(), true),
            None => ("", false),
        };
        let is_head = head.split_whitespace().all(|word| word.starts_with("pub") || ["async", "in"].contains(&word));
        if !is_function || !is_head {
            continue;
        }
        let is_level = |line: &str| line.len() - line.trim_start().len() == indent && !line.is_empty();
        let mut level = lines[index..].iter().enumerate().filter(|(_, (_, line))| is_level(line));
        let Some((open, _)) = level.by_ref().find(|(_, (_, line))| line.ends_with(['{', ';', '}'])) else { continue };
        if !lines[index + open].1.ends_with('{') {
            continue;
        }
        let Some((close, _)) = level.find(|(_, (_, line))| line.trim_start().starts_with('}')) else { continue };
        bodies.push(lines[index + open + 1].0..lines[index + close].0);
    }
    bodies
}

/// The places of the errors in cargo's short messages, such as `server/src/a.rs:7:9: error[E0308]: mismatched types`.
fn errors_of(log: &str) -> BTreeSet<(PathBuf, usize)> {
    let place = |line: &str| {
        let (place, _) = line.split_once(": error")?;
        let mut parts = place.rsplitn(3, ':');
        let (_column, line, path) = (parts.next()?, parts.next()?.parse().ok()?, parts.next()?);
        Some((PathBuf::from(path), line))
    };
    log.lines().filter_map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
const MOST: u32 = 5;

impl Limit {
    pub(crate) async fn check<T>(
        &self,
        count: u32,
    ) -> Result<()>
    where
        T: Copy,
    {
        if count > MOST {
            return Err(());
        }
        Ok(())
    }

    const fn most() -> u32 {
        5
    }
}

fn nothing() {}
";

    #[test]
    fn a_change_in_a_body_becomes_a_copy_of_the_body() {
        let changed = TEXT.replace("count > MOST", "count >= MOST");
        let (place, body) = copy_of(TEXT, &changed).expect("a function");
        assert_eq!(body, "        if count >= MOST {\n            return Err(());\n        }\n        Ok(())\n");
        let copy = Copy { fault: "off-by-one".to_owned(), path: PathBuf::from("a.rs"), place, body };
        let (text, ranges) = with_copies(TEXT, &[&copy]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((ranges.len(), &ranges[0]), (1, &(11..19)));
        assert_eq!(lines[10], r#"if std::env::var_os("VISADESK_FAULT").is_some_and(|fault| fault == "off-by-one") {"#);
        assert_eq!((lines[17], lines[18]), ("}", "        if count > MOST {"));
    }

    #[test]
    fn what_is_not_in_the_body_of_one_function_is_left_out() {
        let is_left_out = |from: &str, to: &str| copy_of(TEXT, &TEXT.replace(from, to)).is_none();
        assert!(is_left_out("u32 = 5", "u32 = 6"), "a constant");
        assert!(is_left_out("count: u32,", "count: u64,"), "a signature");
        assert!(is_left_out("        5\n", "        6\n"), "a constant function");
        assert!(is_left_out("Ok(())\n    }", "Err(())\n    } //"), "more than a body");
    }

    #[test]
    fn the_places_of_errors_are_read() {
        let log = "server/src/a.rs:7:9: error[E0308]: mismatched types\nserver/src/b.rs:8:1: warning: unused\nerror: could not compile";
        assert_eq!(errors_of(log), BTreeSet::from([(PathBuf::from("server/src/a.rs"), 7)]));
    }
}
