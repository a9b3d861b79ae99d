//! Runs the checks that are due, one at a time in each process. A check is leased, so that two processes never run the same one, and is
//! started again after a crash.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::inspect::{self, PaperJob, PaperReply, Strip};
use super::reading::{PaperReading, PassportReading, PhotographReading, ReadFrom, ReadLines};
use super::rules::zone::{self, FieldValue};
use super::rules::{CheckState, NotChecked, Paper, faults, summary};
use super::store::{self, ClaimedCheck, Context, FinishedCheck};
use super::{Papers, ocr};
use crate::audit::store::{self as audit, Actor, Change};
use crate::child::{self, ChildOutcome};
use crate::documents::rules::MediaType;
use crate::documents::store as documents;
use crate::error::{Error, Permission, Result};
use crate::orders::dialect::lock_orders;
use crate::paper_requests::returning::{self, ACTOR};
use images::lines::READINGS;

/// The interval at which a worker looks for checks without a notification: those of other processes.
const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The time that reading a file from the storage may take.
const MAX_FILE_READ: Duration = Duration::from_secs(30);
/// The time that Tesseract may take for one paper, in all its readings.
const MAX_READING: Duration = Duration::from_secs(20);
/// The time that the worker waits after a failure.
const PAUSE: Duration = Duration::from_secs(10);

