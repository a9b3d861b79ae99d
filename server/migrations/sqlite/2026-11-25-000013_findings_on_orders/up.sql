-- What lists show of an order's files and mails lies on the order, kept by triggers: reading both for each row made long lists up to
-- twice as slow. No index of the orders holds these columns, and a mail writes them only when it fails, or arrives after one that failed.
DROP VIEW order_findings;

-- The kinds of its files, separated by commas.
ALTER TABLE orders ADD COLUMN document_kinds TEXT;
UPDATE orders SET document_kinds = kept.kinds
    FROM (SELECT order_id, group_concat(DISTINCT kind) AS kinds FROM documents GROUP BY order_id) AS kept
    WHERE orders.order_id = kept.order_id;
CREATE TRIGGER documents_note_kind AFTER INSERT ON documents
    BEGIN
        UPDATE orders SET document_kinds = concat_ws(',', document_kinds, NEW.kind)
        WHERE order_id = NEW.order_id AND instr(',' || coalesce(document_kinds, '') || ',', ',' || NEW.kind || ',') = 0;
    END;

-- The state of its newest mail if that is 'failed' or 'unknown'. Tracking codes and mails that staff stopped do not count.
ALTER TABLE orders ADD COLUMN mail_problem TEXT CHECK (mail_problem IN ('failed', 'unknown'));
UPDATE orders SET mail_problem = newest.state
    FROM (SELECT m.order_id, m.state, m.stopped_at, max(m.mail_id) FROM mails m WHERE m.kind <> 'tracking code' GROUP BY m.order_id) AS newest
    WHERE orders.order_id = newest.order_id AND newest.state IN ('failed', 'unknown') AND newest.stopped_at IS NULL;
CREATE TRIGGER mails_note_insert AFTER INSERT ON mails
    BEGIN
        UPDATE orders SET mail_problem = newest.problem
        FROM (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END AS problem
              FROM mails m WHERE m.order_id = NEW.order_id AND m.kind <> 'tracking code'
              ORDER BY m.mail_id DESC LIMIT 1) AS newest
        WHERE order_id = NEW.order_id AND mail_problem IS NOT newest.problem;
    END;
CREATE TRIGGER mails_note_update AFTER UPDATE OF state, stopped_at ON mails
    BEGIN
        UPDATE orders SET mail_problem = newest.problem
        FROM (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END AS problem
              FROM mails m WHERE m.order_id = NEW.order_id AND m.kind <> 'tracking code'
              ORDER BY m.mail_id DESC LIMIT 1) AS newest
        WHERE order_id = NEW.order_id AND mail_problem IS NOT newest.problem;
    END;
