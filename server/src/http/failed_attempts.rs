//! Failed tries, counted so that guessing gets slow. The counters are rows: they survive a restart, and nodes share them.
//!
//! Only failed tries count, for one office is one address. What is guessed at has a row named by its seal, so that the table
//! tells nobody who works here or who applied, and guessing at what is not there counts like any other.
//!
//! Where somebody has succeeded before, they have a counter of their own: strangers who guess elsewhere make each other
//! wait, and never keep the owner out.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::case_when;
use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::upsert::excluded;

use super::address::ClientAddress;
use crate::db::Conn;
use crate::db::schema::attempts;
use crate::error::{Error, Result};
use crate::secret::SecretKey;

/// How long the failures of an address count.
const ADDRESS_WINDOW: TimeDelta = TimeDelta::minutes(1);

/// How long failures count that made somebody wait, unless a success forgets them.
const REMEMBERED: TimeDelta = TimeDelta::days(1);

/// How long an address from which somebody succeeded is remembered as theirs.
const HOME_REMEMBERED: TimeDelta = TimeDelta::days(30);

/// One kind of guessing, and how much of it is borne.
#[derive(Clone, Copy, Debug)]
pub struct Guard {
    /// How the names of its counters begin.
    pub name: &'static str,
    /// What a refused try is told, before how long it has to wait.
    pub refusal: &'static str,
    /// Failures a minute from one address before it waits.
    pub failures_per_address: u32,
    /// Failures at one target before it waits.
    pub free_failures: u32,
    /// How long failures at a target count that made nobody wait yet.
    pub window: TimeDelta,
    /// How long a target waits after that many failures, of which so many are free.
    pub wait_after: fn(failures: u32, free: u32) -> Option<TimeDelta>,
}

/// What a try is counted under.
#[derive(Clone, Debug)]
pub struct Tries {
    guard: Guard,
    address: String,
    /// What is guessed at. Also names the turn that guesses at it take.
    pub target: String,
    /// The target as tried from this address. The row is there when somebody has succeeded from here.
    home: String,
}

impl Tries {
    /// The names of the counters of guessing at `target` from `address`.
    pub fn of(guard: Guard, secret: &SecretKey, address: ClientAddress, target: &str) -> Self {
        let (name, address) = (guard.name, address.bucket());
        let seal = |content: String| hex::encode(secret.seal(name, content.as_bytes()));
        Self {
            target: format!("{name} target {}", seal(target.to_owned())),
            home: format!("{name} home {}", seal(format!("{target} {address}"))),
            address: format!("{name} address {address}"),
            guard,
        }
    }
}

type Row = (String, i32, NaiveDateTime, Option<NaiveDateTime>);

/// Refuses a try that has to wait, with how long.
pub fn check(conn: &mut Conn, tries: &Tries, now: NaiveDateTime) -> Result<()> {
    let wait = wait(conn, tries, now)?;
    if wait <= TimeDelta::zero() {
        return Ok(());
    }
    let seconds = u64::try_from(wait.num_milliseconds()).unwrap_or(0).div_ceil(1_000);
    Err(Error::too_many(format!("{}. Please wait {seconds} seconds and try again", tries.guard.refusal), seconds))
}

/// How long the next try has to wait; zero or less when it need not.
fn wait(conn: &mut Conn, tries: &Tries, now: NaiveDateTime) -> Result<TimeDelta> {
    let rows: Vec<Row> = attempts::table
        .filter(attempts::bucket.eq_any([&tries.address, &tries.target, &tries.home]))
        .select((attempts::bucket, attempts::failures, attempts::window_started_at, attempts::blocked_until))
        .load(conn)?;
    let row = |bucket: &str| rows.iter().find(|(name, ..)| name == bucket);
    let most = i32::try_from(tries.guard.failures_per_address).unwrap_or(i32::MAX);
    let of_address = row(&tries.address).filter(|(_, failures, ..)| *failures >= most);
    let of_target = row(&tries.home).or_else(|| row(&tries.target));
    let waits = [
        of_address.map(|(_, _, window_started_at, _)| *window_started_at + ADDRESS_WINDOW - now),
        of_target.and_then(|(.., blocked_until)| *blocked_until).map(|until| until - now),
    ];
    Ok(waits.into_iter().flatten().max().unwrap_or_default())
}

