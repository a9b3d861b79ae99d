-- How many orders of each month and day of creation the lists hold that grow for ever: Order History and the queues that orders rest in.
-- They say in which day a page begins, so that a page far behind does not read the index up to it. The other queues stay short.
SET LOCAL statement_timeout = 0;
CREATE FUNCTION counters_of_order(queue TEXT, open_owner BIGINT, future_date DATE, created_at TIMESTAMP)
RETURNS TABLE (kind TEXT, key TEXT) LANGUAGE sql STABLE PARALLEL SAFE AS
$$ VALUES ('queue', queue), ('owner', open_owner::text), ('month', to_char(future_date, 'YYYY-MM')),
       (CASE WHEN queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') THEN 'created month of ' || queue END,
        to_char(created_at, 'YYYY-MM')),
       (CASE WHEN queue IN ('Completed', 'Refunds', 'ChargeBack', 'Deleted', 'Pending') THEN 'created day of ' || queue END,
        to_char(created_at, 'YYYY-MM-DD')),
       ('created month of everything', to_char(created_at, 'YYYY-MM')),
       ('created day of everything', to_char(created_at, 'YYYY-MM-DD')) $$;

CREATE OR REPLACE FUNCTION record_counter_deltas() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    is_round BOOLEAN;
BEGIN
    IF TG_OP = 'INSERT' THEN
        WITH recorded AS (
            INSERT INTO folder_counter_deltas (kind, key, order_count)
            SELECT kind, key, count(*) FROM added, LATERAL counters_of_order(queue, open_owner, future_date, created_at)
            WHERE kind IS NOT NULL AND key IS NOT NULL GROUP BY kind, key
            RETURNING delta_id)
        SELECT bool_or(delta_id % 1000 = 0) INTO is_round FROM recorded;
    ELSE
        WITH recorded AS (
            INSERT INTO folder_counter_deltas (kind, key, order_count)
            SELECT kind, key, sum(change) FROM (
                SELECT kind, key, 1 AS change FROM added, LATERAL counters_of_order(queue, open_owner, future_date, created_at)
                UNION ALL
                SELECT kind, key, -1 FROM gone, LATERAL counters_of_order(queue, open_owner, future_date, created_at)
            ) AS moved
            WHERE kind IS NOT NULL AND key IS NOT NULL GROUP BY kind, key HAVING sum(change) <> 0
            RETURNING delta_id)
        SELECT bool_or(delta_id % 1000 = 0) INTO is_round FROM recorded;
    END IF;
    IF is_round THEN
        PERFORM merge_counter_deltas(5000);
    END IF;
    RETURN NULL;
END $$;

INSERT INTO folder_counters (kind, key, order_count)
SELECT kind, key, count(*) FROM orders, LATERAL counters_of_order(queue, open_owner, future_date, created_at) AS held
WHERE kind LIKE 'created %' AND key IS NOT NULL GROUP BY kind, key;
