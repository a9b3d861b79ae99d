//! Records which orders a member has open, for the desks of colleagues.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Live;
use crate::db::Conn;
use crate::error::Result;
use crate::http::answer::{Done, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::orders::moves;
use crate::orders::presences::{self, OrderActivity};
use crate::orders::rules::changes::all_found;
use crate::orders::selected::Selected;
use crate::staff::rules::Staff;
use crate::staff::sessions;

pub fn endpoints() -> OpenApiRouter<Arc<Live>> {
    OpenApiRouter::new().routes(call!(set_presence))
}

/// Orders, and what the caller does with them.
#[derive(Deserialize, ToSchema)]
pub struct SetPresence {
    /// An order id, or a list of them.
    #[serde(rename = "orderId")]
    order_ids: Selected,
    /// The caller's activity on them; null: none any more.
    activity: Option<OrderActivity>,
}

/// Tell colleagues that the caller has orders open
///
/// They are told by the stream of changes, for 60 seconds unless the call is repeated. It is not recorded, and does not keep the session alive.
#[utoipa::path(put, path = "/admin/presence", request_body = SetPresence, responses((status = 200, body = Done)))]
pub async fn set_presence(State(room): State<Arc<Live>>, staff: Staff, Json(body): Json<SetPresence>) -> Result<Done> {
    let (ids, activity) = (body.order_ids.ids()?, body.activity);
    let write = move |tx: &mut Conn| {
        sessions::lock(tx, &staff.session_hash)?;
        match activity {
            None => presences::end(tx, &staff.session_hash, &ids),
            Some(activity) => {
                let found = moves::list(tx, &ids)?;
                all_found(&ids, found.iter().map(|state| state.order_id))?;
                presences::set(tx, &staff, &ids, activity)
            }
        }
    };
    room.db.write(write).await?;
    Ok(done("Your colleagues are told"))
}
