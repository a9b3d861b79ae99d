-- Orders of the same person are found by their normalized facts, the newest first. The queries spell the expressions in the same way.
CREATE INDEX orders_same_email ON orders (lower(contact_email_address), order_id);
CREATE INDEX orders_same_phone ON orders (
    right(ltrim(replace(replace(replace(replace(replace(replace(phone_number, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '+', ''), '0'), 7),
    order_id) WHERE phone_number IS NOT NULL;
CREATE INDEX applications_same_document ON applications (upper(replace(replace(document_number, ' ', ''), '-', '')), order_id)
    WHERE document_number IS NOT NULL;
CREATE INDEX payments_same_card ON payments (card_last_four, order_id) WHERE card_last_four IS NOT NULL;
