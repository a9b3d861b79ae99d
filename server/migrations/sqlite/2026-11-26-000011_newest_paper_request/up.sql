-- The order's page says how its newest request ended.
CREATE INDEX paper_requests_order ON paper_requests (order_id, request_id);
