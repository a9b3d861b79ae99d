//! The calls of saved views.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::Lists;
use super::errors::ListError;
use super::filters::SentFilter;
use super::requests::{ListRequest, SentValues, Sort};
use super::saved_views::{self, NewView, SavedView};
use crate::audit::store::{Actor, Change, add};
use crate::characters::is_unseen;
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::http::answer::{Done, Found, done, found};
use crate::http::json::Json;
use crate::http::routes::call;
use crate::orders::rules::{acts_for_others, may_list};
use crate::staff::rules::Staff;

/// The most characters of a view's name.
const MAX_NAME_LEN: usize = 60;

/// The most orders of a view that are counted.
const MAX_COUNTED: i64 = 100;

/// After this time, no further view is counted.
const COUNTING_LIMIT: Duration = Duration::from_secs(1);

pub fn endpoints() -> OpenApiRouter<Arc<Lists>> {
    OpenApiRouter::new()
        .routes(call!(list_saved_views))
        .routes(call!(save_view))
        .routes(call!(delete_saved_view))
        .routes(call!(count_saved_views))
}

/// The views that the caller sees.
#[derive(Serialize, ToSchema)]
pub struct SavedViews {
    /// The caller may share views, and delete shared ones.
    may_share: bool,
    /// By name.
    views: Vec<SavedViewEntry>,
}

/// A filtered list under a name.
#[derive(Serialize, ToSchema)]
pub struct SavedViewEntry {
    /// Identifies the view.
    view_id: i64,
    /// Its name.
    name: String,
    /// The folder, such as `newOrder`.
    folder: &'static str,
    /// The values that its orders have.
    filter: SentFilter,
    /// The order of the rows, if not the list's own.
    sort: Option<Sort>,
    /// All members who may list the folder see it.
    is_shared: bool,
    /// The name of the member who saved it last.
    by: String,
    /// The caller may delete it and save another one under its name.
    may_change: bool,
}

/// List the caller's views and the shared ones whose folders the caller may list, by name.
#[utoipa::path(get, path = "/admin/saved-views", responses((status = 200, body = Found<SavedViews>)))]
pub async fn list_saved_views(State(room): State<Arc<Lists>>, staff: Staff) -> Result<Found<SavedViews>> {
    let may_share = acts_for_others(staff.staff_type);
    let entry = |SavedView { view_id, by, view, .. }: SavedView| SavedViewEntry {
        view_id,
        may_change: !view.is_shared || may_share,
        name: view.name,
        folder: view.folder.as_str(),
        filter: view.filter,
        sort: view.sort,
        is_shared: view.is_shared,
        by,
    };
    let views = seen_by(&room, &staff).await?.into_iter().map(entry).collect();
    Ok(found(SavedViews { may_share, views }))
}

/// The views of a member, and the shared ones whose folders they may list.
async fn seen_by(room: &Lists, staff: &Staff) -> Result<Vec<SavedView>> {
    let staff_id = staff.id;
    let mut views = room.db.look_up(move |conn| saved_views::list(conn, staff_id)).await?;
    views.retain(|saved| may_list(staff.staff_type, saved.view.folder));
    Ok(views)
}

/// A view to save.
#[derive(Deserialize, ToSchema)]
pub struct SaveView {
    /// The name, at most 60 characters. The caller's view of that name, or the shared one, is replaced.
    name: String,
    /// The folder, such as `newOrder`.
    folder: String,
    /// The values that its orders have; at least one.
    filter: SentFilter,
    /// The order of the rows, if not the list's own.
    sort: Option<Sort>,
    /// True: all members who may list the folder see it. Admins and Managers share views.
    #[serde(rename = "isShared")]
    is_shared: bool,
}

