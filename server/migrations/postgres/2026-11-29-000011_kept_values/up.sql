-- Values of orders beside what their own columns hold: as they were sent, because they are not understood, or because a bank may ask for them.
CREATE TABLE kept_values (
    order_id   BIGINT NOT NULL REFERENCES orders (order_id),
    field      TEXT NOT NULL,
    value      TEXT NOT NULL,
    -- Why it is not understood. NULL: it is, and is kept as evidence.
    reason     TEXT,
    -- The member who corrected the field, or found that nothing is to be corrected.
    settled_by BIGINT REFERENCES staff (staff_id),
    settled_at TIMESTAMP,
    PRIMARY KEY (order_id, field),
    CHECK ((settled_by IS NULL) = (settled_at IS NULL))
);
CREATE TRIGGER kept_values_keep_texts BEFORE UPDATE OF order_id, field, value, reason ON kept_values
    FOR EACH ROW EXECUTE FUNCTION refuse_change('what a customer sent is never altered');
CREATE TRIGGER kept_values_keep_rows BEFORE DELETE ON kept_values
    FOR EACH ROW EXECUTE FUNCTION refuse_change('what a customer sent is never altered');
CREATE TRIGGER kept_values_keep_all BEFORE TRUNCATE ON kept_values
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what a customer sent is never altered');

-- The number of those that are not understood and not settled, for lists. No index of the orders holds it.
ALTER TABLE orders ADD COLUMN unclear_fields INTEGER NOT NULL DEFAULT 0;
CREATE FUNCTION count_kept_values() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE orders SET unclear_fields = orders.unclear_fields + counted.unclear
    FROM (SELECT order_id, count(*) AS unclear FROM added WHERE reason IS NOT NULL AND settled_at IS NULL GROUP BY order_id) AS counted
    WHERE orders.order_id = counted.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER kept_values_count_insert AFTER INSERT ON kept_values
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_kept_values();
CREATE FUNCTION count_settled_value() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE orders SET unclear_fields = unclear_fields + CASE WHEN NEW.settled_at IS NULL THEN 1 ELSE -1 END
    WHERE order_id = NEW.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER kept_values_count_settled AFTER UPDATE OF settled_at ON kept_values FOR EACH ROW
    WHEN (NEW.reason IS NOT NULL AND (OLD.settled_at IS NULL) <> (NEW.settled_at IS NULL))
    EXECUTE FUNCTION count_settled_value();

-- A strict key refuses every field that is not in its normal form.
ALTER TABLE api_keys ADD COLUMN is_strict BOOLEAN NOT NULL DEFAULT FALSE;
