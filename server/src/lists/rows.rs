//! The rows of a list on the wire, with what is wrong with each order: documents that are missing, a mail that did not arrive, a
//! chargeback to respond to.

use std::collections::HashMap;

use chrono::NaiveDate;
use compact_str::CompactString;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::calendar::month_name;
use crate::chargebacks::store::{self as chargebacks, DisputeRecord};
use crate::chargebacks::wire::ChargebackDue;
use crate::config::ChargebackSettings as Terms;
use crate::db::Conn;
use crate::deliveries::rules::VisaProblem;
use crate::documents::rules::{NeededDocument, awaits_documents, needed_documents};
use crate::error::Result;
use crate::http::answer::LongJson;
use crate::ids::OrderId;
use crate::mail::rules::MailState;
use crate::orders::remarks::{self, NewestRemark};
use crate::orders::rules::allowed::AllowedInList;
use crate::orders::rules::{Folder, ProcessingMode};
use crate::orders::search::FoundIn;
use crate::orders::status::ProcessStatus;
use crate::orders::store::{ListedOrder, OrderRow};
use crate::papers::rules::PaperProblem;
use crate::timestamp::Timestamp;

/// The most characters of a comment in a row, which has one line for it.
const MAX_COMMENT_LEN: usize = 200;

/// An order in a list (spec §3, list form). Dates are YYYY-MM-DD, instants ISO 8601 UTC.
#[derive(Serialize, ToSchema)]
pub struct OrderSummary {
    /// The order's id.
    pub order_id: OrderId,
    /// The printed form, `VD-100001`.
    pub order_number: String,
    /// The order's status.
    pub process_status: ProcessStatus,
    /// Regular or priority processing.
    pub processing_mode: ProcessingMode,
    /// The applicant's full name.
    #[schema(value_type = String)]
    pub full_name: CompactString,
    /// The applicant's email address.
    #[schema(value_type = String)]
    pub contact_email_address: CompactString,
    /// Digits of the country's prefix, without the plus sign.
    #[schema(value_type = Option<String>)]
    pub country_code: Option<CompactString>,
    /// Null in Contact Customer.
    #[schema(value_type = Option<String>)]
    pub phone_number: Option<CompactString>,
    /// The nationality, as a country's name; null: not given.
    #[schema(value_type = Option<String>)]
    pub nationality: Option<CompactString>,
    /// When the order was received.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the order was last changed.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
    /// When the order was marked as refunded; null: it was not.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub refund_date: Option<Timestamp>,
    /// The day on which to process the order; null: at once.
    #[schema(value_type = Option<String>, format = Date)]
    pub processing_date: Option<NaiveDate>,
    /// `January` … `December`, of the processing date.
    pub process_month: Option<&'static str>,
    /// The owner's name; null: unassigned.
    #[schema(value_type = Option<String>)]
    pub assign_to: Option<CompactString>,
    /// The number of missing documents that the visa type always requires; null where staff do not wait for them: an unpaid order,
    /// one that is with the government, closed, or delivered before.
    pub missing_documents: Option<usize>,
    /// The state of the newest mail about the order if it is `failed` or `unknown`; null otherwise. Mails that staff stopped and
    /// tracking codes do not count, and deleted orders have none.
    pub mail_problem: Option<MailState>,
    /// The problem that a check found with its papers: `differs`, they differ from the typed values; `fault`, they break a rule. Null
    /// if there is none, if a member has reviewed it, or where staff no longer wait for documents.
    pub papers_problem: Option<PaperProblem>,
    /// Everything that its applicant was asked for is there, and the order has not been touched since.
    pub papers_returned: bool,
    /// The problem with an issued visa: `differs`, a value of the order is not on it; `used`, the file was the visa of another order.
    /// Null if there is none, or if a member has reviewed it.
    pub visa_problem: Option<VisaProblem>,
    /// The number of fields that are not understood, and kept as they were sent, which no member has settled; 0 for a closed order.
    pub unclear_fields: i32,
    /// The time left to respond to the chargeback; null unless the order is in ChargeBack.
    pub chargeback: Option<ChargebackDue>,
    /// Of a search: where the text is, if neither name nor email nor number of the order has it. Absent otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub found_in: Option<FoundIn>,
    /// The newest comment about the order, if comments are asked for. Absent otherwise, if there is none, and in Contact Customer, where no row
    /// shows a telephone number and a comment may have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(required = false)]
    pub newest_comment: Option<NewestComment>,
    /// The actions that the caller may take on the order from this list.
    pub allowed: AllowedInList,
}

/// The comments that the rows of a list show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ShownComments {
    /// The newest one about each order.
    Newest,
}

/// The newest comment about an order.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct NewestComment {
    /// Its first 200 characters.
    text: String,
    /// The author.
    by: String,
    /// When it was written.
    #[schema(value_type = String, format = DateTime)]
    at: Timestamp,
}

impl From<NewestRemark> for NewestComment {
    fn from(remark: NewestRemark) -> Self {
        let NewestRemark { text, at, by, .. } = remark;
        Self { text: text.chars().take(MAX_COMMENT_LEN).collect(), by: by.unwrap_or_default(), at }
    }
}

