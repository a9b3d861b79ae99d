-- ChargeBack is sorted by the earlier of two days: the network's last one, and the agency's, which follows the opening.
CREATE INDEX chargebacks_respond_by ON chargebacks (outcome, respond_by, order_id);
CREATE INDEX chargebacks_opened_on ON chargebacks (outcome, opened_on, order_id);
