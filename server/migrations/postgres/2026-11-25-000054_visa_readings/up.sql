-- Issued visas without a text, whose pages Tesseract reads after their delivery. A reading is one row for each.
CREATE TABLE visa_readings (
    document_id  BIGINT PRIMARY KEY REFERENCES documents (document_id),
    order_id     BIGINT NOT NULL REFERENCES orders (order_id),
    state        TEXT NOT NULL CHECK (state IN ('pending', 'done')),
    -- How the text compares with the order. Null: it is not read yet.
    outcome      TEXT CHECK (outcome IN ('same', 'differs', 'not_read')),
    -- The fields of the order that differ or could not be read, separated by commas.
    fields       TEXT NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until TIMESTAMP,
    requested_at TIMESTAMP NOT NULL,
    read_at      TIMESTAMP,
    CHECK ((state = 'done') = (outcome IS NOT NULL))
);
CREATE INDEX visa_readings_order ON visa_readings (order_id);
CREATE INDEX visa_readings_pending ON visa_readings (requested_at, document_id) WHERE state = 'pending';

-- What lists show counts readings as well.
CREATE OR REPLACE FUNCTION note_visa_problem() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    PERFORM FROM orders WHERE order_id = NEW.order_id FOR NO KEY UPDATE;
    UPDATE orders SET visa_problem = open.problem
    FROM (SELECT min(CASE WHEN d.outcome = 'differs' OR r.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem
          FROM deliveries d LEFT JOIN visa_readings r ON r.document_id = d.document_id
          WHERE d.order_id = NEW.order_id AND d.looked_at IS NULL AND d.reason IS NULL
            AND (d.outcome = 'differs' OR r.outcome = 'differs' OR d.used_by IS NOT NULL)) AS open
    WHERE orders.order_id = NEW.order_id AND orders.visa_problem IS DISTINCT FROM open.problem;
    RETURN NULL;
END $$;
CREATE TRIGGER visa_readings_note AFTER UPDATE OF outcome ON visa_readings
    FOR EACH ROW WHEN (NEW.outcome = 'differs') EXECUTE FUNCTION note_visa_problem();
