-- The text that searches look into has a table of its own. While it lay on the order, each change of an order wrote every trigram and
-- gram of its text into the two indexes again, which took most of the time of a change. An order keeps its `created_at`, so all orders
-- are searched from the newest without reading the orders themselves.
SET LOCAL statement_timeout = 0;
CREATE TABLE search_texts (
    order_id    BIGINT PRIMARY KEY REFERENCES orders (order_id),
    created_at  TIMESTAMP NOT NULL,
    search_text TEXT COLLATE "C" NOT NULL
);
INSERT INTO search_texts (order_id, created_at, search_text)
SELECT order_id, created_at, search_text FROM orders ORDER BY order_id;
-- Its indexes go with the column.
ALTER TABLE orders DROP COLUMN search_text;
CREATE INDEX search_texts_newest ON search_texts (created_at, order_id);
CREATE INDEX search_texts_trigrams ON search_texts USING gin (search_text gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX search_texts_grams ON search_texts USING gin (order_grams(search_text)) WITH (fastupdate = off);
