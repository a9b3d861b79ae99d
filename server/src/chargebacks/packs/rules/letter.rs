//! Defence Pack 1: the letter of one page, as facts for its template.

use chrono::TimeDelta;
use serde::Serialize;

use super::exhibits::{Exhibit, exhibits};
use super::position;
use super::wording::{At, at, both, day, masked, on, utc};
use super::{DeliveryRecord, Foot, PackFacts, PackType, RenderContext};
use crate::calendar;
use crate::chargebacks::rules::priors::PriorCheck;
use crate::chargebacks::terms::{Network, ReasonGroup};
use crate::documents::kinds::Origin;
use crate::orders::facts::Checkout;
use crate::orders::rules::ProcessingMode;
use crate::orders::rules::personal_name::PersonalName;
use crate::orders::rules::phone::Phone;
use crate::text::{counted, without_case};
use crate::timestamp::Timestamp;
use crate::visas::catalogue;

/// A label and its value.
pub type LetterRow = (&'static str, String);

/// The facts of the letter's template.
#[derive(Clone, Debug, Serialize)]
pub struct PackLetter {
    pub agency: String,
    pub date: String,
    pub to: String,
    pub order_number: String,
    pub subject: String,
    pub case: Vec<LetterRow>,
    pub position: String,
    pub blocks: Vec<Block>,
    pub timeline: Timeline,
    pub exhibits: Vec<Exhibit>,
    pub foot: Foot,
}

/// A named block of facts.
#[derive(Clone, Debug, Serialize)]
pub struct Block {
    pub title: &'static str,
    pub rows: Vec<LetterRow>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Timeline {
    pub rows: Vec<Event>,
    pub left_out: usize,
    /// Which calendar the days of the letter follow.
    pub calendar: String,
}

#[derive(Clone, Debug, Serialize)]
pub struct Event {
    pub at: At,
    pub what: String,
}

/// Renders the letter.
pub fn letter(facts: &PackFacts, ce3: &PriorCheck, context: &RenderContext) -> PackLetter {
    let delivery = DeliveryRecord::of(facts);
    PackLetter {
        agency: context.line(&context.agency),
        date: context.day(context.at),
        to: context.line(&addressee(facts)),
        order_number: facts.order.order_id.printed(),
        subject: subject(facts, context),
        case: case(facts, context),
        position: position::sentence(facts, context),
        blocks: vec![
            Block { title: "Transaction", rows: transaction(facts, context) },
            Block { title: "Customer", rows: customer(facts, context) },
            Block { title: "Service", rows: service(facts, &delivery, context) },
            Block { title: "Terms", rows: terms(facts, context) },
        ],
        timeline: timeline(facts, &delivery, context),
        exhibits: exhibits(facts, ce3, context),
        foot: foot(PackType::Letter, facts, context),
    }
}

/// The footer of a pack, without the digest.
pub fn foot(pack_type: PackType, facts: &PackFacts, context: &RenderContext) -> Foot {
    Foot {
        order: facts.order.order_id.printed(),
        title: pack_type.title(),
        made: both(context.at),
        by: context.line(&context.by),
        sha256: String::new(),
    }
}

fn addressee(facts: &PackFacts) -> String {
    let network = facts.dispute.as_ref().map(|dispute| dispute.network);
    let team = match network {
        None | Some(Network::Other) => "The disputes team of the card issuer".to_owned(),
        Some(network) => format!("The disputes team, {network}"),
    };
    match &facts.payment {
        Some(payment) => format!("{team}, through {}", payment.gateway),
        None => team,
    }
}

fn subject(facts: &PackFacts, context: &RenderContext) -> String {
    let case_id = facts.dispute.as_ref().and_then(|dispute| dispute.case_id.as_deref());
    match case_id {
        Some(case_id) => format!("Response to dispute {}", context.line(case_id)),
        None => format!("Response to the dispute of order {}", facts.order.order_id.printed()),
    }
}

/// The facts of the dispute that are recorded.
pub fn case(facts: &PackFacts, context: &RenderContext) -> Vec<LetterRow> {
    let Some(dispute) = &facts.dispute else { return Vec::new() };
    let reason = [dispute.reason_code.as_deref(), dispute.reason_group.map(ReasonGroup::as_str)];
    let reason = reason.into_iter().flatten().collect::<Vec<_>>().join(" ");
    let rows = [
        ("Network", Some(dispute.network.to_string())),
        ("Reason", Some(reason).filter(|reason| !reason.is_empty()).map(|reason| context.line(&reason))),
        ("Amount in dispute", dispute.amount().map(|amount| amount.to_string())),
        ("ARN", dispute.arn.as_deref().map(|arn| context.line(arn))),
        ("Respond by", Some(day(dispute.respond_by))),
    ];
    rows.into_iter().filter_map(|(word, text)| Some((word, text?))).collect()
}

/// The rows that have a value.
fn known(rows: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Vec<LetterRow> {
    rows.into_iter().filter_map(|(word, text)| Some((word, text.filter(|text| !text.is_empty())?))).collect()
}

fn card(facts: &PackFacts) -> Option<String> {
    let payment = facts.payment.as_ref()?;
    let brand = payment.card_brand.as_deref().unwrap_or("Card");
    Some(match &payment.card_last_four {
        Some(digits) => format!("{brand} ending in {digits}"),
        None => payment.card_brand.clone()?,
    })
}

fn transaction(facts: &PackFacts, context: &RenderContext) -> Vec<LetterRow> {
    let (payment, typed) = (facts.payment.as_ref(), facts.transaction.as_ref());
    let three_d_secure = facts.checkout.as_ref().and_then(|checkout| checkout.three_d_secure.as_deref());
    known([
        ("Order", Some(facts.order.order_id.printed())),
        ("Transaction id", typed.and_then(|typed| typed.transaction_id.as_deref()).map(|id| context.line(id))),
        ("Merchant name", typed.and_then(|typed| typed.merchant_name.as_deref()).map(|name| context.line(name))),
        ("Gateway", payment.map(|payment| context.line(&payment.gateway))),
        ("Reference", payment.map(|payment| context.line(&payment.payment_reference))),
        ("Charged", payment.map(|payment| utc(payment.paid_at))),
        ("Amount", payment.map(|payment| payment.amount().to_string())),
        ("Card", card(facts).map(|card| context.line(&card))),
        ("3-D Secure", three_d_secure.map(|result| context.line(result))),
    ])
}

fn customer(facts: &PackFacts, context: &RenderContext) -> Vec<LetterRow> {
    let (order, application) = (&facts.order, &facts.application);
    let checkout = facts.checkout.as_ref();
    let contact = without_case(&order.contact_email_address);
    let account = application.account_email.as_deref().filter(|email| without_case(email) != contact);
    let key = |name: &str| PersonalName::read(name).map(|name| name.key());
    let signed = application.signature_name.as_deref().filter(|name| key(name) != key(&order.full_name));
    let telephone =
        Phone::read(order.country_code.as_deref(), order.phone_number.as_deref()).map(|phone| phone.shown());
    let document = application.document_number.as_deref().map(masked);
    let kind = application.document_type.as_deref().unwrap_or("Passport");
    let address = checkout.and_then(|checkout| checkout.purchase_ip.as_deref());
    let address = address.map(|ip| match facts.downloads.from_purchase {
        0 => ip.to_owned(),
        count => format!("{ip} (and {})", counted(count, "download")),
    });
    let device =
        [facts.purchase_device.as_deref(), checkout.and_then(|checkout: &Checkout| checkout.device_id.as_deref())];
    let device = device.into_iter().flatten().collect::<Vec<_>>().join("; id ");
    known([
        ("Applicant", Some(context.name(&facts.order.full_name, &facts.application, facts.passport_name.as_deref()))),
        ("Ordered by", signed.map(|name| context.line(name))),
        ("Email", Some(context.line(&order.contact_email_address))),
        ("Account’s email", account.map(|email| context.line(email))),
        ("Telephone", telephone.map(|number| context.line(&number))),
        ("Nationality", order.nationality.as_deref().map(|nationality| context.line(nationality))),
        ("Travel document", document.map(|number| context.line(&format!("{kind}, {number}")))),
        ("Purchase address", address.map(|address| context.line(&address))),
        ("Purchase device", Some(context.line(&device))),
    ])
}

fn service(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> Vec<LetterRow> {
    let (order, application) = (&facts.order, &facts.application);
    let visa = order.visa_type.as_deref().map(|code| match catalogue::find(code) {
        Some(visa) => format!("{} {}", visa.code, visa.label),
        None => code.to_owned(),
    });
    let purpose = [&application.main_purpose_of_visit, &application.sub_purpose_of_visit];
    let purpose = purpose.into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(", ");
    let mode = match order.processing_mode {
        ProcessingMode::Regular => "Standard Processing",
        ProcessingMode::Priority => "Priority Processing",
    };
    let given: Vec<_> = facts.files.iter().filter(|file| Origin::of(&file.kind).is_received()).collect();
    let received = given.first().map(|first| {
        let from = if given.len() > 1 { "first " } else { "" };
        format!("{}, {from}{}", counted(given.len(), "file"), utc(first.created_at))
    });
    let mailed = delivery.mail.and_then(|entry| Some(format!("by email, {}", utc(entry.mail.sent_at?))));
    let downloaded = delivery
        .first_download
        .map(|first| format!("{}, first {}", counted(delivery.downloads, "download"), utc(first)));
    known([
        ("Visa", visa.map(|visa| context.line(&visa))),
        ("Purpose", Some(context.line(&purpose))),
        ("Processing", Some(mode.to_owned())),
        ("Applied", Some(utc(order.created_at))),
        ("Documents", received),
        ("Submitted", delivery.submitted_at.map(utc)),
        ("Visa issued", delivery.issued_at.map(utc)),
        ("Delivered", mailed),
        ("Used", downloaded),
    ])
}

fn terms(facts: &PackFacts, context: &RenderContext) -> Vec<LetterRow> {
    let checkout = facts.checkout.as_ref();
    let accepted = checkout.and_then(|checkout| checkout.terms_accepted_at);
    let before = |at| facts.payment.as_ref().is_some_and(|payment| at <= payment.paid_at);
    let accepted_words = accepted.map(|at| format!("{}{}", utc(at), if before(at) { ", before payment" } else { "" }));
    let ip = checkout.and_then(|checkout| checkout.purchase_ip.as_deref()).filter(|_| accepted.is_some());
    let text = Some(context.terms_text.trim()).filter(|text| !text.is_empty() && accepted.is_some());
    known([
        (
            "Version",
            checkout.and_then(|checkout| checkout.terms_version.as_deref()).map(|version| context.line(version)),
        ),
        ("Accepted", accepted_words),
        ("From", ip.map(|ip| context.line(ip))),
        ("Signed as", facts.application.signature_name.as_deref().map(|name| context.line(name))),
        ("Agreed text", text.map(|text| format!("“{}”", context.long(text)))),
    ])
}

/// The importance of an event, if there is no room for all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Decisive,
    Telling,
    Contact,
}

fn timeline(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> Timeline {
    use Weight::{Contact, Decisive, Telling};
    let mut events = Vec::new();
    let mut add = |when: Option<Timestamp>, weight, what: String| {
        events.extend(when.map(|when| (when, weight, at(when), what)));
    };
    let checkout = facts.checkout.as_ref();
    add(Some(facts.order.created_at), Decisive, "Order received".into());
    add(checkout.and_then(|checkout| checkout.terms_accepted_at), Telling, "Terms accepted".into());
    if let Some(payment) = &facts.payment {
        let with = card(facts).map_or_else(String::new, |card| format!(", {card}"));
        let what = format!("Payment of {}{with}", payment.amount());
        add(Some(payment.paid_at), Decisive, context.line(&what));
    }
    let given: Vec<_> = facts.files.iter().filter(|file| Origin::of(&file.kind).is_received()).collect();
    // The others may have come later.
    let papers = match given.len() {
        1 => "Document received from the customer".to_owned(),
        count => format!("First of {count} documents received from the customer"),
    };
    add(given.first().map(|file| file.created_at), Telling, papers);
    add(delivery.submitted_at, Decisive, "Application submitted to the government".into());
    add(delivery.issued_at, Decisive, "Visa issued".into());
    if let Some(entry) = delivery.mail {
        let what = format!("Email about the visa accepted by {} for {}", entry.mail.provider, entry.mail.recipient);
        add(entry.mail.sent_at, Decisive, context.line(&what));
    }
    add(delivery.first_download, Decisive, "First download of the visa".into());
    if delivery.downloads > 1 {
        add(delivery.last_download, Telling, format!("Latest of {} downloads", delivery.downloads));
    }
    for contact in &facts.contacts {
        let by = if contact.whatsapp { "WhatsApp" } else { "telephone" };
        add(Some(contact.at), Contact, format!("Contact with the customer by {by}"));
    }
    add(facts.refund_asked_at, Telling, "Request for a refund noted".into());
    add(facts.refunded_at, Decisive, "Payment refunded".into());
    if let Some(dispute) = &facts.dispute {
        // The hour is unknown: it stands after everything else of its day.
        let when = calendar::end(dispute.opened_on, context.zone) - TimeDelta::microseconds(1);
        events.push((when, Decisive, on(dispute.opened_on), "Dispute opened".into()));
    }
    events.sort_by_key(|(when, weight, ..)| (*weight, *when));
    let left_out = events.len().saturating_sub(context.limits.events);
    events.truncate(context.limits.events);
    events.sort_by_key(|(when, ..)| *when);
    Timeline {
        rows: events.into_iter().map(|(_, _, at, what)| Event { at, what }).collect(),
        left_out,
        calendar: context.calendar(),
    }
}
