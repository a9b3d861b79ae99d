//! The papers that an applicant was asked for, as the order's page shows them.

use serde::Serialize;
use utoipa::ToSchema;

use super::rules::TrackedOrder;
use crate::db::Conn;
use crate::documents::rules::{desk_documents, label_of};
use crate::error::Result;
use crate::paper_requests::rules::{ItemState, Language, PaperFault};
use crate::paper_requests::store;

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

impl AskedPapers {
    /// None: nothing is asked for, or the order no longer waits for it.
    pub fn find(conn: &mut Conn, order: &TrackedOrder) -> Result<Option<Self>> {
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
