// The statements, prepared once, and the rows of lists as they are answered.

import { readFileSync } from 'node:fs';

import Database from 'better-sqlite3';

const MAX_BUFFERED_READ = 200;
const MAX_CANDIDATES = 1_000;

const COLUMNS = `SELECT o.order_id, o.process_status, o.processing_mode, o.full_name, o.contact_email_address, o.country_code,
    o.phone_number, o.nationality, o.created_at, o.updated_at, o.refund_date, o.processing_date, s.name AS owner, o.visa_type,
    CASE WHEN NOT o.had_visa_or_dispute AND o.process_status IN ('New', 'Future', 'Awaiting', 'Contact Customer', 'Customer Called')
         THEN coalesce(o.document_kinds, '') END AS kinds,
    CASE WHEN o.process_status <> 'Deleted' THEN o.mail_problem END AS mail_problem,
    CASE WHEN NOT o.had_visa_or_dispute AND o.process_status IN ('New', 'Future', 'Awaiting', 'Contact Customer', 'Customer Called')
         THEN o.papers_problem END AS papers_problem,
    o.visa_problem,
    c.respond_by, c.outcome`;
const RELATED = `LEFT JOIN staff s ON s.staff_id = o.assign_to
    LEFT JOIN chargebacks c ON o.process_status = 'ChargeBack' AND c.order_id = o.order_id`;
const TOTAL = "SELECT sum(order_count) AS total FROM folder_counters WHERE kind = 'queue'";
const NEWEST = 'ORDER BY created_at DESC, order_id DESC LIMIT ? OFFSET ?';
const OUTER = 'ORDER BY o.created_at DESC, o.order_id DESC';

export const instant = (stored) => (stored === null ? null : `${stored.slice(0, 10)}T${stored.slice(11)}Z`);

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
export const monthOf = (date) => (date === null ? null : MONTHS[Number(date.slice(5, 7)) - 1]);

function readCatalogue() {
  const { purposes, documents, retired_codes: retired } = JSON.parse(
    readFileSync(new URL('../../../server/src/visas/catalogue.json', import.meta.url), 'utf8'),
  );
  const visas = new Map();
  for (const visa of purposes.flatMap((purpose) => purpose.sub_purposes).flatMap((sub) => sub.visa_types)) visas.set(visa.code, visa);
  for (const { code, replaced_by } of retired) if (visas.has(replaced_by)) visas.set(code, visas.get(replaced_by));
  const kinds = { passport: 'passport_picture', recent_photo: 'upload_picture' };
  const needed = (visa, key, when) => ({
    kind: kinds[key] ?? key,
    catalogue_key: key,
    label: documents[key].label,
    required: when === null,
    when,
    note: documents[key].note ?? null,
    min_funds_usd: key === 'bank_statement' ? (visa.min_funds_usd ?? null) : null,
  });
  const all = (visa) => [
    ...visa.documents.map((key) => needed(visa, key, null)),
    ...(visa.documents_conditional ?? []).map(({ key, when }) => needed(visa, key, when)),
  ];
  const issued = ({ code, label, entry, stay_days, unlimited_stay, window }) => ({
    code, label, entry, stay_days: stay_days ?? null, unlimited_stay: unlimited_stay ?? false, window: window ?? null,
  });
  return new Map([...visas].map(([code, visa]) => [code, { issued: issued(visa), needed: all(visa) }]));
}

export const catalogue = readCatalogue();

const isGiven = (kinds, { kind, catalogue_key: key }) => kinds.includes(kind) || kinds.includes(key);
export const requiredDocuments = (visa, kinds) => (visa?.needed ?? []).map((one) => ({ ...one, given: isGiven(kinds, one) }));

function missing(visaType, kinds) {
  if (kinds === null) return null;
  const given = kinds.split(',');
  let count = 0;
  for (const one of catalogue.get(visaType)?.needed ?? []) if (one.required && !isGiven(given, one)) count += 1;
  return count;
}

function listed(row) {
  const isOwned = row.owner !== null;
  return {
    order_id: row.order_id,
    order_number: `VD-${row.order_id}`,
    process_status: row.process_status,
    processing_mode: row.processing_mode,
    full_name: row.full_name,
    contact_email_address: row.contact_email_address,
    country_code: row.country_code,
    phone_number: row.phone_number,
    nationality: row.nationality,
    created_at: instant(row.created_at),
    updated_at: instant(row.updated_at),
    refund_date: instant(row.refund_date),
    processing_date: row.processing_date,
    process_month: monthOf(row.processing_date),
    assign_to: row.owner,
    missing_documents: missing(row.visa_type, row.kinds),
    mail_problem: row.mail_problem,
    papers_problem: row.papers_problem,
    papers_returned: false,
    visa_problem: row.visa_problem,
    chargeback: row.respond_by === null ? null : { respond_by: row.respond_by, outcome: row.outcome },
    allowed: {
      assign_to_me: !isOwned,
      assign_to_others: !isOwned,
      unassign: isOwned,
      delete: row.process_status !== 'Deleted',
      restore: row.process_status === 'Deleted',
      refund: row.process_status === 'Refunds' && row.refund_date === null,
    },
  };
}

