//! The texts of mails. They are built in; `mail.templates_dir` may replace any of them.
//!
//! A mail is two templates: NAME.html, in which every value is escaped, and NAME.txt, which begins with its `Subject:` line.

use std::path::Path;

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, UndefinedBehavior, Value, context};

use super::errors::MailError;
use super::rules::{MailKind, greeting};
use super::sender;
use crate::config::Config;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::staff::rules::notices::AccountEvent;
use crate::timestamp::Timestamp;
use crate::visas::catalogue;

/// The built-in templates, by the file name that replaces each.
const BUILT_IN: [(&str, &str); 20] = [
    ("layout.html", include_str!("../../templates/mail/layout.html")),
    ("button.html", include_str!("../../templates/mail/button.html")),
    ("approval.html", include_str!("../../templates/mail/approval.html")),
    ("approval.txt", include_str!("../../templates/mail/approval.txt")),
    ("resend.html", include_str!("../../templates/mail/resend.html")),
    ("resend.txt", include_str!("../../templates/mail/resend.txt")),
    ("download_link.html", include_str!("../../templates/mail/download_link.html")),
    ("download_link.txt", include_str!("../../templates/mail/download_link.txt")),
    ("refund.html", include_str!("../../templates/mail/refund.html")),
    ("refund.txt", include_str!("../../templates/mail/refund.txt")),
    ("refund_correction.html", include_str!("../../templates/mail/refund_correction.html")),
    ("refund_correction.txt", include_str!("../../templates/mail/refund_correction.txt")),
    ("address_changed.html", include_str!("../../templates/mail/address_changed.html")),
    ("address_changed.txt", include_str!("../../templates/mail/address_changed.txt")),
    ("papers_asked.html", include_str!("../../templates/mail/papers_asked.html")),
    ("papers_asked.txt", include_str!("../../templates/mail/papers_asked.txt")),
    ("tracking_code.html", include_str!("../../templates/mail/tracking_code.html")),
    ("tracking_code.txt", include_str!("../../templates/mail/tracking_code.txt")),
    ("member.html", include_str!("../../templates/mail/member.html")),
    ("member.txt", include_str!("../../templates/mail/member.txt")),
];

/// The placeholder of a code in a stored text. A greeting keeps letters only, so no name can contain it.
pub const HIDDEN_CODE: &str = "••••••";

/// The longest subject, in characters.
const MAX_SUBJECT_LEN: usize = 200;

/// The facts that a mail is rendered from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letter {
    pub order_id: OrderId,
    pub full_name: String,
    /// The code of the visa that was applied for.
    pub visa_type: Option<String>,
    /// There is a visa to download.
    pub is_issued: bool,
    /// The order has a page: mails about a deleted one have no link to it.
    pub has_page: bool,
}

/// The facts of a mail to a member about their own account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberLetter {
    pub name: String,
    pub event: AccountEvent,
    /// The name of the person who did it; none: the member.
    pub done_by: Option<String>,
    pub device: Option<String>,
    pub country: Option<String>,
    pub at: Timestamp,
}

/// A rendered mail, without a recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComposedMail {
    pub subject: String,
    pub text: String,
    pub html: String,
}

/// The texts of this installation.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    public_url: String,
    pub(super) agency: String,
}

impl Templates {
    /// Reads the templates and renders each once.
    ///
    /// # Errors
    /// [`MailError`] names a template that is broken.
    pub fn open(config: &Config) -> Result<Self> {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        let syntax = SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build();
        environment.set_syntax(syntax.map_err(Error::internal)?);
        for (name, built_in) in BUILT_IN {
            let source = match own(&config.mail.templates_dir, name)? {
                Some(source) => source,
                None => built_in.to_owned(),
            };
            environment.add_template_owned(name, source).map_err(MailError::BrokenMailTemplate)?;
        }
        let agency = sender::sender(config)?.name.unwrap_or_else(|| "Visadesk".to_owned());
        let public_url = config.public_url.trim_end_matches('/').to_owned();
        let templates = Self { environment, public_url, agency };
        templates.try_all()?;
        Ok(templates)
    }

    fn try_all(&self) -> Result<()> {
        for kind in MailKind::ALL.iter().filter(|kind| !kind.asks_for_papers()) {
            for is_issued in [false, true] {
                let letter = Letter {
                    order_id: OrderId(100_001),
                    full_name: if is_issued { "Ana Putri".to_owned() } else { String::new() },
                    visa_type: is_issued.then(|| "C1".to_owned()),
                    is_issued,
                    has_page: is_issued,
                };
                self.compose(*kind, &letter)?;
            }
        }
        self.try_papers()?;
        for detail in [None, Some("Ana Putri".to_owned())] {
            let (done_by, device, country) = (detail.clone(), detail.clone(), detail);
            let event = AccountEvent::NewDevice;
            let letter = MemberLetter { name: String::new(), event, done_by, device, country, at: Timestamp::EPOCH };
            self.compose_for_member(&letter)?;
        }
        Ok(())
    }

