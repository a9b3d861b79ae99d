//! Limits on failed attempts, which make guessing slow. The counters are rows, so they survive a restart and nodes share them.
//!
//! Only failures count, because a whole office may share one address. The row of a target is named by an HMAC, so the table does
//! not reveal who works here or who applied, and a target that does not exist counts like any other.
//!
//! A network from which an attempt at the target has succeeded before has a counter of its own, so that strangers who guess from
//! other networks cannot lock the owner out.

use chrono::TimeDelta;
use diesel::dsl::{case_when, exists};
use diesel::prelude::*;
use diesel::sql_types::Integer;
use diesel::upsert::excluded;

use super::address::{ClientAddress, ClientNetwork};
use crate::db::schema::failed_attempts;
use crate::db::{Conn, MAX_IDS};
use crate::error::{Kind, Reason, Result};
use crate::secret::SecretKey;
use crate::text::counted;
use crate::timestamp::Timestamp;

/// The time that the failures of an address count.
const ADDRESS_WINDOW: TimeDelta = TimeDelta::minutes(1);

/// The time that failures count after they have caused a wait, unless a success resets them.
const AFTER_WAIT: TimeDelta = TimeDelta::days(1);

/// The time that a network is known after its last success.
const KNOWN_NETWORK: TimeDelta = TimeDelta::days(30);

/// The limits on the failures of one kind of attempt.
#[derive(Clone, Copy, Debug)]
pub struct RateLimit {
    /// The prefix of its counters' names.
    pub name: &'static str,
    /// The first sentence of the refusal; how long to wait follows.
    pub refusal: &'static str,
    /// Failures a minute from one network before it waits.
    pub failures_per_address: u32,
    /// The range of addresses that counts as one network.
    pub network: ClientNetwork,
    /// Failures at one target before it waits.
    pub free_failures: u32,
    /// The time that failures at a target count before they have caused a wait.
    pub window: TimeDelta,
    /// The time that a target waits after `failures`, of which the first `free` cause no wait.
    pub wait_after: fn(failures: u32, free: u32) -> Option<TimeDelta>,
}

/// The counters of one attempt.
#[derive(Clone, Debug)]
pub struct Attempt {
    limit: RateLimit,
    address: String,
    /// The counter of the target. Also the name of the advisory lock that serialises attempts at it.
    pub target: String,
    /// The counter of the target from this network. The row exists when an attempt from here has succeeded.
    known_network: String,
    /// The row of a network from which an attempt at any target has succeeded.
    any_target: String,
}

