//! The messages between the server and its child.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// A document to typeset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The main template, among `sources`.
    pub main: String,
    /// Templates by their file names.
    pub sources: BTreeMap<String, String>,
    /// JSON text, which templates read as `sys.inputs.facts`.
    pub facts: String,
    /// The date of the document (UTC, to the second).
    pub made_at: Timestamp,
    /// Labels whose pages are returned.
    pub labels: Vec<String>,
}

/// The child's reply. The PDF's bytes follow it.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    Done {
        pages: usize,
        label_pages: BTreeMap<String, usize>,
    },
    NotShown(Vec<String>),
    /// The error in a template, with its place.
    Broken(String),
    /// The program has no typesetter yet.
    NotBuilt,
}
