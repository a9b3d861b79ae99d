//! The details of an order: its facts in one statement, its histories in one each.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension as _, Result};

use crate::lists::month_of;
use crate::{catalogue, json};

/// Columns as `json::members` reads their names.
const FACTS: &str = "SELECT o.order_id, 'VD-' || o.order_id AS order_number, coalesce(o.external_reference, q.external_reference) AS external_reference, o.process_status, o.processing_mode,
    o.processing_date, replace(o.refund_date, ' ', 'T') || 'Z' AS refund_date, replace(o.created_at, ' ', 'T') || 'Z' AS created_at,
    replace(o.updated_at, ' ', 'T') || 'Z' AS updated_at, owner.name AS assign_to, processor.name AS processed_by,
    o.order_id || '@applications.example' AS application_email_address, o.contact_email_address, t.merchant_name, t.transaction_id,
    o.full_name, a.first_name, a.middle_name, a.last_name, a.sex, a.place_of_birth, a.date_of_birth, o.country_code, o.phone_number,
    o.nationality, a.passport_from, a.main_purpose_of_visit, a.sub_purpose_of_visit, o.visa_type, a.stay_day, a.arrival_date, a.document_type,
    a.document_number, a.date_of_expiry, a.issuing_place, a.residence_type, a.address, a.postal_code, a.province, a.city, a.district,
    a.village, a.immigration_office, a.signature_name, a.account_email AS 'user.email',
    p.order_id AS 'payment.', p.gateway AS 'payment.gateway', p.payment_reference AS 'payment.payment_reference', p.amount_minor AS 'payment.amount_minor',
    p.currency AS 'payment.currency', p.card_brand AS 'payment.card_brand', p.card_last_four AS 'payment.card_last_four',
    replace(p.paid_at, ' ', 'T') || 'Z' AS 'payment.paid_at',
    k.order_id AS 'checkout.', k.purchase_ip AS 'checkout.purchase_ip', k.user_agent AS 'checkout.user_agent', k.device_id AS 'checkout.device_id',
    k.three_d_secure AS 'checkout.three_d_secure', k.terms_version AS 'checkout.terms_version',
    replace(k.terms_accepted_at, ' ', 'T') || 'Z' AS 'checkout.terms_accepted_at',
    c.order_id AS 'chargeback.', c.network AS 'chargeback.network', c.reason_group AS 'chargeback.reason_group', c.reason_code AS 'chargeback.reason_code',
    c.case_id AS 'chargeback.case_id', c.currency AS 'chargeback.currency', c.arn AS 'chargeback.arn',
    c.opened_on AS 'chargeback.opened_on', c.respond_by AS 'chargeback.respond_by', c.outcome AS 'chargeback.outcome',
    c.updated_by AS 'chargeback.updated_by', replace(c.updated_at, ' ', 'T') || 'Z' AS 'chargeback.updated_at'
FROM orders o
LEFT JOIN staff owner ON owner.staff_id = o.assign_to
LEFT JOIN staff processor ON processor.staff_id = o.processed_by
LEFT JOIN applications a ON a.order_id = o.order_id
LEFT JOIN transactions t ON t.order_id = o.order_id
LEFT JOIN payments p ON p.order_id = o.order_id
LEFT JOIN checkouts k ON k.order_id = o.order_id
LEFT JOIN order_sources q ON q.order_id = o.order_id
LEFT JOIN chargebacks c ON c.order_id = o.order_id
WHERE o.order_id = ?1";

const DOCUMENTS: &str =
    "SELECT kind, file1, original_name, media_type, size_bytes, replace(created_at, ' ', 'T') || 'Z' AS created_at
FROM documents WHERE order_id = ?1 AND kind <> 'visa' ORDER BY document_id";

