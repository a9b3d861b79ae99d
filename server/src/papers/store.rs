//! The rows of checks and of the looks at their findings.

use chrono::TimeDelta;
use diesel::prelude::*;
use sha2::{Digest, Sha256};

use super::dialect;
use super::limits::portal;
use super::reading::PaperReading;
use super::rules::passport::{self, TypedPassport};
use super::rules::photograph;
use super::rules::{CheckState, FieldFinding, NotChecked, Paper, PaperField, PaperProblem, problem};
use crate::db::schema::{paper_checks, paper_looks};
use crate::db::{Conn, database_now};
use crate::documents::store as documents;
use crate::error::{Error, Result};
use crate::ids::{OrderId, StaffId};
use crate::on_either;
use crate::orders::facts;
use crate::text_enum;
use crate::timestamp::Timestamp;

/// The time for which a check is leased: longer than its children may run.
pub const LEASE: TimeDelta = TimeDelta::seconds(300);

/// The maximum number of times that a check is begun: one that stopped its server does not stop it for ever.
pub const MAX_ATTEMPTS: i32 = 3;

/// Requests the check of a new file, if files of that kind are checked. Returns whether they are.
pub fn request(tx: &mut Conn, order_id: OrderId, document_id: i64, kind: &str, now: Timestamp) -> Result<bool> {
    let Some(paper) = Paper::of_kind(kind) else { return Ok(false) };
    diesel::insert_into(paper_checks::table)
        .values((
            paper_checks::document_id.eq(document_id),
            paper_checks::order_id.eq(order_id),
            paper_checks::paper.eq(paper),
            paper_checks::state.eq(CheckState::Pending),
            paper_checks::attempts.eq(0),
            paper_checks::requested_at.eq(now),
        ))
        .execute(tx)?;
    Ok(true)
}

/// Requests the checks of the newest files of an order again. Returns how many there are.
pub fn request_again(tx: &mut Conn, order_id: OrderId, now: Timestamp) -> Result<usize> {
    let mut requested = Vec::new();
    for document in documents::list(tx, order_id)?.into_iter().rev() {
        let Some(paper) = Paper::of_kind(&document.kind).filter(|paper| !requested.contains(paper)) else { continue };
        requested.push(paper);
        let row = paper_checks::table.find(document.document_id);
        let anew = (
            paper_checks::state.eq(CheckState::Pending),
            paper_checks::reason.eq(None::<NotChecked>),
            paper_checks::reading.eq(None::<String>),
            paper_checks::attempts.eq(0),
            paper_checks::leased_until.eq(None::<Timestamp>),
            paper_checks::requested_at.eq(now),
        );
        if diesel::update(row).set(anew).execute(tx)? == 0 {
            request(tx, order_id, document.document_id, &document.kind, now)?;
        }
    }
    Ok(requested.len())
}

/// A check that this process runs now.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_checks)]
pub struct ClaimedCheck {
    pub document_id: i64,
    pub order_id: OrderId,
    pub paper: Paper,
    /// The values that were read before; only the comparison is due.
    pub reading: Option<String>,
    /// The number of the attempt, from 1.
    pub attempts: i32,
}

/// Returns true if a check waits.
pub fn is_due(conn: &mut Conn) -> Result<bool> {
    let due = paper_checks::table.filter(paper_checks::state.eq(CheckState::Pending));
    Ok(diesel::select(diesel::dsl::exists(due)).get_result(conn)?)
}

/// Leases the check that has waited longest.
pub fn claim(tx: &mut Conn) -> Result<Option<ClaimedCheck>> {
    let Some(document_id) = dialect::lock_due_check(tx)? else { return Ok(None) };
    let row = paper_checks::table.find(document_id);
    let leased_until = database_now(tx)? + LEASE;
    let leased = (paper_checks::leased_until.eq(leased_until), paper_checks::attempts.eq(paper_checks::attempts + 1));
    diesel::update(row).set(leased).execute(tx)?;
    Ok(Some(on_either!(tx => row.select(ClaimedCheck::as_select()).first(tx))?))
}

