-- Two members may file the same order at the same moment, and both fees are paid: the later application is recorded beside the first.
-- A node of the previous release records none, so its rows have the default.
ALTER TABLE filings ADD COLUMN is_second INTEGER NOT NULL DEFAULT 0 CHECK (is_second IN (0, 1));
CREATE UNIQUE INDEX filings_open_first ON filings (order_id) WHERE outcome IS NULL AND is_second = 0;
DROP TRIGGER filings_keep_update;
CREATE TRIGGER filings_keep_update BEFORE UPDATE ON filings
    WHEN (OLD.outcome IS NULL) = (NEW.outcome IS NULL) OR (OLD.outcome IS NOT NULL AND OLD.outcome <> 'replaced')
      OR NEW.filing_id <> OLD.filing_id OR NEW.order_id <> OLD.order_id OR NEW.is_second <> OLD.is_second
      OR NEW.application_number <> OLD.application_number OR NEW.fee_minor IS NOT OLD.fee_minor
      OR NEW.fee_currency IS NOT OLD.fee_currency OR NEW.receipt_id IS NOT OLD.receipt_id OR NEW.filed_by <> OLD.filed_by
      OR NEW.filed_at <> OLD.filed_at
    BEGIN SELECT RAISE(ABORT, 'a filed application is closed once and never altered'); END;
