//! The states that staff set for the papers of an order, as rows.

use std::collections::HashMap;

use diesel::prelude::*;

use super::rules::PaperState;
use crate::db::Conn;
use crate::db::schema::paper_states;
use crate::error::Result;
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::timestamp::Timestamp;

/// The state that a member set for a paper.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_states)]
pub struct SetState {
    /// The document of the catalogue.
    pub kind: String,
    /// The file that was looked at.
    pub document_id: i64,
    pub state: PaperState,
    /// The code of a reason.
    pub reason: Option<String>,
    pub staff_id: StaffId,
    pub set_at: Timestamp,
}

/// Lists the states that were set for the papers of an order, by kind.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<HashMap<String, SetState>> {
    let rows = paper_states::table.filter(paper_states::order_id.eq(order_id));
    let rows: Vec<SetState> = on_either!(conn => rows.select(SetState::as_select()).load(conn)?);
    Ok(rows.into_iter().map(|row| (row.kind.clone(), row)).collect())
}

/// Stores what is said about a paper; [`PaperState::Received`] takes it back.
pub fn set(tx: &mut Conn, order_id: OrderId, said: &SetState) -> Result<()> {
    let row = paper_states::table.find((order_id, &said.kind));
    if said.state == PaperState::Received {
        diesel::delete(row).execute(tx)?;
        return Ok(());
    }
    let columns = (
        paper_states::document_id.eq(said.document_id),
        paper_states::state.eq(said.state),
        paper_states::reason.eq(&said.reason),
        paper_states::staff_id.eq(said.staff_id),
        paper_states::set_at.eq(said.set_at),
    );
    if diesel::update(row).set(columns).execute(tx)? == 0 {
        let row = (paper_states::order_id.eq(order_id), paper_states::kind.eq(&said.kind), columns);
        diesel::insert_into(paper_states::table).values(row).execute(tx)?;
    }
    Ok(())
}
