-- How each member wants to see the lists of orders. hidden_columns is JSON: the hidden columns by folder.
CREATE TABLE list_settings (
    staff_id       BIGINT PRIMARY KEY REFERENCES staff (staff_id),
    density        TEXT NOT NULL CHECK (density IN ('comfortable', 'compact')),
    hidden_columns TEXT NOT NULL,
    updated_at     TIMESTAMP NOT NULL
);
