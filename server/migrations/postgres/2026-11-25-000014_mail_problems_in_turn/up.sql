-- A mail that fails while a transaction adds a newer one read the mails before the other committed, and wrote 'failed' after it. Whoever may
-- change what an order shows of its mails now waits for its turn at the order first, and reads the mails after that. A change between two
-- states that are no problem changes nothing on the order, so it does not wait.
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
