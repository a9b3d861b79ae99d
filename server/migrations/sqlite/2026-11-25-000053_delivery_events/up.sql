-- The audit row by which the delivery of a visa that differs can be undone. Null: it cannot.
ALTER TABLE deliveries ADD COLUMN event_id INTEGER REFERENCES audit (audit_id);
CREATE INDEX deliveries_event ON deliveries (event_id) WHERE event_id IS NOT NULL;
DROP TRIGGER deliveries_keep_update;
CREATE TRIGGER deliveries_keep_update BEFORE UPDATE ON deliveries
    WHEN OLD.looked_at IS NOT NULL OR NEW.looked_at IS NULL OR NEW.document_id <> OLD.document_id OR NEW.order_id <> OLD.order_id
      OR NEW.outcome <> OLD.outcome OR NEW.differing <> OLD.differing OR NEW.used_by IS NOT OLD.used_by
      OR NEW.reason IS NOT OLD.reason OR NEW.event_id IS NOT OLD.event_id
    BEGIN SELECT RAISE(ABORT, 'what was found at a delivery is looked at once and never altered'); END;
