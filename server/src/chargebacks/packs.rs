//! Makes a defence pack: facts are read in one snapshot, rendered by rules, and typeset by a child process until they fit.

pub mod errors;
pub mod facts;
pub mod rules;
pub mod store;
pub mod templates;

use bytes::Bytes;
use chrono::Timelike;
use serde_json::{Value, json};

use self::errors::{PackError, PackErrors};
use self::facts::PackFacts;
use self::rules::letter::letter;
use self::rules::mails::mails;
use self::rules::{LIMITS, PackType, RenderContext, fits};
use super::Chargebacks;
use super::priors;
use super::rules::check_delivered;
use super::rules::priors::PriorCheck;
use crate::db::Conn;
use crate::error::{Error, Permission, Result};
use crate::files::sha256;
use crate::ids::OrderId;
use crate::mail::{sender, store as mail_store};
use crate::orders::errors::OrderError;
use crate::pdf::Typeset;
use crate::staff::rules::Staff;
use crate::timestamp::Timestamp;

/// The most times that a pack is typeset, with less in it or with a replacement for what the fonts cannot show.
const MAX_TRIES: usize = 12;

/// The facts of an order's packs.
#[derive(Debug)]
pub struct PackSources {
    pub facts: PackFacts,
    /// The texts of the decisive emails, by id.
    pub texts: Vec<(i64, String)>,
    pub ce3: PriorCheck,
}

/// Reads the facts of an order's packs.
pub fn gather(conn: &mut Conn, order_id: OrderId) -> Result<PackSources> {
    let facts = facts::find(conn, order_id)?.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    check_delivered(order_id, facts.order.process_status, "Defence packs")?;
    let texts = mail_store::texts(conn, &rules::decisive(&facts.mails))?;
    Ok(PackSources { facts, texts, ce3: priors::check(conn, order_id)? })
}

/// A typeset pack, ready to be stored.
#[derive(Clone, Debug)]
pub struct RenderedPack {
    pub content: Bytes,
    pub pages: usize,
    /// The facts that it was typeset from, as JSON text. The footer shows their SHA-256.
    pub facts: String,
}

/// The render context of a pack that `by` makes as of `now`, with the widest limits.
pub fn context(room: &Chargebacks, facts: &PackFacts, by: &Staff, now: Timestamp) -> Result<RenderContext> {
    Ok(RenderContext {
        at: now.with_nanosecond(0).map_or(now, Timestamp::from),
        zone: room.config.time_zone,
        by: format!("{} ({})", by.name, by.staff_type),
        agency: sender::sender(&room.config)?.name.unwrap_or_else(|| "Visadesk".to_owned()),
        terms_text: room.config.chargebacks.terms_text.clone(),
        document_number: facts.application.document_number.clone().unwrap_or_default(),
        limits: LIMITS[0],
        not_shown: Vec::new(),
    })
}

/// Makes a pack as of `now`. The same facts, time and member make the same bytes.
///
/// # Errors
/// [`PackError`], and [`crate::pdf::TypesetError`].
pub async fn make(
    room: &Chargebacks,
    pack_type: PackType,
    given: &PackSources,
    by: &Staff,
    now: Timestamp,
    _: Permission<PackErrors>,
) -> Result<RenderedPack> {
    let mut context = context(room, &given.facts, by, now)?;
    let mut smaller = LIMITS[1..].iter();
    for _ in 0..MAX_TRIES {
        let facts = render(pack_type, given, &context)?;
        let job = room.templates.job(pack_type, with_digest(&facts)?, context.at);
        match room.typesetter.typeset(&job).await? {
            Typeset::Done(pdf) if fits(pack_type, &pdf) => {
                return Ok(RenderedPack { content: pdf.content, pages: pdf.pages, facts });
            }
            Typeset::Done(_) => match smaller.next() {
                Some(limits) => context.limits = *limits,
                None => break,
            },
            Typeset::NotShown(pieces) => leave_out(&mut context.not_shown, pieces),
            Typeset::Broken(what) => {
                tracing::error!(what, "a template of defence packs is broken");
                return Err(PackError::BrokenPackTemplate.into());
            }
        }
    }
    tracing::error!(pack = pack_type.number(), "a template makes too many pages of a pack");
    Err(PackError::PackTooLong(pack_type.max_pages()).into())
}

/// Adds pieces that the fonts cannot show. A piece that is listed already was formed only on the page, by adjacent parts: then its
/// characters are replaced one by one.
fn leave_out(not_shown: &mut Vec<String>, pieces: Vec<String>) {
    for piece in pieces {
        if not_shown.contains(&piece) {
            not_shown.extend(piece.chars().filter(|one| !one.is_ascii()).map(String::from));
        } else {
            not_shown.push(piece);
        }
    }
    // Longer pieces first: they contain shorter ones.
    not_shown.sort_by_key(|piece| (std::cmp::Reverse(piece.len()), piece.clone()));
    not_shown.dedup();
}

/// Renders a pack's facts as JSON text, without the digest in its footer.
pub fn render(pack_type: PackType, given: &PackSources, context: &RenderContext) -> Result<String> {
    let PackSources { facts, texts, ce3 } = given;
    let rendered = match pack_type {
        PackType::Letter => serde_json::to_string(&letter(facts, ce3, context)),
        PackType::Mails => serde_json::to_string(&mails(facts, texts, context)),
    };
    rendered.map_err(Error::internal)
}

/// The digest of what a pack says, without the day of its making and its maker: two packs with the same one tell a bank the same.
/// The templates are part of it.
pub fn content_digest(
    room: &Chargebacks,
    pack_type: PackType,
    given: &PackSources,
    context: &RenderContext,
) -> Result<String> {
    let mut rendered: Value = serde_json::from_str(&render(pack_type, given, context)?).map_err(Error::internal)?;
    rendered["date"] = Value::Null;
    rendered["foot"]["made"] = Value::Null;
    rendered["foot"]["by"] = Value::Null;
    let content = json!({ "facts": rendered, "templates": room.templates.sources() });
    Ok(sha256(content.to_string().as_bytes()))
}

/// Adds the digest of the facts to their footer, for the template.
pub fn with_digest(facts: &str) -> Result<String> {
    let mut rendered: Value = serde_json::from_str(facts).map_err(Error::internal)?;
    rendered["foot"]["sha256"] = sha256(facts.as_bytes()).into();
    Ok(rendered.to_string())
}
