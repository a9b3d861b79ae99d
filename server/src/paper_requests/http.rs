//! The calls of staff: what they say about a paper, and the reasons that they choose from.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::PaperRequests;
use super::errors::PaperRequestError;
use super::reasons::{self, PaperReason, Texts, check_texts};
use super::rules::PaperState;
use super::states::{self, SetState};
use super::unasked;
use crate::audit::store::{Actor, Change, add};
use crate::documents::rules::{desk_documents, label_of};
use crate::documents::store as documents;
use crate::error::Result;
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::orders::dialect::lock_orders;
use crate::orders::errors::OrderError;
use crate::orders::facts;
use crate::staff::rules::Staff;
use crate::visas::catalogue;

pub fn endpoints() -> OpenApiRouter<Arc<PaperRequests>> {
    OpenApiRouter::new()
        .routes(call!(set_paper_state))
        .routes(call!(list_paper_reasons))
        .routes(call!(save_paper_reason))
}

/// The state that a member sets for a paper.
#[derive(Deserialize, ToSchema)]
pub struct SetPaperState {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The document of the catalogue, such as `bank_statement`.
    kind: String,
    /// The file that the member looked at. Refused if a newer one has arrived.
    #[serde(rename = "documentId")]
    document_id: i64,
    /// The state of the paper; `received` takes back the state that was set before.
    state: PaperState,
    /// The code of a reason; null: none is given.
    reason: Option<String>,
}

/// Say what a paper of an order is like. It changes neither the order nor the file.
#[utoipa::path(post, path = "/admin/set-paper-state", request_body = SetPaperState, responses((status = 200, body = Done)))]
pub async fn set_paper_state(
    State(room): State<Arc<PaperRequests>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<SetPaperState>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    idempotent
        .write(&room.db, move |tx| {
            let (order_id, kind) = (body.order_id, body.kind.as_str());
            lock_orders(tx, &[order_id])?;
            let (order, _) = facts::find(tx, order_id)?.ok_or(OrderError::OrderNotFound)?;
            let needed = desk_documents(order.visa_type.as_deref());
            let needed = needed.iter().find(|needed| needed.key == kind);
            let needed = needed.ok_or(PaperRequestError::PaperNotNeeded)?;
            let newest = documents::list(tx, order_id)?.into_iter().rev().find(|file| needed.is_of_kind(&file.kind));
            newest
                .filter(|file| file.document_id == body.document_id)
                .ok_or(PaperRequestError::PaperChangedMeanwhile)?;
            if body.state == PaperState::Missing {
                return Err(PaperRequestError::PaperChangedMeanwhile.into());
            }
            let is_wrong = body.state.is_to_be_asked_for();
            let reason = body.reason.as_deref().filter(|_| is_wrong);
            let reason = reason.map(|code| reasons::find(tx, code, kind)).transpose()?;
            let before = states::list(tx, order_id)?.remove(kind);
            let before = before.filter(|said| said.document_id == body.document_id);
            let said = SetState {
                kind: kind.to_owned(),
                document_id: body.document_id,
                state: body.state,
                reason: reason.map(|reason| reason.code),
                staff_id: staff.id,
                set_at: now,
            };
            states::set(tx, order_id, &said)?;
            unasked::end(tx, order_id, &[&said.kind])?;
            let worded = |state: PaperState, reason: Option<&str>| match reason {
                Some(reason) => format!("{kind}: {state}, {reason}"),
                None => format!("{kind}: {state}"),
            };
            let change = Change::of("paper.state")
                .order(order_id)
                .before(before.map(|said| worded(said.state, said.reason.as_deref())))
                .after(worded(said.state, said.reason.as_deref()));
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(done(format!("{}: {}", label_of(kind), said.state)))
        })
        .await
}

/// The reasons that staff choose from.
#[derive(Serialize, ToSchema)]
pub struct PaperReasons {
    /// The built-in ones first.
    reasons: Vec<PaperReasonEntry>,
}

/// Why a paper is not fine.
#[derive(Serialize, ToSchema)]
struct PaperReasonEntry {
    /// Names the reason.
    code: String,
    /// The state that it explains.
    state: PaperState,
    /// The documents of the catalogue that it fits; empty: all.
    kinds: Vec<String>,
    /// The text by language; applicants of other languages read the English one.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    texts: Texts,
    /// True if it came with Visadesk.
    is_built_in: bool,
    /// True if the agency added or changed it.
    is_own: bool,
    /// True if it is no longer offered.
    is_archived: bool,
}

/// List the reasons why a paper is not fine.
#[utoipa::path(get, path = "/admin/paper-reasons", responses((status = 200, body = Found<PaperReasons>)))]
pub async fn list_paper_reasons(State(room): State<Arc<PaperRequests>>, _staff: Staff) -> Result<Found<PaperReasons>> {
    let listed = room.db.read(reasons::list).await?;
    let entry = |one: reasons::ListedReason| PaperReasonEntry {
        code: one.reason.code,
        state: one.reason.state,
        kinds: one.reason.kinds,
        texts: one.reason.texts,
        is_built_in: one.is_built_in,
        is_own: one.is_own,
        is_archived: one.archived_at.is_some(),
    };
    Ok(found(PaperReasons { reasons: listed.into_iter().map(entry).collect() }))
}

/// A reason to add or to change.
#[derive(Deserialize, ToSchema)]
pub struct SavePaperReason {
    /// The reason to change; null: adds one.
    code: Option<String>,
    /// The state that it explains: `missing`, `unreadable`, `wrong` or `expired`.
    state: PaperState,
    /// The documents of the catalogue that it fits; empty: all.
    kinds: Vec<String>,
    /// The text by language, such as `en` and `zh-Hans`; English is needed.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    texts: Texts,
    /// True: it is no longer offered.
    archived: bool,
}

/// Add a reason, or change one. What was asked before keeps its text.
#[utoipa::path(put, path = "/admin/paper-reason", request_body = SavePaperReason, responses((status = 200, body = Done)))]
pub async fn save_paper_reason(
    State(room): State<Arc<PaperRequests>>,
    staff: Staff,
    Json(body): Json<SavePaperReason>,
) -> Result<Done> {
    let texts = check_texts(body.texts)?;
    if !body.state.is_to_be_asked_for() || body.kinds.iter().any(|kind| catalogue::document(kind).is_none()) {
        return Err(PaperRequestError::PaperNotNeeded.into());
    }
    let drawn = format!("own-{:08x}", rand::random::<u32>());
    let now = room.clock.now();
    let message = room
        .db
        .write(move |tx| {
            let before = reasons::list(tx)?;
            let known = |code: &String| before.iter().find(|listed| listed.reason.code == *code);
            let before = body.code.as_ref().map(|code| known(code).ok_or(PaperRequestError::UnknownPaperReason));
            let before = before.transpose()?;
            let reason = PaperReason {
                code: body.code.clone().unwrap_or_else(|| drawn.clone()),
                state: body.state,
                kinds: body.kinds.clone(),
                texts: texts.clone(),
            };
            reasons::save(tx, &reason, body.archived.then_some(now))?;
            let english = |reason: &PaperReason| reason.text(super::rules::Language::English).to_owned();
            let change = Change::of(if body.archived { "paper_reason.archive" } else { "paper_reason.save" })
                .before(before.map(|listed| english(&listed.reason)))
                .after(english(&reason));
            add(tx, &Actor::from(&staff), &[change], now)?;
            Ok(if body.archived { "The reason is no longer offered" } else { "The reason has been saved" })
        })
        .await?;
    Ok(done(message))
}
