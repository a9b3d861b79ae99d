//! RenderContext a defence pack: facts are read in one snapshot, worded by rules, and typeset by a child until they fit.

pub mod facts;
pub mod rules;
pub mod store;
pub mod templates;

use bytes::Bytes;
use chrono::{NaiveDateTime, Timelike};
use serde_json::Value;

use self::facts::Facts;
use self::rules::letter::letter;
use self::rules::mails::mails;
use self::rules::{LIMITS, PackType, RenderContext, fits};
use super::Chargebacks;
use super::priors;
use super::rules::check_delivered;
use super::rules::priors::Verdict;
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::files::sha256;
use crate::ids::OrderId;
use crate::mail::{sender, store as mail_store};
use crate::orders::errors::OrderError;
use crate::pdf::Typeset;
use crate::staff::rules::Staff;

/// How often a pack is typeset anew, with less in it or with words for what the fonts cannot show.
const MAX_TRIES: usize = 12;

/// What the packs of an order draw on.
#[derive(Debug)]
pub struct Gathered {
    pub facts: Facts,
    /// The decisive emails' texts, by their ids.
    pub texts: Vec<(i64, String)>,
    pub ce3: Verdict,
}

/// Reads what the order's packs draw on.
pub fn gather(conn: &mut Conn, order_id: OrderId) -> Result<Gathered> {
    let facts = facts::find(conn, order_id.0)?.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    check_delivered(order_id.0, facts.order.process_status, "Defence packs")?;
    let texts = mail_store::texts(conn, &rules::decisive(&facts.mails))?;
    Ok(Gathered { facts, texts, ce3: priors::check(conn, order_id.0)? })
}

/// A pack, ready to be kept.
#[derive(Clone, Debug)]
pub struct Made {
    pub content: Bytes,
    pub pages: usize,
    /// What it was typeset from, as JSON text. Its SHA-256 stands at the foot of the pages.
    pub facts: String,
}

/// The circumstances of a pack that `by` makes as of `now`, with the widest limits.
pub fn context(room: &Chargebacks, facts: &Facts, by: &Staff, now: NaiveDateTime) -> Result<RenderContext> {
    Ok(RenderContext {
        at: now.with_nanosecond(0).unwrap_or(now),
        today: now.and_utc().with_timezone(&room.config.time_zone).date_naive(),
        by: format!("{} ({})", by.name, by.staff_type),
        agency: sender::sender(&room.config)?.name.unwrap_or_else(|| "Visadesk".to_owned()),
        terms_text: room.config.chargebacks.terms_text.clone(),
        document_number: facts.application.document_number.clone().unwrap_or_default(),
        limits: LIMITS[0],
        not_shown: Vec::new(),
    })
}

/// Makes a pack as of `now`. The same facts at the same time, for the same person, make the same bytes.
pub async fn make(
    room: &Chargebacks,
    pack_type: PackType,
    given: &Gathered,
    by: &Staff,
    now: NaiveDateTime,
) -> Result<Made> {
    let mut context = context(room, &given.facts, by, now)?;
    let mut smaller = LIMITS[1..].iter();
    for _ in 0..MAX_TRIES {
        let facts = word(pack_type, given, &context)?;
        let job = room.templates.job(pack_type, with_digest(&facts)?, context.at);
        match room.typesetter.typeset(&job).await? {
            Typeset::Done(pdf) if fits(pack_type, &pdf) => {
                return Ok(Made { content: pdf.content, pages: pdf.pages, facts });
            }
            Typeset::Done(_) => match smaller.next() {
                Some(limits) => context.limits = *limits,
                None => break,
            },
            Typeset::NotShown(pieces) => leave_out(&mut context.not_shown, pieces),
            Typeset::Broken(what) => {
                tracing::error!(what, "a template of defence packs is broken");
                return Err(Error::unavailable("A template of defence packs is broken. Please tell an Admin"));
            }
        }
    }
    tracing::error!(pack = pack_type.number(), "a template makes too many pages of a pack");
    Err(Error::unavailable(format!(
        "With the templates of this installation the pack does not fit {} pages. Please tell an Admin",
        pack_type.max_pages()
    )))
}

/// Adds pieces that the fonts cannot show. A piece that was left out already comes from parts that stand together only on the
/// page: then its characters are left out one by one.
fn leave_out(not_shown: &mut Vec<String>, pieces: Vec<String>) {
    for piece in pieces {
        if not_shown.contains(&piece) {
            not_shown.extend(piece.chars().filter(|one| !one.is_ascii()).map(String::from));
        } else {
            not_shown.push(piece);
        }
    }
    // Longer ones first: what they hold must not be taken apart.
    not_shown.sort_by_key(|piece| (std::cmp::Reverse(piece.len()), piece.clone()));
    not_shown.dedup();
}

/// What a pack says, as JSON text, without the digest that stands at its foot.
pub fn word(pack_type: PackType, given: &Gathered, context: &RenderContext) -> Result<String> {
    let Gathered { facts, texts, ce3 } = given;
    let worded = match pack_type {
        PackType::Letter => serde_json::to_string(&letter(facts, ce3, context)),
        PackType::Mails => serde_json::to_string(&mails(facts, texts, context)),
    };
    worded.map_err(Error::internal)
}

/// The facts as a template is given them: with their digest in the foot.
pub fn with_digest(facts: &str) -> Result<String> {
    let mut worded: Value = serde_json::from_str(facts).map_err(Error::internal)?;
    worded["foot"]["sha256"] = sha256(facts.as_bytes()).into();
    Ok(worded.to_string())
}
