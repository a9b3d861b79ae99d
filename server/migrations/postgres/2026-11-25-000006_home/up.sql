-- What the home screen lists. Each index holds only what may be listed: orders in work by their last change, open disputes by either
-- deadline, and mails that did not surely arrive.
CREATE INDEX orders_in_work ON orders (updated_at, order_id)
    WHERE process_status IN ('New', 'AwaitingGovt', 'Contact Customer', 'Customer Called');
CREATE INDEX chargebacks_open_respond_by ON chargebacks (respond_by, order_id) WHERE outcome = 'Open';
CREATE INDEX chargebacks_open_opened_on ON chargebacks (opened_on, order_id) WHERE outcome = 'Open';
CREATE INDEX mails_not_sent ON mails (created_at, mail_id) WHERE state IN ('failed', 'unknown');
