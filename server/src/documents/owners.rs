//! The rooms whose rows name stored files: this one, and those that the program adds to it.

use std::collections::HashSet;

use super::rules::MediaType;
use crate::db::Conn;
use crate::error::Result;
use crate::files::Stored;

/// A stored file, and what it is.
#[derive(Clone, Debug)]
pub struct Named {
    /// The id of its row.
    pub row_id: i64,
    pub order_id: i64,
    pub kind: String,
    pub original_name: String,
    pub media_type: MediaType,
    pub stored: Stored,
}

/// A table whose rows name stored files.
#[derive(Clone, Copy, Debug)]
pub struct FileOwner {
    /// The file of that key.
    pub find: fn(&mut Conn, &str) -> Result<Option<Named>>,
    /// Those of at most 500 keys that a row names.
    pub named_among: fn(&mut Conn, &[String]) -> Result<Vec<String>>,
    /// At most so many files whose rows come after that id.
    pub list_after: fn(&mut Conn, i64, i64) -> Result<Vec<Named>>,
    /// How many files its rows name.
    pub count: fn(&mut Conn) -> Result<i64>,
}

/// All tables whose rows name stored files. No two of them name the same one.
#[derive(Clone, Copy, Debug)]
pub struct FileOwners(pub &'static [FileOwner]);

impl FileOwners {
    /// The stored file of that key.
    pub fn find(self, conn: &mut Conn, key: &str) -> Result<Option<Named>> {
        for owner in self.0 {
            if let Some(named) = (owner.find)(conn, key)? {
                return Ok(Some(named));
            }
        }
        Ok(None)
    }

    /// Those of at most 500 keys that a row names.
    pub fn named_among(self, conn: &mut Conn, keys: &[String]) -> Result<HashSet<String>> {
        let mut named = HashSet::new();
        for owner in self.0 {
            named.extend((owner.named_among)(conn, keys)?);
        }
        Ok(named)
    }

    /// How many files there are.
    pub fn count(self, conn: &mut Conn) -> Result<i64> {
        self.0.iter().map(|owner| (owner.count)(conn)).sum()
    }
}
