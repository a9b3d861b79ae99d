//! The rows about the orders, as the checks of the invariants read them.

use chrono::NaiveDate;
use diesel::prelude::*;
use visadesk::db::schema::{
    audit, chargebacks, documents, filings, mails, new_orders, orders, paper_request_items, paper_requests, payments,
    refunds, staff, unasked_papers,
};
use visadesk::orders::status::ProcessStatus;
use visadesk::timestamp::Timestamp;

use crate::support::TestApp;

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct OrderRow {
    pub id: i64,
    pub status: ProcessStatus,
    pub mode: String,
    pub processing_date: Option<NaiveDate>,
    pub owner: Option<i64>,
    pub processed_by: Option<i64>,
    pub refund_date: Option<Timestamp>,
    pub had_visa_or_dispute: bool,
    pub email: String,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct MemberRow {
    pub id: i64,
    pub name: String,
    pub deleted_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct DocumentRow {
    pub id: i64,
    pub order: i64,
    pub kind: String,
    pub sha256: String,
    pub uploaded_by: Option<i64>,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct MailRow {
    pub id: i64,
    pub order: i64,
    pub document: Option<i64>,
    pub kind: String,
    pub recipient: String,
    pub provider: String,
    pub state: String,
    pub created_at: Timestamp,
    pub sent_at: Option<Timestamp>,
    pub stopped_at: Option<Timestamp>,
    pub in_file: bool,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct RequestRow {
    pub id: i64,
    pub order: i64,
    pub former_status: ProcessStatus,
    pub former_owner: Option<i64>,
    pub reminders: i32,
    pub ended: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct ItemRow {
    pub request: i64,
    pub kind: String,
    pub state: String,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct RefundRow {
    pub order: i64,
    pub mail: i64,
    pub taken_back_at: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct DisputeRow {
    pub order: i64,
    pub outcome: String,
    pub respond_by: NaiveDate,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct FilingRow {
    pub order: i64,
    pub number: String,
    pub outcome: Option<String>,
    pub is_second: bool,
}

/// A document that was sent without being asked for.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct UnaskedRow {
    pub order: i64,
    pub kind: String,
    pub state: String,
    pub uploads: i32,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct PaymentRow {
    pub order: i64,
    pub reference: String,
}

#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct EventRow {
    pub id: i64,
    pub staff: Option<i64>,
    pub actor: String,
    pub action: String,
    pub order: Option<i64>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub at: Timestamp,
}

/// A New order, as those who take the next one find it.
#[derive(Clone, Debug, PartialEq, Queryable)]
pub struct NewOrderRow {
    pub order: i64,
    pub is_free: bool,
    pub new_since: Timestamp,
}

/// All rows, each table in the order of its key.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    pub orders: Vec<OrderRow>,
    pub new_orders: Vec<NewOrderRow>,
    pub members: Vec<MemberRow>,
    pub documents: Vec<DocumentRow>,
    pub mails: Vec<MailRow>,
    pub requests: Vec<RequestRow>,
    pub items: Vec<ItemRow>,
    pub refunds: Vec<RefundRow>,
    pub disputes: Vec<DisputeRow>,
    pub filings: Vec<FilingRow>,
    pub unasked: Vec<UnaskedRow>,
    pub payments: Vec<PaymentRow>,
    pub events: Vec<EventRow>,
}

impl Rows {
    pub async fn read(test: &TestApp) -> Rows {
        let read = |conn: &mut visadesk::db::Conn| {
            let orders = orders::table.order(orders::order_id).select((
                orders::order_id,
                orders::process_status,
                orders::processing_mode,
                orders::processing_date,
                orders::assign_to,
                orders::processed_by,
                orders::refund_date,
                orders::had_visa_or_dispute,
                orders::contact_email_address,
            ));
            let new_orders = new_orders::table.order(new_orders::order_id).select((
                new_orders::order_id,
                new_orders::is_free,
                new_orders::new_since,
            ));
            let members = staff::table.order(staff::staff_id).select((staff::staff_id, staff::name, staff::deleted_at));
            let documents = documents::table.order(documents::document_id).select((
                documents::document_id,
                documents::order_id,
                documents::kind,
                documents::sha256,
                documents::uploaded_by,
                documents::created_at,
            ));
            let mails = mails::table.order(mails::mail_id).select((
                mails::mail_id,
                mails::order_id,
                mails::document_id,
                mails::kind,
                mails::recipient,
                mails::provider,
                mails::state,
                mails::created_at,
                mails::sent_at,
                mails::stopped_at,
                mails::in_file,
            ));
            let requests = paper_requests::table.order(paper_requests::request_id).select((
                paper_requests::request_id,
                paper_requests::order_id,
                paper_requests::former_status,
                paper_requests::former_owner,
                paper_requests::reminders,
                paper_requests::ended,
            ));
            let items = paper_request_items::table
                .order((paper_request_items::request_id, paper_request_items::kind))
                .select((paper_request_items::request_id, paper_request_items::kind, paper_request_items::state));
            let refunds = refunds::table.order(refunds::refund_id).select((
                refunds::order_id,
                refunds::mail_id,
                refunds::taken_back_at,
            ));
            let disputes = chargebacks::table.order(chargebacks::order_id).select((
                chargebacks::order_id,
                chargebacks::outcome,
                chargebacks::respond_by,
            ));
            let filings = filings::table.order(filings::filing_id).select((
                filings::order_id,
                filings::application_number,
                filings::outcome,
                filings::is_second,
            ));
            let unasked = unasked_papers::table.order((unasked_papers::order_id, unasked_papers::kind)).select((
                unasked_papers::order_id,
                unasked_papers::kind,
                unasked_papers::state,
                unasked_papers::uploads,
            ));
            let payments =
                payments::table.order(payments::order_id).select((payments::order_id, payments::payment_reference));
            let events = audit::table.order(audit::audit_id).select((
                audit::audit_id,
                audit::staff_id,
                audit::actor,
                audit::action,
                audit::order_id,
                audit::before,
                audit::after,
                audit::at,
            ));
            Ok(Rows {
                orders: orders.load(conn)?,
                new_orders: new_orders.load(conn)?,
                members: members.load(conn)?,
                documents: documents.load(conn)?,
                mails: mails.load(conn)?,
                requests: requests.load(conn)?,
                items: items.load(conn)?,
                refunds: refunds.load(conn)?,
                disputes: disputes.load(conn)?,
                filings: filings.load(conn)?,
                unasked: unasked.load(conn)?,
                payments: payments.load(conn)?,
                events: events.load(conn)?,
            })
        };
        test.read(read).await
    }

    pub fn order(&self, id: i64) -> Option<&OrderRow> {
        self.orders.iter().find(|order| order.id == id)
    }

    pub fn member(&self, id: i64) -> &MemberRow {
        self.members.iter().find(|member| member.id == id).expect("rows refer to members that exist")
    }

    pub fn events_of(&self, order: i64) -> impl Iterator<Item = &EventRow> {
        self.events.iter().filter(move |event| event.order == Some(order))
    }

    /// The order's open document request.
    pub fn open_request(&self, order: i64) -> Option<&RequestRow> {
        self.requests.iter().find(|request| request.order == order && request.ended.is_none())
    }

    /// Returns true if an issued visa of the order is in force.
    pub fn has_visa(&self, order: i64) -> bool {
        self.documents.iter().any(|document| document.order == order && document.kind == "visa")
    }
}
