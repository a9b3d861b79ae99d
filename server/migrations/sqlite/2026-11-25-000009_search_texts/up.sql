-- The text that searches look into has a table of its own: PostgreSQL would index it again at each change of its order. An order
-- keeps its `created_at`, so all orders are searched from the newest without reading the orders themselves.
CREATE TABLE search_texts (
    order_id    INTEGER PRIMARY KEY REFERENCES orders (order_id),
    created_at  TEXT NOT NULL,
    search_text TEXT NOT NULL
);
INSERT INTO search_texts (order_id, created_at, search_text)
SELECT order_id, created_at, search_text FROM orders ORDER BY order_id;
ALTER TABLE orders DROP COLUMN search_text;
CREATE INDEX search_texts_newest ON search_texts (created_at, order_id);
