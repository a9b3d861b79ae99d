-- What a pack says, without the day of its making and its maker: while it stays the same, this pack is answered. Null: made before.
ALTER TABLE defence_packs ADD COLUMN content_digest TEXT;

-- Whether the order ever had an issued visa, the status Completed or a dispute: only Admins and Managers delete it then. The triggers
-- keep it, so that a list needs no look at other tables.
ALTER TABLE orders ADD COLUMN had_visa_or_dispute INTEGER NOT NULL DEFAULT 0 CHECK (had_visa_or_dispute IN (0, 1));
UPDATE orders SET had_visa_or_dispute = 1
    WHERE process_status IN ('Completed', 'ChargeBack') OR status_before_deletion IN ('Completed', 'ChargeBack')
       OR processed_at IS NOT NULL
       OR order_id IN (SELECT order_id FROM documents WHERE kind = 'visa')
       OR order_id IN (SELECT order_id FROM chargebacks)
       OR order_id IN (SELECT order_id FROM audit WHERE order_id IS NOT NULL AND action LIKE 'order.%'
                       AND action <> 'order.assign' AND (before = 'Completed' OR after = 'Completed'));
CREATE TRIGGER orders_mark_insert AFTER INSERT ON orders
    WHEN NEW.had_visa_or_dispute = 0 AND (NEW.processed_at IS NOT NULL OR NEW.process_status IN ('Completed', 'ChargeBack')
                                          OR NEW.status_before_deletion IN ('Completed', 'ChargeBack'))
    BEGIN UPDATE orders SET had_visa_or_dispute = 1 WHERE order_id = NEW.order_id; END;
CREATE TRIGGER orders_mark_update AFTER UPDATE OF process_status ON orders
    WHEN NEW.had_visa_or_dispute = 0 AND NEW.process_status IN ('Completed', 'ChargeBack')
    BEGIN UPDATE orders SET had_visa_or_dispute = 1 WHERE order_id = NEW.order_id; END;
CREATE TRIGGER documents_mark_order AFTER INSERT ON documents WHEN NEW.kind = 'visa'
    BEGIN UPDATE orders SET had_visa_or_dispute = 1 WHERE order_id = NEW.order_id AND had_visa_or_dispute = 0; END;
CREATE TRIGGER chargebacks_mark_order AFTER INSERT ON chargebacks
    BEGIN UPDATE orders SET had_visa_or_dispute = 1 WHERE order_id = NEW.order_id AND had_visa_or_dispute = 0; END;

-- A mail that was stopped before it was sent: state 'failed', which every release can read, and when it was stopped.
ALTER TABLE mails ADD COLUMN stopped_at TEXT;

-- An order has at most one refund that was not taken back. Of a refund nothing changes but that it is taken back, once.
DROP TRIGGER refunds_keep_update;
DROP TRIGGER refunds_keep_delete;
ALTER TABLE refunds RENAME TO refunds_before;
CREATE TABLE refunds (
    refund_id          INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id           INTEGER NOT NULL REFERENCES orders (order_id),
    refunded_at        TEXT NOT NULL,
    staff_id           INTEGER NOT NULL REFERENCES staff (staff_id),
    mail_id            INTEGER NOT NULL UNIQUE REFERENCES mails (mail_id),
    taken_back_at      TEXT,
    taken_back_by      INTEGER REFERENCES staff (staff_id),
    taken_back_reason  TEXT,
    correction_mail_id INTEGER REFERENCES mails (mail_id),
    CHECK ((taken_back_at IS NULL) = (taken_back_by IS NULL) AND (taken_back_at IS NULL) = (taken_back_reason IS NULL)),
    CHECK (taken_back_at IS NOT NULL OR correction_mail_id IS NULL)
) STRICT;
INSERT INTO refunds (order_id, refunded_at, staff_id, mail_id)
    SELECT order_id, refunded_at, staff_id, mail_id FROM refunds_before ORDER BY mail_id;
DROP TABLE refunds_before;
CREATE UNIQUE INDEX refunds_in_force ON refunds (order_id) WHERE taken_back_at IS NULL;
CREATE INDEX refunds_order ON refunds (order_id, refund_id);
CREATE INDEX refunds_staff ON refunds (staff_id, refunded_at);
CREATE TRIGGER refunds_keep_update BEFORE UPDATE ON refunds
    WHEN OLD.taken_back_at IS NOT NULL OR NEW.taken_back_at IS NULL OR NEW.refund_id <> OLD.refund_id
      OR NEW.order_id <> OLD.order_id OR NEW.refunded_at <> OLD.refunded_at OR NEW.staff_id <> OLD.staff_id
      OR NEW.mail_id <> OLD.mail_id
    BEGIN SELECT RAISE(ABORT, 'a refund is never altered'); END;
CREATE TRIGGER refunds_keep_delete BEFORE DELETE ON refunds BEGIN SELECT RAISE(ABORT, 'a refund is never removed'); END;
DROP TRIGGER orders_keep_refund_date;
CREATE TRIGGER orders_keep_refund_date BEFORE UPDATE OF refund_date ON orders
    WHEN OLD.refund_date IS NOT NULL AND NEW.refund_date IS NOT OLD.refund_date
     AND NOT (NEW.refund_date IS NULL AND EXISTS (
         SELECT 1 FROM refunds WHERE order_id = OLD.order_id AND refunded_at = OLD.refund_date AND taken_back_at IS NOT NULL))
    BEGIN SELECT RAISE(ABORT, 'a refund date is never altered'); END;
