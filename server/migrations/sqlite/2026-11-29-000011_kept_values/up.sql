-- Values of orders beside what their own columns hold: as they were sent, because they are not understood, or because a bank may ask for them.
CREATE TABLE kept_values (
    order_id   INTEGER NOT NULL REFERENCES orders (order_id),
    field      TEXT NOT NULL,
    value      TEXT NOT NULL,
    -- Why it is not understood. NULL: it is, and is kept as evidence.
    reason     TEXT,
    -- The member who corrected the field, or found that nothing is to be corrected.
    settled_by INTEGER REFERENCES staff (staff_id),
    settled_at TEXT,
    PRIMARY KEY (order_id, field),
    CHECK ((settled_by IS NULL) = (settled_at IS NULL))
) STRICT, WITHOUT ROWID;
CREATE TRIGGER kept_values_keep_update BEFORE UPDATE OF order_id, field, value, reason ON kept_values
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never altered'); END;
CREATE TRIGGER kept_values_keep_delete BEFORE DELETE ON kept_values
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never removed'); END;
CREATE TRIGGER kept_values_keep_replace BEFORE INSERT ON kept_values
    WHEN EXISTS (SELECT 1 FROM kept_values WHERE order_id = NEW.order_id AND field = NEW.field)
    BEGIN SELECT RAISE(ABORT, 'what a customer sent is never altered'); END;

-- The number of those that are not understood and not settled, for lists. No index of the orders holds it.
ALTER TABLE orders ADD COLUMN unclear_fields INTEGER NOT NULL DEFAULT 0;
CREATE TRIGGER kept_values_count_insert AFTER INSERT ON kept_values WHEN NEW.reason IS NOT NULL AND NEW.settled_at IS NULL
    BEGIN UPDATE orders SET unclear_fields = unclear_fields + 1 WHERE order_id = NEW.order_id; END;
CREATE TRIGGER kept_values_count_settled AFTER UPDATE OF settled_at ON kept_values
    WHEN NEW.reason IS NOT NULL AND (OLD.settled_at IS NULL) <> (NEW.settled_at IS NULL)
    BEGIN
        UPDATE orders SET unclear_fields = unclear_fields + CASE WHEN NEW.settled_at IS NULL THEN 1 ELSE -1 END
        WHERE order_id = NEW.order_id;
    END;

-- A strict key refuses every field that is not in its normal form.
ALTER TABLE api_keys ADD COLUMN is_strict INTEGER NOT NULL DEFAULT 0 CHECK (is_strict IN (0, 1));
