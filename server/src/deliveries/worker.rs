//! Has issued visas without a text read by Tesseract, one at a time in each process. A reading is leased, so that two
//! processes never make the same one, and is started again after a crash.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::readings::ClaimedReading;
use super::rules::{Comparison, ExpectedVisa, describe_scan, is_refused, scan};
use super::{Deliveries, pages, readings, store, waiting};
use crate::audit::store::{self as audit, Actor, Change};
use crate::documents::rules::MediaType;
use crate::documents::store as documents;
use crate::error::{Error, Permission, Result};
use crate::orders::dialect::lock_orders;
use crate::papers::ocr;

/// The interval at which a worker looks for readings without a notification: those of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The time that reading a file from the storage may take.
const MAX_FILE_READ: Duration = Duration::from_secs(30);
/// The time that Tesseract may take until it begins no further page.
const MAX_READING: Duration = Duration::from_secs(60);
/// By how many quarters pages are turned until something is found: upright, on either side, upside down.
const TURNS: [u8; 4] = [0, 1, 3, 2];
/// The time that the worker waits after a failure.
const PAUSE: Duration = Duration::from_secs(10);

/// Reads until `stop`. A reading that is cut off is given back, for another process or the next start.
pub async fn run(room: &Arc<Deliveries>, mut stop: watch::Receiver<bool>) {
    loop {
        let pause = match read_next(room, stop.clone()).await {
            Ok(true) => Duration::ZERO,
            Ok(false) => POLL_INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "an issued visa could not be read and will be tried again");
                PAUSE
            }
        };
        tokio::select! {
            // An error means that the sender is gone, which also ends the work.
            _ = stop.wait_for(|stop| *stop) => return,
            () = room.notify.notified(), if !pause.is_zero() => {}
            () = sleep(pause) => {}
        }
    }
}

/// Makes every reading that is due. Returns how many.
pub async fn read_due(room: &Arc<Deliveries>) -> Result<usize> {
    let (mut made, (_running, stop)) = (0, watch::channel(false));
    while read_next(room, stop.clone()).await? {
        made += 1;
    }
    Ok(made)
}

/// Makes the reading that has waited longest. Returns whether one was made.
async fn read_next(room: &Arc<Deliveries>, mut stop: watch::Receiver<bool>) -> Result<bool> {
    if !room.db.look_up(readings::is_due).await? {
        return Ok(false);
    }
    let now = room.clock.now();
    let Some(claimed) = room.db.write(move |tx| readings::claim(tx, now)).await? else { return Ok(false) };
    let begun = Instant::now();
    let texts = tokio::select! {
        () = async { drop(stop.wait_for(|stop| *stop).await) } => {
            room.db.write(move |tx| readings::give_back(tx, claimed)).await?;
            return Ok(false);
        }
        texts = read(room, claimed) => texts?,
    };
    let seconds = begun.elapsed().as_secs_f64();
    tracing::info!(document_id = claimed.document_id, is_read = texts.is_some(), seconds, "an issued visa was read");
    let (now, check) = (room.clock.now(), room.config.delivery.check);
    room.db
        .write(move |tx| {
            // Before the reading, as in every change of an order.
            lock_orders(tx, &[claimed.order_id])?;
            let expected = store::find_expected(tx, claimed.order_id)?;
            let found = match &texts {
                Some([first, second]) => scan::compare([first, second], &expected),
                None => Comparison::not_read(),
            };
            if !readings::end(tx, claimed, &found, now)? {
                return Ok(());
            }
            // Whether its file was the visa of another order was decided as it was uploaded.
            let may_be_delivered = !is_refused(check, &found, false);
            waiting::set_due(tx, claimed.document_id, may_be_delivered.then_some(now))?;
            let change = Change::of("visa.read").order(claimed.order_id).after(describe_scan(&found));
            audit::add(tx, &Actor::program("visa check"), &[change], now)
        })
        .await?;
    Ok(true)
}

/// Reads a visa twice. None: it could not be read.
async fn read(room: &Arc<Deliveries>, claimed: ClaimedReading) -> Result<Option<[String; 2]>> {
    let ClaimedReading { document_id, order_id, .. } = claimed;
    let found = room
        .db
        .read(move |conn| Ok((documents::find_stored(conn, document_id)?, store::find_expected(conn, order_id)?)));
    let (Some((stored, media_type)), expected) = found.await? else { return Ok(None) };
    let read = timeout(MAX_FILE_READ, room.documents.files.get(&stored, Permission::in_background())).await;
    let content = match read.map_err(|_| Error::internal("the storage took too long"))? {
        Ok(content) => content,
        Err(error) if error.is_failure() => return Err(error),
        Err(_) => return Ok(None),
    };
    let room = room.clone();
    let running = tokio::task::spawn_blocking(move || {
        let Some(tesseract) = ocr::find(&room.config.checks.tesseract) else { return Ok(None) };
        read_turned(&room.program, &tesseract, media_type, &content, &expected)
    });
    running.await.map_err(Error::internal)?
}

/// The text of the first pages, from two sizes of each, turned until something is found. As they lie, if nothing ever is. None: not within
/// the limits. Blocks.
///
/// # Errors
/// If no child can be started.
pub fn read_turned(
    program: &Path,
    tesseract: &Path,
    media_type: MediaType,
    content: &Bytes,
    expected: &ExpectedVisa,
) -> Result<Option<[String; 2]>> {
    let begun = Instant::now();
    let mut as_it_lies = None;
    for quarters in TURNS {
        let drawn = pages::draw(program, media_type, quarters, content)?;
        let Some(texts) = read_twice(program, tesseract, drawn, begun) else { break };
        if scan::has_found_any([&texts[0], &texts[1]], expected) {
            return Ok(Some(texts));
        }
        as_it_lies.get_or_insert(texts);
    }
    Ok(as_it_lies)
}

/// Reads both pictures of each page. None: there are none, or not within the limits.
fn read_twice(
    program: &Path,
    tesseract: &Path,
    pages: Vec<pages::PagePictures>,
    begun: Instant,
) -> Option<[String; 2]> {
    if pages.is_empty() {
        return None;
    }
    let mut texts = [String::new(), String::new()];
    for pictures in pages {
        for (text, picture) in texts.iter_mut().zip(&pictures) {
            if begun.elapsed() > MAX_READING {
                return None;
            }
            text.push_str(&ocr::read_page(program, tesseract, picture)?);
            text.push('\n');
        }
    }
    Some(texts)
}
