//! The names of all members, to hand an order over and to mention them.

use std::sync::Arc;

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::rules::StaffType;
use super::store;
use crate::error::Result;
use crate::http::answer::{Found, found};
use crate::http::routes::call;
use crate::ids::StaffId;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new().routes(call!(list_colleagues))
}

/// An active member.
#[derive(Debug, Serialize, ToSchema)]
pub struct Colleague {
    /// The member's id.
    pub staff_id: StaffId,
    /// The name, unique among the active members.
    pub name: String,
    /// The member's type.
    #[serde(rename = "type")]
    pub staff_type: StaffType,
}

/// List the active members by name.
#[utoipa::path(get, path = "/admin/colleagues", responses((status = 200, body = Found<Vec<Colleague>>)))]
pub async fn list_colleagues(State(room): State<Arc<Identity>>) -> Result<Found<Vec<Colleague>>> {
    let members = room.db.look_up(store::list).await?;
    let colleague = |member: super::rules::Member| Colleague {
        staff_id: member.staff_id,
        name: member.name,
        staff_type: member.staff_type,
    };
    Ok(found(members.into_iter().map(colleague).collect()))
}
