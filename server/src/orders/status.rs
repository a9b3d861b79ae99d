//! The meaning of each status of an order. Every rule about statuses is a method here, with a match over all of them: a new status
//! does not compile until each rule has decided about it. Pure.

use chrono::NaiveDate;

use crate::text_enum;

text_enum! {
    /// The status of an order: `process_status` on the wire (spec §4).
    pub enum ProcessStatus {
        New = "New",
        /// The payment is not confirmed yet.
        Pending = "Pending",
        /// Paid, and its processing date is ahead.
        Future = "Future",
        /// The applicant has to send something.
        Awaiting = "Awaiting",
        /// Filed with the government.
        AwaitingGovt = "AwaitingGovt",
        /// A telecaller has to call the applicant.
        ContactCustomer = "Contact Customer",
        CustomerCalled = "Customer Called",
        Completed = "Completed",
        Refunds = "Refunds",
        ChargeBack = "ChargeBack",
        Deleted = "Deleted",
    }
}

text_enum! {
    /// The stage of an order as its applicant sees it.
    pub enum Stage {
        Received = "received",
        InReview = "in_review",
        WaitingForYou = "waiting_for_you",
        WithImmigration = "with_immigration",
        /// The visa can be downloaded.
        Ready = "ready",
        Closed = "closed",
    }
}

use ProcessStatus::{
    Awaiting, AwaitingGovt, ChargeBack, Completed, ContactCustomer, CustomerCalled, Deleted, Future, New, Pending,
    Refunds,
};

