-- The index of the migration before has taken over: one application of an order is the first, and any number may be open.
DROP INDEX filings_open_order;
