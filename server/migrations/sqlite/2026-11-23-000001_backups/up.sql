-- Attempts to make a backup. While one is being made, its active_at is renewed, so that other nodes leave it alone.
-- One with a name is a backup; its failure says which files it lacks.
CREATE TABLE backups (
    backup_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    place       TEXT NOT NULL,
    name        TEXT,
    started_at  TEXT NOT NULL,
    active_at   TEXT NOT NULL,
    finished_at TEXT,
    failure     TEXT,
    encrypted   INTEGER NOT NULL,
    files       INTEGER,
    new_files   INTEGER,
    CHECK ((name IS NULL) = (files IS NULL))
) STRICT;
CREATE INDEX backups_good ON backups (finished_at) WHERE name IS NOT NULL;

-- A database with a row is a rehearsal: it was restored to try a backup, and must not send mail.
CREATE TABLE rehearsals (
    backup_name TEXT PRIMARY KEY,
    taken_at    TEXT NOT NULL,
    restored_at TEXT NOT NULL
) STRICT;
