//! A part of a long history, read from the newest row back.

use crate::error::Result;

/// Which rows of a history to read: at most `max`, all older than the row `id`.
#[derive(Clone, Copy, Debug)]
pub struct Before {
    pub id: i64,
    pub max: i64,
}

impl Before {
    /// The whole history.
    pub const ALL: Self = Self::newest(i64::MAX);

    /// The newest rows.
    pub const fn newest(max: i64) -> Self {
        Self { id: i64::MAX, max }
    }

    /// The rows to ask the database for: one more than are wanted shows whether there are older ones.
    pub const fn limit(self) -> i64 {
        self.max.saturating_add(1)
    }
}

/// The rows of a part of a history.
#[derive(Clone, Debug)]
pub struct HistoryPart<Row> {
    /// The oldest first.
    pub rows: Vec<Row>,
    /// The number of these rows and of all older ones.
    pub total: i64,
}

impl<Row> Default for HistoryPart<Row> {
    fn default() -> Self {
        Self { rows: Vec::new(), total: 0 }
    }
}

impl<Row> HistoryPart<Row> {
    /// A part of at most `max` rows, of which one more was asked for. `newest` has the newest first. Only if that one is there, `count` has to
    /// count the rows and all older ones.
    pub fn of(mut newest: Vec<Row>, max: i64, count: impl FnOnce() -> Result<i64>) -> Result<Self> {
        let max = usize::try_from(max).unwrap_or(usize::MAX);
        let total = if newest.len() > max { count()? } else { newest.len() as i64 };
        newest.truncate(max);
        newest.reverse();
        Ok(Self { rows: newest, total })
    }

    /// The part with other rows in place of these; those that have none are left out, and still counted.
    pub fn filter_map<Other>(self, other: impl FnMut(Row) -> Option<Other>) -> HistoryPart<Other> {
        HistoryPart { rows: self.rows.into_iter().filter_map(other).collect(), total: self.total }
    }

    /// The oldest row, if older ones exist.
    pub fn oldest_of_more(&self) -> Option<&Row> {
        self.rows.first().filter(|_| self.total > self.rows.len() as i64)
    }
}
