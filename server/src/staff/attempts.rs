//! Failed tries, counted so that guessing gets slow. The counters are rows: they survive a restart, and nodes share them.
//!
//! Only failed sign-ins count, for one office is one address. An account's row is named by a seal of the email address, so
//! that the table tells nobody who works here, and guessing an unknown address counts like any other.
//!
//! Where somebody has signed in before, they have a counter of their own: strangers who guess at the account elsewhere make
//! each other wait, and never keep its owner out.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::dsl::exists;
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

/// How long an address from which somebody signed in is remembered as theirs.
const HOME_REMEMBERED: TimeDelta = TimeDelta::days(30);

/// How the names of the owners' own counters begin.
const HOME: &str = "sign-in home ";

/// What a sign-in is counted under.
#[derive(Clone, Debug)]
pub struct Tries {
    address: String,
    pub account: String,
    /// The account as tried from this address. The row is there when its owner has signed in from here.
    home: String,
}

impl Tries {
    /// The names of the counters.
    pub fn of(secret: &SecretKey, address: ClientAddress, email_key: &str) -> Self {
        let address = address.bucket();
        let seal = |content: String| hex::encode(secret.seal("sign-in accounts", content.as_bytes()));
        Self {
            account: format!("sign-in account {}", seal(email_key.to_owned())),
            home: format!("{HOME}{}", seal(format!("{email_key} {address}"))),
            address: format!("sign-in address {address}"),
        }
    }
}

type Row = (String, i32, NaiveDateTime, Option<NaiveDateTime>);

/// How long the next try has to wait; zero when it need not.
pub fn wait(conn: &mut Conn, tries: &Tries, limits: &Limits, now: NaiveDateTime) -> Result<TimeDelta> {
    let rows: Vec<Row> = attempts::table
        .filter(attempts::bucket.eq_any([&tries.address, &tries.account, &tries.home]))
        .select((attempts::bucket, attempts::failures, attempts::window_started_at, attempts::blocked_until))
        .load(conn)?;
    let row = |bucket: &str| rows.iter().find(|(name, ..)| name == bucket);
    let most = i32::try_from(limits.sign_in_failures_per_address).unwrap_or(i32::MAX);
    let of_address = row(&tries.address).filter(|(_, failures, ..)| *failures >= most);
    let of_account = row(&tries.home).or_else(|| row(&tries.account));
    let waits = [
        of_address.map(|(_, _, window_started_at, _)| *window_started_at + ADDRESS_WINDOW - now),
        of_account.and_then(|(.., blocked_until)| *blocked_until).map(|until| until - now),
    ];
    Ok(waits.into_iter().flatten().max().unwrap_or_default().max(TimeDelta::zero()))
}

/// Counts a failed try, and makes the next one at the account wait when there were many in a row.
pub fn add_failure(tx: &mut Conn, tries: &Tries, limits: &Limits, now: NaiveDateTime) -> Result<()> {
    // Addresses before accounts, in every transaction: so no two of them wait for each other in a circle.
    db::add_failure(tx, &tries.address, now, now - ADDRESS_WINDOW)?;
    let is_home = diesel::select(exists(attempts::table.find(&tries.home))).get_result(tx)?;
    let counter = if is_home { &tries.home } else { &tries.account };
    let failures = db::add_failure(tx, counter, now, now - ACCOUNT_WINDOW)?;
    let wait = rules::wait_after(failures.unsigned_abs(), limits.sign_in_failures_per_account);
    diesel::update(attempts::table.find(counter))
        .set(attempts::blocked_until.eq(wait.map(|wait| now + wait)))
        .execute(tx)?;
    Ok(())
}

/// Forgets the account's failures after a good sign-in, and remembers where it came from.
pub fn add_success(tx: &mut Conn, tries: &Tries, now: NaiveDateTime) -> Result<()> {
    diesel::delete(attempts::table.filter(attempts::bucket.eq_any([&tries.account, &tries.home]))).execute(tx)?;
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

/// Forgets failures that began more than a day ago, and old homes; answers how many. So the table stays small.
pub fn forget_old(tx: &mut Conn, now: NaiveDateTime) -> Result<usize> {
    let over = attempts::blocked_until.is_null().or(attempts::blocked_until.lt(now));
    let is_home = || attempts::bucket.like(format!("{HOME}%"));
    let failures = attempts::table
        .filter(diesel::dsl::not(is_home()))
        .filter(attempts::window_started_at.lt(now - ACCOUNT_WINDOW))
        .filter(over);
    let homes = attempts::table.filter(is_home()).filter(attempts::window_started_at.lt(now - HOME_REMEMBERED));
    Ok(diesel::delete(failures).execute(tx)? + diesel::delete(homes).execute(tx)?)
}
