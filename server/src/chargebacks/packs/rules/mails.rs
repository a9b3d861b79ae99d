//! Defence Pack 2: emails to the customer and other contacts, as facts for its template.

use serde::Serialize;
use serde_json::{Value, json};

use super::letter::{LetterRow, case, foot};
use super::wording::{At, at, both};
use super::{DeliveryRecord, Foot, PackFacts, PackType, RenderContext, decisive, ends, is_sent, kind_of};
use crate::mail::rules::{MailKind, Outcome};
use crate::mail::store::MailEntry;
use crate::staff::rules::StaffType;
use crate::text::counted;

/// The facts of the pack's template.
#[derive(Clone, Debug, Serialize)]
pub struct Mails {
    pub agency: String,
    pub date: String,
    pub order_number: String,
    pub subject: String,
    pub case: Vec<LetterRow>,
    pub summary: String,
    pub notes: Vec<String>,
    pub mails: ShownRows<Value>,
    pub contacts: ShownRows<ContactRow>,
    pub texts: Vec<Text>,
    pub foot: Foot,
}

/// Rows, and a note about rows that are left out.
#[derive(Clone, Debug, Serialize)]
pub struct ShownRows<T> {
    pub note: Option<String>,
    pub shown: Vec<T>,
}

#[derive(Clone, Debug, Serialize)]
pub struct ContactRow {
    pub number: usize,
    pub at: At,
    pub by: &'static str,
    pub channel: &'static str,
    pub summary: String,
}

/// The text of an email.
#[derive(Clone, Debug, Serialize)]
pub struct Text {
    pub id: i64,
    pub kind: String,
    pub subject: String,
    pub at: String,
    pub text: Vec<String>,
}

/// Renders the pack. `texts` are those of the decisive emails, by id.
pub fn mails(facts: &PackFacts, texts: &[(i64, String)], context: &RenderContext) -> Mails {
    let number = facts.order.order_id.printed();
    let mut case = case(facts, context);
    case.retain(|(word, _)| *word != "ARN");
    case.insert(
        0,
        ("Customer", context.name(&facts.order.full_name, &facts.application, facts.passport_name.as_deref())),
    );
    Mails {
        agency: context.line(&context.agency),
        date: context.day(context.at),
        subject: format!("Emails and contacts: order {number}"),
        order_number: number,
        case,
        summary: summary(facts, context),
        notes: notes(facts, context),
        mails: shown_mails(facts, context),
        contacts: contacts(facts, context),
        texts: decisive_texts(facts, texts, context),
        foot: foot(PackType::Mails, facts, context),
    }
}

/// The kind of a mail, in words for the bank.
fn kind_in_words(entry: &MailEntry) -> String {
    match kind_of(entry) {
        Some(MailKind::Approval) => "Visa delivery".into(),
        // Before there was a visa, these only led to the order's page.
        Some(MailKind::Resend | MailKind::DownloadLink) if entry.file.is_none() => "Link to the order’s page".into(),
        Some(MailKind::Resend) => "Visa delivery, once more".into(),
        Some(MailKind::DownloadLink) => "Link to the download".into(),
        Some(MailKind::Refund) => "Refund notice".into(),
        Some(MailKind::RefundCorrection) => "Correction of a refund notice".into(),
        Some(MailKind::AddressChanged) => "Notice of a changed address".into(),
        Some(MailKind::PapersAsked) => "Request for papers".into(),
        Some(MailKind::PapersReminder) => "Reminder of a request for papers".into(),
        Some(MailKind::TrackingCode) => "Code for the order’s page".into(),
        None => entry.mail.kind.clone(),
    }
}

fn summary(facts: &PackFacts, context: &RenderContext) -> String {
    let delivery = DeliveryRecord::of(facts);
    let sent = delivery.mail.and_then(|entry| Some((entry, entry.mail.sent_at?)));
    let mut text = match sent {
        Some((entry, sent_at)) => format!(
            "The customer was told of the visa by email at {} on {}, and {} accepted that email for delivery",
            context.line(&entry.mail.recipient),
            context.day(sent_at),
            entry.mail.provider
        ),
        None => format!("{} about this order are recorded", counted(facts.mails.len(), "email")),
    };
    if let Some(first) = delivery.first_download {
        text += &format!(
            "; the visa was then fetched from our page {}, first on {}",
            match delivery.downloads {
                1 => "once".to_owned(),
                count => format!("{count} times"),
            },
            context.day(first)
        );
    }
    text + "."
}

fn notes(facts: &PackFacts, context: &RenderContext) -> Vec<String> {
    let mut notes = vec![context.calendar()];
    if !facts.mails.is_empty() {
        notes.push(
            "“Accepted” means that the provider took the email for delivery and gave the answer shown. Whether an email \
             was opened is not used as evidence. EST is UTC−05:00."
                .to_owned(),
        );
    }
    notes
}

