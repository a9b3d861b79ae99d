-- What lists show of an order besides its own row: the kinds of its files, separated by commas, and the state of its newest mail if that
-- failed or may not have arrived. Mails that staff stopped do not count, nor do tracking codes, which applicants request.
CREATE VIEW order_findings AS
SELECT o.order_id,
       (SELECT group_concat(d.kind, ',') FROM documents d WHERE d.order_id = o.order_id) AS document_kinds,
       (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END
        FROM mails m
        WHERE m.order_id = o.order_id AND m.kind <> 'tracking code'
        ORDER BY m.mail_id DESC LIMIT 1) AS mail_problem
FROM orders o;
