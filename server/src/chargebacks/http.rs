//! The transaction form, and the record's form with its options.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Chargebacks;
use super::rules::{self, DisputeForm};
use super::store::{self, NewDispute};
use super::terms::{ChargebackOutcome, Network, ReasonGroup};
use crate::audit::store::{Actor, Change, add};
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::errors::OrderError;
use crate::orders::status::ProcessStatus;
use crate::orders::{facts, moves};
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The calls for disputes.
pub fn endpoints() -> OpenApiRouter<Arc<Chargebacks>> {
    OpenApiRouter::new()
        .routes(call!(save_transaction_details))
        .routes(call!(chargeback_terms))
        .routes(call!(save_chargeback))
}

/// Locks the order. Returns its status, which cannot change until the transaction ends.
fn lock(tx: &mut Conn, order_id: OrderId) -> Result<ProcessStatus> {
    let state = moves::lock(tx, &[order_id])?.pop();
    let state = state.ok_or(OrderError::OrderNotFound)?;
    Ok(state.process_status)
}

/// The gateway's facts about a payment.
#[derive(Deserialize, ToSchema)]
pub struct SaveTransactionDetails {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The gateway's id of the transaction.
    #[serde(rename = "transactionId")]
    #[schema(required, nullable = false)]
    transaction_id: Option<String>,
    /// The name on the customer's statement.
    #[serde(rename = "merchantName")]
    #[schema(required, nullable = false)]
    merchant_name: Option<String>,
}

/// Save the gateway's transaction id and merchant name (spec §5)
#[utoipa::path(post, path = "/admin/save-transaction-details", request_body = SaveTransactionDetails,
    responses((status = 200, body = Done)))]
pub async fn save_transaction_details(
    State(room): State<Arc<Chargebacks>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<SaveTransactionDetails>,
) -> Result<StoredResponse> {
    let text = |given: Option<String>| given.unwrap_or_default();
    let transaction = rules::read_transaction(&text(body.transaction_id), &text(body.merchant_name))?;
    let (order_id, now) = (body.order_id, room.clock.now());
    idempotent
        .write(&room.db, move |tx| {
            rules::check_delivered(order_id, lock(tx, order_id)?, "Transaction details")?;
            let before = facts::find_transaction(tx, order_id)?;
            if before.as_ref() != Some(&transaction) {
                facts::set_transaction(tx, order_id, &transaction)?;
                let before = before.as_ref().map(rules::describe_transaction);
                let after = Some(rules::describe_transaction(&transaction));
                let change = Change::of("order.transaction").order(order_id).before(before).after(after);
                add(tx, &Actor::from(&staff), &[change], now)?;
            }
            Ok(done("Transaction details saved successfully"))
        })
        .await
}

/// Options of the chargeback form
#[derive(Serialize, ToSchema)]
pub struct ChargebackTerms {
    /// The networks, with the days that they allow.
    networks: Vec<NetworkTerms>,
    /// The reasons to choose from.
    reason_groups: &'static [ReasonGroup],
    /// The outcomes to choose from.
    outcomes: &'static [ChargebackOutcome],
    /// Days after the chargeback in which the agency wants to respond.
    working_days: u32,
}

/// A network, and the days that it allows for the response.
#[derive(Serialize, ToSchema)]
pub struct NetworkTerms {
    /// The network.
    network: Network,
    /// Calendar days from the opening of the dispute to the last day for a response.
    days: u32,
}

/// Options of the chargeback form: networks with their days, reason groups and outcomes
#[utoipa::path(get, path = "/admin/chargeback-terms",
    responses((status = 200, body = Found<ChargebackTerms>)))]