/// Gives back a check that was cut off, as if it had not been begun.
pub fn give_back(tx: &mut Conn, claimed: &ClaimedCheck) -> Result<()> {
    let row = paper_checks::table
        .find(claimed.document_id)
        .filter(paper_checks::attempts.eq(claimed.attempts))
        .filter(paper_checks::state.eq(CheckState::Pending));
    let columns = (paper_checks::leased_until.eq(None::<Timestamp>), paper_checks::attempts.eq(claimed.attempts - 1));
    diesel::update(row).set(columns).execute(tx)?;
    Ok(())
}

/// The result of a check that ended.
#[derive(Clone, Debug)]
pub enum FinishedCheck {
    Read(PaperReading),
    NotChecked(NotChecked),
}

/// Records how a check ended, and compares what was read with the order, which the caller has locked. Returns the findings; none if the
/// check was requested again meanwhile.
pub fn end(
    tx: &mut Conn,
    claimed: &ClaimedCheck,
    ended: &FinishedCheck,
    context: Context,
) -> Result<Option<Vec<FieldFinding>>> {
    let (state, reason, reading) = match ended {
        FinishedCheck::Read(reading) => {
            (CheckState::Done, None, Some(serde_json::to_string(reading).map_err(Error::internal)?))
        }
        FinishedCheck::NotChecked(reason) => (CheckState::NotChecked, Some(*reason), None),
    };
    let findings = match ended {
        FinishedCheck::Read(reading) => findings(tx, claimed.order_id, reading, context)?,
        FinishedCheck::NotChecked(_) => Vec::new(),
    };
    let looks = looks(tx, claimed.document_id)?;
    let row = paper_checks::table
        .find(claimed.document_id)
        .filter(paper_checks::attempts.eq(claimed.attempts))
        .filter(paper_checks::state.eq(CheckState::Pending));
    let columns = (
        paper_checks::state.eq(state),
        paper_checks::reason.eq(reason),
        paper_checks::reading.eq(reading),
        paper_checks::problem.eq(problem(open(&findings, &looks))),
        paper_checks::leased_until.eq(None::<Timestamp>),
        paper_checks::checked_at.eq(Some(context.now)),
    );
    Ok((diesel::update(row).set(columns).execute(tx)? == 1).then_some(findings))
}

/// When and on which day of the agency something happens.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    pub now: Timestamp,
    pub today: chrono::NaiveDate,
}

/// Compares a reading with the order, or with the limits of the portal.
pub fn findings(
    conn: &mut Conn,
    order_id: OrderId,
    reading: &PaperReading,
    context: Context,
) -> Result<Vec<FieldFinding>> {
    match reading {
        PaperReading::Passport(reading) => {
            let typed = find_typed(conn, order_id)?.unwrap_or_default();
            Ok(passport::compare(reading, &typed, context.today))
        }
        PaperReading::Photograph(reading) => Ok(photograph::compare(reading, &portal().photograph)),
    }
}

/// Returns the values typed for an order.
fn find_typed(conn: &mut Conn, order_id: OrderId) -> Result<Option<TypedPassport>> {
    let Some((order, _)) = facts::find(conn, order_id)? else { return Ok(None) };
    let application = facts::find_application(conn, order_id)?;
    Ok(Some(TypedPassport {
        full_name: order.full_name,
        first_name: application.first_name,
        middle_name: application.middle_name,
        last_name: application.last_name,
        sex: application.sex,
        date_of_birth: application.date_of_birth,
        nationality: order.nationality,
        passport_from: application.passport_from,
        document_number: application.document_number,
        date_of_expiry: application.date_of_expiry,
        visa_type: order.visa_type,
        // No application is processed before that day.
        document_type: application.document_type,
        arrival_date: application.arrival_date.or(order.processing_date),
    }))
}

