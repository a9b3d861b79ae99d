//! The settings of each member for the lists of orders, as rows. Which columns there are is decided above: the names are kept as they are.

use std::collections::BTreeMap;

use diesel::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

use super::store::lock_staff;
use crate::db::Conn;
use crate::db::schema::list_settings;
use crate::error::{Error, Result};
use crate::ids::StaffId;
use crate::text_enum;
use crate::timestamp::Timestamp;

text_enum! {
    /// The height of the rows of a list.
    pub enum Density {
        Comfortable = "comfortable",
        Compact = "compact",
    }
}

/// The settings of a member for the lists of orders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ListSettings {
    /// The height of the rows.
    pub density: Density,
    /// The hidden columns by folder, such as `newOrder`; folders that hide none are left out.
    pub hidden_columns: BTreeMap<String, Vec<String>>,
    /// Lists show the newest comment of each order.
    pub newest_comment: bool,
}

impl Default for ListSettings {
    fn default() -> Self {
        Self { density: Density::Comfortable, hidden_columns: BTreeMap::new(), newest_comment: false }
    }
}

/// The settings of a member; the defaults if they never changed any.
pub fn find(conn: &mut Conn, staff_id: StaffId) -> Result<ListSettings> {
    let columns = (list_settings::density, list_settings::hidden_columns, list_settings::newest_comment);
    let row = list_settings::table.find(staff_id).select(columns);
    let Some((density, hidden, newest_comment)) = row.first::<(Density, String, bool)>(conn).optional()? else {
        return Ok(ListSettings::default());
    };
    let hidden_columns = serde_json::from_str(&hidden).map_err(Error::internal)?;
    Ok(ListSettings { density, hidden_columns, newest_comment })
}

/// Sets the settings of a member.
pub fn set(tx: &mut Conn, staff_id: StaffId, settings: &ListSettings, now: Timestamp) -> Result<()> {
    // Two requests of one member cannot both find no row.
    lock_staff(tx, staff_id)?;
    let hidden = serde_json::to_string(&settings.hidden_columns).map_err(Error::internal)?;
    let values = (
        list_settings::density.eq(settings.density),
        list_settings::hidden_columns.eq(hidden),
        list_settings::newest_comment.eq(settings.newest_comment),
        list_settings::updated_at.eq(now),
    );
    let updated = diesel::update(list_settings::table.find(staff_id)).set(values.clone()).execute(tx)?;
    if updated == 0 {
        diesel::insert_into(list_settings::table).values((list_settings::staff_id.eq(staff_id), values)).execute(tx)?;
    }
    Ok(())
}

/// Deletes the settings of a member.
pub fn delete(tx: &mut Conn, staff_id: StaffId) -> Result<()> {
    diesel::delete(list_settings::table.find(staff_id)).execute(tx)?;
    Ok(())
}
