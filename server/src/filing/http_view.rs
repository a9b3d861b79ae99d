//! The data to file for an order: its values in the portal's order and spelling, the open points, its files, and the applications so far.

use std::sync::Arc;

use axum::extract::State;
use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::FilingRoom;
use super::claims;
use super::http_claims::FilingClaim;
use super::rules::kit::{self, KitFile};
use super::rules::values::{self, FiledValues, FilingSection};
use super::rules::{FilingOutcome, check_file, check_refuse};
use super::store::{self, Filing};
use super::warnings::{CheckedPaper, FilingWarning, list_open};
use crate::audit::reader::Reader;
use crate::audit::seen::SeenData;
use crate::db::Conn;
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Path;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::money::Money;
use crate::orders::errors::OrderError;
use crate::orders::facts::{self, Application, OrderFacts};
use crate::papers::rules::{Finding, Paper, PaperField};
use crate::papers::store::{self as papers, Context, Verdict};
use crate::staff::rules::Staff;
use crate::staff::store as staff_store;
use crate::timestamp::Timestamp;
use crate::visas::{catalogue, portal};

pub fn endpoints() -> OpenApiRouter<Arc<FilingRoom>> {
    OpenApiRouter::new().routes(call!(order_filing))
}

/// The data to file for an order.
#[derive(Serialize, ToSchema)]
pub struct OrderFiling {
    /// The values, in the portal's order and spelling.
    sections: Vec<FilingSection>,
    /// Where the order and the labels of the form were read; null: not known.
    #[schema(value_type = Option<String>)]
    form_source: Option<&'static str>,
    /// The open points. None of them stops a filing.
    warnings: Vec<FilingWarning>,
    /// The files for the portal.
    files: Vec<KitFile>,
    /// The day on which the portal's limits were read.
    #[schema(value_type = String, format = Date)]
    limits_as_of: NaiveDate,
    /// The applications so far, the newest first.
    filings: Vec<FiledApplication>,
    /// The fees of all applications, one sum for each currency, such as `IDR 3000000.00`. Those that were replaced do not count.
    fees: Vec<String>,
    /// The order can be filed now.
    can_file: bool,
    /// A refusal of an open application can be recorded now.
    can_refuse: bool,
    /// The member who is filing it; null: nobody is.
    claim: Option<FilingClaim>,
}

/// An application that was filed.
#[derive(Serialize, ToSchema)]
pub struct FiledApplication {
    /// The portal's number.
    application_number: String,
    /// The fee that was paid, such as `IDR 1500000.00`; null: not known.
    fee: Option<String>,
    /// The name of the receipt among the documents of the order's details; null: there is none.
    receipt_file1: Option<String>,
    /// The member who filed it.
    filed_by: String,
    /// When it was recorded.
    #[schema(value_type = String, format = DateTime)]
    filed_at: Timestamp,
    /// The outcome of the application; null: it is open.
    outcome: Option<FilingOutcome>,
    /// Why the portal refused it; null: it did not.
    reason: Option<String>,
    /// The member who recorded the outcome; null: it is open.
    closed_by: Option<String>,
    /// When that was; null: it is open.
    #[schema(value_type = Option<String>, format = DateTime)]
    closed_at: Option<Timestamp>,
    /// The one that counts among the open ones.
    is_current: bool,
}

/// Get what is filed about an order. The access is logged.
#[utoipa::path(get, path = "/admin/order-filing/{orderId}",
    params(("orderId" = String, Path, description = "Plain, printed or encoded")),
    responses((status = 200, body = Found<OrderFiling>)))]
pub async fn order_filing(
    State(room): State<Arc<FilingRoom>>,
    staff: Staff,
    reader: Reader,
    Path(id): Path<String>,
) -> Result<Found<OrderFiling>> {
    let id = OrderId::parse(&id).ok_or(OrderError::OrderNotFound)?;
    let context = Context { now: room.clock.now(), today: room.clock.today(room.config.time_zone) };
    let domain = room.config.application_mail_domain.clone();
    let read = room.db.read(move |conn| find(conn, id, &staff, &domain, context));
    let filing = read.await?.ok_or(OrderError::OrderNotFound)?;
    reader.note(SeenData::order("order.view", id)).await?;
    Ok(found(filing))
}

