-- When the person behind the session last proved who they are, and from where they signed in.
ALTER TABLE sessions ADD COLUMN confirmed_at TEXT;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN user_agent TEXT;

-- The authenticator app of a member. Its secret is derived from the installation's key and the salt.
-- A code of last_step or an earlier time step is not accepted again.
CREATE TABLE authenticators (
    staff_id  INTEGER PRIMARY KEY REFERENCES staff (staff_id),
    salt      TEXT NOT NULL,
    last_step INTEGER NOT NULL,
    added_at  TEXT NOT NULL
) STRICT;

CREATE TABLE recovery_codes (
    staff_id  INTEGER NOT NULL REFERENCES staff (staff_id),
    code_hash TEXT NOT NULL,
    made_at   TEXT NOT NULL,
    used_at   TEXT,
    PRIMARY KEY (staff_id, code_hash)
) STRICT, WITHOUT ROWID;

-- Sign-ins whose password was right, and which still lack the second factor.
CREATE TABLE challenges (
    challenge_hash TEXT PRIMARY KEY,
    staff_id       INTEGER NOT NULL REFERENCES staff (staff_id),
    remember_days  INTEGER NOT NULL,
    tries          INTEGER NOT NULL,
    expires_at     TEXT NOT NULL
) STRICT;
CREATE INDEX challenges_staff ON challenges (staff_id);
CREATE INDEX challenges_expiry ON challenges (expires_at);
