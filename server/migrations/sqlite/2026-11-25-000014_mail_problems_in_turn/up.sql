-- SQLite has one writer, so it needs no lock as PostgreSQL does. As there, a mail that changes between two states that are no problem
-- reads nothing.
DROP TRIGGER mails_note_update;
CREATE TRIGGER mails_note_update AFTER UPDATE OF state, stopped_at ON mails
    WHEN OLD.state IN ('failed', 'unknown') OR NEW.state IN ('failed', 'unknown')
    BEGIN
        UPDATE orders SET mail_problem = newest.problem
        FROM (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END AS problem
              FROM mails m WHERE m.order_id = NEW.order_id AND m.kind <> 'tracking code'
              ORDER BY m.mail_id DESC LIMIT 1) AS newest
        WHERE order_id = NEW.order_id AND mail_problem IS NOT newest.problem;
    END;