pub async fn chargeback_terms(State(room): State<Arc<Chargebacks>>) -> Found<ChargebackTerms> {
    let terms = &room.config.chargebacks;
    let days = |network| rules::days_to_respond(network, &terms.days_to_respond);
    let networks = Network::ALL.iter().map(|network| NetworkTerms { network: *network, days: days(*network) });
    found(ChargebackTerms {
        networks: networks.collect(),
        reason_groups: ReasonGroup::ALL,
        outcomes: ChargebackOutcome::ALL,
        working_days: terms.working_days,
    })
}

/// The record of a dispute.
#[derive(Deserialize, ToSchema)]
pub struct SaveChargeback {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The network whose rules apply.
    #[schema(value_type = Network, required, nullable = false)]
    network: Option<String>,
    /// Empty: unknown.
    #[serde(rename = "reasonGroup")]
    reason_group: Option<String>,
    /// The network's own code, such as 10.4.
    #[serde(rename = "reasonCode")]
    reason_code: Option<String>,
    /// The bank's case number; empty: unknown.
    #[serde(rename = "caseId")]
    case_id: Option<String>,
    /// A decimal text such as `149.00`; empty together with its currency.
    amount: Option<String>,
    /// ISO 4217.
    currency: Option<String>,
    /// The acquirer's reference number.
    arn: Option<String>,
    /// YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY; empty: unchanged.
    #[serde(rename = "openedOn")]
    opened_on: Option<String>,
    /// YYYY-MM-DD, MM/DD/YYYY or DD-MM-YYYY; empty: computed from the network's days.
    #[serde(rename = "respondBy")]
    respond_by: Option<String>,
    /// The outcome; `Open` until the bank decides.
    #[schema(value_type = ChargebackOutcome, required, nullable = false)]
    outcome: Option<String>,
    /// `updated_at` of the record that the form was opened with.
    updated_at: Option<Timestamp>,
}

/// Save the record of a dispute: the bank's facts, the deadline and the outcome
#[utoipa::path(post, path = "/admin/save-chargeback", request_body = SaveChargeback,
    responses((status = 200, body = Done)))]
pub async fn save_chargeback(
    State(room): State<Arc<Chargebacks>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<SaveChargeback>,
) -> Result<StoredResponse> {
    let form = DisputeForm {
        network: body.network.unwrap_or_default(),
        reason_group: body.reason_group.unwrap_or_default(),
        reason_code: body.reason_code.unwrap_or_default(),
        case_id: body.case_id.unwrap_or_default(),
        amount: body.amount.unwrap_or_default(),
        currency: body.currency.unwrap_or_default(),
        arn: body.arn.unwrap_or_default(),
        opened_on: body.opened_on.unwrap_or_default(),
        respond_by: body.respond_by.unwrap_or_default(),
        outcome: body.outcome.unwrap_or_default(),
    };
    let (order_id, now, zone) = (body.order_id, room.clock.now(), room.config.time_zone);
    let (today, terms) = (room.clock.today(zone), room.config.chargebacks.clone());
    let seen_at = body.updated_at;
    idempotent
        .write(&room.db, move |tx| {
            let status = lock(tx, order_id)?;
            let known = store::find(tx, order_id)?;
            let opened_on = known.as_ref().map(|known| known.dispute.opened_on);
            let dispute = rules::read(&form, opened_on, today, &terms)?;
            rules::check_fresh(order_id, seen_at, known.as_ref(), zone)?;
            rules::check_saving(order_id, status, known.as_ref(), dispute.outcome)?;
            match &known {
                Some(known) if known.dispute == dispute => return Ok(done("Chargeback saved successfully")),
                Some(_) => store::set(tx, order_id, &dispute, &staff.name, now)?,
                None => {
                    let opened = NewDispute { dispute: dispute.clone(), at: now };
                    store::add(tx, std::iter::once((order_id, &opened)), &staff.name)?;
                }
            }
            let before = known.map(|known| rules::describe(&known.dispute));
            let after = Some(rules::describe(&dispute));
            let change = Change::of("chargeback.save").order(order_id).before(before).after(after);
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done("Chargeback saved successfully"))
        })
        .await
}
