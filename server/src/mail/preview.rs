//! The newest mail about an order's visa; before there is one, its preview.

use super::Mail;
use super::rules::MailKind;
use super::store::{self, MailFacts, VisaMail};
use super::templates::ComposedMail;
use crate::db::Conn;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::orders::errors::OrderError;

/// A mail to show.
pub struct ShownMail {
    pub facts: MailFacts,
    /// None: no such mail yet.
    pub sent: Option<VisaMail>,
    pub subject: String,
    pub html: String,
}

/// Finds the order's mail. A mail without its text, imported from an older system, is rendered again.
pub async fn find(room: &Mail, id: OrderId) -> Result<ShownMail> {
    let read = move |conn: &mut Conn| Ok((store::find_facts(conn, id)?, store::find_newest_visa_mail(conn, id)?));
    let (facts, sent) = room.db.read(read).await?;
    let facts = facts.ok_or_else(|| Error::from(OrderError::OrderNotFound))?;
    let stored = sent.as_ref().and_then(|sent| Some((sent.subject.clone()?, sent.html.clone()?)));
    let (subject, html) = match stored {
        Some(stored) => stored,
        None => {
            let letter = facts.letter(id);
            let ComposedMail { subject, html, .. } = room.templates.compose(MailKind::Approval, &letter)?;
            (subject, html)
        }
    };
    Ok(ShownMail { facts, sent, subject, html })
}
