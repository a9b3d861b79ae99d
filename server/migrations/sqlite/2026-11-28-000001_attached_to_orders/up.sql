-- What an undo also restores: whether the order had a visa or a dispute, and what was attached to the order and ended with the change,
-- as JSON. Null: the change was made by a release that did not record it.
ALTER TABLE undo_records ADD COLUMN had_visa_or_dispute INTEGER CHECK (had_visa_or_dispute IN (0, 1));
ALTER TABLE undo_records ADD COLUMN attached TEXT;

-- A filing that is undone opens the application again that it replaced.
DROP TRIGGER filings_keep_update;
CREATE TRIGGER filings_keep_update BEFORE UPDATE ON filings
    WHEN (OLD.outcome IS NULL) = (NEW.outcome IS NULL) OR (OLD.outcome IS NOT NULL AND OLD.outcome <> 'replaced')
      OR NEW.filing_id <> OLD.filing_id OR NEW.order_id <> OLD.order_id
      OR NEW.application_number <> OLD.application_number OR NEW.fee_minor IS NOT OLD.fee_minor
      OR NEW.fee_currency IS NOT OLD.fee_currency OR NEW.receipt_id IS NOT OLD.receipt_id OR NEW.filed_by <> OLD.filed_by
      OR NEW.filed_at <> OLD.filed_at
    BEGIN SELECT RAISE(ABORT, 'a filed application is closed once and never altered'); END;

-- The contact address of an order without one of its own was that of its account. A correction of the one left the mistake in the other,
-- which still opened the order.
UPDATE applications SET account_email = (SELECT o.contact_email_address FROM orders o WHERE o.order_id = applications.order_id)
    WHERE EXISTS (SELECT 1 FROM order_originals c WHERE c.order_id = applications.order_id AND c.field = 'contact_email_address'
                  AND LOWER(TRIM(c.original)) = LOWER(TRIM(applications.account_email)));