fn shown_mails(facts: &PackFacts, context: &RenderContext) -> ShownRows<Value> {
    let total = facts.mails.len();
    let (first, last) = ends(total, context.limits.rows);
    let numbered: Vec<(usize, &MailEntry)> = (1..).zip(&facts.mails).collect();
    let mut shown: Vec<Value> =
        numbered[..first].iter().map(|(number, entry)| mail(*number, entry, facts, context)).collect();
    let note = (last > 0).then(|| {
        shown.push(json!({ "gap": format!("{} emails between these are not shown", total - first - last) }));
        format!("Showing {} of {total} emails; the full history is available on request.", first + last)
    });
    shown.extend(numbered[total - last..].iter().map(|(number, entry)| mail(*number, entry, facts, context)));
    ShownRows { note, shown }
}

fn mail(number: usize, entry: &MailEntry, facts: &PackFacts, context: &RenderContext) -> Value {
    let file = entry.file.as_ref().and_then(|linked| facts.files.iter().find(|file| file.file1 == linked.file1));
    let file = file.map(|file| {
        format!("e-visa.{}, SHA-256 {}", file.media_type.extension(), file.sha256.get(..16).unwrap_or_default())
    });
    let mail = &entry.mail;
    let wide = [
        ("To", Some(context.line(&mail.recipient))),
        ("Message-ID", mail.message_id.as_deref().map(|id| context.line(id))),
    ];
    let outcome = [
        ("Provider", Some(context.line(&mail.provider))),
        ("State", Some(context.line(mail.shown_state().as_str()))),
        ("About", file),
    ];
    let when = [
        ("Queued", Some(both(mail.created_at))),
        ("Accepted", mail.sent_at.filter(|_| is_sent(entry)).map(both)),
        ("Reason", mail.failure.as_deref().map(|failure| context.long(failure))),
    ];
    let rows = |rows: &[(&'static str, Option<String>)]| -> Vec<LetterRow> {
        rows.iter().filter_map(|(word, text)| Some((*word, text.clone()?))).collect()
    };
    // Only the last attempts are shown.
    let skipped = entry.attempts.len().saturating_sub(context.limits.attempts);
    let attempts: Vec<Value> = entry
        .attempts
        .iter()
        .skip(skipped)
        .map(|attempt| {
            let outcome = match attempt.outcome {
                Some(Outcome::Accepted) if mail.in_file => "written to a file",
                Some(outcome) => outcome.as_str(),
                None => "cut off",
            };
            let answer = context.long(attempt.answer.as_deref().unwrap_or_default());
            json!({ "at": at(attempt.ended_at.unwrap_or(attempt.started_at)), "outcome": outcome, "answer": answer })
        })
        .collect();
    json!({
        "gap": null,
        "number": number,
        "id": mail.mail_id,
        "kind": context.line(&kind_in_words(entry)),
        "subject": context.line(entry.subject.as_deref().unwrap_or("(sent by an earlier system, no subject on file)")),
        "wide": rows(&wide),
        "columns": [rows(&outcome), rows(&when)],
        "attempts": attempts,
    })
}

fn contacts(facts: &PackFacts, context: &RenderContext) -> ShownRows<ContactRow> {
    let total = facts.contacts.len();
    let (first, last) = ends(total, context.limits.few);
    let numbered: Vec<_> = (1..).zip(&facts.contacts).collect();
    let chosen = numbered[..first].iter().chain(&numbered[total - last..]);
    let shown = chosen.map(|(number, contact)| ContactRow {
        number: *number,
        at: at(contact.at),
        by: contact.by.map_or("Staff", StaffType::as_str),
        channel: match (contact.whatsapp, contact.telephone) {
            (true, true) => "WhatsApp, telephone",
            (true, false) => "WhatsApp",
            _ => "Telephone",
        },
        summary: context.long(&contact.text),
    });
    let note = (last > 0)
        .then(|| format!("Showing {} of {total} contacts; the full list is available on request.", first + last));
    ShownRows { note, shown: shown.collect() }
}

fn decisive_texts(facts: &PackFacts, texts: &[(i64, String)], context: &RenderContext) -> Vec<Text> {
    let wanted = decisive(&facts.mails);
    let found = facts.mails.iter().filter(|entry| wanted.contains(&entry.mail.mail_id)).filter_map(|entry| {
        let (_, text) = texts.iter().find(|(id, _)| *id == entry.mail.mail_id)?;
        Some(Text {
            id: entry.mail.mail_id,
            kind: kind_in_words(entry),
            subject: context.line(entry.subject.as_deref().unwrap_or_default()),
            at: both(entry.mail.sent_at?),
            text: context.paragraphs(text, context.limits.text),
        })
    });
    found.collect()
}
