-- When the person behind the session last proved who they are, and from where they signed in.
ALTER TABLE sessions ADD COLUMN confirmed_at TIMESTAMP;
ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN user_agent TEXT;

-- The authenticator app of a member. Its secret is derived from the installation's key and the salt.
-- A code of last_step or an earlier time step is not accepted again.
CREATE TABLE authenticators (
    staff_id  BIGINT PRIMARY KEY REFERENCES staff (staff_id),
    salt      TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    added_at  TIMESTAMP NOT NULL
);

CREATE TABLE recovery_codes (
    staff_id  BIGINT NOT NULL REFERENCES staff (staff_id),
    code_hash TEXT NOT NULL,
    made_at   TIMESTAMP NOT NULL,
    used_at   TIMESTAMP,
    PRIMARY KEY (staff_id, code_hash)
);

-- Sign-ins whose password was right, and which still lack the second factor.
CREATE TABLE challenges (
    challenge_hash TEXT PRIMARY KEY,
    staff_id       BIGINT NOT NULL REFERENCES staff (staff_id),
    remember_days  INTEGER NOT NULL,
    tries          INTEGER NOT NULL,
    expires_at     TIMESTAMP NOT NULL
);
CREATE INDEX challenges_staff ON challenges (staff_id);
CREATE INDEX challenges_expiry ON challenges (expires_at);
