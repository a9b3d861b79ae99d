//! The facts of one order that packs use, read in one snapshot.

use crate::audit::store as audit;
use crate::chargebacks::store::{self, Dispute};
use crate::db::Conn;
use crate::devices;
use crate::documents::kinds::Origin;
use crate::documents::store::{self as documents, Document};
use crate::error::Result;
use crate::ids::OrderId;
use crate::mail::store::{self as mail, MailEntry};
use crate::orders::corrections;
use crate::orders::facts::{self as orders, Application, Checkout, OrderFacts, Payment, Transaction};
use crate::orders::moves;
use crate::orders::remarks::{self, Contact};
use crate::orders::rules::corrections as rules;
use crate::orders::rules::entered::EnteredOrder;
use crate::orders::status::ProcessStatus;
use crate::papers::reading::PaperReading;
use crate::papers::rules::zone;
use crate::papers::store as papers;
use crate::timestamp::Timestamp;
use crate::tracking::evidence::{self, Downloads};

/// The facts that packs use.
#[derive(Debug)]
pub struct PackFacts {
    /// With what the customer sent at intake, also where staff corrected it.
    pub order: OrderFacts,
    pub application: Application,
    /// The name in the passport that the customer sent, as its machine-readable zone spells it. None: it was not read.
    pub passport_name: Option<String>,
    pub payment: Option<Payment>,
    pub transaction: Option<Transaction>,
    pub checkout: Option<Checkout>,
    /// The device of the purchase, described from its user agent.
    pub purchase_device: Option<String>,
    pub dispute: Option<Dispute>,
    /// The oldest first.
    pub files: Vec<Document>,
    /// The oldest first.
    pub status_changes: Vec<(Timestamp, ProcessStatus)>,
    /// Oldest first.
    pub mails: Vec<MailEntry>,
    pub downloads: Downloads,
    /// By WhatsApp and telephone, the oldest first.
    pub contacts: Vec<Contact>,
    /// When staff first recorded that the customer wants a refund.
    pub refund_asked_at: Option<Timestamp>,
    pub refunded_at: Option<Timestamp>,
}

/// The facts of an order, if it exists.
pub fn find(conn: &mut Conn, order_id: OrderId) -> Result<Option<PackFacts>> {
    let Some((mut order, _)) = orders::find(conn, order_id)? else { return Ok(None) };
    let application = as_sent(conn, &mut order)?;
    let checkout = orders::find_checkout(conn, order_id)?;
    let purchase_ip = checkout.as_ref().and_then(|checkout| checkout.purchase_ip.clone());
    let staff_ips = staff_addresses(conn, order_id)?;
    Ok(Some(PackFacts {
        application,
        passport_name: passport_name(conn, order_id)?,
        payment: orders::find_payment(conn, order_id)?,
        transaction: orders::find_transaction(conn, order_id)?,
        dispute: store::find(conn, order_id)?.map(|known| known.dispute),
        // What the customer sent or got; not a visa that was withdrawn or waits, nor a file of ours (invariant 6).
        files: documents::list(conn, order_id)?
            .into_iter()
            .filter(|file| {
                let origin = Origin::of(&file.kind);
                origin.is_received() || origin.is_delivered()
            })
            .collect(),
        status_changes: moves::status_changes(conn, order_id)?,
        mails: mail::list(conn, order_id)?,
        downloads: evidence::find(conn, order_id, purchase_ip, &staff_ips)?,
        contacts: remarks::list_contacts(conn, order_id)?,
        refund_asked_at: remarks::refund_asked_at(conn, order_id)?,
        purchase_device: checkout.as_ref().and_then(purchase_device),
        refunded_at: order.refund_date,
        checkout,
        order,
    }))
}

/// Puts what the customer sent in place of what staff corrected, and returns the application form as sent.
fn as_sent(conn: &mut Conn, order: &mut OrderFacts) -> Result<Application> {
    let application = orders::find_application(conn, order.order_id)?;
    let sent =
        rules::as_sent(&EnteredOrder::of(order, application), &corrections::list_originals(conn, order.order_id)?);
    order.full_name = sent.full_name.unwrap_or_default();
    order.contact_email_address = sent.contact_email_address.unwrap_or_default();
    order.country_code = sent.country_code;
    order.phone_number = sent.phone_number;
    order.nationality = sent.nationality;
    order.visa_type = sent.visa_type;
    Ok(sent.application)
}

fn passport_name(conn: &mut Conn, order_id: OrderId) -> Result<Option<String>> {
    let checks = papers::list(conn, order_id)?;
    let names = checks.iter().find_map(|check| match check.reading()? {
        PaperReading::Passport(reading) => zone::fields(&reading).names,
        PaperReading::Photograph(_) => None,
    });
    Ok(names.map(|names| format!("{} {}", names.given, names.surname).trim().to_owned()))
}

/// Describes the device of the purchase by its user agent.
fn purchase_device(checkout: &Checkout) -> Option<String> {
    let found = devices::describe(checkout.user_agent.as_deref()?, "");
    let parts = [found.device, found.browser, found.os].into_iter().filter(|part| part != "Unknown");
    Some(parts.collect::<Vec<_>>().join(", ")).filter(|described| !described.is_empty())
}

/// Public addresses from which staff worked on the order. A private address proves nothing: everyone behind a proxy has it.
fn staff_addresses(conn: &mut Conn, order_id: OrderId) -> Result<Vec<String>> {
    let mut found = audit::staff_addresses(conn, order_id)?;
    found.retain(|ip| is_public(ip));
    found.sort();
    found.dedup();
    Ok(found)
}

fn is_public(ip: &str) -> bool {
    use std::net::IpAddr;
    match ip.parse::<IpAddr>().map(|ip| ip.to_canonical()) {
        Ok(IpAddr::V4(ip)) => !(ip.is_loopback() || ip.is_private() || ip.is_link_local() || ip.is_unspecified()),
        Ok(IpAddr::V6(ip)) => !(ip.is_loopback() || ip.is_unique_local() || ip.is_unicast_link_local()),
        Err(_) => false,
    }
}
