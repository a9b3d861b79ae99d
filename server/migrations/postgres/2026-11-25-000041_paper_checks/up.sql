-- Checks of papers: what a file was found to show. A check is one row for each file; the newest file of a paper counts.
SET LOCAL statement_timeout = 0;
CREATE TABLE paper_checks (
    document_id  BIGINT PRIMARY KEY REFERENCES documents (document_id),
    order_id     BIGINT NOT NULL REFERENCES orders (order_id),
    paper        TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('pending', 'done', 'not_checked')),
    reason       TEXT,
    -- What was read, as JSON. It is compared anew when the order is corrected.
    reading      TEXT,
    problem      TEXT CHECK (problem IN ('differs', 'fault')),
    attempts     INTEGER NOT NULL,
    leased_until TIMESTAMP,
    requested_at TIMESTAMP NOT NULL,
    checked_at   TIMESTAMP,
    CHECK ((state = 'not_checked') = (reason IS NOT NULL))
);
CREATE INDEX paper_checks_order ON paper_checks (order_id, paper, document_id);
CREATE INDEX paper_checks_pending ON paper_checks (requested_at, document_id) WHERE state = 'pending';

-- A member of staff has looked at a finding. It counts as long as both values stay the same.
CREATE TABLE paper_looks (
    document_id BIGINT NOT NULL REFERENCES documents (document_id),
    field       TEXT NOT NULL,
    values_hash TEXT NOT NULL,
    verdict     TEXT NOT NULL,
    staff_id    BIGINT NOT NULL REFERENCES staff (staff_id),
    looked_at   TIMESTAMP NOT NULL,
    PRIMARY KEY (document_id, field, values_hash)
);

-- What lists show, kept by triggers: the worst problem of the newest file of each paper. 'differs' comes before 'fault'.
ALTER TABLE orders ADD COLUMN papers_problem TEXT CHECK (papers_problem IN ('differs', 'fault'));
-- The order is locked first, so that two checks of one order read each other's problems.
CREATE FUNCTION note_papers_problem() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    PERFORM FROM orders WHERE order_id = NEW.order_id FOR NO KEY UPDATE;
    UPDATE orders SET papers_problem = worst.problem
    FROM (SELECT min(c.problem) AS problem FROM paper_checks c WHERE c.order_id = NEW.order_id
          AND NOT EXISTS (SELECT 1 FROM paper_checks n WHERE n.order_id = c.order_id AND n.paper = c.paper
                          AND n.document_id > c.document_id)) AS worst
    WHERE orders.order_id = NEW.order_id AND orders.papers_problem IS DISTINCT FROM worst.problem;
    RETURN NULL;
END $$;
CREATE TRIGGER paper_checks_note_insert AFTER INSERT ON paper_checks FOR EACH ROW EXECUTE FUNCTION note_papers_problem();
CREATE TRIGGER paper_checks_note_update AFTER UPDATE OF problem ON paper_checks
    FOR EACH ROW WHEN (OLD.problem IS DISTINCT FROM NEW.problem) EXECUTE FUNCTION note_papers_problem();

-- A corrected order is compared anew with what was read.
CREATE FUNCTION compare_papers() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
    UPDATE paper_checks SET state = 'pending', attempts = 0 WHERE order_id = NEW.order_id AND state = 'done';
    RETURN NULL;
END $$;
CREATE TRIGGER applications_compare_papers
    AFTER UPDATE OF first_name, middle_name, last_name, sex, date_of_birth, passport_from, document_number, date_of_expiry, arrival_date ON applications
    FOR EACH ROW EXECUTE FUNCTION compare_papers();
CREATE TRIGGER orders_compare_papers AFTER UPDATE OF full_name, nationality, visa_type ON orders
    FOR EACH ROW EXECUTE FUNCTION compare_papers();