/// Counts a failed try, and makes the next one at the target wait when there were many in a row. Guesses at one target must
/// take turns before this.
pub fn add_failure(tx: &mut Conn, tries: &Tries, now: NaiveDateTime) -> Result<()> {
    // Addresses before targets, in every transaction: so no two of them wait for each other in a circle.
    count_failure(tx, &tries.address, now, now - ADDRESS_WINDOW)?;
    let rows: Vec<(String, Option<NaiveDateTime>)> = attempts::table
        .filter(attempts::bucket.eq_any([&tries.target, &tries.home]))
        .select((attempts::bucket, attempts::blocked_until))
        .load(tx)?;
    let row = |bucket: &String| rows.iter().find(|(name, _)| name == bucket);
    let counter = row(&tries.home).map_or(&tries.target, |_| &tries.home);
    let has_waited = row(counter).is_some_and(|(_, blocked_until)| blocked_until.is_some());
    let window = if has_waited { REMEMBERED } else { tries.guard.window };
    let failures = count_failure(tx, counter, now, now - window)?;
    let wait = (tries.guard.wait_after)(failures.unsigned_abs(), tries.guard.free_failures);
    diesel::update(attempts::table.find(counter))
        .set(attempts::blocked_until.eq(wait.map(|wait| now + wait)))
        .execute(tx)?;
    Ok(())
}

/// Forgets the target's failures after a success, and remembers where it came from.
pub fn add_success(tx: &mut Conn, tries: &Tries, now: NaiveDateTime) -> Result<()> {
    diesel::delete(attempts::table.filter(attempts::bucket.eq_any([&tries.target, &tries.home]))).execute(tx)?;
    diesel::insert_into(attempts::table)
        .values((
            attempts::bucket.eq(&tries.home),
            attempts::failures.eq(0),
            attempts::window_started_at.eq(now),
            attempts::blocked_until.eq(None::<NaiveDateTime>),
        ))
        .execute(tx)?;
    Ok(())
}

/// Forgets failures that count no more, and old homes; answers how many. So the table stays small.
pub fn forget_old(tx: &mut Conn, guard: &Guard, now: NaiveDateTime) -> Result<usize> {
    let named = |kind: &str| attempts::bucket.like(format!("{} {kind}%", guard.name));
    let home = || named("home ");
    let failures = || attempts::table.filter(named("")).filter(diesel::dsl::not(home()));
    let never_waited =
        failures().filter(attempts::blocked_until.is_null()).filter(attempts::window_started_at.lt(now - guard.window));
    let waited =
        failures().filter(attempts::blocked_until.lt(now)).filter(attempts::window_started_at.lt(now - REMEMBERED));
    let homes = attempts::table.filter(home()).filter(attempts::window_started_at.lt(now - HOME_REMEMBERED));
    let forgotten = diesel::delete(never_waited).execute(tx)? + diesel::delete(waited).execute(tx)?;
    Ok(forgotten + diesel::delete(homes).execute(tx)?)
}

/// Counts one more failure in `bucket`, starting a new window when the last began before `window_from`; answers the failures
/// in the window.
fn count_failure(tx: &mut Conn, bucket: &str, now: NaiveDateTime, window_from: NaiveDateTime) -> Result<i32> {
    let first = 1.into_sql::<Integer>();
    let failures = case_when(attempts::window_started_at.lt(window_from), first).otherwise(attempts::failures + 1);
    let window = case_when(attempts::window_started_at.lt(window_from), excluded(attempts::window_started_at))
        .otherwise(attempts::window_started_at);
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(attempts::table)
                .values((
                    attempts::bucket.eq(bucket),
                    attempts::failures.eq(1),
                    attempts::window_started_at.eq(now),
                    attempts::blocked_until.eq(None::<NaiveDateTime>),
                ))
                .on_conflict(attempts::bucket)
                .do_update()
                .set((attempts::failures.eq(failures), attempts::window_started_at.eq(window)))
                .returning(attempts::failures)
                .get_result($tx)?
        };
    }
    Ok(match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    })
}
