-- The New orders, and what ranks them for a member who takes the next one. Triggers keep them, so that orders of a node with the previous
-- release are here as well. Only free ones, which have no owner, are taken.
SET LOCAL statement_timeout = 0;
CREATE TABLE new_orders (
    order_id       BIGINT PRIMARY KEY REFERENCES orders (order_id),
    -- When the order became New. An owner who gives it back changes nothing about it.
    new_since      TIMESTAMP NOT NULL,
    is_free        BOOLEAN NOT NULL,
    is_regular     BOOLEAN NOT NULL,
    -- False: the applicant has sent documents since then.
    has_no_papers  BOOLEAN NOT NULL,
    -- The day on which the applicant arrives; 9999-12-31 if it is not known, so that it comes last on both databases.
    arrives_on     DATE NOT NULL
);
CREATE INDEX new_orders_oldest ON new_orders (new_since, order_id) WHERE is_free;
CREATE INDEX new_orders_ranked ON new_orders (is_regular, has_no_papers, arrives_on, new_since, order_id) WHERE is_free;

CREATE FUNCTION note_new_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.process_status = 'New' THEN
        INSERT INTO new_orders VALUES (NEW.order_id, NEW.updated_at, NEW.assign_to IS NULL,
            NEW.processing_mode <> 'Priority Processing', true,
            coalesce((SELECT arrival_date FROM applications WHERE order_id = NEW.order_id), '9999-12-31'))
        ON CONFLICT (order_id) DO UPDATE SET is_free = excluded.is_free, is_regular = excluded.is_regular;
    ELSE
        DELETE FROM new_orders WHERE order_id = NEW.order_id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER orders_new_insert AFTER INSERT ON orders
    FOR EACH ROW WHEN (NEW.process_status = 'New') EXECUTE FUNCTION note_new_order();
CREATE TRIGGER orders_new_update AFTER UPDATE OF process_status, processing_mode, assign_to ON orders
    FOR EACH ROW WHEN (NEW.process_status = 'New' OR OLD.process_status = 'New') EXECUTE FUNCTION note_new_order();

CREATE FUNCTION note_arrival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE new_orders SET arrives_on = coalesce(NEW.arrival_date, '9999-12-31') WHERE order_id = NEW.order_id;
    RETURN NULL;
END $$;
CREATE TRIGGER applications_arrival_insert AFTER INSERT ON applications
    FOR EACH ROW WHEN (NEW.arrival_date IS NOT NULL) EXECUTE FUNCTION note_arrival();
CREATE TRIGGER applications_arrival_update AFTER UPDATE OF arrival_date ON applications
    FOR EACH ROW WHEN (NEW.arrival_date IS DISTINCT FROM OLD.arrival_date) EXECUTE FUNCTION note_arrival();

-- Since when an order is New is not recorded. Since its creation at the earliest: orders that wait already lose nothing.
INSERT INTO new_orders
SELECT order_id, created_at, assign_to IS NULL, processing_mode <> 'Priority Processing', true,
       coalesce((SELECT arrival_date FROM applications WHERE applications.order_id = orders.order_id), '9999-12-31')
FROM orders WHERE queue IN ('New', 'Priority', 'Taken');
