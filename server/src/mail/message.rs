//! The MIME form of a mail: headers, the plain and the HTML part, and the visa if it is attached.

use crate::timestamp::Timestamp;
use std::time::SystemTime;

use bytes::Bytes;
use lettre::Message;
use lettre::message::header::{ContentType, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MessageBuilder, MultiPart, SinglePart};
use serde_json::json;

use super::rules::{Address, Provider};
use super::templates::ComposedMail;

/// A file attached to a mail.
#[derive(Clone, Debug)]
pub struct AttachedFile {
    pub name: String,
    pub content_type: ContentType,
    pub content: Bytes,
}

/// The parts of a mail.
#[derive(Clone, Debug)]
pub struct Parts<'a> {
    /// The mail's number, by which a provider's events are matched with it; none: a mail to a member.
    pub mail_id: Option<i64>,
    pub message_id: Option<&'a str>,
    pub from: &'a Mailbox,
    pub to: &'a Address,
    pub provider: Provider,
    /// The SES configuration set; empty: none.
    pub configuration_set: &'a str,
    pub created_at: Timestamp,
    pub text: &'a ComposedMail,
    pub attached: Option<AttachedFile>,
}

/// Builds the message. The same parts make the same headers in each attempt.
pub fn build(parts: Parts<'_>) -> Result<Message, lettre::error::Error> {
    let message = Message::builder()
        .from(parts.from.clone())
        .to(Mailbox::new(None, parts.to.wire().clone()))
        .subject(&*parts.text.subject)
        .date(SystemTime::from(*parts.created_at))
        .message_id(parts.message_id.map(str::to_owned));
    let message = for_provider(message, &parts);
    let both = MultiPart::alternative_plain_html(parts.text.text.clone(), parts.text.html.clone());
    message.multipart(match parts.attached {
        None => both,
        Some(AttachedFile { name, content_type, content }) => {
            let file: SinglePart = Attachment::new(name).body(content.to_vec(), content_type);
            MultiPart::mixed().multipart(both).singlepart(file)
        }
    })
}

/// Adds the headers by which a provider's later events are matched with the mail: its id, and no personal data.
fn for_provider(message: MessageBuilder, parts: &Parts<'_>) -> MessageBuilder {
    let head = |name: &'static str, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
    match parts.provider {
        Provider::Aws => {
            let message = match parts.mail_id {
                None => message,
                Some(mail_id) => message.raw_header(head("X-SES-MESSAGE-TAGS", format!("mail_id={mail_id}"))),
            };
            match parts.configuration_set {
                "" => message,
                set => message.raw_header(head("X-SES-CONFIGURATION-SET", set.to_owned())),
            }
        }
        Provider::Sendgrid => match parts.mail_id {
            None => message,
            Some(mail_id) => {
                let arguments = json!({ "unique_args": { "mail_id": mail_id.to_string() } });
                message.raw_header(head("X-SMTPAPI", arguments.to_string()))
            }
        },
    }
}
