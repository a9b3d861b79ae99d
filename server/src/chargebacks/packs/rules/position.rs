//! The letter's position in one sentence, by the reason group. It claims nothing that our records do not show.

use super::{DeliveryRecord, PackFacts, RenderContext};
use crate::chargebacks::terms::ReasonGroup;

/// The position in one sentence.
pub fn sentence(facts: &PackFacts, context: &RenderContext) -> String {
    let delivery = DeliveryRecord::of(facts);
    if let Some(at) = facts.refunded_at {
        let sum =
            facts.payment.as_ref().map_or_else(|| "The payment".to_owned(), |payment| payment.amount().to_string());
        return format!(
            "{sum} was already returned to the customer on {}, before this answer; a second credit would pay it twice.",
            context.day(at)
        );
    }
    let group = facts.dispute.as_ref().and_then(|dispute| dispute.reason_group);
    match group {
        Some(ReasonGroup::Fraud) => fraud(facts, &delivery, context),
        Some(ReasonGroup::NotAsDescribed) => as_described(facts, &delivery, context),
        Some(ReasonGroup::CancelledOrCredit) => not_cancelled(facts, &delivery, context),
        Some(ReasonGroup::Duplicate) => no_duplicate(facts, &delivery, context),
        _ => delivered(facts, &delivery, context),
    }
}

fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first, last] => format!("{first} and {last}"),
        [parts @ .., last] => format!("{}, and {last}", parts.join(", ")),
    }
}

/// `downloaded 3 times, first on 12 October 2026`.
fn downloaded(delivery: &DeliveryRecord<'_>, context: &RenderContext) -> Option<String> {
    let first = context.day(delivery.first_download?);
    Some(match delivery.downloads {
        1 => format!("downloaded once, on {first}"),
        2 => format!("downloaded twice, first on {first}"),
        many => format!("downloaded {many} times, first on {first}"),
    })
}

fn fraud(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let mut parts = Vec::new();
    if is_authenticated(facts) {
        parts.push("the payment was authenticated by 3-D Secure".to_owned());
    }
    let has = |kind: &str| facts.files.iter().any(|file| file.kind == kind);
    match (has("passport_picture"), has("upload_picture")) {
        (true, true) => {
            parts.push("the traveller’s passport and photograph were received from the customer".to_owned());
        }
        (true, false) => parts.push("the traveller’s passport was received from the customer".to_owned()),
        _ => {}
    }
    if let Some(downloaded) = downloaded(delivery, context) {
        let same = match delivery.from_purchase {
            0 => String::new(),
            count if count == delivery.downloads => ", from the network address of the purchase".to_owned(),
            1 => ", once from the network address of the purchase".to_owned(),
            2 => ", twice from the network address of the purchase".to_owned(),
            count => format!(", {count} times from the network address of the purchase"),
        };
        parts.push(format!("the visa was {downloaded}{same}, by a person who had confirmed the order’s email address"));
    }
    if parts.is_empty() {
        return delivered(facts, delivery, context);
    }
    format!("The purchase was made and used by the customer: {}.", list(&parts))
}

/// Returns true if the sales site reported that the cardholder was authenticated.
fn is_authenticated(facts: &PackFacts) -> bool {
    let result = facts.checkout.as_ref().and_then(|checkout| checkout.three_d_secure.as_deref()).unwrap_or_default();
    ["authenticated", "y"].contains(&result.trim().to_lowercase().as_str())
}

fn delivered(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let mut parts = Vec::new();
    if let Some(at) = delivery.issued_at {
        parts.push(format!("the visa was issued on {}", context.day(at)));
    }
    if let Some(at) = delivery.mail.and_then(|entry| entry.mail.sent_at) {
        parts.push(format!("announced by email on {}", context.day(at)));
    }
    parts.extend(downloaded(delivery, context));
    if delivery.issued_at.is_none() {
        return begun(facts, delivery, context);
    }
    match is_delivered(delivery) {
        true => format!("The service that was paid for has been delivered: {}.", list(&parts)),
        false => format!("The service that was paid for has been performed: {}.", list(&parts)),
    }
}

/// The visa reached the customer by our records: an email that announced it was accepted, or it was downloaded.
fn is_delivered(delivery: &DeliveryRecord<'_>) -> bool {
    delivery.mail.is_some() || delivery.downloads > 0
}

/// Nothing was issued yet: the work done so far.
fn begun(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let ordered = context.day(facts.order.created_at);
    match delivery.submitted_at {
        Some(at) => format!(
            "The service was ordered on {ordered} and performed: the application was prepared and submitted to the \
             government on {}.",
            context.day(at)
        ),
        None => format!("The service was ordered on {ordered}, and the application is being prepared."),
    }
}

/// `, under terms accepted on 5 October 2026, before payment`.
fn terms(facts: &PackFacts, context: &RenderContext) -> Option<String> {
    let at = facts.checkout.as_ref()?.terms_accepted_at?;
    let before = facts.payment.as_ref().is_some_and(|payment| at <= payment.paid_at);
    Some(format!("under terms accepted on {}{}", context.day(at), if before { ", before payment" } else { "" }))
}

fn as_described(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let Some(at) = delivery.issued_at else { return begun(facts, delivery, context) };
    let mut parts = vec![format!("the visa that was applied for was issued on {}", context.day(at))];
    parts.extend(downloaded(delivery, context));
    parts.extend(terms(facts, context));
    match is_delivered(delivery) {
        true => format!("The customer received what was ordered: {}.", list(&parts)),
        false => format!("What was ordered has been performed: {}.", list(&parts)),
    }
}

fn not_cancelled(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let done = delivery.submitted_at.map(|at| ("submitted to the government", at));
    let Some((what, at)) = done.or(delivery.issued_at.map(|at| ("completed, with the visa issued,", at))) else {
        return begun(facts, delivery, context);
    };
    let agreed = terms(facts, context).map_or_else(String::new, |terms| format!(", {terms}"));
    if facts.refund_asked_at.is_some_and(|asked| asked < at) {
        return format!("The application was {what} on {}{agreed}.", context.day(at));
    }
    format!(
        "No credit is due: our records hold no cancellation before the application was {what} on {}{agreed}.",
        context.day(at)
    )
}

fn no_duplicate(facts: &PackFacts, delivery: &DeliveryRecord<'_>, context: &RenderContext) -> String {
    let issued = delivery
        .issued_at
        .map_or_else(String::new, |at| format!(", and its own visa was issued on {}", context.day(at)));
    let number = facts.order.order_id.printed();
    format!(
        "This charge is for one service of its own: order {number} is one application for one traveller, charged once{issued}."
    )
}
