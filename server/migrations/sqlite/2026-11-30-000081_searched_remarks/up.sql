-- A remark in plain letters, in which searches look. Null: a node of the previous release wrote it, and a job adds the letters.
ALTER TABLE remarks ADD COLUMN search_text TEXT;
CREATE INDEX remarks_without_text ON remarks (remark_id) WHERE search_text IS NULL;
-- Remarks are never changed, so they only ever enter the index.
CREATE VIRTUAL TABLE remark_trigrams USING fts5 (
    search_text, content = '', detail = 'none', columnsize = 0, tokenize = 'trigram case_sensitive 1');
CREATE TRIGGER remarks_indexed AFTER INSERT ON remarks WHEN new.search_text IS NOT NULL BEGIN
    INSERT INTO remark_trigrams (rowid, search_text) VALUES (new.remark_id, new.search_text);
END;
CREATE TRIGGER remarks_indexed_later AFTER UPDATE OF search_text ON remarks WHEN old.search_text IS NULL AND new.search_text IS NOT NULL BEGIN
    INSERT INTO remark_trigrams (rowid, search_text) VALUES (new.remark_id, new.search_text);
END;
