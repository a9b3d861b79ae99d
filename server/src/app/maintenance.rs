//! Background work. Several processes may run it over one database.

use std::time::Duration;

use chrono::TimeDelta;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::App;
use crate::audit::{chain, row_counters, views};
use crate::backup::worker as backups;
use crate::casework::paper_reminders;
use crate::db::{Conn, MAX_IDS};
use crate::deliveries::{release, worker as deliveries};
use crate::documents::sweeper;
use crate::error::Result;
use crate::http::{failed_attempts, idempotency};
use crate::lifecycle::scheduler;
use crate::mail::{secrets, worker};
use crate::orders::counters::merge_counter_deltas;
use crate::orders::{remark_search, rewriting, undo};
use crate::papers::worker as papers;
use crate::public::codes;
use crate::staff::rules::second_factor::second_factor_limit;
use crate::staff::rules::sign_in_limit;
use crate::staff::{ceremonies, challenges, inbox, sessions};
use crate::tracking::rules::{email_limit, tracking_limit};
use crate::tracking::{codes as tracking_codes, failed_tracks, grants};

/// Deltas of the folder counters merged in one transaction.
const DELTA_BATCH: i64 = 10_000;

/// The time that counters of rows are kept. The warnings of a day come from them; the audit keeps each warning.
const ROW_COUNTERS_KEPT: TimeDelta = TimeDelta::days(2);

/// The time that entries of inboxes are kept after they were read.
const READ_ENTRIES_KEPT: TimeDelta = TimeDelta::days(90);

/// The time that undo records are kept: longer than a change can be undone, so that a late undo gets the true reason of its refusal.
const UNDO_RECORDS_KEPT: TimeDelta = TimeDelta::days(1);

/// Works until `stop` is set, then waits for mails in delivery. Other jobs may be cancelled at any time.
pub async fn run(app: App, stop: watch::Receiver<bool>) {
    let mails = async {
        match &app.backups.rehearsal {
            None => worker::run(&app.mail, stop.clone()).await,
            Some(rehearsal) => {
                tracing::warn!(backup = rehearsal.backup_name, "a rehearsal: no mail is sent and no file is removed");
            }
        }
    };
    let mut stopped = stop.clone();
    let others = async {
        tokio::select! {
            () = run_maintenance(&app) => {}
            // An error means that the sender is gone, which also ends the work.
            _ = stopped.wait_for(|stop| *stop) => {}
        }
    };
    let read = async {
        tokio::join!(papers::run(&app.papers, stop.clone()), deliveries::run(&app.deliveries, stop.clone()));
    };
    tokio::join!(mails, read, others);
}

async fn run_maintenance(app: &App) {
    tokio::join!(
        every(Duration::from_secs(1), "merge folder counters", || merge_counters(app)),
        every(Duration::from_millis(250), "extend the audit's hash chain", || async {
            chain::extend_chain(&app.audit).await.map(|_| ())
        }),
        every(Duration::from_secs(1), "mail requested codes", || codes::mail_requested(&app.public)),
        every(Duration::from_secs(60), "move due Future orders to New", || async {
            scheduler::release_due(&app.lifecycle).await.map(|_| ())
        }),
        every(Duration::from_secs(1), "deliver visas that were read", || async {
            release::deliver_due(&app.deliveries).await.map(|_| ())
        }),
        every(Duration::from_secs(60), "rewrite search texts of older rules", || async {
            rewriting::rewrite(&app.db).await.map(|_| ())
        }),
        every(Duration::from_secs(60), "add the texts by which remarks are found", || async {
            remark_search::add_texts(&app.db).await.map(|_| ())
        }),
        every(Duration::from_secs(60), "remind applicants of papers", || remind(app)),
        every(Duration::from_secs(86_400), "delete files without a row", || sweep(app)),
        every(Duration::from_secs(3_600), "delete expired responses, sessions, grants, failures and views", || {
            delete_expired(app)
        }),
        every(Duration::from_secs(60), "make the scheduled backup", || backups::run(&app.backups)),
    );
}

async fn every<Work: Future<Output = Result<()>>>(pause: Duration, job: &'static str, work: impl Fn() -> Work) {
    let mut ticks = interval(pause);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        if let Err(error) = work().await {
            tracing::warn!(job, %error, "a job failed and will be tried again");
        }
    }
}

/// Reminds applicants of papers, but not in a rehearsal, whose orders are those of the live installation.
async fn remind(app: &App) -> Result<()> {
    if app.backups.rehearsal.is_none() {
        paper_reminders::remind_due(&app.casework).await?;
    }
    Ok(())
}

/// Removes files without a row, but none in a rehearsal: its `files_url` may name the storage of the live installation.
async fn sweep(app: &App) -> Result<()> {
    if app.backups.rehearsal.is_none() {
        sweeper::sweep(&app.documents).await?;
    }
    Ok(())
}

/// Merges waiting deltas into the folder counters until few are left.
pub async fn merge_counters(app: &App) -> Result<()> {
    while app.db.write(|tx| merge_counter_deltas(tx, DELTA_BATCH)).await? as i64 == DELTA_BATCH {}
    Ok(())
}

/// Deletes expired rows, and views and wrong tries older than `retention.access_log_days`.
pub async fn delete_expired(app: &App) -> Result<()> {
    let now = app.clock.now();
    in_batches(app, move |tx| idempotency::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| sessions::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| challenges::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| ceremonies::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| grants::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| tracking_codes::delete_expired(tx, now)).await?;
    in_batches(app, move |tx| secrets::delete_expired(tx, now)).await?;
    let limits = &app.config.limits;
    for limit in [sign_in_limit(limits), second_factor_limit(limits), tracking_limit(limits), email_limit(limits)] {
        in_batches(app, move |tx| failed_attempts::delete_expired(tx, &limit, now)).await?;
    }
    let yesterday = now - UNDO_RECORDS_KEPT;
    in_batches(app, move |tx| undo::delete_before(tx, yesterday)).await?;
    let months_ago = now - READ_ENTRIES_KEPT;
    in_batches(app, move |tx| inbox::delete_read_before(tx, months_ago)).await?;
    let hours_ago = now - ROW_COUNTERS_KEPT;
    in_batches(app, move |tx| row_counters::delete_before(tx, hours_ago)).await?;
    let days = app.config.retention.access_log_days;
    if days > 0 {
        let before = now - TimeDelta::days(days.into());
        in_batches(app, move |tx| views::delete_before(tx, before)).await?;
        in_batches(app, move |tx| failed_tracks::delete_before(tx, before)).await?;
    }
    Ok(())
}

/// Deletes in transactions of up to [`MAX_IDS`] rows, so that other writes do not wait for all of them.
async fn in_batches(app: &App, delete: impl Fn(&mut Conn) -> Result<usize> + Clone + Send + 'static) -> Result<()> {
    while app.db.write(delete.clone()).await? >= MAX_IDS {}
    Ok(())
}
