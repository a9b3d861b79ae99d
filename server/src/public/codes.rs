//! The job that mails requested codes.

use std::collections::HashMap;
use std::sync::Arc;

use super::Public;
use crate::db::{Conn, advisory_lock};
use crate::error::{Permission, Result};
use crate::ids::OrderId;
use crate::mail::Mail;
use crate::mail::outbox;
use crate::mail::prepared::PreparedMail;
use crate::mail::rules::{Address, MailKind, Provider};
use crate::mail::secrets::NewSecret;
use crate::mail::store::{self as mails, MailFacts};
use crate::secret::SecretKey;
use crate::text::without_case;
use crate::tracking::codes::{self, WaitingCode};
use crate::tracking::rules::{CODE_LIFE, may_mail_code};

/// The requests of one transaction.
const BATCH: i64 = 50;

/// A request, and its mail if there is such an order.
#[derive(Clone)]
struct PreparedCode {
    request: WaitingCode,
    mail: Option<PreparedMail>,
    /// The requester named an address of the order.
    by_owner: bool,
}

/// The HMAC of an email, as a request has it.
pub fn email_hash(secret: &SecretKey, email: &str) -> String {
    hex::encode(secret.sign("order emails", without_case(email.trim()).as_bytes()))
}

/// Decides about the requests that wait, and queues a mail for each that gets a code.
pub async fn mail_requested(room: &Public) -> Result<()> {
    while room.db.look_up(|conn| Ok(!codes::list_waiting(conn, 1)?.is_empty())).await? {
        let (now, limits, context) = (room.clock.now(), room.config.limits.clone(), Composer::of(room));
        let prepared = room.db.read(move |conn| context.prepare_all(conn)).await?;
        room.db
            .write(move |tx| {
                // One node at a time, so that the mails of each are counted before the next decides.
                advisory_lock(tx, "tracking codes")?;
                let order_ids: Vec<OrderId> = prepared.iter().map(|each| each.request.order_id).collect();
                let facts: HashMap<OrderId, MailFacts> = mails::list_facts(tx, &order_ids)?.into_iter().collect();
                for PreparedCode { request, mail, by_owner } in &prepared {
                    let mail = mail.as_ref().zip(facts.get(&request.order_id));
                    let ready = mail.map(|(mail, facts)| mail.ready(facts, None)).transpose();
                    // The order was changed after this mail was composed. The next round composes another one.
                    let Ok(mail) = ready else { continue };
                    if !codes::settle(tx, &request.code_id, now)? || request.created_at + CODE_LIFE <= now {
                        continue;
                    }
                    let Some(mail) = mail else { continue };
                    if may_mail_code(&codes::recent(tx, request.order_id, now)?, *by_owner, &limits) {
                        let mail_id = outbox::queue(tx, &mail, now)?;
                        codes::set_mailed(tx, &request.code_id, mail_id, *by_owner)?;
                    }
                }
                Ok(())
            })
            .await?;
        room.mail.notify.notify();
    }
    Ok(())
}

/// Composes mails off the transaction, which must not wait for templates.
struct Composer {
    mail: Arc<Mail>,
    secret: SecretKey,
}

impl Composer {
    fn of(room: &Public) -> Self {
        Self { mail: room.mail.clone(), secret: room.secret.clone() }
    }

    fn prepare_all(&self, conn: &mut Conn) -> Result<Vec<PreparedCode>> {
        let waiting = codes::list_waiting(conn, BATCH)?;
        waiting.into_iter().map(|request| self.prepare(conn, request)).collect()
    }

    fn prepare(&self, conn: &mut Conn, request: WaitingCode) -> Result<PreparedCode> {
        let order_id = request.order_id;
        let facts = mails::find_facts(conn, order_id)?;
        let facts = facts.filter(|facts| facts.applicant.process_status.may_be_emailed_about());
        let Some(facts) = facts else { return Ok(PreparedCode { request, mail: None, by_owner: false }) };
        let addresses: Vec<&str> = facts.addresses().collect();
        let sign = |email: &str| email_hash(&self.secret, email);
        let named = addresses.iter().find(|address| sign(address) == request.email_hash);
        // The contact address, unless the requester named another one of the order.
        let recipient = named.into_iter().chain(&addresses).find_map(|address| Address::parse(address).ok());
        let by_owner = named.is_some();
        let Some(recipient) = recipient else { return Ok(PreparedCode { request, mail: None, by_owner }) };
        let (kind, config) = (MailKind::TrackingCode, &self.mail.config);
        let mail = PreparedMail::compose(
            &self.mail,
            Permission::in_background(),
            kind,
            recipient,
            &facts,
            facts.letter(order_id),
        )?
        .through(Provider::again(mails::find_newest_provider(conn, order_id)?, &config.mail))
        .with_secret(NewSecret { secret_id: request.code_id.clone(), expires_at: request.created_at + CODE_LIFE });
        Ok(PreparedCode { request, mail: Some(mail), by_owner })
    }
}
