-- The applications that were filed with the government's portal.
CREATE TABLE filings (
    filing_id          INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id           INTEGER NOT NULL REFERENCES orders (order_id),
    -- The portal's number, in capitals.
    application_number TEXT NOT NULL,
    -- In the currency's smallest unit.
    fee_minor          INTEGER CHECK (fee_minor >= 0),
    fee_currency       TEXT,
    receipt_id         INTEGER REFERENCES documents (document_id),
    filed_by           INTEGER NOT NULL REFERENCES staff (staff_id),
    filed_at           TEXT NOT NULL,
    -- NULL: it is open.
    outcome            TEXT CHECK (outcome IN ('refile', 'refund', 'replaced')),
    -- Why the portal refused it.
    reason             TEXT,
    closed_by          INTEGER REFERENCES staff (staff_id),
    closed_at          TEXT,
    CHECK ((fee_minor IS NULL) = (fee_currency IS NULL)),
    CHECK ((outcome IS NULL) = (closed_by IS NULL) AND (outcome IS NULL) = (closed_at IS NULL)),
    CHECK (reason IS NULL OR outcome IN ('refile', 'refund'))
) STRICT;
CREATE INDEX filings_order ON filings (order_id);
CREATE INDEX filings_number ON filings (application_number);
CREATE UNIQUE INDEX filings_open_order ON filings (order_id) WHERE outcome IS NULL;
CREATE UNIQUE INDEX filings_open_number ON filings (application_number) WHERE outcome IS NULL;
CREATE TRIGGER filings_keep_update BEFORE UPDATE ON filings
    WHEN OLD.outcome IS NOT NULL OR NEW.outcome IS NULL OR NEW.filing_id <> OLD.filing_id OR NEW.order_id <> OLD.order_id
      OR NEW.application_number <> OLD.application_number OR NEW.fee_minor IS NOT OLD.fee_minor
      OR NEW.fee_currency IS NOT OLD.fee_currency OR NEW.receipt_id IS NOT OLD.receipt_id OR NEW.filed_by <> OLD.filed_by
      OR NEW.filed_at <> OLD.filed_at
    BEGIN SELECT RAISE(ABORT, 'a filed application is closed once and never altered'); END;
CREATE TRIGGER filings_keep_replace BEFORE INSERT ON filings
    WHEN EXISTS (SELECT 1 FROM filings WHERE filing_id = NEW.filing_id)
      OR (NEW.outcome IS NULL AND EXISTS (SELECT 1 FROM filings WHERE outcome IS NULL
          AND (order_id = NEW.order_id OR application_number = NEW.application_number)))
    BEGIN SELECT RAISE(ABORT, 'a filed application is never altered'); END;
CREATE TRIGGER filings_keep_delete BEFORE DELETE ON filings
    BEGIN SELECT RAISE(ABORT, 'a filed application is never removed'); END;
