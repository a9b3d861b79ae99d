-- The passkeys of members. The credential is the public key and the state that webauthn-rs verifies assertions with.
-- An assertion whose counter is not above sign_count is refused, unless the device counts nothing.
CREATE TABLE passkeys (
    passkey_id    INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id      INTEGER NOT NULL REFERENCES staff (staff_id),
    name          TEXT NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    credential    TEXT NOT NULL,
    sign_count    INTEGER NOT NULL,
    added_at      TEXT NOT NULL,
    last_used_at  TEXT
) STRICT;
CREATE INDEX passkeys_staff ON passkeys (staff_id);

-- What a browser was asked to sign, until it answers. The holder is the hash of a challenge or of a session.
CREATE TABLE passkey_ceremonies (
    holder_hash TEXT NOT NULL,
    kind        TEXT NOT NULL,
    staff_id    INTEGER NOT NULL REFERENCES staff (staff_id),
    state       TEXT NOT NULL,
    expires_at  TEXT NOT NULL,
    PRIMARY KEY (holder_hash, kind)
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_ceremonies_staff ON passkey_ceremonies (staff_id);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);
