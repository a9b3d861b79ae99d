-- Issued visas without a text, whose pages Tesseract reads after their delivery. A reading is one row for each.
CREATE TABLE visa_readings (
    document_id  INTEGER PRIMARY KEY REFERENCES documents (document_id),
    order_id     INTEGER NOT NULL REFERENCES orders (order_id),
    state        TEXT NOT NULL CHECK (state IN ('pending', 'done')),
    -- How the text compares with the order. Null: it is not read yet.
    outcome      TEXT CHECK (outcome IN ('same', 'differs', 'not_read')),
    -- The fields of the order that differ or could not be read, separated by commas.
    fields       TEXT NOT NULL,
    attempts     INTEGER NOT NULL,
    leased_until TEXT,
    requested_at TEXT NOT NULL,
    read_at      TEXT,
    CHECK ((state = 'done') = (outcome IS NOT NULL))
) STRICT;
CREATE INDEX visa_readings_order ON visa_readings (order_id);
CREATE INDEX visa_readings_pending ON visa_readings (requested_at, document_id) WHERE state = 'pending';

-- What lists show counts readings as well.
DROP TRIGGER deliveries_note_insert;
CREATE TRIGGER deliveries_note_insert AFTER INSERT ON deliveries
    WHEN NEW.outcome = 'differs' OR NEW.used_by IS NOT NULL
    BEGIN
        UPDATE orders SET visa_problem = open.problem
        FROM (SELECT min(CASE WHEN d.outcome = 'differs' OR r.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem
              FROM deliveries d LEFT JOIN visa_readings r ON r.document_id = d.document_id
              WHERE d.order_id = NEW.order_id AND d.looked_at IS NULL AND d.reason IS NULL
                AND (d.outcome = 'differs' OR r.outcome = 'differs' OR d.used_by IS NOT NULL)) AS open
        WHERE order_id = NEW.order_id AND visa_problem IS NOT open.problem;
    END;
DROP TRIGGER deliveries_note_look;
CREATE TRIGGER deliveries_note_look AFTER UPDATE OF looked_at ON deliveries
    BEGIN
        UPDATE orders SET visa_problem = open.problem
        FROM (SELECT min(CASE WHEN d.outcome = 'differs' OR r.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem
              FROM deliveries d LEFT JOIN visa_readings r ON r.document_id = d.document_id
              WHERE d.order_id = NEW.order_id AND d.looked_at IS NULL AND d.reason IS NULL
                AND (d.outcome = 'differs' OR r.outcome = 'differs' OR d.used_by IS NOT NULL)) AS open
        WHERE order_id = NEW.order_id AND visa_problem IS NOT open.problem;
    END;
CREATE TRIGGER visa_readings_note AFTER UPDATE OF outcome ON visa_readings WHEN NEW.outcome = 'differs'
    BEGIN
        UPDATE orders SET visa_problem = open.problem
        FROM (SELECT min(CASE WHEN d.outcome = 'differs' OR r.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem
              FROM deliveries d LEFT JOIN visa_readings r ON r.document_id = d.document_id
              WHERE d.order_id = NEW.order_id AND d.looked_at IS NULL AND d.reason IS NULL
                AND (d.outcome = 'differs' OR r.outcome = 'differs' OR d.used_by IS NOT NULL)) AS open
        WHERE order_id = NEW.order_id AND visa_problem IS NOT open.problem;
    END;
