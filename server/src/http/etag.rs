//! Decides by its entity tag whether a client already has a response. Written by hand, because the crate `headers` brings a second SHA-1.

use axum::http::{HeaderMap, header};

/// Returns true if `If-None-Match` names `tag`, compared weakly (RFC 9110, 13.1.2).
pub fn is_known(headers: &HeaderMap, tag: &str) -> bool {
    let lists = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    // Our tags are hexadecimal, so a comma is always between two.
    let mut tags = lists.flat_map(|list| list.split(',')).map(str::trim);
    tags.any(|one| one == "*" || opaque(one) == opaque(tag))
}

fn opaque(tag: &str) -> &str {
    tag.strip_prefix("W/").unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_known_by_name_in_a_list_weak_or_strong_and_by_a_star() {
        let known = |lists: &[&str], tag| {
            let lists = lists.iter().map(|list| (header::IF_NONE_MATCH, list.parse().expect("a header")));
            is_known(&lists.collect(), tag)
        };
        for lists in [&[r#""a""#][..], &[r#"W/"a""#], &[r#""b", "a""#], &[r#""b""#, r#""a""#], &["*"]] {
            assert!(known(lists, r#""a""#), "{lists:?}");
            assert!(known(lists, r#"W/"a""#), "{lists:?}");
        }
        for lists in [&[][..], &[r#""b""#], &["a"], &[r#""ab""#], &["W/*"]] {
            assert!(!known(lists, r#""a""#), "{lists:?}");
        }
    }
}
