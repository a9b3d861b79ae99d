//! The checks of papers, and what applicants are asked to send.

use serde::{Deserialize, Serialize};

/// Checks of papers, which run by themselves.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checks {
    /// True if papers are checked when they arrive.
    pub enabled: bool,
    /// The program of Tesseract, which reads pictures of passports. Empty: `/usr/bin/tesseract`. Where there is none, only the text of PDFs
    /// is read.
    pub tesseract: String,
}

/// The requests to applicants for papers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PaperSettings {
    /// Days after the asking on which an applicant who has not sent everything is reminded, ascending. Then telecallers call. Empty: no
    /// reminder.
    pub reminder_days: Vec<u32>,
}
