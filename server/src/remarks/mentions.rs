//! The members whom a remark mentions: `@Budi Santoso`, or `@budi` if one active member has that first name.

use crate::db::Conn;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::orders::remarks::Remark;
use crate::staff::inbox::{self, InboxKind, NewInboxEntry};
use crate::staff::rules::{Member, Staff};
use crate::staff::store;
use crate::text::without_case;
use crate::timestamp::Timestamp;

/// Tells the members whom the remark mentions, but neither its author nor those who are `informed` of it otherwise.
pub fn tell(
    tx: &mut Conn,
    author: &Staff,
    remark: &Remark,
    order_id: OrderId,
    informed: &[StaffId],
    now: Timestamp,
) -> Result<()> {
    if !remark.remark.contains('@') {
        return Ok(());
    }
    let members = store::list(tx)?;
    let mut mentioned = mentioned(&remark.remark, &members);
    mentioned.retain(|staff_id| *staff_id != author.id && !informed.contains(staff_id));
    let entries = mentioned.into_iter().map(|staff_id| NewInboxEntry {
        staff_id,
        order_id,
        kind: InboxKind::Mention,
        by_name: &author.name,
        remark_id: Some(remark.remark_id),
    });
    inbox::add(tx, &entries.collect::<Vec<_>>(), now)
}

/// The members whom `text` mentions, each once.
fn mentioned(text: &str, members: &[Member]) -> Vec<StaffId> {
    let mut found = Vec::new();
    let mut before = None;
    for (at, one) in text.char_indices() {
        // An `@` inside a word is part of an email address.
        if one == '@' && before.is_none_or(|before: char| !before.is_alphanumeric()) {
            found.extend(named(&text[at + 1..], members).filter(|staff_id| !found.contains(staff_id)));
        }
        before = Some(one);
    }
    found
}

/// The member whose name `text` begins with: the longest whole name, or the first name of one member alone.
fn named(text: &str, members: &[Member]) -> Option<StaffId> {
    let words: Vec<String> = words(text).take(8).collect();
    let begins = |name: &[String]| !name.is_empty() && words.starts_with(name);
    let whole = members.iter().map(|member| (member.staff_id, self::words(&member.name).collect::<Vec<_>>()));
    let (whole, first): (Vec<_>, Vec<_>) = whole.partition(|(_, name)| begins(name));
    if let Some((staff_id, _)) = whole.into_iter().max_by_key(|(_, name)| name.len()) {
        return Some(staff_id);
    }
    let mut of_first_name =
        first.into_iter().filter(|(_, name)| name.first().is_some_and(|one| words.first() == Some(one)));
    match (of_first_name.next(), of_first_name.next()) {
        (Some((staff_id, _)), None) => Some(staff_id),
        _ => None,
    }
}

/// The words without case and without the punctuation around them.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let words = text.split_whitespace().map(|word| word.trim_matches(|one: char| !one.is_alphanumeric()));
    words.map(without_case)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::staff::rules::StaffType;

    fn mentioned_in(text: &str) -> Vec<i64> {
        let member = |id: i64, name: &str| Member {
            staff_id: StaffId(id),
            name: name.to_owned(),
            email: String::new(),
            staff_type: StaffType::Team,
            updated_at: Timestamp::EPOCH,
            updated_by: None,
        };
        let members = [
            member(1, "Budi Santoso"),
            member(2, "Ayu"),
            member(3, "Ayu Lestari"),
            member(4, "Made Wirawan"),
            member(5, "Made Putra"),
        ];
        mentioned(text, &members).into_iter().map(|staff_id| staff_id.0).collect()
    }

    #[test]
    fn a_member_is_mentioned_by_the_whole_name_or_by_a_first_name_of_their_own() {
        assert_eq!(mentioned_in("@budi, please call"), [1]);
        assert_eq!(mentioned_in("for @Budi Santoso: and (@AYU LESTARI)"), [1, 3]);
        assert_eq!(mentioned_in("@Ayu please"), [2], "a whole name comes before a first name");
        assert_eq!(mentioned_in("@made"), [0; 0], "two have that first name");
        assert_eq!(mentioned_in("@made putra!\n@made putra"), [5]);
    }

    #[test]
    fn an_address_and_unknown_names_mention_nobody() {
        assert_eq!(mentioned_in("ann@budi.example, @nobody @ @@"), [0; 0]);
        assert_eq!(mentioned_in("Budi Santoso"), [0; 0]);
    }
}
