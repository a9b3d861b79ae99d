-- The trigger that SQLite gets here has no counterpart: an UPDATE replaces no row, and a key that is taken fails it.
SELECT 1;
