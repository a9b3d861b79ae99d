-- What lists show of an order's files and mails lies on the order, kept by triggers: reading both for each row made long lists up to
-- twice as slow. No index of the orders holds these columns, and a mail writes them only when it fails, or arrives after one that failed.
SET LOCAL statement_timeout = 0;
DROP VIEW order_findings;

-- The kinds of its files, separated by commas.
ALTER TABLE orders ADD COLUMN document_kinds TEXT;
UPDATE orders SET document_kinds = kept.kinds
    FROM (SELECT order_id, string_agg(DISTINCT kind, ',') AS kinds FROM documents GROUP BY order_id) AS kept
    WHERE orders.order_id = kept.order_id;
CREATE FUNCTION note_document_kinds() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE orders SET document_kinds = kept.kinds
    FROM (SELECT d.order_id, string_agg(DISTINCT d.kind, ',') AS kinds FROM documents d
          WHERE d.order_id IN (SELECT order_id FROM added) GROUP BY d.order_id) AS kept
    WHERE orders.order_id = kept.order_id AND orders.document_kinds IS DISTINCT FROM kept.kinds;
    RETURN NULL;
END $$;
CREATE TRIGGER documents_note_kind AFTER INSERT ON documents
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_document_kinds();

-- The state of its newest mail if that is 'failed' or 'unknown'. Tracking codes and mails that staff stopped do not count.
ALTER TABLE orders ADD COLUMN mail_problem TEXT CHECK (mail_problem IN ('failed', 'unknown'));
UPDATE orders SET mail_problem = newest.state
    FROM (SELECT DISTINCT ON (order_id) order_id, state, stopped_at FROM mails
          WHERE kind <> 'tracking code' ORDER BY order_id, mail_id DESC) AS newest
    WHERE orders.order_id = newest.order_id AND newest.state IN ('failed', 'unknown') AND newest.stopped_at IS NULL;
CREATE FUNCTION note_mail_problem() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE orders SET mail_problem = newest.problem
    FROM (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END AS problem
          FROM mails m WHERE m.order_id = NEW.order_id AND m.kind <> 'tracking code'
          ORDER BY m.mail_id DESC LIMIT 1) AS newest
    WHERE orders.order_id = NEW.order_id AND orders.mail_problem IS DISTINCT FROM newest.problem;
    RETURN NULL;
END $$;
CREATE TRIGGER mails_note_insert AFTER INSERT ON mails FOR EACH ROW EXECUTE FUNCTION note_mail_problem();
CREATE TRIGGER mails_note_update AFTER UPDATE OF state, stopped_at ON mails
    FOR EACH ROW EXECUTE FUNCTION note_mail_problem();
