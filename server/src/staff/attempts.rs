//! Failed tries, counted so that guessing gets slow. The counters are rows: they survive a restart, and nodes share them.
//!
//! Only failed sign-ins count, for one office is one address. An account's row is named by a seal of the email address, so
//! that the table tells nobody who works here, and guessing an unknown address counts like any other.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;

use super::rules;
use crate::config::Limits;
use crate::db::schema::attempts;
use crate::db::{self, Conn};
use crate::error::Result;
use crate::http::address::ClientAddress;
use crate::secret::SecretKey;

/// How long the failures of an address count.
const ADDRESS_WINDOW: TimeDelta = TimeDelta::minutes(1);
/// How long those of an account count, unless a good sign-in forgets them.
const ACCOUNT_WINDOW: TimeDelta = TimeDelta::days(1);

/// What a sign-in is counted under.
#[derive(Clone, Debug)]
pub struct Tries {
    address: String,
    pub account: String,
}

impl Tries {
    /// The names of both counters: the address's and the account's.
    pub fn of(secret: &SecretKey, address: ClientAddress, email_key: &str) -> Self {
        let seal = hex::encode(secret.seal("sign-in accounts", email_key.as_bytes()));
        Self { address: format!("sign-in address {}", address.bucket()), account: format!("sign-in account {seal}") }
    }
}

type Row = (String, i32, NaiveDateTime, Option<NaiveDateTime>);

/// How long the next try has to wait; zero when it need not.
pub fn wait(conn: &mut Conn, tries: &Tries, limits: &Limits, now: NaiveDateTime) -> Result<TimeDelta> {
    let rows: Vec<Row> = attempts::table
        .filter(attempts::bucket.eq_any([&tries.address, &tries.account]))
        .select((attempts::bucket, attempts::failures, attempts::window_started_at, attempts::blocked_until))
        .load(conn)?;
    let most = i32::try_from(limits.sign_in_failures_per_address).unwrap_or(i32::MAX);
    let waits = rows.into_iter().map(|(bucket, failures, window_started_at, blocked_until)| {
        if bucket == tries.account {
            blocked_until.map_or(TimeDelta::zero(), |until| until - now)
        } else if failures >= most {
            window_started_at + ADDRESS_WINDOW - now
        } else {
            TimeDelta::zero()
        }
    });
    Ok(waits.max().unwrap_or_default().max(TimeDelta::zero()))
}

/// Counts a failed try, and makes the account's next one wait when there were many in a row.
pub fn add_failure(tx: &mut Conn, tries: &Tries, limits: &Limits, now: NaiveDateTime) -> Result<()> {
    // Addresses before accounts, in every transaction: so no two of them wait for each other in a circle.
    db::add_failure(tx, &tries.address, now, now - ADDRESS_WINDOW)?;
    let failures = db::add_failure(tx, &tries.account, now, now - ACCOUNT_WINDOW)?;
    let wait = rules::wait_after(failures.unsigned_abs(), limits.sign_in_failures_per_account);
    diesel::update(attempts::table.find(&tries.account))
        .set(attempts::blocked_until.eq(wait.map(|wait| now + wait)))
        .execute(tx)?;
    Ok(())
}

/// Forgets the account's failures, after a good sign-in.
pub fn forget_account(tx: &mut Conn, tries: &Tries) -> Result<()> {
    diesel::delete(attempts::table.find(&tries.account)).execute(tx)?;
    Ok(())
}

/// Forgets what began more than a day ago; answers how many. So the table stays as small as a day's failures.
pub fn forget_old(tx: &mut Conn, now: NaiveDateTime) -> Result<usize> {
    let old = attempts::table.filter(attempts::window_started_at.lt(now - ACCOUNT_WINDOW));
    Ok(diesel::delete(old.filter(attempts::blocked_until.is_null().or(attempts::blocked_until.lt(now)))).execute(tx)?)
}
