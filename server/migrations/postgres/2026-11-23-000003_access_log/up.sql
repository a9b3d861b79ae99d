-- The folder that was read, the HMAC of the search text, and how many rows were returned. Entries of earlier versions have none of these.
ALTER TABLE access_log ADD COLUMN folder TEXT;
ALTER TABLE access_log ADD COLUMN search_hash TEXT;
ALTER TABLE access_log ADD COLUMN row_count BIGINT;
CREATE INDEX access_log_time ON access_log (at, access_id);
CREATE INDEX access_log_staff ON access_log (staff_id, at, access_id);
CREATE INDEX access_log_action ON access_log (action, at, access_id);

-- At most one row: entries before this instant may be deleted. The retention job sets it.
CREATE TABLE access_log_retention (
    retention_id  BIGINT PRIMARY KEY CHECK (retention_id = 1),
    delete_before TIMESTAMP NOT NULL
);

CREATE FUNCTION refuse_access_log_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM access_log_retention WHERE OLD.at < delete_before) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the access log is append-only';
END $$;
CREATE TRIGGER access_log_keeps_update BEFORE UPDATE ON access_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change('the access log is append-only');
CREATE TRIGGER access_log_keeps_delete BEFORE DELETE ON access_log
    FOR EACH ROW EXECUTE FUNCTION refuse_access_log_delete();
CREATE TRIGGER access_log_keeps_all BEFORE TRUNCATE ON access_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change('the access log is append-only');

-- How many rows about customers each member has read in each clock hour (UTC). reached_at and rows_per_hour are set when the budget is reached.
CREATE TABLE row_counters (
    hour          TIMESTAMP NOT NULL,
    staff_id      BIGINT NOT NULL REFERENCES staff (staff_id),
    row_count     BIGINT NOT NULL,
    rows_per_hour BIGINT,
    reached_at    TIMESTAMP,
    PRIMARY KEY (hour, staff_id),
    CHECK ((rows_per_hour IS NULL) = (reached_at IS NULL))
);
