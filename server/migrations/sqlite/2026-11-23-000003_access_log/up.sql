-- The folder that was read, the HMAC of the search text, and how many rows were returned. Entries of earlier versions have none of these.
ALTER TABLE access_log ADD COLUMN folder TEXT;
ALTER TABLE access_log ADD COLUMN search_hash TEXT;
ALTER TABLE access_log ADD COLUMN row_count INTEGER;
CREATE INDEX access_log_time ON access_log (at, access_id);
CREATE INDEX access_log_staff ON access_log (staff_id, at, access_id);
CREATE INDEX access_log_action ON access_log (action, at, access_id);

-- At most one row: entries before this instant may be deleted. The retention job sets it.
CREATE TABLE access_log_retention (
    retention_id  INTEGER PRIMARY KEY CHECK (retention_id = 1),
    delete_before TEXT NOT NULL
) STRICT;

CREATE TRIGGER access_log_keeps_update BEFORE UPDATE ON access_log
    BEGIN SELECT RAISE(ABORT, 'the access log is append-only'); END;
CREATE TRIGGER access_log_keeps_delete BEFORE DELETE ON access_log
    WHEN NOT EXISTS (SELECT 1 FROM access_log_retention WHERE OLD.at < delete_before)
    BEGIN SELECT RAISE(ABORT, 'the access log is append-only'); END;

-- How many rows about customers each member has read in each clock hour (UTC). reached_at and rows_per_hour are set when the budget is reached.
CREATE TABLE row_counters (
    hour          TEXT NOT NULL,
    staff_id      INTEGER NOT NULL REFERENCES staff (staff_id),
    row_count     INTEGER NOT NULL,
    rows_per_hour INTEGER,
    reached_at    TEXT,
    PRIMARY KEY (hour, staff_id),
    CHECK ((rows_per_hour IS NULL) = (reached_at IS NULL))
) STRICT, WITHOUT ROWID;