/// The check of a file.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_checks)]
pub struct Check {
    pub document_id: i64,
    pub paper: Paper,
    pub state: CheckState,
    pub reason: Option<NotChecked>,
    pub reading: Option<String>,
    pub problem: Option<PaperProblem>,
    pub checked_at: Option<Timestamp>,
}

impl Check {
    /// Returns the values that were read, if any were.
    pub fn reading(&self) -> Option<PaperReading> {
        self.reading.as_deref().and_then(|reading| serde_json::from_str(reading).ok())
    }

    /// The state to show. A reading is compared each time it is shown, so after a correction the check still counts as done while the
    /// worker updates what lists show.
    pub fn shown_state(&self) -> CheckState {
        if self.reading.is_some() { CheckState::Done } else { self.state }
    }
}

/// The checks of the newest file of each paper of an order.
pub fn list(conn: &mut Conn, order_id: OrderId) -> Result<Vec<Check>> {
    let checks =
        paper_checks::table.filter(paper_checks::order_id.eq(order_id)).order(paper_checks::document_id.desc());
    let all: Vec<Check> = on_either!(conn => checks.select(Check::as_select()).load(conn))?;
    let mut newest: Vec<Check> = Vec::new();
    for check in all {
        if newest.iter().all(|known| known.paper != check.paper) {
            newest.push(check);
        }
    }
    Ok(newest)
}

text_enum! {
    /// A member's verdict on a finding.
    pub enum Verdict {
        /// Both sides say the same.
        Same = "same",
        /// The typed value is right.
        KeepTyped = "keep_typed",
    }
}

/// A person's look at a finding.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = paper_looks)]
pub struct Look {
    pub field: PaperField,
    pub values_hash: String,
    pub verdict: Verdict,
    pub looked_at: Timestamp,
}

/// The looks at the findings of a file.
pub fn looks(conn: &mut Conn, document_id: i64) -> Result<Vec<Look>> {
    let looks = paper_looks::table.filter(paper_looks::document_id.eq(document_id));
    Ok(on_either!(conn => looks.select(Look::as_select()).load(conn))?)
}

/// The values of a finding as a look names them.
pub fn values_hash(finding: &FieldFinding) -> String {
    hex::encode(Sha256::digest(finding.values()))
}

/// The look at a finding, if there was one at the same values.
pub fn look_at<'a>(finding: &FieldFinding, looks: &'a [Look]) -> Option<&'a Look> {
    let values_hash = values_hash(finding);
    looks.iter().find(|look| look.field == finding.field && look.values_hash == values_hash)
}

/// The findings at which a person should look, and nobody has.
pub fn open<'a>(findings: &'a [FieldFinding], looks: &'a [Look]) -> impl Iterator<Item = &'a FieldFinding> {
    findings.iter().filter(|finding| finding.is_open() && look_at(finding, looks).is_none())
}

/// Records a look, and what lists say after it. A repeated look replaces nothing.
pub fn add_look(
    tx: &mut Conn,
    check: &Check,
    findings: &[FieldFinding],
    finding: &FieldFinding,
    verdict: Verdict,
    by: StaffId,
    now: Timestamp,
) -> Result<bool> {
    let before = looks(tx, check.document_id)?;
    if look_at(finding, &before).is_some() {
        return Ok(false);
    }
    diesel::insert_into(paper_looks::table)
        .values((
            paper_looks::document_id.eq(check.document_id),
            paper_looks::field.eq(finding.field),
            paper_looks::values_hash.eq(values_hash(finding)),
            paper_looks::verdict.eq(verdict),
            paper_looks::staff_id.eq(by),
            paper_looks::looked_at.eq(now),
        ))
        .execute(tx)?;
    let looks = looks(tx, check.document_id)?;
    let row = paper_checks::table.find(check.document_id);
    diesel::update(row).set(paper_checks::problem.eq(problem(open(findings, &looks)))).execute(tx)?;
    Ok(true)
}
