//! The tables whose rows name stored files. `app` lists those of all rooms.

use std::collections::HashSet;

use super::rules::MediaType;
use crate::db::Conn;
use crate::error::Result;
use crate::files::StoredContent;
use crate::ids::OrderId;

/// A stored file that a row names.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The id of its row.
    pub row_id: i64,
    pub order_id: OrderId,
    pub kind: String,
    pub original_name: String,
    pub media_type: MediaType,
    pub stored: StoredContent,
}

/// A table whose rows name stored files.
#[derive(Clone, Copy, Debug)]
pub struct FileOwner {
    /// The file of that key.
    pub find: fn(&mut Conn, &str) -> Result<Option<NamedFile>>,
    /// The keys among at most 500 that a row names.
    pub named_among: fn(&mut Conn, &[String]) -> Result<Vec<String>>,
    /// The next files after a row id, at most as many as the last argument says.
    pub list_after: fn(&mut Conn, i64, i64) -> Result<Vec<NamedFile>>,
    /// The number of its files.
    pub count: fn(&mut Conn) -> Result<i64>,
}

/// All tables whose rows name stored files. No two of them name the same file.
#[derive(Clone, Copy, Debug)]
pub struct FileOwners(pub &'static [FileOwner]);

impl FileOwners {
    /// The stored file of that key.
    pub fn find(self, conn: &mut Conn, key: &str) -> Result<Option<NamedFile>> {
        for owner in self.0 {
            if let Some(named) = (owner.find)(conn, key)? {
                return Ok(Some(named));
            }
        }
        Ok(None)
    }

    /// The keys among at most 500 that a row names.
    pub fn named_among(self, conn: &mut Conn, keys: &[String]) -> Result<HashSet<String>> {
        let mut named = HashSet::new();
        for owner in self.0 {
            named.extend((owner.named_among)(conn, keys)?);
        }
        Ok(named)
    }

    /// The number of files.
    pub fn count(self, conn: &mut Conn) -> Result<i64> {
        self.0.iter().map(|owner| (owner.count)(conn)).sum()
    }
}
