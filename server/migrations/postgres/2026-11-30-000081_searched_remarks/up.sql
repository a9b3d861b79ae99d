-- A remark in plain letters, in which searches look. Null: a node of the previous release wrote it, and a job adds the letters.
SET LOCAL statement_timeout = 0;
ALTER TABLE remarks ADD COLUMN search_text TEXT COLLATE "C";
CREATE INDEX remarks_without_text ON remarks (remark_id) WHERE search_text IS NULL;
CREATE INDEX remarks_trigrams ON remarks USING gin (search_text gin_trgm_ops);
