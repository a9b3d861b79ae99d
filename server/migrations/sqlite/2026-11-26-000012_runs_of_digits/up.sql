-- Runs of five digits are grams, too: each trigram of digits is in many numbers, a run of five is in few, so an order is found by its number, phone or
-- passport without reading long lists. A word has its own list of rows, so a row that is in the index already can be given more words.
WITH RECURSIVE
    places (place) AS (SELECT 1 UNION ALL SELECT place + 1 FROM places WHERE place < (SELECT max(length(search_text)) FROM search_texts)),
    runs (order_id, run) AS (
        SELECT DISTINCT order_id, substr(search_text, place, 5) FROM search_texts JOIN places ON place <= length(search_text) - 4
         WHERE substr(search_text, place, 5) GLOB '[0-9][0-9][0-9][0-9][0-9]')
INSERT INTO order_grams (rowid, grams)
SELECT order_id, group_concat('n' || run, ' ') FROM runs GROUP BY order_id;
