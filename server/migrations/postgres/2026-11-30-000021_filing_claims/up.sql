-- The member who is filing an order, so that nobody else files it and pays the fee again.
CREATE TABLE filing_claims (
    order_id   BIGINT PRIMARY KEY REFERENCES orders (order_id),
    staff_id   BIGINT NOT NULL REFERENCES staff (staff_id),
    claimed_at TIMESTAMP NOT NULL,
    -- By the database's clock. The member's browser renews it.
    expires_at TIMESTAMP NOT NULL
);
