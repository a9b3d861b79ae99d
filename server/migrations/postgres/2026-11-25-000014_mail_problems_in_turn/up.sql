-- Two transactions can change mails of one order at once: in one an old mail fails, the other queues a new one. The first could read the mails
-- before the second committed, and mark the order as failed after it. So the trigger locks the order before it reads the mails. A mail that
-- changes between two states that are no problem needs no lock, because it changes nothing on the order.
CREATE OR REPLACE FUNCTION note_mail_problem() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    PERFORM FROM orders WHERE order_id = NEW.order_id FOR NO KEY UPDATE;
    UPDATE orders SET mail_problem = newest.problem
    FROM (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END AS problem
          FROM mails m WHERE m.order_id = NEW.order_id AND m.kind <> 'tracking code'
          ORDER BY m.mail_id DESC LIMIT 1) AS newest
    WHERE orders.order_id = NEW.order_id AND orders.mail_problem IS DISTINCT FROM newest.problem;
    RETURN NULL;
END $$;
DROP TRIGGER mails_note_update ON mails;
CREATE TRIGGER mails_note_update AFTER UPDATE OF state, stopped_at ON mails
    FOR EACH ROW WHEN (OLD.state IN ('failed', 'unknown') OR NEW.state IN ('failed', 'unknown'))
    EXECUTE FUNCTION note_mail_problem();