fn find(
    conn: &mut Conn,
    id: OrderId,
    staff: &Staff,
    mail_domain: &str,
    context: Context,
) -> Result<Option<OrderFiling>> {
    let Some((order, owner)) = facts::find(conn, id)? else { return Ok(None) };
    let application = facts::find_application(conn, id)?;
    let documents = documents::list(conn, id)?;
    let checked = CheckedPaper::list(conn, id, context)?;
    let filings = store::list(conn, id)?;
    let state = order.state(owner.as_deref());
    let current = store::current(&filings).map(|current| current.application_number.as_str());
    let warnings = if order.process_status.is_to_be_filed() {
        list_open(conn, &order, &application, &documents, &checked, context.today)?
    } else {
        Vec::new()
    };
    let portal = portal::get();
    Ok(Some(OrderFiling {
        can_file: check_file(&state, current, false).is_ok(),
        can_refuse: check_refuse(&state, current.is_some()).is_ok(),
        claim: claims::find(conn, id)?.map(|claim| FilingClaim::new(claim, staff)),
        warnings,
        files: kit::files(id, &documents, portal),
        limits_as_of: portal.as_of,
        form_source: portal.form.source.as_deref(),
        fees: store::fees(&filings).iter().map(Money::to_string).collect(),
        filings: filings_on_wire(conn, filings, &documents)?,
        sections: values::sections(&filed(order, application, &checked, mail_domain), &portal.form),
    }))
}

/// The name as the passport spells it, if the check proved it or a person said that it is the same.
fn passport_name(checked: &[CheckedPaper]) -> Option<String> {
    let passport = checked.iter().find(|checked| checked.paper == Paper::Passport)?;
    let proved = |field: PaperField| {
        let finding = passport.findings.iter().find(|finding| finding.field == field)?;
        let said = || papers::look_at(finding, &passport.looks).map(|look| look.verdict);
        let is_proved =
            finding.finding() == Finding::Same || (finding.finding() == Finding::Look && said() == Some(Verdict::Same));
        finding.read.clone().filter(|_| is_proved)
    };
    proved(PaperField::FullName).or_else(|| {
        let (given, surname) = (proved(PaperField::GivenNames)?, proved(PaperField::Surname)?);
        Some(format!("{given} {surname}"))
    })
}

fn filed(order: OrderFacts, application: Application, checked: &[CheckedPaper], mail_domain: &str) -> FiledValues {
    let issued = order.visa_type.as_deref().and_then(catalogue::issued_for).map(|visa| visa.code.clone());
    FiledValues {
        passport_name: passport_name(checked),
        application_email_address: format!("{}@{mail_domain}", order.order_id),
        full_name: order.full_name,
        country_code: order.country_code,
        phone_number: order.phone_number,
        nationality: order.nationality,
        visa_type: issued.or(order.visa_type),
        application,
    }
}

fn filings_on_wire(conn: &mut Conn, filings: Vec<Filing>, documents: &[Document]) -> Result<Vec<FiledApplication>> {
    let members: Vec<_> =
        filings.iter().flat_map(|filing| [Some(filing.filed_by), filing.closed_by]).flatten().collect();
    let names = staff_store::names(conn, &members)?;
    let current = store::current(&filings).map(|current| current.filing_id);
    let receipt = |id: i64| documents.iter().find(|document| document.document_id == id);
    let on_wire = filings.into_iter().map(|filing| FiledApplication {
        fee: filing.fee().map(|fee| fee.to_string()),
        receipt_file1: filing.receipt_id.and_then(receipt).map(|receipt| receipt.file1.clone()),
        is_current: current == Some(filing.filing_id),
        filed_by: names.get(&filing.filed_by).cloned().unwrap_or_default(),
        closed_by: filing.closed_by.and_then(|by| names.get(&by).cloned()),
        application_number: filing.application_number,
        filed_at: filing.filed_at,
        outcome: filing.outcome,
        reason: filing.reason,
        closed_at: filing.closed_at,
    });
    Ok(on_wire.collect())
}