impl OrderSummary {
    pub fn new(
        (row, owner): ListedOrder,
        folder: Folder,
        problems: Problems,
        papers_returned: bool,
        allowed: AllowedInList,
    ) -> Self {
        let telephone = folder.shows_telephone();
        let Problems { missing_documents, mail_problem, papers_problem, visa_problem, chargeback } = problems;
        Self {
            order_id: row.order_id,
            order_number: row.order_id.printed(),
            process_status: row.process_status,
            processing_mode: row.processing_mode,
            full_name: row.full_name,
            contact_email_address: row.contact_email_address,
            country_code: row.country_code.filter(|_| telephone),
            phone_number: row.phone_number.filter(|_| telephone),
            nationality: row.nationality,
            created_at: row.created_at,
            updated_at: row.updated_at,
            refund_date: row.refund_date,
            process_month: row.processing_date.map(month_name),
            processing_date: row.processing_date,
            assign_to: owner,
            missing_documents,
            mail_problem,
            papers_problem,
            papers_returned,
            visa_problem,
            unclear_fields: if row.process_status.is_final() { 0 } else { row.unclear_fields },
            chargeback,
            found_in: None,
            newest_comment: None,
            allowed,
        }
    }
}

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub struct OrderPage {
    /// 1.
    pub status: u8,
    /// A text for people; empty if there is nothing to say.
    pub message: String,
    /// The orders of the page.
    pub data: Vec<OrderSummary>,
    /// The number of orders in the whole list; of a search for a common term, the number known so far.
    pub total: i64,
    /// There are more than `total`.
    pub more: bool,
    /// The list is filtered, and only its first 50,000 orders were examined: the newest, or in the future folder the soonest. Absent
    /// otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub limited: bool,
    /// Counted from 1.
    pub page: i64,
    /// The largest number of rows of the page.
    pub limit: i64,
}

impl OrderPage {
    /// The page as a body.
    pub fn into_json(self) -> LongJson<Self> {
        /// A row with long names.
        const ROW: usize = 1024;
        let bytes = (self.data.len() + 1) * ROW;
        LongJson { body: self, bytes }
    }
}

/// The problems of an order.
#[derive(Default)]
pub struct Problems {
    missing_documents: Option<usize>,
    mail_problem: Option<MailState>,
    papers_problem: Option<PaperProblem>,
    visa_problem: Option<VisaProblem>,
    chargeback: Option<ChargebackDue>,
}

/// The facts about the orders of a page that are in other tables.
pub struct RowFacts {
    disputes: HashMap<OrderId, DisputeRecord>,
    comments: HashMap<OrderId, NewestComment>,
    found_in: HashMap<OrderId, FoundIn>,
}

impl RowFacts {
    /// Reads the chargebacks, if orders are in ChargeBack, and the comments, if they are shown.
    pub fn read(conn: &mut Conn, rows: &[ListedOrder], comments: Option<ShownComments>) -> Result<Self> {
        let disputed = rows.iter().filter(|(row, ..)| row.process_status == ProcessStatus::ChargeBack);
        let ids: Vec<OrderId> = disputed.map(|(row, ..)| row.order_id).collect();
        let disputes = chargebacks::list(conn, &ids)?.into_iter().collect();
        let comments = match comments {
            Some(ShownComments::Newest) => {
                let ids: Vec<OrderId> = rows.iter().map(|(row, ..)| row.order_id).collect();
                let newest = remarks::list_newest(conn, &ids)?.into_iter();
                newest.map(|remark| (remark.order_id, remark.into())).collect()
            }
            None => HashMap::new(),
        };
        Ok(Self { disputes, comments, found_in: HashMap::new() })
    }

    /// The same facts, with the places of a searched term that the columns do not show.
    pub fn with_places(self, found_in: HashMap<OrderId, FoundIn>) -> Self {
        Self { found_in, ..self }
    }

    /// Takes what the row of an order shows if it is asked for: where the searched term is, and the newest comment.
    pub fn take_extras(&mut self, order_id: OrderId) -> (Option<FoundIn>, Option<NewestComment>) {
        (self.found_in.remove(&order_id), self.comments.remove(&order_id))
    }

    /// Returns the problems of an order. `today` is the agency's calendar day.
    pub fn problems(&self, (row, _): &ListedOrder, today: NaiveDate, terms: &Terms) -> Problems {
        let chargeback = self.disputes.get(&row.order_id);
        let mail_problem = row.mail_problem.as_deref().filter(|_| row.process_status.may_be_emailed_about());
        let awaits_documents = awaits_documents(row.process_status, row.had_visa_or_dispute);
        let papers_problem = row.papers_problem.as_deref().filter(|_| awaits_documents);
        Problems {
            chargeback: chargeback.map(|known| ChargebackDue::new(&known.dispute, today, terms)),
            mail_problem: mail_problem.and_then(MailState::parse),
            papers_problem: papers_problem.and_then(PaperProblem::parse),
            visa_problem: row.visa_problem.as_deref().and_then(VisaProblem::parse),
            missing_documents: awaits_documents.then(|| count_missing(row)),
        }
    }
}

/// Counts the missing documents that the visa type always requires.
fn count_missing(row: &OrderRow) -> usize {
    let kinds = row.document_kinds.as_deref().unwrap_or_default();
    let needed = row.visa_type.as_deref().map(needed_documents).unwrap_or_default();
    let is_given = |document: &NeededDocument| kinds.split(',').any(|kind| document.is_of_kind(kind));
    needed.iter().filter(|document| document.required && !is_given(document)).count()
}
