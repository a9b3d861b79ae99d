-- The sales sites. Each can have several keys.
CREATE TABLE sources (
    source_id  INTEGER PRIMARY KEY AUTOINCREMENT,
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
) STRICT;

-- NULL means unlimited: every order, every right, for ever, from everywhere. Rights and networks are separated by commas.
ALTER TABLE api_keys ADD COLUMN source_id INTEGER REFERENCES sources (source_id);
ALTER TABLE api_keys ADD COLUMN rights TEXT;
ALTER TABLE api_keys ADD COLUMN expires_at TEXT;
ALTER TABLE api_keys ADD COLUMN networks TEXT;
ALTER TABLE api_keys ADD COLUMN calls_per_minute INTEGER CHECK (calls_per_minute > 0);
ALTER TABLE api_keys ADD COLUMN key_start TEXT;
ALTER TABLE api_keys ADD COLUMN last_used_at TEXT;

-- The orders that belong to a source, with their references, which are unique within it. They are not columns of orders because
-- the references there are unique across all sources, and SQLite could drop that constraint only by rewriting the table.
CREATE TABLE order_sources (
    order_id           INTEGER PRIMARY KEY REFERENCES orders (order_id),
    source_id          INTEGER NOT NULL REFERENCES sources (source_id),
    external_reference TEXT,
    UNIQUE (external_reference, source_id)
) STRICT;
