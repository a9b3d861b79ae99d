//! The secrets in mails: the key of the link to the order's page, and the code that confirms an order.
//!
//! Stored texts have no secret: staff read them in Email History and in defence packs. The worker fills a secret in when it sends the
//! mail. It is derived from the installation's key and a random name, so it is the same in each attempt, and the database has only the
//! name ([decision 16](../../../docs/decisions/0016-secrets-stay-out-of-stored-mail.md)).

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use diesel::prelude::*;

use super::rules::{Address, MailKind};
use super::templates::{ComposedMail, HIDDEN_CODE};
use crate::add_rows;
use crate::db::schema::{mail_secrets, mails};
use crate::db::{Conn, MAX_IDS};
use crate::error::Result;
use crate::ids::OrderId;
use crate::secret::SecretKey;
use crate::timestamp::Timestamp;

/// The time that the link of a mail opens the order's page without any question.
pub const LINK_LIFE: TimeDelta = TimeDelta::days(30);

/// The length of a name, and of the signature after it, in bytes: 128 bits each.
const PART_LEN: usize = 16;

/// The name of a mail's secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewSecret {
    pub secret_id: String,
    pub expires_at: Timestamp,
}

impl NewSecret {
    /// Draws the secret of a link.
    pub fn of_link(now: Timestamp) -> Self {
        Self { secret_id: hex::encode(rand::random::<[u8; PART_LEN]>()), expires_at: now + LINK_LIFE }
    }
}

/// The six digits of a code.
pub fn code(secret: &SecretKey, secret_id: &str, order_id: OrderId) -> String {
    let signature = secret.sign("tracking codes", format!("{secret_id} {order_id}").as_bytes());
    let number = signature[..8].iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    // 2^64 is no multiple of a million, but the difference between two codes' chances is below 1 in 10^13.
    format!("{:06}", number % 1_000_000)
}

/// The key in a link: the secret's name, and a signature of it and of the order. None if it is no name of a link.
fn key(secret: &SecretKey, secret_id: &str, order_id: OrderId) -> Option<String> {
    let name: [u8; PART_LEN] = hex::decode(secret_id).ok()?.try_into().ok()?;
    let signature = secret.sign("mailed links", &signed_content(&name, order_id));
    Some(BASE64_URL_SAFE_NO_PAD.encode([&name[..], &signature[..PART_LEN]].concat()))
}

fn signed_content(name: &[u8], order_id: OrderId) -> Vec<u8> {
    [name, &order_id.0.to_be_bytes()].concat()
}

/// The name of the secret of a link's `key`; none if this installation has made no such key for the order.
pub fn verify_key(secret: &SecretKey, key: &str, order_id: OrderId) -> Option<String> {
    let bytes: [u8; 2 * PART_LEN] = BASE64_URL_SAFE_NO_PAD.decode(key).ok()?.try_into().ok()?;
    let (name, signature) = bytes.split_at(PART_LEN);
    let is_ours = secret.verify_start("mailed links", &signed_content(name, order_id), signature);
    is_ours.then(|| hex::encode(name))
}

/// Fills the secret into a stored text: the code in place of [`HIDDEN_CODE`], or the key behind each `track_url`.
pub fn fill_in(
    stored: &ComposedMail,
    kind: MailKind,
    track_url: &str,
    secret: &SecretKey,
    id: &str,
    order: OrderId,
) -> ComposedMail {
    let fill: Box<dyn Fn(&str) -> String> = match (kind, key(secret, id, order)) {
        (MailKind::TrackingCode, _) => {
            let code = code(secret, id, order);
            Box::new(move |text| text.replace(HIDDEN_CODE, &code))
        }
        (_, Some(key)) => Box::new(move |text| with_fragment(text, track_url, &format!("#key={key}"))),
        (_, None) => Box::new(str::to_owned),
    };
    ComposedMail { subject: stored.subject.clone(), text: fill(&stored.text), html: fill(&stored.html) }
}

/// Adds the fragment to each `url` in the text that ends there.
fn with_fragment(text: &str, url: &str, fragment: &str) -> String {
    let mut parts = text.split(url);
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let goes_on = part.starts_with(|next: char| next.is_ascii_alphanumeric() || "/?#&=%-_".contains(next));
        filled += url;
        filled += if goes_on { "" } else { fragment };
        filled += part;
    }
    filled
}

/// A secret, as a row.
#[derive(Insertable)]
#[diesel(table_name = mail_secrets, treat_none_as_default_value = false)]
struct SecretRow<'a> {
    mail_id: i64,
    secret_id: &'a str,
    expires_at: Timestamp,
}

/// Adds the secrets of those mails, by id.
pub fn add_all(tx: &mut Conn, new: &[(i64, &NewSecret)]) -> Result<()> {
    add_rows!(tx, mail_secrets::table, new.iter().map(|(mail_id, new)| row(*mail_id, new)));
    Ok(())
}

/// Adds the secret of a mail.
pub fn add(tx: &mut Conn, mail_id: i64, new: &NewSecret) -> Result<()> {
    diesel::insert_into(mail_secrets::table).values(row(mail_id, new)).execute(tx)?;
    Ok(())
}

