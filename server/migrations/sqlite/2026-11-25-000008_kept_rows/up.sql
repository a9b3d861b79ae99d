-- INSERT OR REPLACE removes the rows that it conflicts with, without a delete trigger. These triggers refuse a row whose place is taken,
-- by each unique key of the tables whose rows are kept.
CREATE TRIGGER audit_keeps_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE audit_id = NEW.audit_id)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER audit_chain_keep_replace BEFORE INSERT ON audit_chain
    WHEN EXISTS (SELECT 1 FROM audit_chain WHERE link_id = NEW.link_id)
      OR EXISTS (SELECT 1 FROM audit_chain WHERE first_id = NEW.first_id)
      OR EXISTS (SELECT 1 FROM audit_chain WHERE last_id = NEW.last_id)
    BEGIN SELECT RAISE(ABORT, 'the audit is append-only'); END;
CREATE TRIGGER access_log_keeps_replace BEFORE INSERT ON access_log
    WHEN EXISTS (SELECT 1 FROM access_log WHERE access_id = NEW.access_id)
    BEGIN SELECT RAISE(ABORT, 'the access log is append-only'); END;
CREATE TRIGGER defence_packs_keep_replace BEFORE INSERT ON defence_packs
    WHEN EXISTS (SELECT 1 FROM defence_packs WHERE pack_id = NEW.pack_id)
      OR EXISTS (SELECT 1 FROM defence_packs WHERE file1 = NEW.file1)
    BEGIN SELECT RAISE(ABORT, 'a defence pack is never altered'); END;
CREATE TRIGGER refunds_keep_replace BEFORE INSERT ON refunds
    WHEN EXISTS (SELECT 1 FROM refunds WHERE refund_id = NEW.refund_id)
      OR EXISTS (SELECT 1 FROM refunds WHERE mail_id = NEW.mail_id)
      OR EXISTS (SELECT 1 FROM refunds WHERE order_id = NEW.order_id AND taken_back_at IS NULL AND NEW.taken_back_at IS NULL)
    BEGIN SELECT RAISE(ABORT, 'a refund is never altered'); END;
CREATE TRIGGER refund_approvals_keep_replace BEFORE INSERT ON refund_approvals
    WHEN EXISTS (SELECT 1 FROM refund_approvals WHERE approval_id = NEW.approval_id)
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is never altered'); END;
CREATE TRIGGER refund_approval_orders_keep_replace BEFORE INSERT ON refund_approval_orders
    WHEN EXISTS (SELECT 1 FROM refund_approval_orders WHERE approval_id = NEW.approval_id AND order_id = NEW.order_id)
    BEGIN SELECT RAISE(ABORT, 'a request for a refund is never altered'); END;
CREATE TRIGGER orders_stay_unreplaced BEFORE INSERT ON orders
    WHEN EXISTS (SELECT 1 FROM orders WHERE order_id = NEW.order_id)
      OR EXISTS (SELECT 1 FROM orders WHERE external_reference = NEW.external_reference)
    BEGIN SELECT RAISE(ABORT, 'orders are never removed'); END;

-- How many files the backup lacks, because they were missing or damaged here. Null: made before, or no backup.
ALTER TABLE backups ADD COLUMN missing_files INTEGER;
