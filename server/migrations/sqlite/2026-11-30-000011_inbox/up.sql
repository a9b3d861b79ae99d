-- What members are told about orders: they were mentioned, or got an order, or lost one.
CREATE TABLE inbox (
    inbox_id   INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id   INTEGER NOT NULL REFERENCES staff (staff_id),
    order_id   INTEGER NOT NULL REFERENCES orders (order_id),
    kind       TEXT NOT NULL CHECK (kind IN ('mention', 'given', 'taken', 'claim')),
    -- Who did it.
    by_name    TEXT NOT NULL,
    -- The remark that says more.
    remark_id  INTEGER REFERENCES remarks (remark_id),
    created_at TEXT NOT NULL,
    read_at    TEXT
) STRICT;
CREATE INDEX inbox_member ON inbox (staff_id, inbox_id);
CREATE INDEX inbox_unread ON inbox (staff_id) WHERE read_at IS NULL;
CREATE INDEX inbox_order ON inbox (order_id, created_at);