impl Attempt {
    /// An attempt at `target` from `address`.
    pub fn new(limit: RateLimit, secret: &SecretKey, address: ClientAddress, target: &str) -> Self {
        let (name, address) = (limit.name, address.bucket(limit.network));
        let signed = |content: String| hex::encode(secret.sign(name, content.as_bytes()));
        Self {
            target: format!("{name} target {}", signed(target.to_owned())),
            known_network: format!("{name} known {}", signed(format!("{target} {address}"))),
            any_target: format!("{name} known network {}", signed(address.clone())),
            address: format!("{name} address {address}"),
            limit,
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{refusal}. Please wait {} and try again", counted(*seconds, "second"))]
struct TooManyFailures {
    refusal: &'static str,
    seconds: u64,
}

impl Reason for TooManyFailures {
    fn kind(&self) -> Kind {
        Kind::TooMany
    }

    fn code(&self) -> &'static str {
        "too_many_failures"
    }

    fn retry_after_seconds(&self) -> Option<u64> {
        Some(self.seconds)
    }
}

type AttemptRow = (String, i32, Timestamp, Option<Timestamp>);

/// Refuses an attempt that has to wait.
///
/// # Errors
/// `too_many_failures`, with the seconds to wait.
pub fn check(conn: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<()> {
    let wait = wait(conn, attempt, now)?;
    if wait <= TimeDelta::zero() {
        return Ok(());
    }
    let seconds = u64::try_from(wait.num_milliseconds()).unwrap_or(0).div_ceil(1_000);
    Err(TooManyFailures { refusal: attempt.limit.refusal, seconds: seconds.max(1) }.into())
}

/// Returns the time that the next attempt has to wait; zero or less when it need not.
fn wait(conn: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<TimeDelta> {
    let rows: Vec<AttemptRow> = failed_attempts::table
        .filter(failed_attempts::bucket.eq_any([&attempt.address, &attempt.target, &attempt.known_network]))
        .select((
            failed_attempts::bucket,
            failed_attempts::failures,
            failed_attempts::window_started_at,
            failed_attempts::blocked_until,
        ))
        .load(conn)?;
    let row = |bucket: &str| rows.iter().find(|(name, ..)| name == bucket);
    let most = i32::try_from(attempt.limit.failures_per_address).unwrap_or(i32::MAX);
    let of_address = row(&attempt.address).filter(|(_, failures, ..)| *failures >= most);
    let of_target = row(&attempt.known_network).or_else(|| row(&attempt.target));
    let waits = [
        of_address.map(|(_, _, window_started_at, _)| *window_started_at + ADDRESS_WINDOW - now),
        of_target.and_then(|(.., blocked_until)| *blocked_until).map(|until| until - now),
    ];
    Ok(waits.into_iter().flatten().max().unwrap_or_default())
}

/// Counts a failed attempt, and makes the next one at the target wait when there were many in a row. The caller holds the
/// advisory lock of the target.
pub fn add_failure(tx: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<()> {
    // Every transaction locks addresses before targets, so no two of them deadlock.
    count_failure(tx, &attempt.address, now, now - ADDRESS_WINDOW)?;
    let rows: Vec<(String, Option<Timestamp>)> = failed_attempts::table
        .filter(failed_attempts::bucket.eq_any([&attempt.target, &attempt.known_network]))
        .select((failed_attempts::bucket, failed_attempts::blocked_until))
        .load(tx)?;
    let row = |bucket: &String| rows.iter().find(|(name, _)| name == bucket);
    let counter = row(&attempt.known_network).map_or(&attempt.target, |_| &attempt.known_network);
    let has_waited = row(counter).is_some_and(|(_, blocked_until)| blocked_until.is_some());
    let window = if has_waited { AFTER_WAIT } else { attempt.limit.window };
    let failures = count_failure(tx, counter, now, now - window)?;
    let wait = (attempt.limit.wait_after)(failures.unsigned_abs(), attempt.limit.free_failures);
    diesel::update(failed_attempts::table.find(counter))
        .set(failed_attempts::blocked_until.eq(wait.map(|wait| now + wait)))
        .execute(tx)?;
    Ok(())
}

/// Resets the target's failures after a success, and records its network as known.
pub fn add_success(tx: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<()> {
    diesel::delete(
        failed_attempts::table.filter(failed_attempts::bucket.eq_any([&attempt.target, &attempt.known_network])),
    )
    .execute(tx)?;
    diesel::insert_into(failed_attempts::table)
        .values((
            failed_attempts::bucket.eq(&attempt.known_network),
            failed_attempts::failures.eq(0),
            failed_attempts::window_started_at.eq(now),
            failed_attempts::blocked_until.eq(None::<Timestamp>),
        ))
        .execute(tx)?;
    Ok(())
}

/// Records that an attempt from this network has succeeded, at any target.
pub fn add_known_network(tx: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<()> {
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(failed_attempts::table)
                .values((
                    failed_attempts::bucket.eq(&attempt.any_target),
                    failed_attempts::failures.eq(0),
                    failed_attempts::window_started_at.eq(now),
                ))
                .on_conflict(failed_attempts::bucket)
                .do_update()
                .set(failed_attempts::window_started_at.eq(now))
                .execute($tx)?
        };
    }
    match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    };
    Ok(())
}

/// Returns true if an attempt from this network has succeeded in the last 30 days, at any target: the result reveals nothing about the
/// target of this one.
pub fn is_known_network(conn: &mut Conn, attempt: &Attempt, now: Timestamp) -> Result<bool> {
    let row = failed_attempts::table.find(&attempt.any_target);
    let known = row.filter(failed_attempts::window_started_at.gt(now - KNOWN_NETWORK));
    Ok(diesel::select(exists(known)).get_result(conn)?)
}

/// Deletes up to [`MAX_IDS`] failures that no longer count and networks that are no longer known. Returns how many rows that were.
pub fn delete_expired(tx: &mut Conn, limit: &RateLimit, now: Timestamp) -> Result<usize> {
    let named = |kind: &str| failed_attempts::bucket.like(format!("{} {kind}%", limit.name));
    let known = || named("known ");
    let failures = || failed_attempts::table.filter(named("")).filter(diesel::dsl::not(known()));
    let never_waited = failures()
        .filter(failed_attempts::blocked_until.is_null())
        .filter(failed_attempts::window_started_at.lt(now - limit.window));
    let waited = failures()
        .filter(failed_attempts::blocked_until.lt(now))
        .filter(failed_attempts::window_started_at.lt(now - AFTER_WAIT));
    let networks =
        failed_attempts::table.filter(known()).filter(failed_attempts::window_started_at.lt(now - KNOWN_NETWORK));
    let mut buckets: Vec<String> = Vec::new();
    for expired in [never_waited.into_boxed(), waited.into_boxed(), networks.into_boxed()] {
        let room = MAX_IDS - buckets.len();
        buckets.extend(expired.select(failed_attempts::bucket).limit(room as i64).load::<String>(tx)?);
    }
    Ok(diesel::delete(failed_attempts::table.filter(failed_attempts::bucket.eq_any(buckets))).execute(tx)?)
}

/// Counts one more failure in `bucket`, in a new window if the last began before `window_from`. Returns the failures in the
/// window.
fn count_failure(tx: &mut Conn, bucket: &str, now: Timestamp, window_from: Timestamp) -> Result<i32> {
    let first = 1.into_sql::<Integer>();
    let failures =
        case_when(failed_attempts::window_started_at.lt(window_from), first).otherwise(failed_attempts::failures + 1);
    let window =
        case_when(failed_attempts::window_started_at.lt(window_from), excluded(failed_attempts::window_started_at))
            .otherwise(failed_attempts::window_started_at);
    macro_rules! upsert {
        ($tx:expr) => {
            diesel::insert_into(failed_attempts::table)
                .values((
                    failed_attempts::bucket.eq(bucket),
                    failed_attempts::failures.eq(1),
                    failed_attempts::window_started_at.eq(now),
                    failed_attempts::blocked_until.eq(None::<Timestamp>),
                ))
                .on_conflict(failed_attempts::bucket)
                .do_update()
                .set((failed_attempts::failures.eq(failures), failed_attempts::window_started_at.eq(window)))
                .returning(failed_attempts::failures)
                .get_result($tx)?
        };
    }
    Ok(match tx {
        Conn::Sqlite(tx) => upsert!(tx),
        Conn::Postgres(tx) => upsert!(tx),
    })
}
