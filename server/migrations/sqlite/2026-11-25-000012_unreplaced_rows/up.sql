-- UPDATE OR REPLACE removes the rows that it conflicts with, too, without a delete trigger. Of the tables whose rows are kept, orders alone
-- lets its keys change; the others refuse it with every update. Not UPDATE OF: it does not see rowid, the other name of order_id.
CREATE TRIGGER orders_stay_unreplaced_by_update BEFORE UPDATE ON orders
    WHEN (NEW.order_id <> OLD.order_id AND EXISTS (SELECT 1 FROM orders WHERE order_id = NEW.order_id))
      OR (NEW.external_reference IS NOT OLD.external_reference
          AND EXISTS (SELECT 1 FROM orders WHERE external_reference = NEW.external_reference))
    BEGIN SELECT RAISE(ABORT, 'orders are never removed'); END;
