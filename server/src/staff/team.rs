//! The team: who is on it, letting people in, changing what they are, and taking them off it.

use axum::extract::State;
use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::passwords::{MASK, NewPassword};
use super::rules::{self, Staff, StaffType};
use super::sessions;
use super::store::{self, Member, Profile};
use crate::app::App;
use crate::audit::store::{Actor, Change, add};
use crate::coded::{self, Forms};
use crate::db::{Conn, MOST_IDS, take_turns};
use crate::error::{Error, Result};
use crate::http::answer::{Done, Found, Kept, Refusals, done, found};
use crate::http::idempotency::Once;
use crate::http::json::{Json, Path};
use crate::orders::moves;
use crate::text::{Email, PersonName};

pub fn endpoints() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_team_members))
        .routes(routes!(list_team_member_types))
        .routes(routes!(find_team_member))
        .routes(routes!(add_team_member))
        .routes(routes!(update_team_member))
        .routes(routes!(delete_team_member))
}

/// Changes of the team take turns under this name: who counts the Admins sees them as they stay.
const TURNS: &str = "admins";

/// A member's number, plain or encoded.
#[derive(Clone, Copy, Debug, ToSchema)]
#[schema(value_type = i64)]
pub struct StaffId(i64);

impl<'de> Deserialize<'de> for StaffId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms { what: "a team member's id", parse: coded::parse }).map(Self)
    }
}

/// A member, as the team list shows them.
#[derive(Serialize, ToSchema)]
pub struct TeamMember {
    id: i64,
    name: String,
    email: String,
    /// Always the same stars.
    password: &'static str,
    #[serde(rename = "type")]
    staff_type: StaffType,
    /// Send it back with a change, so that nobody's change in between is lost.
    updated_at: DateTime<Utc>,
}

impl From<Member> for TeamMember {
    fn from(member: Member) -> Self {
        Self {
            id: member.staff_id,
            name: member.name,
            email: member.email,
            password: MASK,
            staff_type: member.staff_type,
            updated_at: member.updated_at.and_utc(),
        }
    }
}

/// The members, by name.
#[utoipa::path(get, path = "/admin/get-team-member-list",
    responses((status = 200, body = Found<Vec<TeamMember>>), Refusals))]
pub async fn list_team_members(State(app): State<App>) -> Result<axum::Json<Found<Vec<TeamMember>>>> {
    let members = app.db.read(store::list).await?;
    Ok(axum::Json(found(members.into_iter().map(TeamMember::from).collect())))
}

/// The types that the signed-in person may give to a member.
#[utoipa::path(get, path = "/admin/get-team-member-type",
    responses((status = 200, body = Found<Vec<StaffType>>), Refusals))]
pub async fn list_team_member_types(staff: Staff) -> axum::Json<Found<Vec<StaffType>>> {
    axum::Json(found(rules::types_managed_by(staff.staff_type)))
}

/// One member.
#[utoipa::path(get, path = "/admin/team-member-info/{id}",
    params(("id" = String, Path, description = "The member's id, plain or encoded")),
    responses((status = 200, body = Found<TeamMember>), Refusals))]
pub async fn find_team_member(
    State(app): State<App>,
    Path(StaffId(id)): Path<StaffId>,
) -> Result<axum::Json<Found<TeamMember>>> {
    let member = app.db.read(move |conn| get(conn, id)).await?;
    Ok(axum::Json(found(member.into())))
}

fn get(conn: &mut Conn, id: i64) -> Result<Member> {
    store::find(conn, id)?.ok_or_else(|| Error::not_found("There is no such team member"))
}

/// The signed-in person as the database has them now: perhaps somebody just took them off the team.
fn present(tx: &mut Conn, staff: &Staff) -> Result<Member> {
    store::find(tx, staff.id)?.ok_or_else(Error::signed_out)
}

#[derive(Deserialize, ToSchema)]
pub struct AddTeamMember {
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false)]
    email: Option<String>,
    #[schema(required, nullable = false)]
    password: Option<String>,
    #[serde(rename = "type")]
    #[schema(required, nullable = false)]
    staff_type: Option<String>,
}

/// Lets somebody in.
#[utoipa::path(post, path = "/admin/add-team-member", request_body = AddTeamMember,
    responses((status = 200, body = Found<TeamMember>), Refusals))]
pub async fn add_team_member(
    State(app): State<App>,
    staff: Staff,
    once: Once,
    Json(body): Json<AddTeamMember>,
) -> Result<Kept> {
    let profile = read_profile(body.name.as_deref(), body.email.as_deref(), body.staff_type.as_deref())?;
    let password = read_password(body.password.as_deref().unwrap_or_default())?;
    rules::check_manages(staff.staff_type, profile.staff_type)?;
    let (hash, now) = (app.passwords.hash(password).await?, app.clock.now());
    once.write(&app.db, move |tx| {
        rules::check_manages(present(tx, &staff)?.staff_type, profile.staff_type)?;
        let id = store::add(tx, &profile, &hash, &staff.name, now).map_err(rules::refuse_taken)?;
        let change = Change { action: "team.add", after: Some(told(&profile)), ..Change::default() };
        add(tx, &Actor::from(&staff), &[change], now)?;
        let message = "Team member added successfully".into();
        Ok(Found { status: 1, message, data: TeamMember::from(get(tx, id)?) })
    })
    .await
}

