-- What an order was before a change that its maker can undo: a row for each order of the change, deleted a day later. change_id is
-- the event_id of its first order. Rows of the audit cannot tell the changes of one member at one instant apart.
CREATE TABLE undo_records (
    event_id               INTEGER PRIMARY KEY REFERENCES audit (audit_id),
    change_id              INTEGER NOT NULL,
    order_id               INTEGER NOT NULL REFERENCES orders (order_id),
    staff_id               INTEGER NOT NULL REFERENCES staff (staff_id),
    kind                   TEXT NOT NULL CHECK (kind IN ('owner', 'status')),
    made_at                TEXT NOT NULL,
    undone_at              TEXT,
    assign_to              INTEGER REFERENCES staff (staff_id),
    process_status         TEXT NOT NULL,
    status_before_deletion TEXT,
    processed_by           INTEGER REFERENCES staff (staff_id),
    processed_at           TEXT
) STRICT;
CREATE INDEX undo_records_change ON undo_records (change_id, event_id);
CREATE INDEX undo_records_time ON undo_records (made_at);
