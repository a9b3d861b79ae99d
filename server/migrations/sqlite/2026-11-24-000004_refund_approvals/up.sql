-- Bulk refunds that wait for a second person. A request that is neither decided nor withdrawn by expires_at has expired.
CREATE TABLE refund_approvals (
    approval_id  INTEGER PRIMARY KEY AUTOINCREMENT,
    state        TEXT NOT NULL CHECK (state IN ('Waiting', 'Approved', 'Declined', 'Withdrawn')),
    requested_by INTEGER NOT NULL REFERENCES staff (staff_id),
    requested_at TEXT NOT NULL,
    expires_at   TEXT NOT NULL,
    decided_by   INTEGER REFERENCES staff (staff_id),
    decided_at   TEXT,
    note         TEXT,
    CHECK ((state = 'Waiting') = (decided_by IS NULL) AND (decided_by IS NULL) = (decided_at IS NULL)),
    CHECK (state = 'Waiting' OR (state = 'Withdrawn') = (decided_by = requested_by))
) STRICT;
CREATE INDEX refund_approvals_state ON refund_approvals (state, expires_at);
CREATE INDEX refund_approvals_decision ON refund_approvals (decided_at);
CREATE TRIGGER refund_approvals_keep_update BEFORE UPDATE ON refund_approvals
    WHEN OLD.state <> 'Waiting' OR NEW.state = 'Waiting' OR NEW.approval_id <> OLD.approval_id
      OR NEW.requested_by <> OLD.requested_by OR NEW.requested_at <> OLD.requested_at OR NEW.expires_at <> OLD.expires_at
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is decided once and never altered'); END;
CREATE TRIGGER refund_approvals_keep_delete BEFORE DELETE ON refund_approvals
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is never removed'); END;

CREATE TABLE refund_approval_orders (
    approval_id INTEGER NOT NULL REFERENCES refund_approvals (approval_id),
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    PRIMARY KEY (approval_id, order_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX refund_approval_orders_order ON refund_approval_orders (order_id);
CREATE TRIGGER refund_approval_orders_keep_update BEFORE UPDATE ON refund_approval_orders
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is never altered'); END;
CREATE TRIGGER refund_approval_orders_keep_delete BEFORE DELETE ON refund_approval_orders
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is never altered'); END;

-- The request that a second person approved. Null: the member marked the order without one.
ALTER TABLE refunds ADD COLUMN approval_id INTEGER REFERENCES refund_approvals (approval_id);
DROP TRIGGER refunds_keep_update;
CREATE TRIGGER refunds_keep_update BEFORE UPDATE ON refunds
    WHEN OLD.taken_back_at IS NOT NULL OR NEW.taken_back_at IS NULL OR NEW.refund_id <> OLD.refund_id
      OR NEW.order_id <> OLD.order_id OR NEW.refunded_at <> OLD.refunded_at OR NEW.staff_id <> OLD.staff_id
      OR NEW.mail_id <> OLD.mail_id OR NEW.approval_id IS NOT OLD.approval_id
    BEGIN SELECT RAISE(ABORT, 'a refund is never altered'); END;
