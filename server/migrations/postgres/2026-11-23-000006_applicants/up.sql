-- The names of the secrets in mails. A secret is derived from its name and the installation's key; no table holds the secret itself.
CREATE TABLE mail_secrets (
    mail_id    BIGINT PRIMARY KEY REFERENCES mails (mail_id),
    secret_id  TEXT NOT NULL UNIQUE,
    expires_at TIMESTAMP NOT NULL,
    revoked_at TIMESTAMP
);
CREATE INDEX mail_secrets_age ON mail_secrets (expires_at);

-- Requests for a code by mail. Any number may be asked for, so order_id refers to no order.
CREATE TABLE tracking_codes (
    code_id    TEXT PRIMARY KEY,
    order_id   BIGINT NOT NULL,
    email_hash TEXT NOT NULL,
    created_at TIMESTAMP NOT NULL,
    settled_at TIMESTAMP,
    mail_id    BIGINT REFERENCES mails (mail_id),
    by_owner   BOOLEAN NOT NULL,
    tries      INTEGER NOT NULL
);
CREATE INDEX tracking_codes_waiting ON tracking_codes (created_at) WHERE settled_at IS NULL;
CREATE INDEX tracking_codes_mailed ON tracking_codes (created_at, order_id) WHERE mail_id IS NOT NULL;
CREATE INDEX tracking_codes_age ON tracking_codes (created_at);

CREATE INDEX visitor_grants_order ON visitor_grants (order_id);
