-- What changes here for PostgreSQL, SQLite's search indexes do already.
SELECT 1;
