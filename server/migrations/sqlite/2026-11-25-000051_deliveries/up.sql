-- What the comparison of each issued visa with its order found.
CREATE TABLE deliveries (
    document_id INTEGER PRIMARY KEY REFERENCES documents (document_id),
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    outcome     TEXT NOT NULL CHECK (outcome IN ('same', 'differs', 'not_read')),
    -- The fields of the order that are not on the visa, separated by commas.
    differing   TEXT NOT NULL,
    -- The order that has had the same file as its visa.
    used_by     INTEGER REFERENCES orders (order_id),
    -- Why it was delivered all the same.
    reason      TEXT,
    looked_by   INTEGER REFERENCES staff (staff_id),
    looked_at   TEXT,
    CHECK ((looked_by IS NULL) = (looked_at IS NULL))
) STRICT;
CREATE INDEX deliveries_order ON deliveries (order_id);
CREATE TRIGGER deliveries_keep_update BEFORE UPDATE ON deliveries
    WHEN OLD.looked_at IS NOT NULL OR NEW.looked_at IS NULL OR NEW.document_id <> OLD.document_id OR NEW.order_id <> OLD.order_id
      OR NEW.outcome <> OLD.outcome OR NEW.differing <> OLD.differing OR NEW.used_by IS NOT OLD.used_by
      OR NEW.reason IS NOT OLD.reason
    BEGIN SELECT RAISE(ABORT, 'what was found at a delivery is looked at once and never altered'); END;
CREATE TRIGGER deliveries_keep_replace BEFORE INSERT ON deliveries
    WHEN EXISTS (SELECT 1 FROM deliveries WHERE document_id = NEW.document_id)
    BEGIN SELECT RAISE(ABORT, 'what was found at a delivery is never altered'); END;
CREATE TRIGGER deliveries_keep_delete BEFORE DELETE ON deliveries
    BEGIN SELECT RAISE(ABORT, 'a delivery is never removed'); END;

-- Visas that were held back because they differ from their order, and from whom.
CREATE TABLE held_visas (
    held_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id  INTEGER NOT NULL REFERENCES orders (order_id),
    sha256    TEXT NOT NULL,
    held_from INTEGER NOT NULL REFERENCES staff (staff_id),
    held_at   TEXT NOT NULL
) STRICT;
CREATE INDEX held_visas_order ON held_visas (order_id, sha256);

-- Finds a visa that was the visa of another order.
CREATE INDEX documents_visa_content ON documents (sha256) WHERE kind = 'visa';
