-- The rules by which a text was written. Nodes of the previous release write 0; a job rewrites such texts.
ALTER TABLE search_texts ADD COLUMN search_version INTEGER NOT NULL DEFAULT 0;

-- How far it is: the texts of all orders up to this one are by these rules. Without a row it has not begun.
CREATE TABLE search_progress (
    only_one       INTEGER PRIMARY KEY CHECK (only_one = 1),
    search_version INTEGER NOT NULL,
    through        BIGINT NOT NULL
);
