//! What one order can show for itself, read in one snapshot.

use chrono::NaiveDateTime;
use diesel::dsl::{count_star, max, min};
use diesel::prelude::*;

use crate::chargebacks::store::{self, Dispute};
use crate::db::Conn;
use crate::db::schema::{
    access_log, applications, audit, checkouts, documents, downloads, mail_texts, orders, payments, remarks, staff,
    transactions,
};
use crate::documents::rules::MediaType;
use crate::error::Result;
use crate::mail::store::{self as mail, Entry};
use crate::orders::details::OrderFacts;
use crate::orders::facts::{Application, Checkout, Payment, Transaction};
use crate::orders::rules::ProcessStatus;
use crate::staff::rules::StaffType;
use crate::tracking::devices;
use crate::tracking::store::status_changes;

/// Downloads that are read from either end of their history: no pack shows more.
const MOST_DOWNLOADS: i64 = 40;
/// Places and devices that are read, those of the most downloads first.
const MOST_PLACES: i64 = 12;

/// Everything that packs draw on.
#[derive(Debug)]
pub struct Facts {
    pub order: OrderFacts,
    pub application: Application,
    pub payment: Option<Payment>,
    pub transaction: Option<Transaction>,
    pub checkout: Option<Checkout>,
    /// What the browser of the purchase said of itself, in words.
    pub purchase_device: Option<String>,
    pub dispute: Option<Dispute>,
    /// The oldest first.
    pub files: Vec<File>,
    /// The oldest first.
    pub status_changes: Vec<(NaiveDateTime, ProcessStatus)>,
    /// The first one first.
    pub mails: Vec<Entry>,
    pub downloads: Downloads,
    /// By WhatsApp and telephone, the oldest first.
    pub contacts: Vec<Contact>,
    /// When staff first noted that the customer wants the money back.
    pub refund_asked_at: Option<NaiveDateTime>,
    pub refunded_at: Option<NaiveDateTime>,
}

/// A stored file of the order.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = documents)]
pub struct File {
    pub kind: String,
    pub file1: String,
    pub media_type: MediaType,
    pub sha256: String,
    pub created_at: NaiveDateTime,
}

/// A visitor's download of the visa.
#[derive(Clone, Debug, Queryable, Selectable)]
#[diesel(table_name = downloads)]
pub struct Download {
    pub ip: String,
    pub device: String,
    pub device_type: String,
    pub browser: String,
    pub os: String,
    pub location: String,
    pub created_at: NaiveDateTime,
}

/// All downloads from one address with one device.
#[derive(Clone, Debug, Queryable)]
pub struct Place {
    pub ip: String,
    pub location: String,
    pub device: String,
    pub browser: String,
    pub os: String,
    pub downloads: i64,
    pub first_at: Option<NaiveDateTime>,
    pub last_at: Option<NaiveDateTime>,
}

/// The history of downloads: those of the customer, and how many were left out of it.
#[derive(Clone, Debug, Default)]
pub struct Downloads {
    pub total: i64,
    /// By mail scanners and previews of links.
    pub automated: i64,
    /// From addresses from which staff worked on the order.
    pub by_staff: i64,
    /// From the address of the purchase.
    pub from_purchase: i64,
    /// The first ones, the oldest first, each with its file.
    pub first: Vec<(Download, File)>,
    /// The last ones, the newest first.
    pub last: Vec<(Download, File)>,
    pub places: Vec<Place>,
}

/// A contact that staff noted.
#[derive(Clone, Debug, Queryable)]
pub struct Contact {
    pub at: NaiveDateTime,
    pub by: StaffType,
    pub whatsapp: bool,
    pub telephone: bool,
    pub text: String,
}

/// The facts of an order; none when it is not there.
pub fn find(conn: &mut Conn, order_id: i64) -> Result<Option<Facts>> {
    let Some(order) = orders::table.find(order_id).select(OrderFacts::as_select()).first(conn).optional()? else {
        return Ok(None);
    };
    let application = applications::table.find(order_id).select(Application::as_select()).first(conn).optional()?;
    let checkout = checkouts::table.find(order_id).select(Checkout::as_select()).first(conn).optional()?;
    let purchase_ip = checkout.as_ref().and_then(|checkout: &Checkout| checkout.purchase_ip.clone());
    let files = documents::table.filter(documents::order_id.eq(order_id)).order(documents::document_id);
    let asked = remarks::table
        .filter(remarks::order_id.eq(order_id))
        .filter(remarks::status_refund.eq(true).or(remarks::voided.eq(true)));
    Ok(Some(Facts {
        application: application.unwrap_or_default(),
        payment: payments::table.find(order_id).select(Payment::as_select()).first(conn).optional()?,
        transaction: transactions::table.find(order_id).select(Transaction::as_select()).first(conn).optional()?,
        dispute: store::find(conn, order_id)?.map(|known| known.dispute),
        files: files.select(File::as_select()).load(conn)?,
        status_changes: status_changes(conn, order_id)?,
        mails: mail::list(conn, order_id)?,
        downloads: find_downloads(conn, order_id, purchase_ip)?,
        contacts: list_contacts(conn, order_id)?,
        refund_asked_at: asked.select(min(remarks::created_at)).first(conn)?,
        purchase_device: checkout.as_ref().and_then(purchase_device),
        refunded_at: order.refund_date,
        checkout,
        order,
    }))
}

