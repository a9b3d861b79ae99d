-- What a member said about a paper of an order. It is about the file that was the newest one then; about a newer file nothing is said yet.
CREATE TABLE paper_states (
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    -- A document of the catalogue, such as bank_statement.
    kind        TEXT NOT NULL,
    document_id INTEGER NOT NULL REFERENCES documents (document_id),
    state       TEXT NOT NULL CHECK (state IN ('fine', 'unreadable', 'wrong', 'expired')),
    reason      TEXT,
    staff_id    INTEGER NOT NULL REFERENCES staff (staff_id),
    set_at      TEXT NOT NULL,
    PRIMARY KEY (order_id, kind)
) STRICT, WITHOUT ROWID;

-- Reasons that the agency added to the built-in ones or changed. An archived one is no longer offered.
CREATE TABLE paper_reasons (
    code        TEXT PRIMARY KEY,
    state       TEXT NOT NULL CHECK (state IN ('missing', 'unreadable', 'wrong', 'expired')),
    -- The documents of the catalogue that it fits, separated by commas; empty: all.
    kinds       TEXT NOT NULL,
    -- The text by language, as JSON.
    texts       TEXT NOT NULL,
    archived_at TEXT
) STRICT, WITHOUT ROWID;

-- What an applicant was asked for. At most one request of an order is open.
CREATE TABLE paper_requests (
    request_id    INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id      INTEGER NOT NULL REFERENCES orders (order_id),
    -- Of the mails and the reasons.
    language      TEXT NOT NULL,
    asked_by      INTEGER NOT NULL REFERENCES staff (staff_id),
    asked_at      TEXT NOT NULL,
    -- What the order goes back to.
    former_status TEXT NOT NULL,
    former_owner  INTEGER REFERENCES staff (staff_id),
    reminders     INTEGER NOT NULL DEFAULT 0,
    -- When the next reminder, or at last the call, is due; none: nothing more follows.
    remind_at     TEXT,
    ended         TEXT CHECK (ended IN ('complete', 'withdrawn')),
    ended_at      TEXT,
    CHECK ((ended IS NULL) = (ended_at IS NULL)),
    CHECK (ended IS NULL OR remind_at IS NULL)
) STRICT;
CREATE UNIQUE INDEX paper_requests_open ON paper_requests (order_id) WHERE ended IS NULL;
CREATE INDEX paper_requests_due ON paper_requests (remind_at) WHERE remind_at IS NOT NULL;
CREATE INDEX paper_requests_complete ON paper_requests (ended_at) WHERE ended = 'complete';

CREATE TABLE paper_request_items (
    request_id  INTEGER NOT NULL REFERENCES paper_requests (request_id),
    kind        TEXT NOT NULL,
    -- The code of the reason, and its text in the language of the request.
    reason      TEXT NOT NULL,
    text        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ('asked', 'checking', 'look', 'in')),
    -- The newest file that the applicant sent.
    document_id INTEGER REFERENCES documents (document_id),
    -- What the check found, separated by commas.
    faults      TEXT NOT NULL DEFAULT '',
    uploads     INTEGER NOT NULL DEFAULT 0,
    in_at       TEXT,
    CHECK ((state = 'asked') = (document_id IS NULL)),
    PRIMARY KEY (request_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX paper_request_items_document ON paper_request_items (document_id) WHERE state = 'checking';

-- Finds the newest mail to an address, which no reminder may follow within a day.
CREATE INDEX mails_recipient ON mails (recipient, created_at);
