//! The calls of canned texts. Everybody has texts of their own; Admins and Managers change those of all.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::errors::CannedTextError;
use super::rules::{self, TextByLanguage, TextPurpose};
use super::{CannedTexts, store};
use crate::audit::store::{Actor, Change, add};
use crate::error::Result;
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::orders::rules::acts_for_others;
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<CannedTexts>> {
    OpenApiRouter::new()
        .routes(call!(list_canned_texts))
        .routes(call!(save_canned_text))
        .routes(call!(delete_canned_text))
}

/// The texts that the caller can use.
#[derive(Serialize, ToSchema)]
pub struct CannedTextList {
    /// By title.
    texts: Vec<CannedTextEntry>,
    /// True if the caller may change the texts of all.
    may_share: bool,
}

/// A text that members write once and use often.
#[derive(Serialize, ToSchema)]
struct CannedTextEntry {
    /// The text's id.
    id: i64,
    /// The place where it is used.
    purpose: TextPurpose,
    /// The name by which members find it.
    title: String,
    /// The text by language; applicants of other languages read the English one. `{name}`, `{order}`, `{visa}` and `{arrival}` are replaced.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    texts: TextByLanguage,
    /// True if everybody has it.
    shared: bool,
}

/// List the caller's own texts and those of all.
#[utoipa::path(get, path = "/admin/canned-texts", responses((status = 200, body = Found<CannedTextList>)))]
pub async fn list_canned_texts(State(room): State<Arc<CannedTexts>>, staff: Staff) -> Result<Found<CannedTextList>> {
    let listed = room.db.read(move |conn| store::list(conn, staff.id)).await?;
    let entry = |text: store::CannedText| CannedTextEntry {
        id: text.id,
        purpose: text.purpose,
        title: text.title,
        texts: text.texts,
        shared: text.owner_id.is_none(),
    };
    let may_share = acts_for_others(staff.staff_type);
    Ok(found(CannedTextList { texts: listed.into_iter().map(entry).collect(), may_share }))
}

/// A text to add or to change.
#[derive(Deserialize, ToSchema)]
pub struct SaveCannedText {
    /// The text to change; null: adds one.
    id: Option<i64>,
    /// The place where it is used.
    purpose: TextPurpose,
    /// The name by which members find it, in one line.
    title: String,
    /// The text by language, such as `en` and `zh-Hans`; English is needed. A comment has no other.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    texts: TextByLanguage,
    /// True: everybody has it. Of a text that is changed, it stays as it was.
    shared: bool,
}

/// Add a text, or change one.
#[utoipa::path(put, path = "/admin/canned-text", request_body = SaveCannedText, responses((status = 200, body = Done)))]
pub async fn save_canned_text(
    State(room): State<Arc<CannedTexts>>,
    staff: Staff,
    Json(body): Json<SaveCannedText>,
) -> Result<Done> {
    let new = rules::read(body.purpose, &body.title, body.texts)?;
    let may_share = acts_for_others(staff.staff_type);
    let now = room.clock.now();
    room.db
        .write(move |tx| {
            let before = body.id.map(|id| store::get(tx, staff.id, id)).transpose()?;
            let owner_id: Option<StaffId> = match &before {
                Some(before) => before.owner_id,
                None if body.shared => None,
                None => Some(staff.id),
            };
            check_may_change(owner_id, may_share)?;
            match &before {
                Some(before) => store::change(tx, before.id, &new)?,
                None => store::add(tx, owner_id, &new)?,
            }
            if owner_id.is_none() {
                let change =
                    Change::of("canned_text.save").before(before.map(|text| text.title)).after(new.title.clone());
                add(tx, &Actor::from(&staff), &[change], now)?;
            }
            Ok(())
        })
        .await?;
    Ok(done("The text has been saved"))
}

/// The text to delete.
#[derive(Deserialize, ToSchema)]
pub struct DeleteCannedText {
    /// The text's id.
    id: i64,
}

/// Delete a text. What was written with it stays.
#[utoipa::path(put, path = "/admin/delete-canned-text", request_body = DeleteCannedText,
    responses((status = 200, body = Done)))]
pub async fn delete_canned_text(
    State(room): State<Arc<CannedTexts>>,
    staff: Staff,
    Json(body): Json<DeleteCannedText>,
) -> Result<Done> {
    let may_share = acts_for_others(staff.staff_type);
    let now = room.clock.now();
    room.db
        .write(move |tx| {
            let text = store::get(tx, staff.id, body.id)?;
            check_may_change(text.owner_id, may_share)?;
            store::delete(tx, text.id)?;
            if text.owner_id.is_none() {
                let change = Change::of("canned_text.delete").before(Some(text.title));
                add(tx, &Actor::from(&staff), &[change], now)?;
            }
            Ok(())
        })
        .await?;
    Ok(done("The text has been deleted"))
}

fn check_may_change(owner_id: Option<StaffId>, may_share: bool) -> Result<(), CannedTextError> {
    match owner_id {
        None if !may_share => Err(CannedTextError::CannedTextShared),
        _ => Ok(()),
    }
}
