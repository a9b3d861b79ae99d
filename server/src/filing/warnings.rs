//! The open points before an application is filed. None of them stops a filing.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use crate::db::Conn;
use crate::documents::rules::{NeededDocument, desk_documents};
use crate::documents::store::Document;
use crate::error::Result;
use crate::ids::OrderId;
use crate::orders::facts::{Application, OrderFacts};
use crate::orders::kept::{self, StoredValue};
use crate::paper_requests::rules::{ItemState, PaperState};
use crate::paper_requests::states;
use crate::paper_requests::store as requests;
use crate::papers::rules::{FieldFinding, Finding, Paper};
use crate::papers::store::{self as papers, Context, Look};
use crate::text_enum;
use crate::visas::catalogue;
use crate::visas::rules::{Trip, warnings};

/// Something that is still open.
#[derive(Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FilingWarning {
    /// A text for people.
    text: String,
    /// Where it is dealt with.
    place: WarningPlace,
}

text_enum! {
    /// Where a warning is dealt with.
    pub enum WarningPlace {
        /// Among the values of the trip.
        Trip = "trip",
        /// Among the findings of the checks.
        Checks = "checks",
        /// In the view of the papers.
        Papers = "papers",
    }
}

/// A check that is done: its findings, and the looks at them.
pub struct CheckedPaper {
    pub paper: Paper,
    pub findings: Vec<FieldFinding>,
    pub looks: Vec<Look>,
}

impl CheckedPaper {
    /// The checks of an order that are done.
    pub fn list(conn: &mut Conn, order_id: OrderId, context: Context) -> Result<Vec<Self>> {
        let mut checked = Vec::new();
        for check in papers::list(conn, order_id)? {
            if let Some(reading) = check.reading() {
                let findings = papers::findings(conn, order_id, &reading, context)?;
                checked.push(Self { paper: check.paper, findings, looks: papers::looks(conn, check.document_id)? });
            }
        }
        Ok(checked)
    }
}

/// Lists the open points of the trip, of the findings of the checks, and of the papers.
pub fn list_open(
    conn: &mut Conn,
    order: &OrderFacts,
    application: &Application,
    documents: &[Document],
    checked: &[CheckedPaper],
    today: NaiveDate,
) -> Result<Vec<FilingWarning>> {
    let trip = Trip { arrival_date: application.arrival_date, stay_days: application.stay_day };
    let visa = order.visa_type.as_deref().and_then(catalogue::issued_for);
    let of_trip = visa.map(|visa| warnings(visa, trip, today)).unwrap_or_default();
    let of_trip = of_trip.into_iter().map(|warning| FilingWarning { text: warning.text, place: WarningPlace::Trip });
    let unclear = kept::list(conn, order.order_id)?.into_iter().filter(StoredValue::is_unclear);
    let unclear = unclear.map(|kept| FilingWarning { text: describe_kept(&kept), place: WarningPlace::Trip });
    let of_checks = checked.iter().flat_map(|checked| {
        papers::open(&checked.findings, &checked.looks).map(|finding| FilingWarning {
            text: describe_finding(checked.paper, finding),
            place: WarningPlace::Checks,
        })
    });
    let of_papers = list_open_papers(conn, order, documents)?.into_iter();
    let of_papers = of_papers.map(|text| FilingWarning { text, place: WarningPlace::Papers });
    Ok(of_trip.chain(unclear).chain(of_checks).chain(of_papers).collect())
}

/// Lists the open points of the papers, once for each paper: the applicant still owes it, a member gave it a state, or it is missing.
fn list_open_papers(conn: &mut Conn, order: &OrderFacts, documents: &[Document]) -> Result<Vec<String>> {
    let said = states::list(conn, order.order_id)?;
    // An order that staff have moved on waits for nothing any more.
    let open = requests::find_open(conn, order.order_id)?.filter(|_| order.process_status.waits_for_applicant());
    let asked = open.map(|(_, items)| items).unwrap_or_default();
    let asked =
        |key: &str| asked.iter().find(|item| item.kind == key && item.state != ItemState::In).map(|item| item.state);
    let of_paper = |needed: &NeededDocument| {
        let newest = documents.iter().rev().find(|file| needed.is_of_kind(&file.kind));
        let said = newest.and_then(|file| said.get(needed.key).filter(|said| said.document_id == file.document_id));
        let state = match (newest, said) {
            (None, _) => PaperState::Missing,
            (Some(_), Some(said)) => said.state,
            (Some(_), None) => PaperState::Received,
        };
        describe_paper(needed, state, asked(needed.key))
    };
    Ok(desk_documents(order.visa_type.as_deref()).iter().filter_map(of_paper).collect())
}

/// Describes the open point of a paper. `asked`: the state of the request for it, if its applicant still owes it.
fn describe_paper(paper: &NeededDocument, state: PaperState, asked: Option<ItemState>) -> Option<String> {
    let label = paper.label;
    match (asked, state) {
        (Some(ItemState::Asked), PaperState::Missing) => {
            Some(format!("{label} is missing. The applicant has been asked for it."))
        }
        (Some(ItemState::Asked), PaperState::Received | PaperState::Fine) => {
            Some(format!("{label}: the applicant has been asked for another one."))
        }
        (Some(ItemState::Asked), _) => {
            Some(format!("{label} is {state}. The applicant has been asked for another one."))
        }
        (Some(ItemState::Checking), _) => Some(format!("{label}: a new file is being checked.")),
        (Some(ItemState::Look), _) => {
            Some(format!("{label}: the new file has faults. The applicant may send another one."))
        }
        (Some(ItemState::In) | None, PaperState::Missing) => paper.required.then(|| format!("{label} is missing.")),
        (Some(ItemState::In) | None, PaperState::Unreadable | PaperState::Wrong | PaperState::Expired) => {
            Some(format!("{label} is {state}."))
        }
        (Some(ItemState::In) | None, PaperState::Received | PaperState::Fine) => None,
    }
}

/// A field that is not understood, as a sentence.
fn describe_kept(kept: &StoredValue) -> String {
    let field = kept.field.replace(['_', '.'], " ");
    format!("The {field} was sent as “{}”, which is not understood.", kept.value)
}

/// A finding as a sentence.
fn describe_finding(paper: Paper, finding: &FieldFinding) -> String {
    let what = match paper {
        Paper::Passport => "Passport",
        Paper::Photograph => "Photograph",
    };
    let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
    let (typed, read) = (value(&finding.typed), value(&finding.read));
    let label = finding.field.label().to_lowercase();
    match (&finding.note, finding.finding(), paper) {
        (Some(note), _, _) => format!("{what}, {label}: {note}. Not reviewed yet."),
        (None, Finding::Differs, Paper::Passport) if finding.field.is_typed() => {
            format!("{what}, {label}: typed {typed}, the passport says {read}.")
        }
        (None, Finding::Differs, _) => format!("{what}, {label}: {read}. Wanted: {typed}."),
        (None, _, _) => format!("{what}, {label}: {read}. Not reviewed yet."),
    }
}
