//! Names whose letters have several spellings. A name of ten such letters has thousands of spellings, which are never listed: both names
//! are walked along together, as long as they spell the same.

use std::collections::HashSet;

/// The spellings of one letter. One of them may be empty: the letter is left out.
pub type LetterSpellings = Vec<String>;

/// A place up to which two names were walked along together.
#[derive(Clone, PartialEq, Eq, Hash)]
struct JointWalk {
    /// The letters that were spelled, of each.
    spelled: [usize; 2],
    /// The letters that one of them has spelled and the other has not.
    ahead: String,
    /// The name that is ahead.
    leader: usize,
}

/// Returns true if two names have a common spelling.
pub fn have_common(one: &[LetterSpellings], other: &[LetterSpellings]) -> bool {
    walk(one, other, |walk| walk.ahead.is_empty() && walk.spelled == [one.len(), other.len()])
}

/// Returns true if a spelling of `whole` begins with one of `begun`.
pub fn begins_with(whole: &[LetterSpellings], begun: &[LetterSpellings]) -> bool {
    walk(whole, begun, |walk| walk.spelled[1] == begun.len() && (walk.ahead.is_empty() || walk.leader == 0))
}

fn walk(one: &[LetterSpellings], other: &[LetterSpellings], is_end: impl Fn(&JointWalk) -> bool) -> bool {
    let names = [one, other];
    let mut open = vec![JointWalk { spelled: [0, 0], ahead: String::new(), leader: 0 }];
    let mut seen: HashSet<JointWalk> = HashSet::new();
    while let Some(at) = open.pop() {
        if is_end(&at) {
            return true;
        }
        // The name that is behind goes on. Where both are level, either may have letters to leave out.
        let movers: &[usize] = if at.ahead.is_empty() { &[0, 1] } else { &[1 - at.leader] };
        for &mover in movers {
            for spelling in names[mover].get(at.spelled[mover]).into_iter().flatten() {
                let mut next = at.clone();
                next.spelled[mover] += 1;
                if let Some(rest) = at.ahead.strip_prefix(spelling.as_str()) {
                    next.ahead = rest.to_owned();
                } else if let Some(rest) = spelling.strip_prefix(at.ahead.as_str()) {
                    (next.ahead, next.leader) = (rest.to_owned(), mover);
                } else {
                    continue;
                }
                if next.ahead.is_empty() {
                    next.leader = 0;
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(letters: &[&str]) -> Vec<LetterSpellings> {
        letters.iter().map(|choices| choices.split('|').map(str::to_owned).collect()).collect()
    }

    #[test]
    fn names_with_a_common_spelling_are_found_whichever_has_the_choice() {
        let umlaut = name(&["M", "UE|UXX|U", "L"]);
        for read in [&["M", "U", "E", "L"][..], &["M", "U", "L"], &["M", "UE|U", "L"], &["M", "U", "X", "X", "L"]] {
            assert!(have_common(&umlaut, &name(read)) && have_common(&name(read), &umlaut), "{read:?}");
        }
        for read in [&["M", "U", "E"][..], &["M", "A", "L"], &["M", "U", "L", "L"], &[]] {
            assert!(!have_common(&umlaut, &name(read)) && !have_common(&name(read), &umlaut), "{read:?}");
        }
    }

    #[test]
    fn a_letter_may_be_left_out() {
        let apostrophe = name(&["O", "| ", "C"]);
        assert!(have_common(&apostrophe, &name(&["O", "C"])));
        assert!(have_common(&apostrophe, &name(&["O", " ", "C"])));
        assert!(!have_common(&apostrophe, &name(&["O", "-", "C"])));
        assert!(have_common(&name(&["|A"]), &name(&[])));
    }

    #[test]
    fn a_name_begins_with_what_was_cut_off() {
        let whole = name(&["S", "TH|T", "O", "R"]);
        for begun in [&["S"][..], &["S", "T"], &["S", "T", "H"], &["S", "T", "O"], &[], &["S", "T", "O", "R"]] {
            assert!(begins_with(&whole, &name(begun)), "{begun:?}");
        }
        assert!(!begins_with(&whole, &name(&["S", "T", "R"])));
        assert!(!begins_with(&whole, &name(&["S", "T", "O", "R", "E"])));
    }

    /// A name of forty letters with four spellings each has 10^24 spellings.
    #[test]
    fn many_spellings_take_no_time() {
        let many: Vec<LetterSpellings> = (0..40).map(|_| name(&["AE|A|AA|E"])).map(|mut one| one.remove(0)).collect();
        assert!(!have_common(&many, &name(&["B"])));
        assert!(have_common(&many, &many));
    }
}
