-- Instants are UTC text at microseconds, dates are YYYY-MM-DD, money is whole minor units.

CREATE TABLE staff (
    staff_id      INTEGER PRIMARY KEY AUTOINCREMENT,
    name          TEXT NOT NULL,
    name_key      TEXT NOT NULL,
    email         TEXT NOT NULL,
    email_key     TEXT NOT NULL,
    staff_type    TEXT NOT NULL CHECK (staff_type IN ('Admin', 'Manager', 'Team', 'Telecaller', 'Night Staff')),
    password_hash TEXT NOT NULL,
    created_at    TEXT NOT NULL,
    updated_at    TEXT NOT NULL,
    updated_by    TEXT,
    deleted_at    TEXT
) STRICT;
CREATE UNIQUE INDEX staff_email ON staff (email_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX staff_name ON staff (name_key) WHERE deleted_at IS NULL;

CREATE TABLE sessions (
    session_hash TEXT PRIMARY KEY,
    staff_id     INTEGER NOT NULL REFERENCES staff (staff_id),
    created_at   TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    idle_seconds INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_staff ON sessions (staff_id);

CREATE TABLE failed_attempts (
    bucket            TEXT PRIMARY KEY,
    failures          INTEGER NOT NULL,
    window_started_at TEXT NOT NULL,
    blocked_until     TEXT
) STRICT;

CREATE TABLE api_keys (
    api_key_id INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL UNIQUE,
    key_hash   TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL,
    revoked_at TEXT
) STRICT;

CREATE TABLE idempotency (
    caller       TEXT NOT NULL,
    route        TEXT NOT NULL,
    key          TEXT NOT NULL,
    request_hash TEXT NOT NULL,
    status_code  INTEGER NOT NULL,
    answer       TEXT NOT NULL,
    created_at   TEXT NOT NULL,
    PRIMARY KEY (caller, route, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);

-- What lists, counts and moves need. An order's queue is the one list that holds it by status;
-- its open_owner is the person whose own list holds it; its future_date is set while it waits for its day.
CREATE TABLE orders (
    order_id              INTEGER PRIMARY KEY AUTOINCREMENT,
    external_reference    TEXT UNIQUE,
    process_status        TEXT NOT NULL CHECK (process_status IN ('New', 'Pending', 'Future', 'Awaiting', 'AwaitingGovt',
                              'Contact Customer', 'Customer Called', 'Completed', 'Refunds', 'ChargeBack', 'Deleted')),
    status_before_deletion TEXT,
    processing_mode       TEXT NOT NULL CHECK (processing_mode IN ('Regular Processing', 'Priority Processing')),
    processing_date       TEXT,
    full_name             TEXT NOT NULL,
    contact_email_address TEXT NOT NULL,
    country_code          TEXT,
    phone_number          TEXT,
    nationality           TEXT,
    visa_type             TEXT,
    assign_to             INTEGER REFERENCES staff (staff_id),
    processed_by          INTEGER REFERENCES staff (staff_id),
    processed_at          TEXT,
    refund_date           TEXT,
    created_at            TEXT NOT NULL,
    updated_at            TEXT NOT NULL,
    search_text           TEXT NOT NULL,
    queue                 TEXT NOT NULL GENERATED ALWAYS AS (
                              CASE WHEN process_status = 'New' AND assign_to IS NOT NULL THEN 'Taken'
                                   WHEN process_status = 'New' AND processing_mode = 'Priority Processing' THEN 'Priority'
                                   ELSE process_status END) STORED,
    open_owner            INTEGER GENERATED ALWAYS AS (
                              CASE WHEN process_status IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted') THEN NULL
                                   ELSE assign_to END) STORED,
    future_date           TEXT GENERATED ALWAYS AS (
                              CASE WHEN process_status = 'Future' THEN processing_date END) STORED,
    CHECK (process_status <> 'Future' OR processing_date IS NOT NULL)
) STRICT;
INSERT INTO sqlite_sequence (name, seq) VALUES ('orders', 100000);
CREATE INDEX orders_newest ON orders (created_at, order_id);
CREATE INDEX orders_queue ON orders (queue, created_at, order_id);
CREATE INDEX orders_open_owner ON orders (open_owner, created_at, order_id) WHERE open_owner IS NOT NULL;
CREATE INDEX orders_future ON orders (future_date, order_id) WHERE future_date IS NOT NULL;
CREATE INDEX orders_processed ON orders (processed_at, processed_by) WHERE processed_at IS NOT NULL;

-- Substring search: trigrams for terms of three characters and more, single and paired characters for shorter ones.
-- Neither holds the text itself; the row's search_text decides in the end.
CREATE VIRTUAL TABLE order_trigrams USING fts5 (
    search_text, content = '', detail = 'none', columnsize = 0, tokenize = 'trigram case_sensitive 1');
CREATE VIRTUAL TABLE order_grams USING fts5 (
    grams, content = '', detail = 'none', columnsize = 0, tokenize = 'ascii');

CREATE TABLE applications (
    order_id              INTEGER PRIMARY KEY REFERENCES orders (order_id),
    account_email         TEXT,
    first_name            TEXT,
    middle_name           TEXT,
    last_name             TEXT,
    sex                   TEXT,
    place_of_birth        TEXT,
    date_of_birth         TEXT,
    passport_from         TEXT,
    main_purpose_of_visit TEXT,
    sub_purpose_of_visit  TEXT,
    stay_day              INTEGER,
    document_type         TEXT,
    document_number       TEXT,
    date_of_expiry        TEXT,
    issuing_place         TEXT,
    residence_type        TEXT,
    address               TEXT,
    postal_code           TEXT,
    province              TEXT,
    city                  TEXT,
    district              TEXT,
    village               TEXT,
    immigration_office    TEXT,
    signature_name        TEXT
) STRICT;

-- What the sales site knew at checkout: it cannot be rebuilt later and decides disputes.
CREATE TABLE checkouts (
    order_id          INTEGER PRIMARY KEY REFERENCES orders (order_id),
    purchase_ip       TEXT,
    user_agent        TEXT,
    device_id         TEXT,
    three_d_secure    TEXT,
    terms_version     TEXT,
    terms_accepted_at TEXT
) STRICT;
-- Other orders from the same place or device, the nearest first.
CREATE INDEX checkouts_purchase_ip ON checkouts (purchase_ip, order_id) WHERE purchase_ip IS NOT NULL;
CREATE INDEX checkouts_device ON checkouts (device_id, order_id) WHERE device_id IS NOT NULL;

CREATE TABLE payments (
    order_id          INTEGER PRIMARY KEY REFERENCES orders (order_id),
    gateway           TEXT NOT NULL,
    payment_reference TEXT NOT NULL,
    amount_minor      INTEGER NOT NULL CHECK (amount_minor >= 0),
    currency          TEXT NOT NULL,
    card_brand        TEXT,
    card_last_four    TEXT,
    paid_at           TEXT NOT NULL
) STRICT;

-- The transaction at the gateway, for disputes, as staff entered it. Other systems may know only one of the two.
CREATE TABLE transactions (
    order_id       INTEGER PRIMARY KEY REFERENCES orders (order_id),
    transaction_id TEXT,
    merchant_name  TEXT,
    CHECK (transaction_id IS NOT NULL OR merchant_name IS NOT NULL)
) STRICT;

-- The gateways that payments may go through. One that left the config is retired, and stays for its name.
CREATE TABLE payment_gateways (
    gateway_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    gateway_name TEXT NOT NULL UNIQUE,
    retired      INTEGER NOT NULL CHECK (retired IN (0, 1)),
    UNIQUE (gateway_id, retired)
) STRICT;

-- Which gateway is active: always exactly one, for this row can neither be doubled nor removed, and cannot name one that is retired.
CREATE TABLE active_gateway (
    only_one   INTEGER PRIMARY KEY CHECK (only_one = 1),
    gateway_id INTEGER NOT NULL,
    retired    INTEGER NOT NULL CHECK (retired = 0),
    FOREIGN KEY (gateway_id, retired) REFERENCES payment_gateways (gateway_id, retired)
) STRICT;
CREATE TRIGGER active_gateway_stays BEFORE DELETE ON active_gateway BEGIN SELECT RAISE(ABORT, 'one gateway is always active'); END;

CREATE TABLE documents (
    document_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id      INTEGER NOT NULL REFERENCES orders (order_id),
    kind          TEXT NOT NULL,
    file1         TEXT NOT NULL UNIQUE,
    original_name TEXT NOT NULL,
    media_type    TEXT NOT NULL,
    size_bytes    INTEGER NOT NULL,
    sha256        TEXT NOT NULL,
    uploaded_by   INTEGER REFERENCES staff (staff_id),
    created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX documents_order ON documents (order_id, document_id);
CREATE INDEX documents_staff ON documents (uploaded_by, created_at) WHERE uploaded_by IS NOT NULL;

CREATE TABLE remarks (
    remark_id     INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id      INTEGER NOT NULL REFERENCES orders (order_id),
    staff_id      INTEGER NOT NULL REFERENCES staff (staff_id),
    remark        TEXT NOT NULL,
    whatsapp      INTEGER NOT NULL,
    telephone     INTEGER NOT NULL,
    status_refund INTEGER NOT NULL,
    voided        INTEGER NOT NULL,
    chargeback    INTEGER NOT NULL,
    report_error  INTEGER NOT NULL,
    created_at    TEXT NOT NULL
) STRICT;
CREATE INDEX remarks_order ON remarks (order_id, remark_id);

-- Mails are queued in the transaction of what they tell of; a worker sends them. One that is being sent is leased.
-- Only what waits is due: the index holds nothing else.
CREATE TABLE mails (
    mail_id     INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    document_id INTEGER REFERENCES documents (document_id),
    staff_id    INTEGER REFERENCES staff (staff_id),
    kind        TEXT NOT NULL,
    recipient   TEXT NOT NULL,
    provider    TEXT NOT NULL CHECK (provider IN ('AWS', 'Sendgrid')),
    state       TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'failed', 'unknown')),
    failure     TEXT,
    message_id  TEXT UNIQUE,
    due_at      TEXT,
    leased_until TEXT,
    created_at  TEXT NOT NULL,
    sent_at     TEXT
) STRICT;
CREATE INDEX mails_order ON mails (order_id, mail_id);
CREATE INDEX mails_staff ON mails (staff_id, created_at) WHERE staff_id IS NOT NULL;
CREATE INDEX mails_due ON mails (provider, due_at, mail_id) WHERE due_at IS NOT NULL;

-- What a mail says, as it was put together. Mails of an older system have none.
CREATE TABLE mail_texts (
    mail_id   INTEGER PRIMARY KEY REFERENCES mails (mail_id),
    subject   TEXT NOT NULL,
    text_body TEXT NOT NULL,
    html_body TEXT NOT NULL
) STRICT;

-- Each try to hand a mail over. One without an end was cut off. text_at is written before the text begins to go out: only
-- of what was cut off after it is it not known whether the provider took it.
CREATE TABLE mail_attempts (
    mail_id    INTEGER NOT NULL REFERENCES mails (mail_id),
    attempt    INTEGER NOT NULL,
    started_at TEXT NOT NULL,
    text_at    TEXT,
    ended_at   TEXT,
    outcome    TEXT CHECK (outcome IN ('accepted', 'put off', 'refused', 'unknown')),
    answer     TEXT,
    PRIMARY KEY (mail_id, attempt)
) STRICT, WITHOUT ROWID;

-- A visitor who named an order and its email may see that one order for half an hour. The grant itself is not kept.
CREATE TABLE visitor_grants (
    grant_hash TEXT PRIMARY KEY,
    order_id   INTEGER NOT NULL REFERENCES orders (order_id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
) STRICT;
CREATE INDEX visitor_grants_age ON visitor_grants (expires_at);

CREATE TABLE downloads (
    download_id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    document_id INTEGER NOT NULL REFERENCES documents (document_id),
    ip          TEXT NOT NULL,
    device      TEXT NOT NULL,
    device_type TEXT NOT NULL,
    browser     TEXT NOT NULL,
    os          TEXT NOT NULL,
    location    TEXT NOT NULL,
    location_as_of TEXT,
    user_agent  TEXT,
    automated   INTEGER NOT NULL,
    created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX downloads_order ON downloads (order_id, download_id);

-- Each order is refunded at most once, for ever: this row cannot be doubled, altered or removed.
CREATE TABLE refunds (
    order_id    INTEGER PRIMARY KEY REFERENCES orders (order_id),
    refunded_at TEXT NOT NULL,
    staff_id    INTEGER NOT NULL REFERENCES staff (staff_id),
    mail_id     INTEGER NOT NULL UNIQUE REFERENCES mails (mail_id)
) STRICT;
CREATE TRIGGER refunds_keep_update BEFORE UPDATE ON refunds BEGIN SELECT RAISE(ABORT, 'a refund is for ever'); END;
CREATE TRIGGER refunds_keep_delete BEFORE DELETE ON refunds BEGIN SELECT RAISE(ABORT, 'a refund is for ever'); END;
CREATE TRIGGER orders_keep_refund_date BEFORE UPDATE OF refund_date ON orders
    WHEN OLD.refund_date IS NOT NULL AND NEW.refund_date IS NOT OLD.refund_date
    BEGIN SELECT RAISE(ABORT, 'a refund is for ever'); END;

-- The dispute of an order. It is open only while the order stands in ChargeBack.
CREATE TABLE chargebacks (
    order_id     INTEGER PRIMARY KEY REFERENCES orders (order_id),
    network      TEXT NOT NULL CHECK (network IN ('Visa', 'Mastercard', 'American Express', 'Discover', 'PayPal', 'Other')),
    reason_group TEXT CHECK (reason_group IN ('Fraud', 'Not received', 'Not as described', 'Cancelled or credit',
                     'Duplicate', 'Other')),
    reason_code  TEXT,
    case_id      TEXT,
    amount_minor INTEGER CHECK (amount_minor >= 0),
    currency     TEXT,
    arn          TEXT,
    opened_on    TEXT NOT NULL,
    respond_by   TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome IN ('Open', 'Won', 'Lost', 'Accepted', 'Withdrawn')),
    updated_by   TEXT NOT NULL,
    updated_at   TEXT NOT NULL
) STRICT;

-- What was handed to a bank stays as it was: a pack is never altered, and never removed.
CREATE TABLE defence_packs (
    pack_id      INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id     INTEGER NOT NULL REFERENCES orders (order_id),
    pack_type    INTEGER NOT NULL CHECK (pack_type IN (1, 2)),
    file1        TEXT NOT NULL UNIQUE,
    pages        INTEGER NOT NULL,
    size_bytes   INTEGER NOT NULL,
    sha256       TEXT NOT NULL,
    facts        TEXT NOT NULL,
    staff_id     INTEGER NOT NULL REFERENCES staff (staff_id),
    made_at      TEXT NOT NULL
) STRICT;
CREATE INDEX defence_packs_order ON defence_packs (order_id, pack_id);
CREATE TRIGGER defence_packs_keep_update BEFORE UPDATE ON defence_packs BEGIN SELECT RAISE(ABORT, 'a defence pack is never altered'); END;
CREATE TRIGGER defence_packs_keep_delete BEFORE DELETE ON defence_packs BEGIN SELECT RAISE(ABORT, 'a defence pack is never altered'); END;

-- Who changed what. Written in the transaction of the change, never altered.
CREATE TABLE audit (
    audit_id INTEGER PRIMARY KEY AUTOINCREMENT,
    at       TEXT NOT NULL,
    staff_id INTEGER REFERENCES staff (staff_id),
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    order_id INTEGER REFERENCES orders (order_id),
    before   TEXT,
    after    TEXT,
    ip       TEXT
) STRICT;
CREATE INDEX audit_order ON audit (order_id, audit_id) WHERE order_id IS NOT NULL;
CREATE INDEX audit_time ON audit (at, audit_id);
CREATE INDEX audit_actor ON audit (actor, at, audit_id);
CREATE INDEX audit_action ON audit (action, at, audit_id);
CREATE TRIGGER audit_keeps_update BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_keeps_delete BEFORE DELETE ON audit BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- Each link holds the digest of a range of audit rows, and of the previous link.
CREATE TABLE audit_chain (
    link_id     INTEGER PRIMARY KEY AUTOINCREMENT,
    first_id    INTEGER NOT NULL UNIQUE,
    last_id     INTEGER NOT NULL UNIQUE CHECK (last_id >= first_id),
    row_count   INTEGER NOT NULL,
    rows_hash   TEXT NOT NULL,
    before_hash TEXT NOT NULL,
    linked_at   TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_chain_keep_update BEFORE UPDATE ON audit_chain BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_chain_keep_delete BEFORE DELETE ON audit_chain BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;

-- Who looked at what. Written in batches, outside any change.
CREATE TABLE access_log (
    access_id INTEGER PRIMARY KEY AUTOINCREMENT,
    at        TEXT NOT NULL,
    staff_id  INTEGER NOT NULL REFERENCES staff (staff_id),
    action    TEXT NOT NULL,
    order_id  INTEGER REFERENCES orders (order_id),
    ip        TEXT
) STRICT;
CREATE INDEX access_log_order ON access_log (order_id, access_id) WHERE order_id IS NOT NULL;

-- How many orders each queue, person and month of processing holds, kept by the triggers below.
-- Deltas wait to be folded in; SQLite has one writer and folds at once, so there they stay empty.
CREATE TABLE folder_counters (
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL,
    order_count INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE folder_counter_deltas (
    delta_id    INTEGER PRIMARY KEY AUTOINCREMENT,
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL,
    order_count INTEGER NOT NULL
) STRICT;

CREATE TRIGGER orders_counters_insert AFTER INSERT ON orders BEGIN
    INSERT INTO folder_counters VALUES ('queue', NEW.queue, 1) ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'owner', NEW.open_owner, 1 WHERE NEW.open_owner IS NOT NULL
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'month', substr(NEW.future_date, 1, 7), 1 WHERE NEW.future_date IS NOT NULL
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
END;
CREATE TRIGGER orders_counters_update AFTER UPDATE OF process_status, processing_mode, processing_date, assign_to ON orders BEGIN
    UPDATE folder_counters SET order_count = order_count - 1 WHERE kind = 'queue' AND key = OLD.queue;
    UPDATE folder_counters SET order_count = order_count - 1 WHERE kind = 'owner' AND key = CAST(OLD.open_owner AS TEXT);
    UPDATE folder_counters SET order_count = order_count - 1 WHERE kind = 'month' AND key = substr(OLD.future_date, 1, 7);
    INSERT INTO folder_counters VALUES ('queue', NEW.queue, 1) ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'owner', NEW.open_owner, 1 WHERE NEW.open_owner IS NOT NULL
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'month', substr(NEW.future_date, 1, 7), 1 WHERE NEW.future_date IS NOT NULL
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
END;
CREATE TRIGGER orders_stay BEFORE DELETE ON orders BEGIN SELECT RAISE(ABORT, 'orders are never removed'); END;