const HISTORIES: [(&str, &str); 7] = [
    (
        "uploadDoc",
        "SELECT d.file1, o.full_name AS customer_name, replace(d.created_at, ' ', 'T') || 'Z' AS create_ts
         FROM documents d JOIN orders o ON o.order_id = d.order_id
         WHERE d.order_id = ?1 AND d.kind = 'visa' ORDER BY d.document_id DESC",
    ),
    (
        "refund_marks",
        "SELECT r.refund_id AS id, replace(r.refunded_at, ' ', 'T') || 'Z' AS refunded_at FROM refunds r
         WHERE r.order_id = ?1 ORDER BY r.refund_id DESC",
    ),
    (
        "mailHistory",
        "SELECT m.mail_id AS id, m.order_id, replace(coalesce(m.sent_at, m.created_at), ' ', 'T') || 'Z' AS create_ts, m.kind, x.subject,
                m.recipient AS email, s.name AS sent_by, m.state, replace(m.due_at, ' ', 'T') || 'Z' AS due_at, m.failure
         FROM mails m LEFT JOIN mail_texts x ON x.mail_id = m.mail_id LEFT JOIN staff s ON s.staff_id = m.staff_id
         WHERE m.mail_id IN (SELECT mail_id FROM mails WHERE order_id = ?1 ORDER BY mail_id DESC LIMIT 50)
         ORDER BY m.mail_id",
    ),
    (
        "downloadHistory",
        "SELECT d.order_id, replace(d.created_at, ' ', 'T') || 'Z' AS create_ts, d.ip, d.location AS timezone,
                d.device || '-' || d.device_type || '-' || d.browser AS browser, d.os, d.device, d.device_type, d.location,
                d.location_as_of, f.file1
         FROM downloads d JOIN documents f ON f.document_id = d.document_id
         WHERE d.download_id IN (
             SELECT download_id FROM downloads WHERE order_id = ?1 ORDER BY download_id DESC LIMIT 50)
         ORDER BY d.download_id",
    ),
    (
        "failed_tries",
        "SELECT replace(hour, ' ', 'T') || 'Z' AS hour, network, tries, replace(last_at, ' ', 'T') || 'Z' AS last_at
         FROM failed_tracks WHERE order_id = ?1 ORDER BY hour DESC LIMIT 50",
    ),
    (
        "remark",
        "SELECT r.remark_id AS id, r.order_id, s.name AS remark_name, r.remark, iif(r.whatsapp, 'Y', '') AS whatsapp,
                iif(r.telephone, 'Y', '') AS telephone, iif(r.status_refund, 'Y', '') AS status_refund,
                iif(r.voided, 'Y', '') AS voided, iif(r.chargeback, 'Y', '') AS chargeback,
                iif(r.report_error, 'Y', '') AS report_error
         FROM remarks r JOIN staff s ON s.staff_id = r.staff_id
         WHERE r.remark_id IN (SELECT remark_id FROM remarks WHERE order_id = ?1 ORDER BY remark_id DESC LIMIT 50)
         ORDER BY r.remark_id",
    ),
    (
        "timeline",
        "SELECT replace(at, ' ', 'T') || 'Z' AS at, actor, action, before, after FROM audit
         WHERE order_id = ?1 ORDER BY audit_id DESC LIMIT 50",
    ),
];

/// The details of an order, if there is one.
pub fn find(connection: &Connection, order_id: i64) -> Result<Option<Vec<u8>>> {
    let mut out = Vec::with_capacity(8192);
    out.extend_from_slice(b"{\"status\":1,\"message\":\"\",\"data\":{");
    let mut facts = connection.prepare_cached(FACTS)?;
    let found = facts
        .query_row([order_id], |row| {
            json::members(&mut out, row)?;
            out.extend_from_slice(b",\"process_month\":");
            match row.get_ref(5)? {
                ValueRef::Text(date) => json::text(&mut out, month_of(date).as_bytes()),
                other => json::plain(&mut out, other),
            }
            row.get::<_, Option<String>>("visa_type")
        })
        .optional()?;
    let Some(visa) = found else { return Ok(None) };

    let kinds = array(connection, &mut out, "documents", DOCUMENTS, order_id)?;
    let visa = visa.as_deref().and_then(catalogue::find);
    out.extend_from_slice(b",\"issued_type\":");
    out.extend_from_slice(visa.map_or("null", |visa| &visa.issued).as_bytes());
    out.extend_from_slice(b",\"required_documents\":[");
    for needed in visa.iter().flat_map(|visa| &visa.needed) {
        json::comma(&mut out);
        out.extend_from_slice(needed.shown.as_bytes());
        out.extend_from_slice(b",\"given\":");
        json::boolean(&mut out, kinds.iter().any(|kind| *kind == needed.kind || *kind == needed.key));
        out.push(b'}');
    }
    out.push(b']');
    for (name, sql) in HISTORIES {
        array(connection, &mut out, name, sql, order_id)?;
    }
    out.extend_from_slice(b"}}");
    Ok(Some(out))
}

/// Writes the rows of a statement as an array of objects. Returns the first column of each, if it is a text.
fn array(connection: &Connection, out: &mut Vec<u8>, name: &str, sql: &str, order_id: i64) -> Result<Vec<String>> {
    let mut statement = connection.prepare_cached(sql)?;
    json::comma(out);
    json::text(out, name.as_bytes());
    out.extend_from_slice(b":[");
    let (mut rows, mut firsts) = (statement.query([order_id])?, Vec::new());
    while let Some(row) = rows.next()? {
        json::comma(out);
        out.push(b'{');
        json::members(out, row)?;
        out.push(b'}');
        firsts.extend(row.get_ref(0)?.as_str().ok().map(str::to_owned));
    }
    out.push(b']');
    Ok(firsts)
}
