-- What customers sent at intake in fields that staff corrected: one row for each, written at its first correction.
CREATE TABLE order_originals (
    order_id     BIGINT NOT NULL REFERENCES orders (order_id),
    field        TEXT NOT NULL,
    original     TEXT,
    corrected_by BIGINT NOT NULL REFERENCES staff (staff_id),
    corrected_at TIMESTAMP NOT NULL,
    PRIMARY KEY (order_id, field)
);
CREATE TRIGGER order_originals_keep_rows BEFORE UPDATE OR DELETE ON order_originals
    FOR EACH ROW EXECUTE FUNCTION refuse_change('what a customer sent is never altered');
CREATE TRIGGER order_originals_keep_all BEFORE TRUNCATE ON order_originals
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('what a customer sent is never altered');
