//! An order's dispute in the contract.

use chrono::NaiveDate;
use serde::Serialize;
use utoipa::ToSchema;

use super::rules::deadline;
use super::store;
use super::terms::{ChargebackOutcome, Network, ReasonGroup, Urgency};
use crate::config::ChargebackSettings as Terms;
use crate::money::Money;
use crate::timestamp::Timestamp;

/// Record of a dispute. Days are the agency's calendar days.
#[derive(Serialize, ToSchema)]
pub struct Chargeback {
    /// The network whose rules apply.
    pub network: Network,
    /// Null: not recorded yet.
    pub reason_group: Option<ReasonGroup>,
    /// The network's own code, such as 10.4.
    pub reason_code: Option<String>,
    /// The bank's case number; null: not recorded yet.
    pub case_id: Option<String>,
    /// A decimal text such as `149.00`.
    pub amount: Option<String>,
    /// ISO 4217.
    pub currency: Option<String>,
    /// The acquirer's reference number.
    pub arn: Option<String>,
    /// The day on which the dispute was opened.
    #[schema(value_type = String, format = Date)]
    pub opened_on: NaiveDate,
    /// The last day on which the network accepts a response.
    #[schema(value_type = String, format = Date)]
    pub respond_by: NaiveDate,
    /// The agency's own deadline: `respond_by`, or earlier.
    #[schema(value_type = String, format = Date)]
    pub working_deadline: NaiveDate,
    /// Days to the working deadline, below zero when it has passed; null: decided.
    pub days_left: Option<i64>,
    /// The time left, in a word.
    pub urgency: Urgency,
    /// The outcome; `Open` until the bank decides.
    pub outcome: ChargebackOutcome,
    /// The member's name, or the part of the program.
    pub updated_by: String,
    /// Send it back with a change, so that no change in between is overwritten.
    #[schema(value_type = String, format = DateTime)]
    pub updated_at: Timestamp,
}

impl Chargeback {
    pub fn new(chargeback: store::DisputeRecord, today: NaiveDate, terms: &Terms) -> Self {
        let store::DisputeRecord { dispute, updated_by, updated_at } = chargeback;
        let due = ChargebackDue::new(&dispute, today, terms);
        let amount = dispute.amount();
        Self {
            network: dispute.network,
            reason_group: dispute.reason_group,
            reason_code: dispute.reason_code,
            case_id: dispute.case_id,
            amount: amount.map(Money::decimal),
            currency: amount.map(|amount| amount.currency.code().to_owned()),
            arn: dispute.arn,
            opened_on: dispute.opened_on,
            respond_by: due.respond_by,
            working_deadline: due.working_deadline,
            days_left: due.days_left,
            urgency: due.urgency,
            outcome: due.outcome,
            updated_by,
            updated_at,
        }
    }
}

/// Deadline of a dispute
#[derive(Serialize, ToSchema)]
pub struct ChargebackDue {
    /// The last day on which the network accepts a response.
    #[schema(value_type = String, format = Date)]
    pub respond_by: NaiveDate,
    /// The agency's own deadline: `respond_by`, or earlier.
    #[schema(value_type = String, format = Date)]
    pub working_deadline: NaiveDate,
    /// Days to the working deadline, below zero when it has passed; null: decided.
    pub days_left: Option<i64>,
    /// The time left, in a word.
    pub urgency: Urgency,
    /// The outcome; `Open` until the bank decides.
    pub outcome: ChargebackOutcome,
}

impl ChargebackDue {
    pub fn new(dispute: &store::Dispute, today: NaiveDate, terms: &Terms) -> Self {
        let due = deadline(dispute, today, terms);
        Self {
            respond_by: dispute.respond_by,
            working_deadline: due.working_deadline,
            days_left: due.days_left,
            urgency: due.urgency,
            outcome: dispute.outcome,
        }
    }
}