impl ProcessStatus {
    /// The label in lists, on buttons and in messages.
    pub fn label(self) -> &'static str {
        match self {
            Awaiting => "Awaiting Customer",
            AwaitingGovt => "Awaiting Govt",
            New | Pending | Future | ContactCustomer | CustomerCalled | Completed | Refunds | ChargeBack | Deleted => {
                self.as_str()
            }
        }
    }

    /// The order is closed: delivered, refunded, disputed or deleted. My Orders lists the others (spec §2).
    pub fn is_final(self) -> bool {
        match self {
            New | Pending | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled => false,
            Completed | Refunds | ChargeBack | Deleted => true,
        }
    }

    /// The agency's next step is due.
    pub fn is_in_work(self) -> bool {
        match self {
            New | AwaitingGovt | ContactCustomer | CustomerCalled => true,
            // Unpaid, not due yet, or the applicant's turn.
            Pending | Future | Awaiting => false,
            // Done; a chargeback has its own deadline.
            Completed | Refunds | ChargeBack | Deleted => false,
        }
    }

    /// The applicant's next step is due: where a request for documents moves an order, or where telecallers find it afterwards.
    pub fn waits_for_applicant(self) -> bool {
        match self {
            Awaiting | ContactCustomer | CustomerCalled => true,
            New | Pending | Future | AwaitingGovt | Completed | Refunds | ChargeBack | Deleted => false,
        }
    }

    /// The order becomes due by a payment or on a day.
    pub fn waits_for_release(self) -> bool {
        match self {
            Pending | Future => true,
            New | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled | Completed | Refunds | ChargeBack
            | Deleted => false,
        }
    }

    /// The application is not filed with the government yet, and still has to be.
    pub fn is_to_be_filed(self) -> bool {
        match self {
            New | Pending | Future | Awaiting | ContactCustomer | CustomerCalled => true,
            AwaitingGovt | Completed | Refunds | ChargeBack | Deleted => false,
        }
    }

    /// The required documents are still needed: the order is paid, and not filed.
    pub fn needs_documents(self) -> bool {
        match self {
            New | Future | Awaiting | ContactCustomer | CustomerCalled => true,
            Pending | AwaitingGovt | Completed | Refunds | ChargeBack | Deleted => false,
        }
    }

    /// Documents may be requested from the applicant. The government asks for some after the filing.
    pub fn may_request_documents(self) -> bool {
        match self {
            New | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled => true,
            Pending | Completed | Refunds | ChargeBack | Deleted => false,
        }
    }

    /// An issued visa completes the order.
    pub fn is_completed_by_visa(self) -> bool {
        !self.is_final()
    }

    /// The stage as the applicant sees it; none if applicants do not see the order. `has_visa`: there is a visa.
    pub fn stage(self, has_visa: bool) -> Option<Stage> {
        Some(match self {
            New | Pending | Future => Stage::Received,
            Awaiting | ContactCustomer => Stage::WaitingForYou,
            AwaitingGovt => Stage::WithImmigration,
            // Customers are called about completed orders and about those in progress.
            Completed | CustomerCalled if has_visa => Stage::Ready,
            Completed | CustomerCalled => Stage::InReview,
            Refunds | ChargeBack => Stage::Closed,
            Deleted => return None,
        })
    }

    /// Applicants and the public do not see the order (invariant 16).
    pub fn is_hidden(self) -> bool {
        match self {
            Deleted => true,
            New | Pending | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled | Completed
            | Refunds | ChargeBack => false,
        }
    }

    /// Members may send emails about the order. Those link to its page, which a hidden order does not have.
    pub fn may_be_emailed_about(self) -> bool {
        !self.is_hidden()
    }

    /// The values that the customer entered may be corrected. A deleted order is restored first.
    pub fn may_be_corrected(self) -> bool {
        !self.is_hidden()
    }

    /// The bank decides whether the payment stands: the order has a dispute.
    pub fn is_disputed(self) -> bool {
        match self {
            ChargeBack => true,
            New | Pending | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled | Completed
            | Refunds | Deleted => false,
        }
    }

    /// Takes transaction details and defence packs: it was delivered, or its delivery is disputed (spec §2).
    pub fn may_be_defended(self) -> bool {
        match self {
            Completed | CustomerCalled | ChargeBack => true,
            New | Pending | Future | Awaiting | AwaitingGovt | ContactCustomer | Refunds | Deleted => false,
        }
    }

    /// May prove to a bank that an earlier payment of the same customer was not disputed.
    pub fn may_be_prior(self) -> bool {
        match self {
            New | Pending | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled | Completed => true,
            Refunds | ChargeBack | Deleted => false,
        }
    }

    /// Counts in the reports: a sale that was not taken back as a mistake.
    pub fn is_reported(self) -> bool {
        match self {
            New | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled | Completed | Refunds
            | ChargeBack => true,
            Pending | Deleted => false,
        }
    }

    /// Orders stay in the status, so their number only grows. The triggers `orders_days_…` count the same ones by day.
    pub fn accumulates(self) -> bool {
        match self {
            Pending | Completed | Refunds | ChargeBack | Deleted => true,
            New | Future | Awaiting | AwaitingGovt | ContactCustomer | CustomerCalled => false,
        }
    }

    /// The status of a new order: unpaid, due on a later day, or new.
    pub fn first(is_paid: bool, processing_date: Option<NaiveDate>, today: NaiveDate) -> Self {
        if is_paid { Future.unless_due(processing_date, today) } else { Pending }
    }

    /// The status as of today: an order does not wait for a day that has come, or for none.
    pub fn unless_due(self, processing_date: Option<NaiveDate>, today: NaiveDate) -> Self {
        match self {
            Future if processing_date.is_none_or(|date| date <= today) => New,
            status => status,
        }
    }

    /// The SQL condition that an order has one of the statuses for which `rule` holds.
    pub fn condition(rule: fn(Self) -> bool) -> String {
        let named: Vec<String> =
            Self::ALL.iter().filter(|status| rule(**status)).map(|status| format!("'{status}'")).collect();
        format!("process_status IN ({})", named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_status_is_spelled_as_the_wire_has_it() {
        let spelled: Vec<&str> = ProcessStatus::ALL.iter().map(|status| status.as_str()).collect();
        assert_eq!(
            spelled,
            [
                "New",
                "Pending",
                "Future",
                "Awaiting",
                "AwaitingGovt",
                "Contact Customer",
                "Customer Called",
                "Completed",
                "Refunds",
                "ChargeBack",
                "Deleted"
            ]
        );
    }

    #[test]
    fn the_condition_of_orders_in_work_is_that_of_their_index() {
        // SQLite uses the index `orders_in_work` for no other spelling.
        assert_eq!(
            ProcessStatus::condition(ProcessStatus::is_in_work),
            "process_status IN ('New', 'AwaitingGovt', 'Contact Customer', 'Customer Called')"
        );
    }

    #[test]
    fn an_order_waits_for_a_later_day_only() {
        let today = NaiveDate::from_ymd_opt(2026, 11, 25).expect("a day");
        let first = |date| ProcessStatus::first(true, date, today);
        assert_eq!([first(today.succ_opt()), first(Some(today)), first(None)], [Future, New, New]);
        assert_eq!(ProcessStatus::first(false, today.succ_opt(), today), Pending);
        assert_eq!(Awaiting.unless_due(None, today), Awaiting);
    }
}
