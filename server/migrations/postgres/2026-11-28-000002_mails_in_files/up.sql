-- A large database takes longer than a statement may in service.
SET LOCAL statement_timeout = 0;

-- The mail was written to a file, because no provider is configured: no provider accepted it. Its state is still `sent`, which releases
-- before this one can read.
ALTER TABLE mails ADD COLUMN in_file BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE mails SET in_file = TRUE
    WHERE mail_id IN (SELECT mail_id FROM mail_attempts WHERE answer LIKE 'Stored as the file mail/%');
