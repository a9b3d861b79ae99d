-- The New orders, and what ranks them for a member who takes the next one. Triggers keep them, so that orders of a node with the previous
-- release are here as well. Only free ones, which have no owner, are taken.
CREATE TABLE new_orders (
    order_id       INTEGER PRIMARY KEY REFERENCES orders (order_id),
    -- When the order became New. An owner who gives it back changes nothing about it.
    new_since      TEXT NOT NULL,
    is_free        INTEGER NOT NULL CHECK (is_free IN (0, 1)),
    is_regular     INTEGER NOT NULL CHECK (is_regular IN (0, 1)),
    -- 0: the applicant has sent documents since then.
    has_no_papers  INTEGER NOT NULL CHECK (has_no_papers IN (0, 1)),
    -- The day on which the applicant arrives; 9999-12-31 if it is not known, so that it comes last on both databases.
    arrives_on     TEXT NOT NULL
) STRICT;
CREATE INDEX new_orders_oldest ON new_orders (new_since, order_id) WHERE is_free;
CREATE INDEX new_orders_ranked ON new_orders (is_regular, has_no_papers, arrives_on, new_since, order_id) WHERE is_free;

CREATE TRIGGER orders_new_insert AFTER INSERT ON orders WHEN NEW.process_status = 'New' BEGIN
    INSERT INTO new_orders VALUES (NEW.order_id, NEW.updated_at, NEW.assign_to IS NULL,
        NEW.processing_mode <> 'Priority Processing', 1, '9999-12-31');
END;
CREATE TRIGGER orders_new_update AFTER UPDATE OF process_status, processing_mode, assign_to ON orders
WHEN NEW.process_status = 'New' BEGIN
    INSERT INTO new_orders VALUES (NEW.order_id, NEW.updated_at, NEW.assign_to IS NULL,
        NEW.processing_mode <> 'Priority Processing', 1,
        coalesce((SELECT arrival_date FROM applications WHERE order_id = NEW.order_id), '9999-12-31'))
    ON CONFLICT DO UPDATE SET is_free = excluded.is_free, is_regular = excluded.is_regular;
END;
CREATE TRIGGER orders_new_end AFTER UPDATE OF process_status ON orders
WHEN OLD.process_status = 'New' AND NEW.process_status <> 'New' BEGIN
    DELETE FROM new_orders WHERE order_id = NEW.order_id;
END;
CREATE TRIGGER applications_arrival_insert AFTER INSERT ON applications WHEN NEW.arrival_date IS NOT NULL BEGIN
    UPDATE new_orders SET arrives_on = NEW.arrival_date WHERE order_id = NEW.order_id;
END;
CREATE TRIGGER applications_arrival_update AFTER UPDATE OF arrival_date ON applications BEGIN
    UPDATE new_orders SET arrives_on = coalesce(NEW.arrival_date, '9999-12-31') WHERE order_id = NEW.order_id;
END;

-- Since when an order is New is not recorded. Since its creation at the earliest: orders that wait already lose nothing.
INSERT INTO new_orders
SELECT order_id, created_at, assign_to IS NULL, processing_mode <> 'Priority Processing', 1,
       coalesce((SELECT arrival_date FROM applications WHERE applications.order_id = orders.order_id), '9999-12-31')
FROM orders WHERE queue IN ('New', 'Priority', 'Taken');
