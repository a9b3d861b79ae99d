//! Which evidence an order has and which is missing, shown before a pack is made.

use super::wording::{both, masked};
use super::{DeliveryRecord, PackFacts};
use crate::chargebacks::rules::priors::PriorCheck;
use crate::documents::kinds::Origin;
use crate::text::counted;

/// A piece of evidence that a bank may look for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackEvidence {
    pub code: &'static str,
    pub label: &'static str,
    /// The evidence; none if it is missing.
    pub detail: Option<String>,
}

/// Every piece, the strongest first.
pub fn list(facts: &PackFacts, ce3: &PriorCheck, terms_text: &str) -> Vec<PackEvidence> {
    let delivery = DeliveryRecord::of(facts);
    let (payment, checkout) = (facts.payment.as_ref(), facts.checkout.as_ref());
    let dispute = facts.dispute.as_ref();
    let given = facts.files.iter().filter(|file| Origin::of(&file.kind).is_received()).count();
    let at_checkout = |fact: fn(&crate::orders::facts::Checkout) -> Option<&String>| checkout.and_then(fact).cloned();
    let pieces = [
        ("case", "Case number of the dispute", dispute.and_then(|dispute| dispute.case_id.clone())),
        ("reason", "Reason of the dispute", dispute.and_then(|dispute| Some(dispute.reason_group?.to_string()))),
        ("arn", "ARN of the disputed transaction", dispute.and_then(|dispute| dispute.arn.clone())),
        (
            "transaction",
            "Transaction id and merchant name",
            facts.transaction.as_ref().and_then(|typed| {
                Some(format!("{}, {}", typed.transaction_id.as_deref()?, typed.merchant_name.as_deref()?))
            }),
        ),
        ("payment", "Payment", payment.map(|payment| format!("{}, {}", payment.amount(), both(payment.paid_at)))),
        (
            "card",
            "Card brand and last four digits",
            payment.and_then(|payment| {
                Some(format!("{} ending in {}", payment.card_brand.as_deref()?, payment.card_last_four.as_deref()?))
            }),
        ),
        ("three_d_secure", "3-D Secure result", at_checkout(|checkout| checkout.three_d_secure.as_ref())),
        ("purchase_ip", "IP address of the purchase", at_checkout(|checkout| checkout.purchase_ip.as_ref())),
        (
            "purchase_device",
            "Device of the purchase",
            facts.purchase_device.clone().or_else(|| at_checkout(|checkout| checkout.device_id.as_ref())),
        ),
        (
            "terms",
            "Acceptance of the terms",
            checkout.and_then(|checkout| {
                let version = checkout
                    .terms_version
                    .as_deref()
                    .map_or_else(String::new, |version| format!("version {version}, "));
                Some(format!("{version}{}", both(checkout.terms_accepted_at?)))
            }),
        ),
        (
            "terms_text",
            "Sentence agreed to at checkout",
            Some(terms_text.trim().to_owned()).filter(|text| !text.is_empty()),
        ),
        ("signature", "Signature name", facts.application.signature_name.clone()),
        (
            "passport",
            "Number of the travel document (masked)",
            facts.application.document_number.as_deref().map(masked),
        ),
        ("documents", "Documents handed in", (given > 0).then(|| counted(given, "file"))),
        ("submitted", "Submission to the government", delivery.submitted_at.map(both)),
        ("visa", "Issued visa", delivery.issued_at.map(both)),
        (
            "mail",
            "Email about the visa, accepted by its provider",
            delivery.mail.and_then(|entry| entry.mail.sent_at).map(both),
        ),
        (
            "downloads",
            "Downloads by the customer",
            delivery
                .first_download
                .map(|first| format!("{}, first {}", counted(delivery.downloads, "download"), both(first))),
        ),
        (
            "same_address",
            "Download from the address of the purchase",
            (delivery.from_purchase > 0).then(|| counted(delivery.from_purchase, "download")),
        ),
        (
            "contacts",
            "Contacts by WhatsApp or telephone",
            (!facts.contacts.is_empty()).then(|| counted(facts.contacts.len(), "contact")),
        ),
        ("ce3", "Visa Compelling Evidence 3.0", ce3.eligible.then(|| ce3.why.clone())),
    ];
    let mut list: Vec<PackEvidence> =
        pieces.into_iter().map(|(code, label, detail)| PackEvidence { code, label, detail }).collect();
    // A missing refund is no missing evidence.
    if let Some(at) = facts.refunded_at {
        list.push(PackEvidence { code: "refund", label: "Refund", detail: Some(both(at)) });
    }
    list
}
