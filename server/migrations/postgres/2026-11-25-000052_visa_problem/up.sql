-- What lists show of an order's issued visas, maintained by triggers: the worst problem that no member has looked at. 'differs' comes before 'used'.
SET LOCAL statement_timeout = 0;
ALTER TABLE orders ADD COLUMN visa_problem TEXT CHECK (visa_problem IN ('differs', 'used'));
UPDATE orders SET visa_problem = open.problem
    FROM (SELECT d.order_id, min(CASE WHEN d.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem FROM deliveries d
          WHERE d.looked_at IS NULL AND d.reason IS NULL AND (d.outcome = 'differs' OR d.used_by IS NOT NULL) GROUP BY d.order_id) AS open
    WHERE orders.order_id = open.order_id;
-- The order is locked first, so that two visas of one order read each other's problems.
CREATE FUNCTION note_visa_problem() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    PERFORM FROM orders WHERE order_id = NEW.order_id FOR NO KEY UPDATE;
    UPDATE orders SET visa_problem = open.problem
    FROM (SELECT min(CASE WHEN d.outcome = 'differs' THEN 'differs' ELSE 'used' END) AS problem FROM deliveries d
          WHERE d.order_id = NEW.order_id AND d.looked_at IS NULL AND d.reason IS NULL
            AND (d.outcome = 'differs' OR d.used_by IS NOT NULL)) AS open
    WHERE orders.order_id = NEW.order_id AND orders.visa_problem IS DISTINCT FROM open.problem;
    RETURN NULL;
END $$;
CREATE TRIGGER deliveries_note_insert AFTER INSERT ON deliveries
    FOR EACH ROW WHEN (NEW.outcome = 'differs' OR NEW.used_by IS NOT NULL) EXECUTE FUNCTION note_visa_problem();
CREATE TRIGGER deliveries_note_look AFTER UPDATE OF looked_at ON deliveries
    FOR EACH ROW EXECUTE FUNCTION note_visa_problem();
