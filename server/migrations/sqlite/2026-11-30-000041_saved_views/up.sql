-- A list with its filter, under a name, for the sidebar. filter is JSON: the values as they were sent.
CREATE TABLE saved_views (
    view_id    INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The member who saved it last. A view that is not shared belongs to them.
    staff_id   INTEGER NOT NULL REFERENCES staff (staff_id),
    is_shared  INTEGER NOT NULL CHECK (is_shared IN (0, 1)),
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,
    folder     TEXT NOT NULL,
    filter     TEXT NOT NULL,
    sort       TEXT,
    updated_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX saved_views_own ON saved_views (staff_id, name_key) WHERE is_shared = 0;
CREATE UNIQUE INDEX saved_views_shared ON saved_views (name_key) WHERE is_shared = 1;
