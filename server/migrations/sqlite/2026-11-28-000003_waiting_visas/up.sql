-- Issued visas that are not delivered yet: their scan is being read, or a member has to decide about them.
CREATE TABLE waiting_visas (
    document_id INTEGER PRIMARY KEY REFERENCES documents (document_id),
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    -- The member who uploaded it.
    staff_id    INTEGER NOT NULL REFERENCES staff (staff_id),
    recipient   TEXT NOT NULL,
    -- The recipient was an address of the order, so that the email follows a correction of it.
    is_own      INTEGER NOT NULL CHECK (is_own IN (0, 1)),
    provider    TEXT NOT NULL,
    -- When it is delivered. Null: a member decides.
    due_at      TEXT
) STRICT;
CREATE INDEX waiting_visas_order ON waiting_visas (order_id);
CREATE INDEX waiting_visas_due ON waiting_visas (due_at, document_id) WHERE due_at IS NOT NULL;
CREATE INDEX documents_waiting_visa_content ON documents (sha256) WHERE kind = 'waiting_visa';

-- A visa that waited counts as issued from its delivery.
CREATE TRIGGER documents_mark_delivered AFTER UPDATE OF kind ON documents WHEN NEW.kind = 'visa' AND OLD.kind <> 'visa'
    BEGIN UPDATE orders SET had_visa_or_dispute = 1 WHERE order_id = NEW.order_id AND had_visa_or_dispute = 0; END;
