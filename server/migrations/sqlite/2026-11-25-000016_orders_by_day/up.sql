-- How many orders of each month and day of creation the lists hold that grow for ever: Order History and the queues that orders rest in.
-- They say in which day a page begins, so that a page far behind does not read the index up to it. The other queues stay short.
INSERT INTO folder_counters (kind, key, order_count)
SELECT 'created month of everything', substr(created_at, 1, 7), count(*) FROM orders GROUP BY 1, 2 UNION ALL
SELECT 'created day of everything', substr(created_at, 1, 10), count(*) FROM orders GROUP BY 1, 2 UNION ALL
SELECT 'created month of ' || queue, substr(created_at, 1, 7), count(*) FROM orders
    WHERE queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') GROUP BY 1, 2 UNION ALL
SELECT 'created day of ' || queue, substr(created_at, 1, 10), count(*) FROM orders
    WHERE queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') GROUP BY 1, 2;

CREATE TRIGGER orders_days_insert AFTER INSERT ON orders BEGIN
    INSERT INTO folder_counters VALUES ('created month of everything', substr(NEW.created_at, 1, 7), 1)
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters VALUES ('created day of everything', substr(NEW.created_at, 1, 10), 1)
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'created month of ' || NEW.queue, substr(NEW.created_at, 1, 7), 1
        WHERE NEW.queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending')
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters SELECT 'created day of ' || NEW.queue, substr(NEW.created_at, 1, 10), 1
        WHERE NEW.queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending')
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
END;
CREATE TRIGGER orders_days_leave AFTER UPDATE OF process_status ON orders
    WHEN OLD.queue <> NEW.queue AND OLD.queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') BEGIN
    UPDATE folder_counters SET order_count = order_count - 1
        WHERE kind = 'created month of ' || OLD.queue AND key = substr(OLD.created_at, 1, 7);
    UPDATE folder_counters SET order_count = order_count - 1
        WHERE kind = 'created day of ' || OLD.queue AND key = substr(OLD.created_at, 1, 10);
END;
CREATE TRIGGER orders_days_enter AFTER UPDATE OF process_status ON orders
    WHEN OLD.queue <> NEW.queue AND NEW.queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') BEGIN
    INSERT INTO folder_counters VALUES ('created month of ' || NEW.queue, substr(NEW.created_at, 1, 7), 1)
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
    INSERT INTO folder_counters VALUES ('created day of ' || NEW.queue, substr(NEW.created_at, 1, 10), 1)
        ON CONFLICT DO UPDATE SET order_count = order_count + 1;
END;
