// The details of an order: its facts in one statement, its histories in one each.

import { catalogue, instant, monthOf, requiredDocuments } from './statements.mjs';

const APPLICATION = [
  'first_name', 'middle_name', 'last_name', 'sex', 'place_of_birth', 'date_of_birth', 'passport_from', 'main_purpose_of_visit',
  'sub_purpose_of_visit', 'stay_day', 'arrival_date', 'document_type', 'document_number', 'date_of_expiry', 'issuing_place', 'residence_type', 'address',
  'postal_code', 'province', 'city', 'district', 'village', 'immigration_office', 'signature_name',
];
const ORDER = [
  'order_id', 'process_status', 'processing_mode', 'processing_date', 'contact_email_address', 'full_name', 'country_code',
  'phone_number', 'nationality', 'visa_type',
];
const TRANSACTION = ['merchant_name', 'transaction_id'];
const PAYMENT = ['gateway', 'payment_reference', 'amount_minor', 'currency', 'card_brand', 'card_last_four', 'paid_at'];
const CHECKOUT = ['purchase_ip', 'user_agent', 'device_id', 'three_d_secure', 'terms_version', 'terms_accepted_at'];
const CHARGEBACK = [
  'network', 'reason_group', 'reason_code', 'case_id', 'currency', 'arn', 'opened_on', 'respond_by', 'outcome', 'updated_by', 'updated_at',
];
const PLAIN = [...ORDER, ...APPLICATION, ...TRANSACTION];

const columns = (table, names) => names.map((name) => `${table}.${name}`).join(', ');
// The columns of an object within the answer: `p.gateway AS p_gateway`.
const grouped = (table, names) => names.map((name) => `${table}.${name} AS ${table}_${name}`).join(', ');
// Such an object; null if there is no row of its table.
function group(row, table, names) {
  if (row[`${table}_order_id`] === null) return null;
  const made = {};
  for (const name of names) made[name] = row[`${table}_${name}`];
  return made;
}

const FACTS = `SELECT ${columns('o', ORDER)}, ${columns('a', APPLICATION)}, ${columns('t', TRANSACTION)},
    coalesce(o.external_reference, q.external_reference) AS external_reference, o.refund_date, o.created_at, o.updated_at,
    a.account_email, owner.name AS owner, processor.name AS processor, ${grouped('p', ['order_id', ...PAYMENT])},
    ${grouped('k', ['order_id', ...CHECKOUT])}, ${grouped('c', ['order_id', ...CHARGEBACK])}
FROM orders o
LEFT JOIN staff owner ON owner.staff_id = o.assign_to
LEFT JOIN staff processor ON processor.staff_id = o.processed_by
LEFT JOIN applications a ON a.order_id = o.order_id
LEFT JOIN transactions t ON t.order_id = o.order_id
LEFT JOIN payments p ON p.order_id = o.order_id
LEFT JOIN checkouts k ON k.order_id = o.order_id
LEFT JOIN order_sources q ON q.order_id = o.order_id
LEFT JOIN chargebacks c ON c.order_id = o.order_id
WHERE o.order_id = ?`;

export function prepare(db) {
  const facts = db.prepare(FACTS);
  const documents = db.prepare('SELECT kind, file1, original_name, media_type, size_bytes, created_at FROM documents WHERE order_id = ? ORDER BY document_id');
  const mails = db.prepare(`SELECT m.mail_id AS id, m.order_id, coalesce(m.sent_at, m.created_at) AS create_ts, m.kind, x.subject,
      m.recipient AS email, s.name AS sent_by, m.state, m.due_at, m.failure
      FROM mails m LEFT JOIN mail_texts x ON x.mail_id = m.mail_id LEFT JOIN staff s ON s.staff_id = m.staff_id
      WHERE m.mail_id IN (SELECT mail_id FROM mails WHERE order_id = ? ORDER BY mail_id DESC LIMIT 50)
      ORDER BY m.mail_id`);
  const downloads = db.prepare(`SELECT d.order_id, d.created_at AS create_ts, d.ip, d.location AS timezone,
      d.device || '-' || d.device_type || '-' || d.browser AS browser, d.os, d.device, d.device_type, d.location, d.location_as_of, f.file1
      FROM downloads d JOIN documents f ON f.document_id = d.document_id
      WHERE d.download_id IN (SELECT download_id FROM downloads WHERE order_id = ? ORDER BY download_id DESC LIMIT 50)
      ORDER BY d.download_id`);
  const tries = db.prepare('SELECT hour, network, tries, last_at FROM failed_tracks WHERE order_id = ? ORDER BY hour DESC LIMIT 50');
  const remarks = db.prepare(`SELECT r.*, s.name FROM remarks r JOIN staff s ON s.staff_id = r.staff_id
      WHERE r.remark_id IN (SELECT remark_id FROM remarks WHERE order_id = ? ORDER BY remark_id DESC LIMIT 50)
      ORDER BY r.remark_id`);
  const refunds = db.prepare('SELECT refund_id AS id, refunded_at FROM refunds WHERE order_id = ? ORDER BY refund_id DESC');
  const timeline = db.prepare('SELECT at, actor, action, before, after FROM audit WHERE order_id = ? ORDER BY audit_id DESC LIMIT 50');

  const dated = (row, ...names) => {
    for (const name of names) if (row) row[name] = instant(row[name]);
    return row;
  };
  const marked = (mark) => (mark ? 'Y' : '');
  const remark = (row) => ({
    id: row.remark_id,
    order_id: row.order_id,
    remark_name: row.name,
    remark: row.remark,
    whatsapp: marked(row.whatsapp),
    telephone: marked(row.telephone),
    status_refund: marked(row.status_refund),
    voided: marked(row.voided),
    chargeback: marked(row.chargeback),
    report_error: marked(row.report_error),
  });

  return (id) => {
    const order = facts.get(id);
    if (!order) return null;
    const files = documents.all(id).map((row) => dated(row, 'created_at'));
    const given = files.filter((file) => file.kind !== 'visa');
    const visa = catalogue.get(order.visa_type);
    const data = {};
    for (const name of PLAIN) data[name] = order[name];
    Object.assign(data, {
      order_number: `VD-${id}`,
      process_month: monthOf(order.processing_date),
      refund_date: instant(order.refund_date),
      created_at: instant(order.created_at),
      updated_at: instant(order.updated_at),
      assign_to: order.owner,
      processed_by: order.processor,
      application_email_address: `${id}@applications.example`,
      user: { email: order.account_email },
      issued_type: visa?.issued ?? null,
      external_reference: order.external_reference,
      payment: dated(group(order, 'p', PAYMENT), 'paid_at'),
      checkout: dated(group(order, 'k', CHECKOUT), 'terms_accepted_at'),
      chargeback: dated(group(order, 'c', CHARGEBACK), 'updated_at'),
      documents: given,
      required_documents: requiredDocuments(visa, given.map((file) => file.kind)),
      uploadDoc: files
        .filter((file) => file.kind === 'visa')
        .reverse()
        .map((file) => ({ file1: file.file1, customer_name: order.full_name, create_ts: file.created_at })),
      mailHistory: mails.all(id).map((row) => dated(row, 'create_ts', 'due_at')),
      downloadHistory: downloads.all(id).map((row) => dated(row, 'create_ts')),
      failed_tries: tries.all(id).map((row) => dated(row, 'hour', 'last_at')),
      remark: remarks.all(id).map(remark),
      refund_marks: refunds.all(id).map((row) => dated(row, 'refunded_at')),
      timeline: timeline.all(id).map((row) => dated(row, 'at')),
    });
    return { status: 1, message: '', data };
  };
}