/// Reads what a member is, in the words of the form (spec §5).
pub(super) fn read_profile(name: Option<&str>, email: Option<&str>, staff_type: Option<&str>) -> Result<Profile> {
    Ok(Profile {
        name: PersonName::parse(name.unwrap_or_default(), "Please enter your name")?,
        email: Email::parse(email.unwrap_or_default()).ok_or_else(|| Error::invalid("Please enter your email"))?,
        staff_type: staff_type.and_then(StaffType::parse).ok_or_else(|| Error::invalid("Please select type"))?,
    })
}

pub(super) fn read_password(typed: &str) -> Result<NewPassword> {
    NewPassword::parse(typed, "Please enter your password", "Password must be at least 6 characters")
}

/// A member, as the audit tells of them.
pub(super) fn told(profile: &Profile) -> String {
    format!("{}, {}", profile.name.as_str(), profile.staff_type)
}

#[derive(Deserialize, ToSchema)]
pub struct UpdateTeamMember {
    #[serde(rename = "tmId")]
    id: StaffId,
    #[schema(required, nullable = false)]
    name: Option<String>,
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// Empty, or the stars of the list: the password stays.
    password: Option<String>,
    #[serde(rename = "type")]
    #[schema(required, nullable = false)]
    staff_type: Option<String>,
    /// When the member was last changed, as far as the person who fills in the form knows.
    updated_at: Option<DateTime<Utc>>,
}

/// Changes what a member is. A new password ends that person's sessions.
#[utoipa::path(post, path = "/admin/update-team-member", request_body = UpdateTeamMember,
    responses((status = 200, body = Done), Refusals))]
pub async fn update_team_member(
    State(app): State<App>,
    staff: Staff,
    once: Once,
    Json(body): Json<UpdateTeamMember>,
) -> Result<Kept> {
    let profile = read_profile(body.name.as_deref(), body.email.as_deref(), body.staff_type.as_deref())?;
    let hash = match body.password.as_deref() {
        None | Some("" | MASK) => None,
        Some(typed) => Some(app.passwords.hash(read_password(typed)?).await?),
    };
    let (id, now, zone) = (body.id.0, app.clock.now(), app.config.time_zone);
    let seen_at = body.updated_at.map(|seen_at| seen_at.naive_utc());
    once.write(&app.db, move |tx| {
        take_turns(tx, TURNS)?;
        let who = present(tx, &staff)?.staff_type;
        let member = get(tx, id)?;
        rules::check_manages(who, member.staff_type)?;
        rules::check_manages(who, profile.staff_type)?;
        rules::check_fresh(seen_at, &member, zone)?;
        if member.staff_type == StaffType::Admin && profile.staff_type != StaffType::Admin {
            rules::check_admin_remains(store::count_other_admins(tx, id)?)?;
        }
        store::set_profile(tx, id, &profile, &staff.name, now).map_err(rules::refuse_taken)?;
        let mut after = told(&profile);
        if member.email != profile.email.as_str() {
            after.push_str(", new email");
        }
        if let Some(hash) = &hash {
            store::hold(tx, id)?;
            store::set_password(tx, id, hash, &staff.name, now)?;
            sessions::end_all(tx, id)?;
            after.push_str(", new password");
        }
        let before = Some(format!("{}, {}", member.name, member.staff_type));
        let change = Change { action: "team.update", order_id: None, before, after: Some(after) };
        add(tx, &Actor::from(&staff), &[change], now)?;
        Ok(done("Team member updated successfully"))
    })
    .await
}

#[derive(Deserialize, ToSchema)]
pub struct DeleteTeamMember {
    #[serde(rename = "teamMemberId")]
    id: StaffId,
}

/// Takes a member off the team: they are signed out, and their open orders go back to their folders.
#[utoipa::path(put, path = "/admin/delete-team-member", request_body = DeleteTeamMember,
    responses((status = 200, body = Done), Refusals))]
pub async fn delete_team_member(
    State(app): State<App>,
    staff: Staff,
    Json(body): Json<DeleteTeamMember>,
) -> Result<axum::Json<Done>> {
    let (id, now) = (body.id.0, app.clock.now());
    app.db
        .write(move |tx| {
            take_turns(tx, TURNS)?;
            let who = present(tx, &staff)?.staff_type;
            let member = get(tx, id)?;
            rules::check_manages(who, member.staff_type)?;
            if member.staff_type == StaffType::Admin {
                rules::check_admin_remains(store::count_other_admins(tx, id)?)?;
            }
            rules::check_not_self(staff.id, id)?;
            store::hold(tx, id)?;
            store::delete(tx, id, &staff.name, now)?;
            sessions::end_all(tx, id)?;
            let before = Some(format!("{}, {}", member.name, member.staff_type));
            let change = Change { action: "team.delete", before, ..Change::default() };
            add(tx, &Actor::from(&staff), &[change], now)?;
            give_back_all(tx, &member, &Actor::from(&staff), now)
        })
        .await?;
    Ok(axum::Json(done("Team member deleted successfully")))
}

/// Gives the member's open orders back to nobody.
fn give_back_all(tx: &mut Conn, member: &Member, by: &Actor, now: NaiveDateTime) -> Result<()> {
    let open = store::list_open_orders(tx, member.staff_id)?;
    for ids in open.chunks(MOST_IDS) {
        let mut theirs = moves::lock(tx, ids)?;
        theirs.retain(|standing| standing.owner_id == Some(member.staff_id));
        let ids: Vec<i64> = theirs.iter().map(|standing| standing.order_id).collect();
        moves::set_owner(tx, &ids, None, now)?;
        let changes = ids.iter().map(|id| Change {
            action: "order.assign",
            order_id: Some(*id),
            before: Some(member.name.clone()),
            after: None,
        });
        add(tx, by, &changes.collect::<Vec<_>>(), now)?;
    }
    Ok(())
}
