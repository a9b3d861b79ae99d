//! The team members: list, get, add and update, and the removal of a lost second factor.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Identity;
use super::member_mails;
use super::rules::notices::AccountEvent;
use super::rules::passwords::{MASK, NewPassword};
use super::rules::{self, Member, Staff, StaffType};
use super::second_factor;
use super::sessions;
use super::store::{self, Profile};
use super::team::{self, describe, read_profile};
use crate::audit::store::{Actor, Change, add};
use crate::error::{Permission, Result};
use crate::http::answer::{Done, Found, StoredResponse, done, found};
use crate::http::idempotency::IdempotentRequest;
use crate::http::json::{Json, Path};
use crate::http::routes::call;
use crate::ids::StaffId;
use crate::staff::errors::HashingErrors;
use crate::timestamp::Timestamp;

pub fn endpoints() -> OpenApiRouter<Arc<Identity>> {
    OpenApiRouter::new()
        .routes(call!(list_team_members))
        .routes(call!(list_team_member_types))
        .routes(call!(find_team_member))
        .routes(call!(add_team_member))
        .routes(call!(update_team_member))
        .routes(call!(remove_second_factor))
}

/// A team member.
#[derive(Serialize, ToSchema)]
pub struct TeamMember {
    /// The member's id.
    id: StaffId,
    /// The member's name, which is unique among the active members.
    name: String,
    /// The member's email address, with which they sign in.
    email: String,
    /// Always the same stars.
    password: &'static str,
    /// The member's type, which decides what they may do.
    #[serde(rename = "type")]
    staff_type: StaffType,
    /// The member signs in with a second factor.
    second_factor: bool,
    /// Send it back with an update, so that the update cannot overwrite a change made in between.
    updated_at: Timestamp,
}

impl TeamMember {
    fn of(member: Member, second_factor: bool) -> Self {
        Self {
            id: member.staff_id,
            name: member.name,
            email: member.email,
            password: MASK,
            staff_type: member.staff_type,
            second_factor,
            updated_at: member.updated_at,
        }
    }
}

/// List team members by name.
#[utoipa::path(get, path = "/admin/get-team-member-list",
    responses((status = 200, body = Found<Vec<TeamMember>>)))]
pub async fn list_team_members(State(room): State<Arc<Identity>>) -> Result<Found<Vec<TeamMember>>> {
    let listed = room.db.read(|conn| {
        let enrolled = second_factor::list_owners(conn)?;
        let shown = |member: Member| {
            let second_factor = enrolled.contains(&member.staff_id);
            TeamMember::of(member, second_factor)
        };
        Ok(store::list(conn)?.into_iter().map(shown).collect())
    });
    Ok(found(listed.await?))
}

/// List the types that the signed-in person may assign to a member.
#[utoipa::path(get, path = "/admin/get-team-member-type",
    responses((status = 200, body = Found<Vec<StaffType>>)))]
pub async fn list_team_member_types(staff: Staff) -> Found<Vec<StaffType>> {
    found(rules::types_managed_by(staff.staff_type))
}

/// Get a team member.
#[utoipa::path(get, path = "/admin/team-member-info/{id}",
    params(("id" = String, Path, description = "The member's id, plain or encoded")),
    responses((status = 200, body = Found<TeamMember>)))]
pub async fn find_team_member(State(room): State<Arc<Identity>>, Path(id): Path<StaffId>) -> Result<Found<TeamMember>> {
    let read = room.db.read(move |conn| Ok(TeamMember::of(team::get(conn, id)?, second_factor::has_any(conn, id)?)));
    Ok(found(read.await?))
}

/// A new team member.
#[derive(Deserialize, ToSchema)]
pub struct AddTeamMember {
    /// The name, unique among the active members.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// The email address to sign in with.
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// The first password: at least 6 characters, and not a common one.
    #[schema(required, nullable = false)]
    password: Option<String>,
    /// The member's type: one of those that the caller may assign.
    #[serde(rename = "type")]
    #[schema(required, nullable = false)]
    staff_type: Option<String>,
}

/// Add a team member.
#[utoipa::path(post, path = "/admin/add-team-member", request_body = AddTeamMember,
    responses((status = 200, body = Found<TeamMember>)))]
pub async fn add_team_member(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    hashing: Permission<HashingErrors>,
    Json(body): Json<AddTeamMember>,
) -> Result<StoredResponse> {
    let profile = read_profile(body.name.as_deref(), body.email.as_deref(), body.staff_type.as_deref())?;
    let password = new_password(&room, body.password.as_deref().unwrap_or_default(), &profile)?;
    rules::check_manages(staff.staff_type, profile.staff_type)?;
    let (hash, now) = (room.passwords.hash(hashing, password).await?, room.clock.now());
    idempotent
        .write(&room.db, move |tx| {
            rules::check_manages(team::present(tx, &staff)?.staff_type, profile.staff_type)?;
            let id = store::add(tx, &profile, &hash, &staff.name, now)?;
            let change = Change::of("team.add").after(describe(&profile));
            add(tx, &Actor::from(&staff), &[change], now)?;
            let message = "Team member added successfully".into();
            Ok(Found { status: 1, message, data: TeamMember::of(team::get(tx, id)?, false) })
        })
        .await
}

