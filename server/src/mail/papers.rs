//! Mails that ask an applicant for papers, in the applicant's language, and the same as a text message.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use minijinja::context;
use serde::Deserialize;

use super::rules::{MailKind, greeting};
use super::templates::{ComposedMail, Letter, Templates, as_it_stands};
use crate::documents::rules::label_of;
use crate::error::{Error, Result};
use crate::ids::OrderId;
use crate::paper_requests::rules::Language;
use crate::visas::catalogue;

/// The texts of such a mail in one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AskingTexts {
    subject: String,
    reminder_subject: String,
    greeting: String,
    greeting_unknown: String,
    lead: String,
    reminder_lead: String,
    action: String,
    action_note: String,
    footer: String,
    passport: String,
    photograph: String,
}

#[expect(clippy::expect_used, reason = "the file is built in, and a test reads it")]
static TEXTS: LazyLock<BTreeMap<String, AskingTexts>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../templates/mail/papers_texts.json")).expect("papers_texts.json")
});

fn texts(language: Language) -> Result<&'static AskingTexts> {
    TEXTS.get(language.as_str()).ok_or_else(|| Error::internal("no texts of mails in a language"))
}

/// A paper to ask for, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskedPaper {
    /// The document of the catalogue.
    pub kind: String,
    /// The reason, in the language of the mail.
    pub reason: String,
}

/// The papers that an applicant is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PapersLetter {
    pub language: Language,
    pub papers: Vec<AskedPaper>,
    pub is_reminder: bool,
}

impl PapersLetter {
    /// The kind of the mail.
    pub fn mail_kind(&self) -> MailKind {
        if self.is_reminder { MailKind::PapersReminder } else { MailKind::PapersAsked }
    }
}

/// The name of a paper for applicants. Only two have names in all languages; the others have that of the catalogue.
fn label(kind: &str, texts: &AskingTexts) -> String {
    match kind {
        "passport" => texts.passport.clone(),
        "recent_photo" => texts.photograph.clone(),
        kind => label_of(kind),
    }
}

impl Templates {
    /// Renders the mail that asks for papers.
    pub fn compose_asking(&self, letter: &Letter, asking: &PapersLetter) -> Result<ComposedMail> {
        let texts = texts(asking.language)?;
        let (heading, lead) = match asking.is_reminder {
            true => (&texts.reminder_subject, &texts.reminder_lead),
            false => (&texts.subject, &texts.lead),
        };
        let papers: Vec<_> = asking
            .papers
            .iter()
            .map(|paper| context! { label => label(&paper.kind, texts), reason => paper.reason.as_str() })
            .collect();
        let visa = letter.visa_type.as_deref().and_then(catalogue::find);
        self.render_both("papers_asked", |subject| {
            context! {
                subject,
                heading,
                lead,
                action => texts.action.as_str(),
                action_note => texts.action_note.as_str(),
                papers => papers.clone(),
                language => asking.language.as_str(),
                direction => if asking.language.is_right_to_left() { "rtl" } else { "ltr" },
                greeting => greet(letter, texts),
                footer => texts.footer.replace("{agency}", &self.agency),
                agency => self.agency.as_str(),
                order_number => letter.order_id.printed(),
                visa => visa.map(|visa| format!("{} {}", visa.code, visa.label)),
                track_url => as_it_stands(self.track_url(letter.order_id)),
            }
        })
    }

    /// The same as a short message, such as for WhatsApp. Its link asks for the email address of the order.
    pub fn compose_message(&self, letter: &Letter, asking: &PapersLetter) -> Result<String> {
        let texts = texts(asking.language)?;
        let lead = if asking.is_reminder { &texts.reminder_lead } else { &texts.lead };
        let papers: Vec<String> =
            asking.papers.iter().map(|paper| format!("- {}: {}", label(&paper.kind, texts), paper.reason)).collect();
        Ok(format!(
            "{}\n\n{lead}\n{}\n\n{}\n\n{} ({})",
            greet(letter, texts),
            papers.join("\n"),
            self.track_url(letter.order_id),
            self.agency,
            letter.order_id.printed(),
        ))
    }

    /// Renders a mail in each language.
    pub(super) fn try_papers(&self) -> Result<()> {
        for language in Language::ALL {
            let full_name = if language.is_right_to_left() { String::new() } else { "Ana Putri".to_owned() };
            let letter =
                Letter { order_id: OrderId(100_001), full_name, visa_type: None, is_issued: false, has_page: true };
            let papers = vec![AskedPaper { kind: "passport".into(), reason: "…".into() }];
            for is_reminder in [false, true] {
                self.compose_asking(
                    &letter,
                    &PapersLetter { language: *language, papers: papers.clone(), is_reminder },
                )?;
            }
        }
        Ok(())
    }
}

/// The first line, with a name that no mail program turns into a link.
fn greet(letter: &Letter, texts: &AskingTexts) -> String {
    match greeting(&letter.full_name) {
        Some(name) => texts.greeting.replace("{name}", &name),
        None => texts.greeting_unknown.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    #[test]
    fn every_language_has_its_texts_with_the_places_of_names() {
        for language in Language::ALL {
            let texts = texts(*language).unwrap();
            assert!(texts.greeting.contains("{name}") && texts.footer.contains("{agency}"), "{language}");
        }
        assert_eq!(TEXTS.len(), Language::ALL.len());
    }

    #[test]
    fn the_mail_and_the_message_name_each_paper_with_its_reason_and_lead_to_the_page() {
        let mut config = Config { public_url: "https://desk.example/".into(), ..Config::default() };
        config.mail.from = "Visa Desk <visa@desk.example>".into();
        let templates = Templates::open(&config).unwrap();
        let letter = Letter {
            order_id: OrderId(100_001),
            full_name: "ana evil.com".into(),
            visa_type: None,
            is_issued: false,
            has_page: true,
        };
        let papers = vec![AskedPaper { kind: "bank_statement".into(), reason: "<b>missing</b>".into() }];
        let asking = PapersLetter { language: Language::Arabic, papers, is_reminder: true };
        let mail = templates.compose_asking(&letter, &asking).unwrap();
        assert!(mail.html.contains(r#"<html lang="ar" dir="rtl">"#) && mail.html.contains("&lt;b&gt;missing"));
        let message = templates.compose_message(&letter, &asking).unwrap();
        for part in [&mail.text, &message] {
            assert!(part.contains("Bank statement (minimum USD 2000): <b>missing</b>"), "{part}");
            assert!(part.contains("https://desk.example/track-order/MjAwMDAy") && !part.contains("evil.com"), "{part}");
        }
        assert_eq!(asking.mail_kind(), MailKind::PapersReminder);
    }
}
