-- What customers sent at intake in fields that staff corrected: one row for each, written at its first correction.
CREATE TABLE order_originals (
    order_id     INTEGER NOT NULL REFERENCES orders (order_id),
    field        TEXT NOT NULL,
    original     TEXT,
    corrected_by INTEGER NOT NULL REFERENCES staff (staff_id),
    corrected_at TEXT NOT NULL,
    PRIMARY KEY (order_id, field)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER order_originals_keep_update BEFORE UPDATE ON order_originals
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never altered'); END;
CREATE TRIGGER order_originals_keep_delete BEFORE DELETE ON order_originals
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never removed'); END;
CREATE TRIGGER order_originals_keep_replace BEFORE INSERT ON order_originals
    WHEN EXISTS (SELECT 1 FROM order_originals WHERE order_id = NEW.order_id AND field = NEW.field)
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never altered'); END;
