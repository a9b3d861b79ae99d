-- The orders that members have open in their browsers: hints, which expire and end with their session.
CREATE TABLE presences (
    session_hash TEXT NOT NULL REFERENCES sessions (session_hash) ON DELETE CASCADE,
    order_id     INTEGER NOT NULL REFERENCES orders (order_id),
    staff_id     INTEGER NOT NULL REFERENCES staff (staff_id),
    activity     TEXT NOT NULL CHECK (activity IN ('viewing', 'typing', 'delivering', 'refunding')),
    -- By the database's clock. The browser renews it.
    expires_at   TEXT NOT NULL,
    PRIMARY KEY (session_hash, order_id)
) STRICT;

-- The open orders of each member by status, for the workload of the team.
CREATE INDEX orders_workload ON orders (assign_to, process_status, processing_mode, created_at)
    WHERE process_status IN ('New', 'Pending', 'Future', 'Awaiting', 'AwaitingGovt', 'Contact Customer', 'Customer Called')
        AND assign_to IS NOT NULL;
