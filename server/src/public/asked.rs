//! The documents that the page of an order takes: those that its applicant was asked for, and those that are missing.

use std::collections::HashSet;

use serde::Serialize;
use utoipa::ToSchema;

use super::rules::{TrackedFacts, taken_unasked};
use crate::db::Conn;
use crate::documents::rules::{desk_documents, label_of};
use crate::error::Result;
use crate::paper_requests::rules::{ItemState, Language, PaperFault};
use crate::paper_requests::store;
use crate::paper_requests::unasked::{self, UnaskedDocument};

/// The papers that the applicant was asked for.
#[derive(Serialize, ToSchema)]
pub struct AskedPapers {
    /// The language of the reasons.
    language: Language,
    /// The papers.
    items: Vec<AskedItem>,
}

/// A paper that the applicant was asked for.
#[derive(Serialize, ToSchema)]
pub struct AskedItem {
    /// The document of the catalogue, such as `bank_statement`.
    kind: String,
    /// Its name in English.
    label: String,
    /// Why it is asked for.
    reason: String,
    /// The state of the paper.
    state: ItemState,
    /// The faults that the check found in the file that was sent last. The applicant sends another one, or the same all the same.
    faults: Vec<PaperFault>,
}

/// A document that the applicant may send without being asked, because it was missing.
#[derive(Serialize, ToSchema)]
pub struct MissingPaper {
    /// The document of the catalogue, such as `bank_statement`.
    kind: &'static str,
    /// Its name in English.
    label: &'static str,
    /// Its state; `asked`: nothing was sent yet.
    state: ItemState,
    /// The faults that the check found in the file that was sent last.
    faults: Vec<PaperFault>,
}

impl MissingPaper {
    /// Lists the documents that are missing, or were sent for that reason. `given`: the kinds of the files of the order.
    pub fn list(
        conn: &mut Conn,
        order: &TrackedFacts,
        given: &HashSet<String>,
        asked: Option<&AskedPapers>,
    ) -> Result<Vec<Self>> {
        let sent = unasked::list(conn, order.order_id)?;
        let is_asked = |key: &str| asked.is_some_and(|asked| asked.items.iter().any(|item| item.kind == key));
        let papers = taken_unasked(order).filter(|document| !is_asked(document.key)).filter_map(|document| {
            let sent = sent.iter().find(|sent| sent.kind == document.key);
            (sent.is_some() || document.is_missing(given)).then(|| Self {
                kind: document.key,
                label: document.label,
                state: sent.map_or(ItemState::Asked, |sent| sent.state),
                faults: sent.map(UnaskedDocument::faults).unwrap_or_default(),
            })
        });
        Ok(papers.collect())
    }
}

impl AskedPapers {
    /// None: nothing is asked for, or the order no longer waits for it.
    pub fn find(conn: &mut Conn, order: &TrackedFacts) -> Result<Option<Self>> {
        if !order.process_status.waits_for_applicant() {
            return Ok(None);
        }
        let Some((request, mut items)) = store::find_open(conn, order.order_id)? else { return Ok(None) };
        // As staff see them.
        let needed = desk_documents(order.visa_type.as_deref());
        items.sort_by_key(|item| needed.iter().position(|one| one.key == item.kind));
        Ok(Some(Self {
            language: request.language,
            items: items
                .into_iter()
                .map(|item| AskedItem {
                    faults: item.faults(),
                    label: label_of(&item.kind),
                    kind: item.kind,
                    reason: item.text,
                    state: item.state,
                })
                .collect(),
        }))
    }
}