    /// Renders a mail about an order.
    pub fn compose(&self, kind: MailKind, letter: &Letter) -> Result<ComposedMail> {
        let visa = letter.visa_type.as_deref().and_then(catalogue::find);
        self.render_both(name_of(kind), |subject| {
            context! {
                subject,
                agency => self.agency.as_str(),
                name => greeting(&letter.full_name),
                order_number => letter.order_id.printed(),
                visa => visa.map(|visa| format!("{} {}", visa.code, visa.label)),
                issued => letter.is_issued,
                code => HIDDEN_CODE,
                // Empty rather than none, which older templates of an agency would print.
                track_url => as_it_stands(if letter.has_page { self.track_url(letter.order_id) } else { String::new() }),
            }
        })
    }

    /// Renders a mail to a member. Names and devices are reduced like names in greetings, so that none becomes a link.
    pub fn compose_for_member(&self, letter: &MemberLetter) -> Result<ComposedMail> {
        let plain = |text: &Option<String>| text.as_deref().and_then(greeting);
        self.render_both("member", |subject| {
            context! {
                subject,
                agency => self.agency.as_str(),
                name => greeting(&letter.name),
                event => letter.event.sentence(),
                done_by => plain(&letter.done_by),
                device => plain(&letter.device),
                country => plain(&letter.country),
                at => letter.at.format("%-d %B %Y, %H:%M UTC").to_string(),
            }
        })
    }

    /// The address of the applicant's page of the order.
    pub fn track_url(&self, order_id: OrderId) -> String {
        format!("{}/track-order/{}", self.public_url, order_id.encoded())
    }

    /// Renders the templates NAME.txt and NAME.html from the facts with that subject.
    pub(super) fn render_both(&self, name: &str, facts: impl Fn(&str) -> Value) -> Result<ComposedMail> {
        let file = format!("{name}.txt");
        let rendered = self.render(&file, facts(""))?;
        let (head, text) = rendered.split_once("\n\n").unwrap_or((&rendered, ""));
        let subject = head.strip_prefix("Subject:").map(str::trim).unwrap_or_default();
        let is_good = !subject.is_empty()
            && !subject.chars().any(char::is_control)
            && subject.chars().count() <= MAX_SUBJECT_LEN
            && !text.trim().is_empty();
        if !is_good {
            return Err(MailError::MailTemplateWithoutSubject { file, max: MAX_SUBJECT_LEN }.into());
        }
        let html = self.render(&format!("{name}.html"), facts(subject))?;
        Ok(ComposedMail { subject: subject.to_owned(), text: format!("{}\n", text.trim()), html })
    }

    fn render(&self, file: &str, facts: Value) -> Result<String> {
        let template = self.environment.get_template(file).map_err(MailError::BrokenMailTemplate)?;
        Ok(template.render(facts).map_err(MailError::BrokenMailTemplate)?)
    }
}

/// A URL whose slashes are not escaped: mail programs and people also read it in the source.
pub(super) fn as_it_stands(url: String) -> Value {
    if url.contains(['<', '>', '&', '"', '\'']) { Value::from(url) } else { Value::from_safe_string(url) }
}

fn name_of(kind: MailKind) -> &'static str {
    match kind {
        MailKind::Approval => "approval",
        MailKind::Resend => "resend",
        MailKind::DownloadLink => "download_link",
        MailKind::Refund => "refund",
        MailKind::RefundCorrection => "refund_correction",
        MailKind::AddressChanged => "address_changed",
        MailKind::PapersAsked | MailKind::PapersReminder => "papers_asked",
        MailKind::TrackingCode => "tracking_code",
    }
}

/// The template of that name in `folder`, if there is one.
fn own(folder: &str, name: &str) -> Result<Option<String>> {
    if folder.is_empty() {
        return Ok(None);
    }
    let folder = Path::new(folder);
    if !folder.is_dir() {
        return Err(MailError::MailTemplatesFolderMissing(folder.into()).into());
    }
    let file = folder.join(name);
    match std::fs::read_to_string(&file) {
        Ok(source) => Ok(Some(source)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(MailError::MailTemplateUnreadable { file, error }.into()),
    }
}

#[cfg(test)]
mod tests;
