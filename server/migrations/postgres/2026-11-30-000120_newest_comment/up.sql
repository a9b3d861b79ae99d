-- Lists show the newest comment of each order to the member.
ALTER TABLE list_settings ADD COLUMN newest_comment BOOLEAN NOT NULL DEFAULT FALSE;
