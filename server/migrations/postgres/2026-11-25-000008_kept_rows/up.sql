-- The triggers that keep rows need no addition as on SQLite: INSERT … ON CONFLICT DO UPDATE runs the one for updates.

-- How many files the backup lacks, because they were missing or damaged here. Null: made before, or no backup.
ALTER TABLE backups ADD COLUMN missing_files BIGINT;
