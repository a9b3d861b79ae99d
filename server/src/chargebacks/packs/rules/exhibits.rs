//! The exhibits that prove the letter. Pure.

use serde::Serialize;
use serde_json::{Value, json};

use super::wording::at;
use super::{PackFacts, RenderContext, ends, refund_notice};
use crate::chargebacks::rules::priors::PriorCheck;
use crate::documents::store::LinkedFile;
use crate::text::counted;
use crate::tracking::evidence::DownloadEvidence as Evidence;

/// An exhibit. `downloads` have rows of their own; every other kind is a table.
#[derive(Clone, Debug, Serialize)]
pub struct Exhibit {
    pub letter: char,
    pub kind: &'static str,
    pub title: &'static str,
    pub notes: Vec<String>,
    /// Widths in millimetres; 0 takes the remaining width.
    pub columns: Vec<u8>,
    pub head: Vec<&'static str>,
    pub rows: Vec<Value>,
}

/// The exhibits that have content, lettered without gaps.
pub fn exhibits(facts: &PackFacts, ce3: &PriorCheck, context: &RenderContext) -> Vec<Exhibit> {
    let found = [downloads(facts, context), places(facts, context), priors(ce3, context), refund(facts, context)];
    let lettered = found.into_iter().flatten().zip('A'..='D');
    lettered.map(|(exhibit, letter)| Exhibit { letter, ..exhibit }).collect()
}

/// The number of downloads that look automated, in a sentence.
fn automated(facts: &PackFacts) -> Option<String> {
    let count = facts.downloads.automated;
    let from = "by user agent or headers from a mail scanner or link preview";
    (count > 0).then(|| format!("{} of the type Bot, {from}.", counted(count, "download")))
}

/// The downloads that do not count, in a sentence.
fn left_out(facts: &PackFacts) -> Option<String> {
    let by_staff = facts.downloads.by_staff;
    (by_staff > 0).then(|| format!("Left out of every count: {} by our own staff.", counted(by_staff, "download")))
}

fn downloads(facts: &PackFacts, context: &RenderContext) -> Option<Exhibit> {
    let downloads = &facts.downloads;
    if downloads.total == 0 {
        return None;
    }
    let total = usize::try_from(downloads.total).unwrap_or(usize::MAX);
    let (first, last) = ends(total, context.limits.rows);
    let mut rows = Vec::new();
    for (number, (download, file)) in (1..).zip(downloads.first.iter().take(first)) {
        rows.push(download_row(number, download, file, context));
    }
    if last > 0 {
        let gap = format!("{} downloads between these are not shown", total - first - last);
        rows.push(json!({ "gap": gap }));
    }
    for (back, (download, file)) in downloads.last.iter().take(last).enumerate().rev() {
        rows.push(download_row(total - back, download, file, context));
    }
    let shown = first + last;
    let mut notes = vec![match (total, last) {
        (1, _) => "The only download.".to_owned(),
        (_, 0) => format!("Showing all {total} downloads."),
        _ => format!("Showing {shown} of {total} downloads; the full log is available on request."),
    }];
    notes.extend(automated(facts));
    notes.extend(left_out(facts));
    notes.push(
        "Each was made by a person who had confirmed the order on our page at most 30 minutes before: by its id and its \
         email, and both matched, or by a code or a secret link mailed to that address. EST is UTC−05:00."
            .to_owned(),
    );
    notes.push("IP geolocation by DB-IP, the country as known at the time of the download.".to_owned());
    Some(Exhibit {
        letter: 'A',
        kind: "downloads",
        title: "Download history",
        notes,
        columns: Vec::new(),
        head: Vec::new(),
        rows,
    })
}

fn download_row(number: usize, download: &Evidence, file: &LinkedFile, context: &RenderContext) -> Value {
    json!({
        "gap": null,
        "number": number,
        "at": at(download.created_at),
        "file": format!("e-visa.{}", file.media_type.extension()),
        "sha256": file.sha256.get(..16).unwrap_or_default(),
        "ip": context.line(plain_ip(&download.ip)),
        "device": context.line(&download.device),
        "device_type": context.line(&download.device_type),
        "browser": context.line(&download.browser),
        "os": context.line(&download.os),
        "location": context.line(&download.location),
    })
}

fn plain_ip(ip: &str) -> &str {
    ip.strip_prefix("::ffff:").unwrap_or(ip)
}

fn table(title: &'static str, notes: Vec<String>, columns: &[(u8, &'static str)], rows: Vec<Value>) -> Exhibit {
    let (columns, head) = columns.iter().copied().unzip();
    Exhibit { letter: 'A', kind: "table", title, notes, columns, head, rows }
}

fn places(facts: &PackFacts, context: &RenderContext) -> Option<Exhibit> {
    let downloads = &facts.downloads;
    if downloads.places.is_empty() {
        return None;
    }
    let purchase = facts.checkout.as_ref().and_then(|checkout| checkout.purchase_ip.as_deref());
    let rows = downloads.places.iter().take(context.limits.few).map(|place| {
        let same = if Some(place.ip.as_str()) == purchase { ", as at the purchase" } else { "" };
        json!([
            format!("{}{same}", plain_ip(&place.ip)),
            context.line(&place.location),
            context.line(&format!("{}, {}, {}", place.device, place.browser, place.os)),
            place.downloads.to_string(),
            place.first_at.map(at),
            place.last_at.map(at),
        ])
    });
    let note = "From where, and with what, the order and its email were confirmed before the downloads above.";
    let columns = [
        (34, "IP address"),
        (24, "Location"),
        (0, "Device, browser, OS"),
        (18, "Downloads"),
        (34, "First"),
        (34, "Last"),
    ];
    Some(table("Confirmed access by address and device", vec![note.to_owned()], &columns, rows.collect()))
}

/// The earlier orders. The result of the check is shown only if the dispute is eligible.
fn priors(ce3: &PriorCheck, context: &RenderContext) -> Option<Exhibit> {
    if ce3.priors.is_empty() {
        return None;
    }
    let rows = ce3.priors.iter().take(context.limits.few).map(|prior| {
        let agree = prior.matches.iter().map(|point| point.as_str()).collect::<Vec<_>>().join(", ");
        json!([prior.order_id.printed(), at(prior.paid_at), prior.days_before.to_string(), agree])
    });
    let mut notes = Vec::new();
    if ce3.eligible {
        notes.push(format!("Visa Compelling Evidence 3.0: eligible. {}", context.long(&ce3.why)));
    }
    let columns = [(30, "Order"), (40, "Paid"), (26, "Days before"), (0, "Agrees with this order in")];
    Some(table("Earlier undisputed orders of the customer", notes, &columns, rows.collect()))
}

fn refund(facts: &PackFacts, context: &RenderContext) -> Option<Exhibit> {
    let refunded_at = facts.refunded_at?;
    let sum = facts.payment.as_ref().map(|payment| payment.amount().to_string());
    let notice = refund_notice(&facts.mails);
    let notice = notice.and_then(|entry| entry.mail.sent_at).map(at);
    let reference = facts.payment.as_ref().map(|payment| context.line(&payment.payment_reference));
    let row = json!([
        at(refunded_at),
        sum.unwrap_or_default(),
        reference.unwrap_or_default(),
        notice.map_or_else(|| json!(""), |notice| json!(notice)),
    ]);
    let columns = [(40, "Refunded"), (30, "Amount paid"), (0, "Payment’s reference"), (40, "Customer told by email")];
    Some(table("Refund record", vec!["The order was refunded once.".to_owned()], &columns, vec![row]))
}