/// Save a filtered list under a name.
#[utoipa::path(put, path = "/admin/saved-view", request_body = SaveView, responses((status = 200, body = Done)))]
pub async fn save_view(State(room): State<Arc<Lists>>, staff: Staff, Json(body): Json<SaveView>) -> Result<Done> {
    let SaveView { name, folder, filter, sort, is_shared } = body;
    let name = name.trim().to_owned();
    if !(1..=MAX_NAME_LEN).contains(&name.chars().count()) || name.chars().any(is_unseen) {
        return Err(ListError::InvalidViewName(MAX_NAME_LEN).into());
    }
    if is_shared && !acts_for_others(staff.staff_type) {
        return Err(ListError::SharedViewClosed.into());
    }
    let request = ListRequest::check(list_of(folder, filter.clone(), sort), &staff, &room).await?;
    if !request.is_filtered() {
        return Err(ListError::ViewWithoutFilter.into());
    }
    let view = NewView { name, is_shared, folder: request.folder, filter, sort };
    let now = room.clock.now();
    let write = move |tx: &mut Conn| {
        let replaced = saved_views::save(tx, staff.id, &view, now)?;
        if view.is_shared {
            let change = Change::of("saved_view.save").before(replaced).after(view.name.clone());
            add(tx, &Actor::from(&staff), &[change], now)?;
        }
        Ok(())
    };
    room.db.write(write).await?;
    Ok(done("The view has been saved"))
}

/// The whole list of a view.
fn list_of(folder: String, filter: SentFilter, sort: Option<Sort>) -> SentValues {
    SentValues { folder, user_name: None, year: None, month: None, search: None, sort, needs: None, filter }
}

/// The view to delete.
#[derive(Deserialize, ToSchema)]
pub struct DeleteSavedView {
    /// Identifies the view.
    #[serde(rename = "viewId")]
    view_id: i64,
}

/// Delete a view: one's own, or as Admin or Manager a shared one.
#[utoipa::path(put, path = "/admin/delete-saved-view", request_body = DeleteSavedView, responses((status = 200, body = Done)))]
pub async fn delete_saved_view(
    State(room): State<Arc<Lists>>,
    staff: Staff,
    Json(body): Json<DeleteSavedView>,
) -> Result<Done> {
    let now = room.clock.now();
    let write = move |tx: &mut Conn| {
        let seen = saved_views::list(tx, staff.id)?;
        let view = seen.into_iter().find(|saved| saved.view_id == body.view_id).ok_or(ListError::SavedViewNotFound)?;
        if view.view.is_shared && !acts_for_others(staff.staff_type) {
            return Err(ListError::SharedViewClosed.into());
        }
        saved_views::delete(tx, body.view_id)?;
        if view.view.is_shared {
            let change = Change::of("saved_view.delete").before(view.view.name);
            add(tx, &Actor::from(&staff), &[change], now)?;
        }
        Ok(())
    };
    room.db.write(write).await?;
    Ok(done("The view has been deleted"))
}

/// The number of orders in a view.
#[derive(Serialize, ToSchema)]
pub struct ViewCount {
    /// Identifies the view.
    view_id: i64,
    /// At most 100, which stands for more. Null: it was not counted in time.
    count: Option<i64>,
}

/// Count the orders of the views that the caller sees. A count is at most a minute old, and one for all who share the view.
#[utoipa::path(get, path = "/admin/saved-view-counts", responses((status = 200, body = Found<Vec<ViewCount>>)))]
pub async fn count_saved_views(State(room): State<Arc<Lists>>, staff: Staff) -> Result<Found<Vec<ViewCount>>> {
    let (began, now) = (Instant::now(), room.clock.now());
    let mut counts = Vec::new();
    for SavedView { view_id, view, .. } in seen_by(&room, &staff).await? {
        let filter = serde_json::to_string(&view.filter).map_err(Error::internal)?;
        let values = list_of(view.folder.as_str().to_owned(), view.filter, view.sort);
        let count = match ListRequest::check(values, &staff, &room).await {
            Ok(request) if began.elapsed() < COUNTING_LIMIT => {
                let key = (view.folder, filter, request.is_of(&staff).then_some(staff.id));
                let caller = staff.clone();
                let read = room.db.read_in_background(move |conn| request.count(conn, &caller, MAX_COUNTED));
                Some(*room.view_counts.get(key, now, read).await?.1)
            }
            // A value of an old view may have left the catalogue.
            Ok(_) | Err(_) => None,
        };
        counts.push(ViewCount { view_id, count });
    }
    Ok(found(counts))
}
