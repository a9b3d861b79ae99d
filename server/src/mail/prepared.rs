//! Mails that are composed before the transaction of a change, which must not wait for templates, and made ready inside it.
//!
//! The facts of the order are compared once more there: no mail says what was true a moment before, and a secret only goes to an address that
//! the order has then (invariant 15).

use super::Mail;
use super::errors::{ChangedFacts, MailError};
use super::outbox::NewMail;
use super::rules::{Address, MailKind, Provider};
use super::secrets::NewSecret;
use super::store::MailFacts;
use super::templates::{ComposedMail, Letter};
use crate::error::{Permission, Result};
use crate::ids::StaffId;
use crate::timestamp::Timestamp;

/// A composed mail, and what it was composed from.
#[derive(Clone, Debug)]
pub struct PreparedMail {
    letter: Letter,
    mail: NewMail,
    secret: Option<NewSecret>,
    /// It goes to an address of the order.
    is_own: bool,
}

impl PreparedMail {
    /// A mail with that text, from the facts of its order. It goes through the configured provider, without a requesting member and without
    /// a secret.
    pub fn new(
        room: &Mail,
        _: Permission<ChangedFacts>,
        kind: MailKind,
        recipient: Address,
        facts: &MailFacts,
        letter: Letter,
        message: ComposedMail,
    ) -> Self {
        let is_own = recipient.is_one_of(facts.addresses());
        let mail = NewMail::new(&room.config, letter.order_id, kind, recipient, message);
        Self { letter, mail, secret: None, is_own }
    }

    /// Composes a mail that needs nothing but the letter.
    ///
    /// # Errors
    /// If its template fails.
    pub fn compose(
        room: &Mail,
        permission: Permission<ChangedFacts>,
        kind: MailKind,
        recipient: Address,
        facts: &MailFacts,
        letter: Letter,
    ) -> Result<Self> {
        let message = room.templates.compose(kind, &letter)?;
        Ok(Self::new(room, permission, kind, recipient, facts, letter, message))
    }

    /// The member of staff who requests it.
    pub fn requested_by(mut self, staff_id: StaffId) -> Self {
        self.mail.staff_id = Some(staff_id);
        self
    }

    /// The provider that sends it.
    pub fn through(mut self, provider: Provider) -> Self {
        self.mail.provider = provider;
        self
    }

    /// With a link that opens the order's page, if it goes to an address of the order.
    pub fn with_link(self, now: Timestamp) -> Self {
        self.with_secret(NewSecret::of_link(now))
    }

    /// With a secret, if it goes to an address of the order.
    pub fn with_secret(mut self, secret: NewSecret) -> Self {
        self.secret = Some(secret);
        self
    }

    /// The address that it goes to.
    pub fn recipient(&self) -> &Address {
        &self.mail.recipient
    }

    /// The mail as it is queued in a transaction in which its order has these `facts`. `document_id`: the issued visa that it is about.
    ///
    /// # Errors
    /// [`MailError::MailFactsChanged`] if it would say something else now, or would go to an address that is not the order's any more.
    pub fn ready(&self, facts: &MailFacts, document_id: Option<i64>) -> Result<NewMail, MailError> {
        let is_issued = facts.visa.or(document_id).is_some();
        let letter = Letter { is_issued, ..facts.letter(self.letter.order_id) };
        let is_own = self.mail.recipient.is_one_of(facts.addresses());
        if letter != self.letter || (self.is_own && !is_own) {
            return Err(MailError::MailFactsChanged);
        }
        let secret = self.secret.clone().filter(|_| is_own);
        Ok(NewMail { document_id, secret, ..self.mail.clone() })
    }
}
