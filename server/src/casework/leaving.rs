//! Deletes members of staff: ends their sessions and gives back their open orders.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::audit::store::{Actor, Change, add};
use crate::canned_texts::store as canned_texts;
use crate::casework::Casework;
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::http::answer::{Done, done};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::lifecycle::Lifecycle;
use crate::lifecycle::attached::Cause;
use crate::lifecycle::change::To;
use crate::lists::saved_views;
use crate::orders::moves;
use crate::staff::rules::{self, Member, Staff, StaffType};
use crate::staff::{inbox, known_devices, list_settings, sessions, store, team};

pub fn endpoints() -> OpenApiRouter<Arc<Casework>> {
    OpenApiRouter::new().routes(call!(delete_team_member))
}

/// The team member to delete.
#[derive(Deserialize, ToSchema)]
pub struct DeleteTeamMember {
    /// The member's id.
    #[serde(rename = "teamMemberId")]
    id: StaffId,
}

/// Delete a team member: ends their sessions and gives back their open orders.
#[utoipa::path(put, path = "/admin/delete-team-member", request_body = DeleteTeamMember,
    responses((status = 200, body = Done)))]
pub async fn delete_team_member(
    State(room): State<Arc<Casework>>,
    staff: Staff,
    Json(body): Json<DeleteTeamMember>,
) -> Result<Done> {
    let (id, lifecycle) = (body.id, room.lifecycle.clone());
    let cause = lifecycle.cause(&staff, "order.assign");
    let now = cause.now;
    room.db
        .write(move |tx| {
            team::lock(tx)?;
            let who = team::present(tx, &staff)?.staff_type;
            let member = team::get(tx, id)?;
            rules::check_manages(who, member.staff_type)?;
            if member.staff_type == StaffType::Admin {
                rules::check_admin_remains(store::count_other_admins(tx, id)?)?;
            }
            rules::check_not_self(staff.id, id)?;
            store::lock_staff(tx, id)?;
            store::delete(tx, id, &staff.name, now)?;
            sessions::end_all(tx, id)?;
            known_devices::forget(tx, id)?;
            list_settings::delete(tx, id)?;
            inbox::delete_of(tx, id)?;
            canned_texts::delete_of(tx, id)?;
            saved_views::delete_of(tx, id)?;
            let before = Some(format!("{}, {}", member.name, member.staff_type));
            let change = Change::of("team.delete").before(before);
            add(tx, &Actor::from(&staff), &[change], now)?;
            give_back_all(tx, &lifecycle, &member, &cause)
        })
        .await?;
    Ok(done("Team member deleted successfully"))
}

/// Gives back the member's open orders. Closed ones are given back if they come into work again.
fn give_back_all(tx: &mut Conn, lifecycle: &Lifecycle, member: &Member, cause: &Cause) -> Result<()> {
    let open = moves::list_open(tx, member.staff_id)?;
    for ids in open.chunks(MAX_IDS) {
        let mut theirs = moves::lock(tx, ids)?;
        theirs.retain(|order| order.owner_id == Some(member.staff_id));
        lifecycle.change(tx, &theirs, |_| To::Owner(None), cause)?;
    }
    Ok(())
}