/// Checks until `stop`. A check that is cut off is given back, for another process or the next start.
pub async fn run(room: &Arc<Papers>, mut stop: watch::Receiver<bool>) {
    loop {
        let pause = match check_next(room, stop.clone()).await {
            Ok(true) => Duration::ZERO,
            Ok(false) => POLL_INTERVAL,
            Err(error) => {
                tracing::warn!(%error, "a paper could not be checked and will be tried again");
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

/// Runs every check that is due. Returns how many.
pub async fn check_due(room: &Arc<Papers>) -> Result<usize> {
    let (mut checked, (_running, stop)) = (0, watch::channel(false));
    while check_next(room, stop.clone()).await? {
        checked += 1;
    }
    Ok(checked)
}

/// Runs the check that has waited longest. Returns whether one was run.
async fn check_next(room: &Arc<Papers>, mut stop: watch::Receiver<bool>) -> Result<bool> {
    if !room.db.look_up(store::is_due).await? {
        return Ok(false);
    }
    let Some(claimed) = room.db.write(store::claim).await? else { return Ok(false) };
    let begun = Instant::now();
    let ended = match claimed.reading.as_deref().map(serde_json::from_str) {
        _ if claimed.attempts > store::MAX_ATTEMPTS => FinishedCheck::NotChecked(NotChecked::GivenUp),
        // The order was corrected: it is compared with what was read before.
        Some(Ok(reading)) => FinishedCheck::Read(reading),
        Some(Err(_)) | None => tokio::select! {
            () = async { drop(stop.wait_for(|stop| *stop).await) } => {
                room.db.write(move |tx| store::give_back(tx, &claimed)).await?;
                return Ok(false);
            }
            ended = check(room, &claimed) => ended?,
        },
    };
    let seconds = begun.elapsed().as_secs_f64();
    let state = match &ended {
        FinishedCheck::Read(_) => CheckState::Done,
        FinishedCheck::NotChecked(_) => CheckState::NotChecked,
    };
    tracing::info!(document_id = claimed.document_id, %state, seconds, "a paper was checked");
    record(room, claimed, ended).await?;
    Ok(true)
}

async fn record(room: &Papers, claimed: ClaimedCheck, ended: FinishedCheck) -> Result<()> {
    let lifecycle = room.lifecycle.clone();
    let cause = lifecycle.cause(Actor::program(ACTOR), "order.move");
    let context = Context { now: cause.now, today: cause.today };
    room.db
        .write(move |tx| {
            // Before the check, as in every change of an order.
            lock_orders(tx, &[claimed.order_id])?;
            let Some(findings) = store::end(tx, &claimed, &ended, context)? else { return Ok(()) };
            let faults = match &ended {
                FinishedCheck::Read(_) => faults::of_findings(&findings),
                FinishedCheck::NotChecked(reason) => faults::of_not_checked(*reason).into_iter().collect(),
            };
            let says = match &ended {
                FinishedCheck::Read(_) => summary(&findings),
                FinishedCheck::NotChecked(reason) => format!("not checked: {}", reason.text()),
            };
            let change = Change::of("paper.check").order(claimed.order_id).after(format!("{}: {says}", claimed.paper));
            audit::add(tx, &Actor::program("paper check"), &[change], context.now)?;
            returning::after_check(tx, &lifecycle, claimed.order_id, claimed.document_id, &faults, &cause)
        })
        .await
}

async fn check(room: &Arc<Papers>, claimed: &ClaimedCheck) -> Result<FinishedCheck> {
    if !room.config.checks.enabled {
        return Ok(FinishedCheck::NotChecked(NotChecked::SwitchedOff));
    }
    let document_id = claimed.document_id;
    let found = room.db.read(move |conn| documents::find_stored(conn, document_id)).await?;
    let Some((stored, media_type)) = found else { return Ok(FinishedCheck::NotChecked(NotChecked::Unreadable)) };
    let read = timeout(MAX_FILE_READ, room.documents.files.get(&stored, Permission::in_background())).await;
    let content = match read.map_err(|_| Error::internal("the storage took too long"))? {
        Ok(content) => content,
        Err(error) if error.is_failure() => return Err(error),
        Err(_) => return Ok(FinishedCheck::NotChecked(NotChecked::Unreadable)),
    };
    let (room, paper) = (room.clone(), claimed.paper);
    let running = tokio::task::spawn_blocking(move || {
        let tesseract = ocr::find(&room.config.checks.tesseract);
        read_paper(&room.program, tesseract.as_deref(), paper, media_type, &content)
    });
    running.await.map_err(Error::internal)?
}

/// Looks into a file with children of `program`, which must be this program. Blocks.
///
/// # Errors
/// If no child can be started. What is wrong with the file is a result.
pub fn read_paper(
    program: &Path,
    tesseract: Option<&Path>,
    paper: Paper,
    media_type: MediaType,
    content: &Bytes,
) -> Result<FinishedCheck> {
    let refused = |reason| Ok(FinishedCheck::NotChecked(reason));
    let input = child::message(&PaperJob { paper, media_type, frame: None }, content)?;
    let reply = match child::run_now(program, inspect::SPEC, &input) {
        ChildOutcome::Replied(reply) => reply,
        ChildOutcome::Crashed | ChildOutcome::TimedOut | ChildOutcome::Busy => return refused(NotChecked::TooComplex),
        ChildOutcome::NotStarted => return Err(Error::internal("no child could be started")),
    };
    let Some((reply, pictures)) = child::split_message(&reply) else { return refused(NotChecked::TooComplex) };
    let strips = match reply {
        PaperReply::Text(lines) => {
            let first = lines.map(Some);
            let reading = PassportReading { from: ReadFrom::TextLayer, first, second: None, crop: None };
            return Ok(FinishedCheck::Read(PaperReading::Passport(reading)));
        }
        PaperReply::Measured(measures) => {
            let reading = PhotographReading { media_type, bytes: content.len(), measures };
            return Ok(FinishedCheck::Read(PaperReading::Photograph(reading)));
        }
        PaperReply::Strips(strips) => strips,
        PaperReply::Unreadable | PaperReply::Made | PaperReply::FrameTooSmall => {
            return refused(NotChecked::Unreadable);
        }
        PaperReply::NotBuilt => return refused(NotChecked::NotBuilt),
    };
    let Some(tesseract) = tesseract else { return refused(NotChecked::NoTesseract) };
    Ok(match read_strips(program, tesseract, strips, pictures) {
        Ok(reading) => FinishedCheck::Read(PaperReading::Passport(reading)),
        Err(reason) => FinishedCheck::NotChecked(reason),
    })
}

/// Reads the strip that proves most.
fn read_strips(
    program: &Path,
    tesseract: &Path,
    strips: Vec<Strip>,
    mut pictures: Bytes,
) -> std::result::Result<PassportReading, NotChecked> {
    let begun = Instant::now();
    let mut best: Option<(usize, PassportReading)> = None;
    for strip in strips {
        let pictures = split(&mut pictures, &strip).filter(|_| begun.elapsed() <= MAX_READING);
        let reading = pictures.and_then(|pictures| read_strip(program, tesseract, &strip, &pictures));
        let reading = reading.ok_or(NotChecked::TooComplex)?;
        let proved = proved(&reading);
        if best.as_ref().is_none_or(|(known, _)| proved > *known) {
            best = Some((proved, reading));
        }
        if proved == PROVED {
            break;
        }
    }
    match best {
        Some((1.., reading)) => Ok(reading),
        // Letters that prove nothing may be of another text. A member can look at the picture of them.
        Some((_, reading)) => Ok(PassportReading { first: [None, None], second: Some([None, None]), ..reading }),
        None => Err(NotChecked::NoLines),
    }
}

/// Reads a strip. None if a child did not come to an end within its limits.
fn read_strip(
    program: &Path,
    tesseract: &Path,
    strip: &Strip,
    [first, second, third, crop]: &[Bytes; READINGS.len() + 1],
) -> Option<PassportReading> {
    let read = |picture: &Bytes| ocr::read(program, tesseract, picture, &strip.cells);
    let mut both = [read(first)?, read(second)?];
    if both.iter().flatten().any(Option::is_none) {
        both = completed(both, read(third)?);
    }
    let [first, second] = both;
    // Lines that were read once are not sure.
    let (second, crop) = (Some(second), Some(BASE64_STANDARD.encode(crop)));
    Some(PassportReading { from: ReadFrom::Tesseract, first, second, crop })
}

/// The most that [`proved`] returns.
const PROVED: usize = 4;

/// Returns the number of parts of a zone that are certain. A zone without any may be another text.
fn proved(reading: &PassportReading) -> usize {
    let zone = zone::fields(reading);
    let dates = [&zone.number, &zone.birth, &zone.expiry].into_iter().filter(|read| **read != FieldValue::Not).count();
    dates + usize::from(zone.names_are_sure && dates > 0)
}

/// Both readings, with the lines of a third one in place of those that one of them lacks.
fn completed(both: [ReadLines; 2], third: ReadLines) -> [ReadLines; 2] {
    let [mut first, mut second] = both;
    for (line, read) in third.into_iter().enumerate() {
        let lacking = if first[line].is_none() { &mut first[line] } else { &mut second[line] };
        if lacking.is_none() {
            *lacking = read;
        }
    }
    [first, second]
}

/// The pictures of a strip, at the start of `rest`.
fn split(rest: &mut Bytes, strip: &Strip) -> Option<[Bytes; READINGS.len() + 1]> {
    let all: usize = strip.bytes.iter().sum();
    if all > rest.len() {
        return None;
    }
    Some(strip.bytes.map(|bytes| rest.split_to(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_reading_stands_in_for_lines_that_one_of_two_lacks_and_for_no_other() {
        let lines = |first: &str, second: &str| -> ReadLines {
            [first, second].map(|line| Some(line.to_owned()).filter(|line| !line.is_empty()))
        };
        let third = || lines("third", "3");
        assert_eq!(completed([lines("a", "1"), lines("b", "")], third()), [lines("a", "1"), lines("b", "3")]);
        assert_eq!(completed([lines("", "1"), lines("b", "2")], third()), [lines("third", "1"), lines("b", "2")]);
        assert_eq!(completed([lines("", "1"), lines("", "2")], third()), [lines("third", "1"), lines("", "2")]);
    }
}
