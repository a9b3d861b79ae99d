-- The mail was written to a file, because no provider is configured: no provider accepted it. Its state is still `sent`, which releases
-- before this one can read.
ALTER TABLE mails ADD COLUMN in_file INTEGER NOT NULL DEFAULT 0 CHECK (in_file IN (0, 1));
UPDATE mails SET in_file = 1
    WHERE mail_id IN (SELECT mail_id FROM mail_attempts WHERE answer LIKE 'Stored as the file mail/%');
