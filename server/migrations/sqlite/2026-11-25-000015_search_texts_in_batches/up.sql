-- SQLite's search indexes collect and merge new texts by themselves.
SELECT 1;