/// What the browser of the purchase says of itself.
fn purchase_device(checkout: &Checkout) -> Option<String> {
    let told = devices::describe(checkout.user_agent.as_deref()?, "");
    let parts = [told.device, told.browser, told.os].into_iter().filter(|part| part != "Unknown");
    Some(parts.collect::<Vec<_>>().join(", ")).filter(|told| !told.is_empty())
}

fn list_contacts(conn: &mut Conn, order_id: i64) -> Result<Vec<Contact>> {
    let noted = remarks::table
        .inner_join(staff::table)
        .filter(remarks::order_id.eq(order_id))
        .filter(remarks::whatsapp.eq(true).or(remarks::telephone.eq(true)));
    let columns = (remarks::created_at, staff::staff_type, remarks::whatsapp, remarks::telephone, remarks::remark);
    Ok(noted.order(remarks::remark_id).select(columns).load(conn)?)
}

fn find_downloads(conn: &mut Conn, order_id: i64, purchase_ip: Option<String>) -> Result<Downloads> {
    let staff_ips = staff_addresses(conn, order_id)?;
    let of_order = || downloads::table.filter(downloads::order_id.eq(order_id));
    let of_people = || of_order().filter(downloads::automated.eq(false));
    let of_customer = || of_people().filter(downloads::ip.ne_all(staff_ips.clone()));
    let read = || of_customer().inner_join(documents::table).select((Download::as_select(), File::as_select()));
    let total = of_customer().count().get_result(conn)?;
    let people: i64 = of_people().count().get_result(conn)?;
    let all: i64 = of_order().count().get_result(conn)?;
    let from_purchase = match purchase_ip {
        Some(ip) => of_customer().filter(downloads::ip.eq(ip)).count().get_result(conn)?,
        None => 0,
    };
    let place = (downloads::ip, downloads::location, downloads::device, downloads::browser, downloads::os);
    let (first_at, last_at) = (min(downloads::created_at), max(downloads::created_at));
    let places = of_customer()
        .group_by(place)
        .select((
            downloads::ip,
            downloads::location,
            downloads::device,
            downloads::browser,
            downloads::os,
            count_star(),
            first_at,
            last_at,
        ))
        .order((count_star().desc(), first_at.asc(), downloads::ip.asc()))
        .limit(MOST_PLACES);
    Ok(Downloads {
        total,
        automated: all - people,
        by_staff: people - total,
        from_purchase,
        first: read().order(downloads::download_id.asc()).limit(MOST_DOWNLOADS).load(conn)?,
        last: read().order(downloads::download_id.desc()).limit(MOST_DOWNLOADS).load(conn)?,
        places: places.load(conn)?,
    })
}

/// Public addresses from which staff worked on the order. A private one says nothing: everybody behind a proxy has it.
fn staff_addresses(conn: &mut Conn, order_id: i64) -> Result<Vec<String>> {
    let changes = audit::table
        .filter(audit::order_id.eq(order_id))
        .filter(audit::staff_id.is_not_null())
        .select(audit::ip)
        .distinct();
    let looks = access_log::table.filter(access_log::order_id.eq(order_id)).select(access_log::ip).distinct();
    let (changes, looks): (Vec<Option<String>>, Vec<Option<String>>) = (changes.load(conn)?, looks.load(conn)?);
    let mut found: Vec<String> = changes.into_iter().chain(looks).flatten().filter(|ip| is_public(ip)).collect();
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

/// The texts of those mails, by their ids.
pub fn texts(conn: &mut Conn, mail_ids: &[i64]) -> Result<Vec<(i64, String)>> {
    let wanted = mail_texts::table.filter(mail_texts::mail_id.eq_any(mail_ids));
    Ok(wanted.select((mail_texts::mail_id, mail_texts::text_body)).load(conn)?)
}
