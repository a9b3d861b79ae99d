//! A part of a long history, read from the newest row back.

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
    /// A part whose rows were read with the total beside each of them, the newest first.
    pub fn of(newest: Vec<(Row, Option<i64>)>) -> Self {
        let total = newest.first().and_then(|(_, total)| *total).unwrap_or_default();
        Self { rows: newest.into_iter().rev().map(|(row, _)| row).collect(), total }
    }

    /// The oldest row, if older ones exist.
    pub fn oldest_of_more(&self) -> Option<&Row> {
        self.rows.first().filter(|_| self.total > self.rows.len() as i64)
    }
}
