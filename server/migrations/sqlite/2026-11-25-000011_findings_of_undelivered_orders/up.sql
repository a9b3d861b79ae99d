-- No list asks for the files of an order that ever had a visa or a dispute, and most orders had: reading them cost a list of 500 orders
-- as much as the orders.
DROP VIEW order_findings;
CREATE VIEW order_findings AS
SELECT o.order_id,
       CASE WHEN NOT o.had_visa_or_dispute THEN
           (SELECT group_concat(d.kind, ',') FROM documents d WHERE d.order_id = o.order_id)
       END AS document_kinds,
       (SELECT CASE WHEN m.state IN ('failed', 'unknown') AND m.stopped_at IS NULL THEN m.state END
        FROM mails m
        WHERE m.order_id = o.order_id AND m.kind <> 'tracking code'
        ORDER BY m.mail_id DESC LIMIT 1) AS mail_problem
FROM orders o;
