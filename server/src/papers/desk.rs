//! The papers of an order as staff work on them: what its visa type needs, what is there, what was said about it, and what was asked for.

use serde::Serialize;
use utoipa::ToSchema;

use super::rules::{CheckState, faults};
use super::store::{self, Check, Context};
use crate::db::Conn;
use crate::documents::rules::{NeededDocument, desk_documents};
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::facts::OrderFacts;
use crate::paper_requests::rules::{ItemState, Language, PaperFault, PaperState, may_ask};
use crate::paper_requests::states;
use crate::paper_requests::store as requests;
use crate::staff::store::names;
use crate::timestamp::Timestamp;

/// A paper that the visa type of the order needs.
#[derive(Serialize, ToSchema)]
pub struct DeskPaper {
    /// The document of the catalogue, such as `bank_statement`.
    kind: &'static str,
    /// Its name for people.
    label: &'static str,
    /// True if every applicant needs it.
    is_required: bool,
    /// The applicants who need it; null: all.
    when: Option<&'static str>,
    /// The content that it must show; null: nothing in particular.
    note: Option<&'static str>,
    /// The state of the paper, as a member set it for its newest file.
    state: PaperState,
    /// The code of the reason that the member chose; null: none.
    reason: Option<String>,
    /// The member who set the state; null: none.
    set_by: Option<String>,
    /// When.
    #[schema(value_type = Option<String>, format = DateTime)]
    set_at: Option<Timestamp>,
    /// The state that the check suggests; null: none, or a member has set a state.
    suggested: Option<PaperState>,
    /// The code of the reason for it.
    suggested_reason: Option<&'static str>,
    /// The newest file; null: there is none.
    document_id: Option<i64>,
}

/// The open request to the applicant for papers.
#[derive(Serialize, ToSchema)]
pub struct AskedRequest {
    /// The language of the mails.
    language: Language,
    /// The member who asked.
    asked_by: Option<String>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    asked_at: Timestamp,
    /// The number of reminders that were sent.
    reminders: i32,
    /// When the next reminder, or the call, is due; null: nothing more follows.
    #[schema(value_type = Option<String>, format = DateTime)]
    next_at: Option<Timestamp>,
    /// The papers.
    items: Vec<AskedFor>,
}

/// A paper that the applicant was asked for.
#[derive(Serialize, ToSchema)]
struct AskedFor {
    /// The document of the catalogue.
    kind: String,
    /// The reason as the applicant reads it.
    text: String,
    /// The state of the item.
    state: ItemState,
    /// The faults that the check of the sent file found.
    faults: Vec<PaperFault>,
}

/// The papers of an order.
#[derive(Serialize, ToSchema)]
pub struct Desk {
    /// The papers that the visa type needs, those that everybody needs first.
    pub papers: Vec<DeskPaper>,
    /// The open request; null: the applicant is asked for nothing.
    pub request: Option<AskedRequest>,
    /// True if the applicant can be asked for papers now.
    pub may_ask: bool,
    /// The language that the applicant most likely reads.
    pub language: Language,
}

impl Desk {
    pub fn read(conn: &mut Conn, order: &OrderFacts, checks: &[Check], context: Context) -> Result<Self> {
        let order_id = order.order_id;
        let files = documents::list(conn, order_id)?;
        let said = states::list(conn, order_id)?;
        let open = requests::find_open(conn, order_id)?;
        let asked_by = open.iter().map(|(request, _)| request.asked_by);
        let names = names(conn, &said.values().map(|said| said.staff_id).chain(asked_by).collect::<Vec<_>>())?;
        let mut papers = Vec::new();
        for needed in desk_documents(order.visa_type.as_deref()) {
            let newest = files.iter().rev().find(|file| needed.is_of_kind(&file.kind));
            let said =
                said.get(needed.key).filter(|said| newest.is_some_and(|file| file.document_id == said.document_id));
            let suggested = match said {
                None => suggestion(conn, order_id, newest, checks, context)?,
                Some(_) => None,
            };
            let NeededDocument { key, label, required, when, note, .. } = *needed;
            let untouched = if newest.is_some() { PaperState::Received } else { PaperState::Missing };
            papers.push(DeskPaper {
                kind: key,
                label,
                is_required: required,
                when,
                note,
                state: said.map_or(untouched, |said| said.state),
                reason: said.and_then(|said| said.reason.clone()),
                set_by: said.and_then(|said| names.get(&said.staff_id).cloned()),
                set_at: said.map(|said| said.set_at),
                suggested: suggested.map(|(state, _)| state),
                suggested_reason: suggested.map(|(_, reason)| reason),
                document_id: newest.map(|file| file.document_id),
            });
        }
        let request = open.map(|(request, items)| AskedRequest {
            language: request.language,
            asked_by: names.get(&request.asked_by).cloned(),
            asked_at: request.asked_at,
            reminders: request.reminders,
            next_at: request.remind_at,
            items: items
                .into_iter()
                .map(|item| AskedFor { faults: item.faults(), kind: item.kind, text: item.text, state: item.state })
                .collect(),
        });
        Ok(Self {
            papers,
            request,
            may_ask: may_ask(order.process_status, order.had_visa_or_dispute),
            language: Language::of_nationality(order.nationality.as_deref()),
        })
    }
}

/// Returns the state that the check of a file suggests, and the code of the reason.
fn suggestion(
    conn: &mut Conn,
    order_id: OrderId,
    file: Option<&Document>,
    checks: &[Check],
    context: Context,
) -> Result<Option<(PaperState, &'static str)>> {
    let Some(file) = file else { return Ok(None) };
    let Some(check) = checks.iter().find(|check| check.document_id == file.document_id) else { return Ok(None) };
    let fault = match (check.shown_state(), check.reading()) {
        (CheckState::Done, Some(reading)) => {
            let findings = store::findings(conn, order_id, &reading, context)?;
            faults::of_findings(&findings).into_iter().next()
        }
        (CheckState::NotChecked, _) => check.reason.and_then(faults::of_not_checked),
        (CheckState::Done | CheckState::Pending, _) => None,
    };
    Ok(fault.map(PaperFault::suggestion))
}
