//! Why a paper is not fine, in the applicants' languages. The built-in reasons are `reasons.json`; Admins add to them and change them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use diesel::prelude::*;
use serde::Deserialize;

use super::errors::PaperRequestError;
use super::rules::{Language, PaperState};
use crate::characters::is_unseen;
use crate::db::Conn;
use crate::db::schema::paper_reasons;
use crate::error::{Error, Result};
use crate::on_either;
use crate::timestamp::Timestamp;

/// The most characters of a reason in one language.
const MAX_TEXT_LEN: usize = 300;

/// The texts of a reason by language. English is always there.
pub type Texts = BTreeMap<String, String>;

/// Why a paper is not fine.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PaperReason {
    pub code: String,
    pub state: PaperState,
    /// The documents of the catalogue that it fits; empty: all.
    pub kinds: Vec<String>,
    pub texts: Texts,
}

impl PaperReason {
    /// Returns true if it fits a paper of that kind.
    pub fn fits(&self, kind: &str) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|one| one == kind)
    }

    /// The text in that language, else in English.
    pub fn text(&self, language: Language) -> &str {
        let text = self.texts.get(language.as_str()).or_else(|| self.texts.get(Language::English.as_str()));
        text.map_or("", String::as_str)
    }
}

/// The built-in reasons.
#[expect(clippy::expect_used, reason = "the file is built in, and a test reads it")]
static BUILT_IN: LazyLock<Vec<PaperReason>> =
    LazyLock::new(|| serde_json::from_str(include_str!("reasons.json")).expect("reasons.json"));

/// A reason, and where it comes from.
#[derive(Clone, Debug)]
pub struct ListedReason {
    pub reason: PaperReason,
    pub is_built_in: bool,
    /// True if the agency changed it or added it.
    pub is_own: bool,
    pub archived_at: Option<Timestamp>,
}

/// All reasons: the built-in ones in their order, with the changes of the agency, and then its own.
pub fn list(conn: &mut Conn) -> Result<Vec<ListedReason>> {
    type Row = (String, PaperState, String, String, Option<Timestamp>);
    let rows = paper_reasons::table.order(paper_reasons::code).select((
        paper_reasons::code,
        paper_reasons::state,
        paper_reasons::kinds,
        paper_reasons::texts,
        paper_reasons::archived_at,
    ));
    let rows: Vec<Row> = on_either!(conn => rows.load(conn)?);
    let built_in = BUILT_IN.iter().map(|reason| ListedReason {
        reason: reason.clone(),
        is_built_in: true,
        is_own: false,
        archived_at: None,
    });
    let mut listed: Vec<ListedReason> = built_in.collect();
    for (code, state, kinds, texts, archived_at) in rows {
        let texts = serde_json::from_str(&texts).map_err(Error::internal)?;
        let kinds = kinds.split(',').filter(|kind| !kind.is_empty()).map(str::to_owned).collect();
        let is_built_in = BUILT_IN.iter().any(|reason| reason.code == code);
        let own =
            ListedReason { reason: PaperReason { code, state, kinds, texts }, is_built_in, is_own: true, archived_at };
        match listed.iter_mut().find(|known| known.reason.code == own.reason.code) {
            Some(known) => *known = own,
            None => listed.push(own),
        }
    }
    Ok(listed)
}

/// The reason of that code that is offered for papers of that kind.
///
/// # Errors
/// [`PaperRequestError::UnknownPaperReason`]
pub fn find(conn: &mut Conn, code: &str, kind: &str) -> Result<PaperReason> {
    let offered = list(conn)?.into_iter().filter(|listed| listed.archived_at.is_none());
    let found = offered.map(|listed| listed.reason).find(|reason| reason.code == code && reason.fits(kind));
    found.ok_or_else(|| PaperRequestError::UnknownPaperReason.into())
}

/// Checks the texts that an Admin wrote, and returns them without those that are empty.
///
/// # Errors
/// [`PaperRequestError`]
pub fn check_texts(texts: Texts) -> Result<Texts, PaperRequestError> {
    let unknown: Vec<&str> = texts.keys().map(String::as_str).filter(|code| Language::parse(code).is_none()).collect();
    if !unknown.is_empty() {
        return Err(PaperRequestError::UnknownReasonLanguage(unknown.join(", ")));
    }
    let trimmed = texts.into_iter().map(|(language, text)| (language, text.trim().to_owned()));
    let texts: Texts = trimmed.filter(|(_, text)| !text.is_empty()).collect();
    let is_bad = |text: &String| text.chars().count() > MAX_TEXT_LEN || text.chars().any(is_unseen);
    if !texts.contains_key(Language::English.as_str()) || texts.values().any(is_bad) {
        return Err(PaperRequestError::PaperReasonText { max: MAX_TEXT_LEN });
    }
    Ok(texts)
}

/// Stores a reason of the agency, or its change of a built-in one.
pub fn save(tx: &mut Conn, reason: &PaperReason, archived_at: Option<Timestamp>) -> Result<()> {
    let texts = serde_json::to_string(&reason.texts).map_err(Error::internal)?;
    let columns = (
        paper_reasons::state.eq(reason.state),
        paper_reasons::kinds.eq(reason.kinds.join(",")),
        paper_reasons::texts.eq(texts),
        paper_reasons::archived_at.eq(archived_at),
    );
    if diesel::update(paper_reasons::table.find(&reason.code)).set(columns.clone()).execute(tx)? == 0 {
        let row = (paper_reasons::code.eq(&reason.code), columns);
        diesel::insert_into(paper_reasons::table).values(row).execute(tx)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_requests::rules::PaperFault;
    use crate::visas::catalogue;

    #[test]
    fn every_built_in_reason_is_written_in_every_language_and_fits_papers_that_exist() {
        assert!(!BUILT_IN.is_empty());
        for reason in BUILT_IN.iter() {
            assert!(reason.state.is_to_be_asked_for(), "{}", reason.code);
            assert_eq!(check_texts(reason.texts.clone()).as_ref(), Ok(&reason.texts), "{}", reason.code);
            for language in Language::ALL {
                assert!(reason.texts.contains_key(language.as_str()), "{} in {language}", reason.code);
            }
            for kind in &reason.kinds {
                assert!(catalogue::document(kind).is_some(), "{kind} of {}", reason.code);
            }
        }
    }

    #[test]
    fn what_a_check_suggests_is_a_built_in_reason() {
        for fault in PaperFault::ALL {
            let (state, code) = fault.suggestion();
            assert!(BUILT_IN.iter().any(|reason| reason.code == code && reason.state == state), "{fault}");
        }
    }

    #[test]
    fn a_reason_needs_an_english_text_of_known_languages() {
        let texts = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(check_texts(texts(&[("en", " Torn. "), ("de", " ")])), Ok(texts(&[("en", "Torn.")])));
        let unreadable = Err(PaperRequestError::PaperReasonText { max: MAX_TEXT_LEN });
        for bad in [texts(&[("de", "Zerrissen.")]), texts(&[("en", &"a".repeat(301))]), texts(&[("en", "a\u{202e}b")])]
        {
            assert_eq!(check_texts(bad), unreadable);
        }
        let unknown = check_texts(texts(&[("en", "Torn."), ("tlh", "…")]));
        assert_eq!(unknown, Err(PaperRequestError::UnknownReasonLanguage("tlh".into())));
    }
}
