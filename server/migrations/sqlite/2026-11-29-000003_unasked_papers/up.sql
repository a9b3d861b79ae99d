-- Documents that applicants sent without being asked, because the page of their order said that they were missing.
CREATE TABLE unasked_papers (
    order_id    INTEGER NOT NULL REFERENCES orders (order_id),
    -- A document of the catalogue, such as bank_statement.
    kind        TEXT NOT NULL,
    -- The newest file.
    document_id INTEGER NOT NULL REFERENCES documents (document_id),
    state       TEXT NOT NULL CHECK (state IN ('checking', 'look', 'in')),
    -- What the check found, separated by commas.
    faults      TEXT NOT NULL DEFAULT '',
    uploads     INTEGER NOT NULL,
    -- When the newest file was sent.
    sent_at     TEXT NOT NULL,
    PRIMARY KEY (order_id, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX unasked_papers_sent ON unasked_papers (sent_at);
CREATE INDEX unasked_papers_document ON unasked_papers (document_id);
