//! Saved views: lists with their filters, under names. A view belongs to a member, or all members share it.

use diesel::prelude::*;

use super::errors::ListError;
use super::filters::SentFilter;
use super::requests::Sort;
use crate::db::schema::saved_views;
use crate::db::{Conn, advisory_lock};
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::on_either;
use crate::orders::rules::Folder;
use crate::staff::store::{self as staff, lock_staff};
use crate::text::without_case;
use crate::timestamp::Timestamp;

/// The most views of a member, and the most shared views.
pub const MAX_VIEWS: i64 = 30;

/// A view as it is saved.
#[derive(Clone, Debug)]
pub struct NewView {
    pub name: String,
    pub is_shared: bool,
    pub folder: Folder,
    pub filter: SentFilter,
    pub sort: Option<Sort>,
}

/// A view.
#[derive(Clone, Debug)]
pub struct SavedView {
    pub view_id: i64,
    /// The member who saved it last.
    pub staff_id: StaffId,
    /// That member's name.
    pub by: String,
    pub view: NewView,
}

/// Lists the views of a member and the shared ones, by name.
pub fn list(conn: &mut Conn, staff_id: StaffId) -> Result<Vec<SavedView>> {
    type Row = (i64, StaffId, bool, String, String, String, Option<String>);
    let seen = saved_views::is_shared.eq(true).or(saved_views::staff_id.eq(staff_id));
    let rows = saved_views::table.filter(seen).order((saved_views::name_key, saved_views::view_id)).select((
        saved_views::view_id,
        saved_views::staff_id,
        saved_views::is_shared,
        saved_views::name,
        saved_views::folder,
        saved_views::filter,
        saved_views::sort,
    ));
    let rows: Vec<Row> = on_either!(conn => rows.load(conn)?);
    let members: Vec<StaffId> = rows.iter().map(|row| row.1).collect();
    let names = staff::names(conn, &members)?;
    let view = |(view_id, staff_id, is_shared, name, folder, filter, sort): Row| -> Result<SavedView> {
        let filter = serde_json::from_str(&filter).map_err(Error::internal)?;
        let sort = sort.map(|sort| serde_json::from_str(&sort)).transpose().map_err(Error::internal)?;
        let view = NewView { name, is_shared, folder: Folder::parse(&folder)?, filter, sort };
        Ok(SavedView { view_id, staff_id, by: names.get(&staff_id).cloned().unwrap_or_default(), view })
    };
    rows.into_iter().map(view).collect()
}

/// Saves a view of a member, or a shared one. It replaces the one of the same name, whose name is returned as it was spelled.
///
/// # Errors
/// [`ListError::TooManyViews`].
pub fn save(tx: &mut Conn, staff_id: StaffId, view: &NewView, now: Timestamp) -> Result<Option<String>> {
    lock(tx, staff_id, view.is_shared)?;
    let name_key = without_case(&view.name);
    let columns = (
        saved_views::staff_id.eq(staff_id),
        saved_views::name.eq(&view.name),
        saved_views::folder.eq(view.folder.as_str()),
        saved_views::filter.eq(serde_json::to_string(&view.filter).map_err(Error::internal)?),
        saved_views::sort.eq(view
            .sort
            .map(|sort| serde_json::to_string(&sort))
            .transpose()
            .map_err(Error::internal)?),
        saved_views::updated_at.eq(now),
    );
    let beside = saved_views::table.filter(saved_views::is_shared.eq(view.is_shared)).into_boxed();
    let beside = if view.is_shared { beside } else { beside.filter(saved_views::staff_id.eq(staff_id)) };
    let names = beside.select((saved_views::view_id, saved_views::name_key, saved_views::name));
    let mut known: Vec<(i64, String, String)> = names.load(tx)?;
    if let Some(place) = known.iter().position(|(_, known, _)| *known == name_key) {
        let (view_id, _, replaced) = known.swap_remove(place);
        diesel::update(saved_views::table.find(view_id)).set(columns).execute(tx)?;
        return Ok(Some(replaced));
    }
    if known.len() as i64 >= MAX_VIEWS {
        return Err(ListError::TooManyViews(MAX_VIEWS).into());
    }
    let row = (saved_views::is_shared.eq(view.is_shared), saved_views::name_key.eq(name_key), columns);
    diesel::insert_into(saved_views::table).values(row).execute(tx)?;
    Ok(None)
}

/// Deletes a view.
pub fn delete(tx: &mut Conn, view_id: i64) -> Result<()> {
    diesel::delete(saved_views::table.find(view_id)).execute(tx)?;
    Ok(())
}

/// Deletes the views of a member that are not shared.
pub fn delete_of(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    let own = saved_views::table.filter(saved_views::staff_id.eq(staff_id)).filter(saved_views::is_shared.eq(false));
    diesel::delete(own).execute(tx)?;
    Ok(())
}

/// Serialises the changes of a member's views, or of the shared ones.
fn lock(tx: &mut Conn, staff_id: StaffId, is_shared: bool) -> Result<()> {
    if is_shared { advisory_lock(tx, "shared views") } else { lock_staff(tx, staff_id) }
}
