-- The index of the migration before has taken over: one application of an order is the first, and any number may be open.
DROP INDEX filings_open_order;
DROP TRIGGER filings_keep_replace;
CREATE TRIGGER filings_keep_replace BEFORE INSERT ON filings
    WHEN EXISTS (SELECT 1 FROM filings WHERE filing_id = NEW.filing_id)
      OR (NEW.outcome IS NULL AND EXISTS (SELECT 1 FROM filings WHERE outcome IS NULL
          AND (application_number = NEW.application_number OR (order_id = NEW.order_id AND is_second = 0 AND NEW.is_second = 0))))
    BEGIN SELECT RAISE(ABORT, 'a filed application is never altered'); END;
