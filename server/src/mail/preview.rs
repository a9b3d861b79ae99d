//! What the newest mail about an order's visa says; before there is one, what it will say.

use super::Mail;
use super::rules::MailKind;
use super::store::{self, Facts, Told};
use super::templates::Composed;
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::orders::errors::OrderError;

/// A mail to look at.
pub struct Shown {
    pub facts: Facts,
    /// None: no such mail was sent yet.
    pub told: Option<Told>,
    pub subject: String,
    pub html: String,
}

/// The order's mail. One without its text, as an older system left them, is put together anew.
pub async fn find(room: &Mail, id: OrderId) -> Result<Shown> {
    let read = move |conn: &mut Conn| Ok((store::find_facts(conn, id.0)?, store::newest_telling(conn, id.0)?));
    let (facts, told) = room.db.read(read).await?;
    let facts = facts.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    let kept = told.as_ref().and_then(|told| Some((told.subject.clone()?, told.html.clone()?)));
    let (subject, html) = match kept {
        Some(kept) => kept,
        None => {
            let letter = facts.letter(id);
            let Composed { subject, html, .. } = room.templates.compose(MailKind::Approval, &letter)?;
            (subject, html)
        }
    };
    Ok(Shown { facts, told, subject, html })
}
