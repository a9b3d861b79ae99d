-- Lists show the newest comment of each order to the member.
ALTER TABLE list_settings ADD COLUMN newest_comment INTEGER NOT NULL DEFAULT 0 CHECK (newest_comment IN (0, 1));
