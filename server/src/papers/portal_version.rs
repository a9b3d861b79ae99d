//! Makes the version of a photograph that the government's portal takes: cropped, converted and saved as a file of its own. The original
//! stays.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Papers;
use super::errors::PaperError;
use super::inspect::{PaperJob, PaperReply};
use super::rules::Paper;
use super::rules::photograph::Frame;
use crate::audit::store::{Actor, Change, add};
use crate::child::{self, ChildOutcome};
use crate::documents::errors::MemberUploadLimit;
use crate::documents::kinds::PORTAL_PHOTOGRAPH;
use crate::documents::rules::{self as documents_rules, MEMBERS_DAY, MediaType, StoredFile};
use crate::documents::store::{self as documents, NewDocument};
use crate::documents::storing::remove_unnamed;
use crate::error::{Permission, Result};
use crate::files::errors::{ReadErrors, StorageErrors};
use crate::http::answer::{Done, StoredResponse, done};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::OrderId;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Papers>> {
    OpenApiRouter::new().routes(call!(make_portal_photograph))
}

/// A photograph, and the part of it to keep.
#[derive(Deserialize, ToSchema)]
pub struct MakePortalPhotograph {
    /// The order: plain, printed or encoded.
    #[serde(rename = "orderId")]
    order_id: OrderId,
    /// The checked file.
    #[serde(rename = "documentId")]
    document_id: i64,
    /// The part that the portal's version shows.
    frame: Frame,
}

/// Make the portal's version of a photograph and add it to the order. The original stays.
#[utoipa::path(post, path = "/admin/make-portal-photograph", request_body = MakePortalPhotograph,
    responses((status = 200, body = Done)))]
pub async fn make_portal_photograph(
    State(room): State<Arc<Papers>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    limit: Permission<MemberUploadLimit>,
    reading: Permission<ReadErrors>,
    storage: Permission<StorageErrors>,
    Json(body): Json<MakePortalPhotograph>,
) -> Result<StoredResponse> {
    let MakePortalPhotograph { order_id, document_id, frame } = body;
    let (now, limits, staff_id) = (room.clock.now(), room.config.limits.clone(), staff.id);
    let early = limits.clone();
    let found = room.db.read(move |conn| {
        documents_rules::check_member(limit, documents::count_by(conn, staff_id, now - MEMBERS_DAY)?, &early)?;
        let known = documents::list(conn, order_id)?.into_iter().find(|document| document.document_id == document_id);
        let is_photograph = known.is_some_and(|known| Paper::of_kind(&known.kind) == Some(Paper::Photograph));
        if is_photograph { documents::find_stored(conn, document_id) } else { Ok(None) }
    });
    let (stored, media_type) = found.await?.ok_or(PaperError::NoPaperToCheck)?;
    let content = room.documents.files.get(&stored, reading).await?;
    let job = PaperJob { paper: Paper::Photograph, media_type, frame: Some(frame) };
    let reply = match room.portal_versions.run(child::message(&job, &content)?).await? {
        ChildOutcome::Replied(reply) => reply,
        ChildOutcome::Crashed | ChildOutcome::TimedOut => return Err(PaperError::PhotographTooComplex.into()),
        ChildOutcome::Busy | ChildOutcome::NotStarted => return Err(PaperError::PhotographsBusy.into()),
    };
    let made = match child::split_message(&reply) {
        Some((PaperReply::Made, made)) => made,
        Some((PaperReply::FrameTooSmall, _)) => return Err(PaperError::FrameTooSmall.into()),
        Some(_) | None => return Err(PaperError::PhotographTooComplex.into()),
    };
    let stored = room.documents.files.put(made, storage).await?;
    let (key, bytes) = (stored.key.clone(), stored.size_bytes);
    let (original_name, media_type) = ("portal photograph.jpg".into(), MediaType::Jpeg);
    let file = StoredFile { stored, original_name, media_type, original_sha256: None };
    let new = NewDocument { order_id, kind: PORTAL_PHOTOGRAPH.to_owned(), file, uploaded_by: Some(staff.id) };
    let outcome = idempotent
        .write(&room.db, move |tx| {
            documents_rules::check_quota(documents::usage(tx, order_id)?, bytes, &limits)?;
            // Others may have been made since.
            documents_rules::check_member(limit, documents::count_to_add(tx, staff_id, now - MEMBERS_DAY)?, &limits)?;
            let by = Actor::from(&staff);
            documents::add(tx, &new, &by, now)?;
            let change = Change::of("paper.portal_version").order(order_id);
            add(tx, &by, &[change], now)?;
            Ok(done("The portal's version has been added to the documents"))
        })
        .await;
    remove_unnamed(&room.documents, key).await;
    outcome
}
