-- Two members may file the same order at the same moment, and both fees are paid: the later application is recorded beside the first.
-- A node of the previous release records none, so its rows have the default.
ALTER TABLE filings ADD COLUMN is_second BOOLEAN NOT NULL DEFAULT FALSE;
CREATE UNIQUE INDEX filings_open_first ON filings (order_id) WHERE outcome IS NULL AND NOT is_second;
DROP TRIGGER filings_keep_update ON filings;
CREATE TRIGGER filings_keep_update BEFORE UPDATE ON filings
    FOR EACH ROW WHEN ((OLD.outcome IS NULL) = (NEW.outcome IS NULL) OR (OLD.outcome IS NOT NULL AND OLD.outcome <> 'replaced')
                       OR NEW.filing_id <> OLD.filing_id OR NEW.order_id <> OLD.order_id OR NEW.is_second <> OLD.is_second
                       OR NEW.application_number <> OLD.application_number OR NEW.fee_minor IS DISTINCT FROM OLD.fee_minor
                       OR NEW.fee_currency IS DISTINCT FROM OLD.fee_currency OR NEW.receipt_id IS DISTINCT FROM OLD.receipt_id
                       OR NEW.filed_by <> OLD.filed_by OR NEW.filed_at <> OLD.filed_at)
    EXECUTE FUNCTION refuse_change('a filed application is closed once and never altered');
