//! Saves how a member wants to see the lists of orders. `user_info` returns it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::errors::ListError;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::orders::rules::Folder;
use crate::orders::rules::columns::may_hide;
use crate::staff::list_settings::{Density, ListSettings, set};
use crate::staff::rules::Staff;

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new().routes(call!(save_list_settings))
}

/// The caller's settings for the lists of orders.
#[derive(Deserialize, ToSchema)]
pub struct SaveListSettings {
    /// The height of the rows.
    density: Density,
    /// The hidden columns by folder, such as `newOrder`. Hidden can be: email, telephone, refund_date, processing_date and
    /// process_month, as far as the folder has them.
    hidden_columns: BTreeMap<String, BTreeSet<String>>,
    /// Lists show the newest comment of each order; false by default.
    #[serde(default)]
    newest_comment: bool,
}

/// Save how the signed-in person wants to see the lists of orders. Overwrites all earlier settings.
#[utoipa::path(put, path = "/admin/list-settings", request_body = SaveListSettings,
    responses((status = 200, body = Found<ListSettings>)))]
pub async fn save_list_settings(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    Json(body): Json<SaveListSettings>,
) -> Result<Found<ListSettings>> {
    let settings = check(body)?;
    let (saved, now) = (settings.clone(), room.clock.now());
    room.db.write(move |tx| set(tx, staff.id, &saved, now)).await?;
    Ok(found(settings))
}

fn check(SaveListSettings { density, hidden_columns: sent, newest_comment }: SaveListSettings) -> Result<ListSettings> {
    let mut hidden_columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (folder, columns) in sent {
        let folder = Folder::parse(&folder)?;
        if let Some(unknown) = columns.iter().find(|column| !may_hide(folder, column)) {
            return Err(ListError::UnknownColumn(folder.as_str(), unknown.chars().take(50).collect()).into());
        }
        let hidden = hidden_columns.entry(folder.as_str().to_owned()).or_default();
        hidden.extend(columns);
    }
    hidden_columns.retain(|_, columns| {
        columns.sort_unstable();
        columns.dedup();
        !columns.is_empty()
    });
    Ok(ListSettings { density, hidden_columns, newest_comment })
}