export function open(path, member) {
  const db = new Database(path);
  db.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536');
  db.exec('PRAGMA mmap_size = 4294967296');
  const page = db.prepare(`${COLUMNS} FROM orders o ${RELATED} ${OUTER} LIMIT ? OFFSET ?`);
  const deepPage = db.prepare(`${COLUMNS} FROM (SELECT order_id FROM orders ${NEWEST}) page
      CROSS JOIN orders o ON o.order_id = page.order_id ${RELATED} ${OUTER}`);
  const common = db.prepare(`${COLUMNS} FROM (SELECT order_id FROM search_texts WHERE instr(search_text, ?) ${NEWEST}) page
      CROSS JOIN orders o ON o.order_id = page.order_id ${RELATED} ${OUTER}`);
  const byIds = db.prepare(`${COLUMNS} FROM json_each(?) wanted CROSS JOIN orders o ON o.order_id = wanted.value ${RELATED}
      ORDER BY wanted.key`);
  const inIndex = db.prepare(`SELECT s.order_id, s.search_text
      FROM (SELECT rowid FROM order_trigrams WHERE order_trigrams MATCH ? LIMIT ${MAX_CANDIDATES + 1}) hit
      CROSS JOIN search_texts s ON s.order_id = hit.rowid ORDER BY s.created_at DESC, s.order_id DESC`);
  const total = db.prepare(TOTAL).pluck();
  const newest = db.prepare('SELECT search_text FROM search_texts ORDER BY created_at DESC, order_id DESC LIMIT 1000').pluck().all();
  const memberId = db.prepare('SELECT staff_id FROM staff WHERE email = ?').pluck().get(member);
  const counters = db.prepare("SELECT kind, key, order_count FROM folder_counters WHERE kind = 'queue' OR kind = 'owner' AND key = ?");
  const ownerOf = db.prepare('SELECT staff_id FROM staff WHERE name_key = lower(?)').pluck();
  const update = db.prepare("UPDATE orders SET assign_to = ?, updated_at = strftime('%Y-%m-%d %H:%M:%f', 'now') WHERE order_id = ?");
  const assign = db.transaction((orders, owner) => {
    const to = owner === '' ? null : ownerOf.get(owner);
    for (const order of orders) update.run(to, order);
  });
  const enough = Math.floor((MAX_CANDIDATES * 1_000) / total.get()) + 1;

  function hits(term) {
    let seen = 0;
    for (const text of newest) if (text.includes(term)) seen += 1;
    const trigrams = new Set();
    for (let at = 0; at + 3 <= term.length; at += 1) trigrams.add(`"${term.slice(at, at + 3).replaceAll('"', '""')}"`);
    if (seen >= enough || trigrams.size === 0) return null;
    const candidates = inIndex.all([...trigrams].join(' AND '));
    return candidates.length > MAX_CANDIDATES ? null : candidates.filter((row) => row.search_text.includes(term));
  }

  const answer = (rows, start, length, total, more) => ({
    status: 1,
    message: '',
    data: rows.map(listed),
    total,
    more,
    page: Math.floor(start / length) + 1,
    limit: length,
  });

  return {
    db,
    counts() {
      const queue = new Map();
      let [mine, all] = [0, 0];
      for (const { kind, key, order_count: count } of counters.all(String(memberId))) {
        if (kind === 'owner') {
          mine = count;
        } else {
          queue.set(key, count);
          all += count;
        }
      }
      const of = (key) => queue.get(key) ?? 0;
      const data = {
        myOrdersCount: mine,
        newOrdersCount: of('New'),
        priorityOrdersCount: of('Priority'),
        pendingOrdersCount: of('Pending'),
        completedOrdersCount: of('Completed'),
        awaitingOrdersCount: of('Awaiting'),
        awaitingGovtCount: of('AwaitingGovt'),
        customerCalledCount: of('Customer Called'),
        contactCustomerOrdersCount: of('Contact Customer'),
        deletedOrdersCount: of('Deleted'),
        allOrdersCount: all,
        refundOrdersCount: of('Refunds'),
        chargeBackCount: of('ChargeBack'),
        futureOrdersCount: of('Future'),
      };
      return { status: 1, message: '', data };
    },
    list(start, length) {
      return answer((start > MAX_BUFFERED_READ ? deepPage : page).all(length, start), start, length, total.get(), false);
    },
    search(term, start, length) {
      const found = hits(term);
      if (found !== null) {
        const ids = found.slice(start, start + length).map((row) => row.order_id);
        return answer(byIds.all(JSON.stringify(ids)), start, length, found.length, false);
      }
      const rows = common.all(term, length + 1, start);
      const shown = rows.slice(0, length);
      return answer(shown, start, length, start + shown.length, rows.length > length);
    },
    assign: assign.immediate,
  };
}