fn row(mail_id: i64, new: &NewSecret) -> SecretRow<'_> {
    SecretRow { mail_id, secret_id: &new.secret_id, expires_at: new.expires_at }
}

/// A mail's secret.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = mail_secrets, treat_none_as_default_value = false)]
pub struct MailSecret {
    pub secret_id: String,
    pub expires_at: Timestamp,
    pub revoked_at: Option<Timestamp>,
}

impl MailSecret {
    pub fn is_valid(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && now < self.expires_at
    }
}

/// The secret of the mail, if it has one.
pub fn find(conn: &mut Conn, mail_id: i64) -> Result<Option<MailSecret>> {
    Ok(mail_secrets::table.find(mail_id).select(MailSecret::as_select()).first(conn).optional()?)
}

/// The recipient of the mail with this link, unless the link has expired or was revoked.
pub fn find_recipient(conn: &mut Conn, secret_id: &str, order_id: OrderId, now: Timestamp) -> Result<Option<Address>> {
    let link = mail_secrets::table
        .inner_join(mails::table)
        .filter(mail_secrets::secret_id.eq(secret_id))
        .filter(mail_secrets::revoked_at.is_null())
        .filter(mail_secrets::expires_at.gt(now))
        .filter(mails::order_id.eq(order_id))
        .select(mails::recipient);
    Ok(link.first::<String>(conn).optional()?.and_then(|recipient| Address::parse(&recipient).ok()))
}

/// Revokes the valid secrets in the mails about the order. Returns how many those were.
pub fn revoke(tx: &mut Conn, order_id: OrderId, now: Timestamp) -> Result<usize> {
    let of_order = mails::table.filter(mails::order_id.eq(order_id)).select(mails::mail_id);
    let valid = mail_secrets::table
        .filter(mail_secrets::mail_id.eq_any(of_order))
        .filter(mail_secrets::revoked_at.is_null())
        .filter(mail_secrets::expires_at.gt(now));
    Ok(diesel::update(valid).set(mail_secrets::revoked_at.eq(now)).execute(tx)?)
}

/// Deletes up to [`MAX_IDS`] expired secrets. Returns how many.
pub fn delete_expired(tx: &mut Conn, now: Timestamp) -> Result<usize> {
    let expired = mail_secrets::table.filter(mail_secrets::expires_at.le(now)).limit(MAX_IDS as i64);
    let expired: Vec<i64> = expired.select(mail_secrets::mail_id).load(tx)?;
    Ok(diesel::delete(mail_secrets::table.filter(mail_secrets::mail_id.eq_any(expired))).execute(tx)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const URL: &str = "https://desk.example/track-order/MjAwMDAy";

    fn secret(name: &str) -> SecretKey {
        let folder = tempfile::tempdir().unwrap();
        SecretKey::open(&folder.path().join(name)).unwrap()
    }

    #[test]
    fn a_key_opens_one_order_of_one_installation() {
        let (own, other, order) = (secret("own"), secret("other"), OrderId(100_001));
        let id = NewSecret::of_link("2026-05-01T09:00:00Z".parse().unwrap()).secret_id;
        let made = key(&own, &id, order).unwrap();
        assert_eq!(made.len(), 43);
        assert_eq!(verify_key(&own, &made, order), Some(id));
        assert_eq!(verify_key(&own, &made, OrderId(100_002)), None);
        assert_eq!(verify_key(&other, &made, order), None);
        for wrong in ["", &made[1..], &format!("{made}A"), &"A".repeat(43), &made.to_lowercase()] {
            assert_eq!(verify_key(&own, wrong, order), None, "{wrong}");
        }
    }

    #[test]
    fn codes_have_six_digits_and_differ_by_name_and_order() {
        let own = secret("own");
        let codes: Vec<String> = (0..1_000).map(|number| code(&own, &format!("{number}"), OrderId(1))).collect();
        assert!(
            codes.iter().all(|code| code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())),
            "{codes:?}"
        );
        let mut distinct = codes.clone();
        distinct.sort();
        distinct.dedup();
        assert!(distinct.len() > 990, "{}", distinct.len());
        assert_ne!(code(&own, "7", OrderId(1)), code(&own, "7", OrderId(2)));
    }

    #[test]
    fn secrets_are_filled_into_the_places_that_stored_texts_leave_for_them() {
        let (own, order) = (secret("own"), OrderId(100_001));
        let stored = ComposedMail {
            subject: "Your order".into(),
            text: format!("Code {HIDDEN_CODE}\n{URL}\n{URL}?lang=de {URL}."),
            html: format!("<a href=\"{URL}\">{URL}</a>"),
        };
        let code = code(&own, "00", order);
        let filled = fill_in(&stored, MailKind::TrackingCode, URL, &own, "00", order);
        assert_eq!(filled.text, stored.text.replace(HIDDEN_CODE, &code));
        let id = "00112233445566778899aabbccddeeff";
        let link = format!("{URL}#key={}", key(&own, id, order).unwrap());
        let filled = fill_in(&stored, MailKind::Resend, URL, &own, id, order);
        assert_eq!(filled.text, format!("Code {HIDDEN_CODE}\n{link}\n{URL}?lang=de {link}."));
        assert_eq!(filled.html, format!("<a href=\"{link}\">{link}</a>"));
    }
}