fn new_password(room: &Identity, typed: &str, profile: &Profile) -> Result<NewPassword> {
    let password = NewPassword::of_member(typed, room.passwords.rule)?;
    Ok(password.about(profile.name.as_str(), profile.email.as_str()))
}

/// The new profile of a team member.
#[derive(Deserialize, ToSchema)]
pub struct UpdateTeamMember {
    /// The member to change.
    #[serde(rename = "tmId")]
    id: StaffId,
    /// The name, unique among the active members.
    #[schema(required, nullable = false)]
    name: Option<String>,
    /// The email address to sign in with.
    #[schema(required, nullable = false)]
    email: Option<String>,
    /// Empty, or the stars of the list: the password is unchanged.
    password: Option<String>,
    /// The member's type: one of those that the caller may assign.
    #[serde(rename = "type")]
    #[schema(required, nullable = false)]
    staff_type: Option<String>,
    /// The `updated_at` of the member when the form was opened.
    updated_at: Option<Timestamp>,
}

/// Update a team member. A new password ends that member's sessions. One's own password and email need a sign-in within the last half hour.
#[utoipa::path(post, path = "/admin/update-team-member", request_body = UpdateTeamMember,
    responses((status = 200, body = Done)))]
pub async fn update_team_member(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    hashing: Permission<HashingErrors>,
    Json(body): Json<UpdateTeamMember>,
) -> Result<StoredResponse> {
    let profile = read_profile(body.name.as_deref(), body.email.as_deref(), body.staff_type.as_deref())?;
    let hash = match body.password.as_deref() {
        None | Some("" | MASK) => None,
        Some(typed) => Some(room.passwords.hash(hashing, new_password(&room, typed, &profile)?).await?),
    };
    let (id, now, zone) = (body.id, room.clock.now(), room.config.time_zone);
    let seen_at = body.updated_at;
    idempotent
        .write(&room.db, move |tx| {
            team::lock(tx)?;
            // Before the row is written, in the same order as in `change_password`: two orders would deadlock.
            store::lock_staff(tx, id)?;
            let who = team::present(tx, &staff)?.staff_type;
            let member = team::get(tx, id)?;
            rules::check_manages(who, member.staff_type)?;
            rules::check_manages(who, profile.staff_type)?;
            rules::check_fresh(seen_at, &member, zone)?;
            if id == staff.id && (hash.is_some() || member.email != profile.email.as_str()) {
                rules::check_recent_sign_in(now - staff.signed_in_at)?;
            }
            if member.staff_type == StaffType::Admin && profile.staff_type != StaffType::Admin {
                rules::check_admin_remains(store::count_other_admins(tx, id)?)?;
            }
            store::set_profile(tx, id, &profile, &staff.name, now)?;
            let (by, new_email) = (Actor::from(&staff), profile.email.as_str());
            let mut after = describe(&profile);
            if member.email != new_email {
                after.push_str(", new email");
                // The old address as well: it warns the member when someone else changes it.
                member_mails::report(tx, (id, &member.email), AccountEvent::EmailChanged, &by, now)?;
                member_mails::report(tx, (id, new_email), AccountEvent::EmailChanged, &by, now)?;
            }
            if let Some(hash) = &hash {
                store::set_password(tx, id, hash, &staff.name, now)?;
                sessions::end_all(tx, id)?;
                after.push_str(", new password");
                member_mails::report(tx, (id, &member.email), AccountEvent::PasswordChanged, &by, now)?;
            }
            let before = Some(format!("{}, {}", member.name, member.staff_type));
            let change = Change::of("team.update").before(before).after(after);
            add(tx, &by, &[change], now)?;
            Ok(done("Team member updated successfully"))
        })
        .await
}

/// A team member.
#[derive(Deserialize, ToSchema)]
pub struct NamedMember {
    /// The member's id.
    #[serde(rename = "tmId")]
    id: StaffId,
}

/// Remove a team member's second factor, for a member who lost it, and end that member's sessions.
#[utoipa::path(post, path = "/admin/remove-second-factor", request_body = NamedMember,
    responses((status = 200, body = Done)))]
pub async fn remove_second_factor(
    State(room): State<Arc<Identity>>,
    staff: Staff,
    idempotent: IdempotentRequest,
    Json(body): Json<NamedMember>,
) -> Result<StoredResponse> {
    let now = room.clock.now();
    idempotent
        .write(&room.db, move |tx| {
            let who = team::present(tx, &staff)?.staff_type;
            let member = team::get(tx, body.id)?;
            rules::check_manages(who, member.staff_type)?;
            let (by, whom) = (Actor::from(&staff), (body.id, &*member.email));
            second_factor::take_away(tx, &by, whom, member.name.clone(), now)?;
            Ok(done("The second factor has been removed"))
        })
        .await
}
