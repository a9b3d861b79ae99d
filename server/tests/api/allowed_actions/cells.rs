//! The cells of the table: one action by one type of staff on one kind of order, and how the server answers.

use std::fmt;

use chrono::Days;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use visadesk::config::Config;
use visadesk::ids::StaffId;
use visadesk::orders::status::ProcessStatus::{self, AwaitingGovt, ChargeBack, New, Refunds};
use visadesk::staff::rules::StaffType;

use super::actions::{ANOTHER, Action, OWNER, Target};
use crate::filing::file_application;
use crate::paper_requests::ask;
use crate::papers::give_to;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// What an order has apart from its status.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Situation {
    /// No owner, and a processing date ahead, as all others have unless they say otherwise.
    Unassigned,
    OwnedByMember,
    OwnedByAnother,
    WithoutDate,
    WithVisa,
    Refunded,
    RefundMailStopped,
    AskedForDocuments,
    Filed,
    Disputed,
}

impl Situation {
    pub const ALL: [(Self, &str); 10] = [
        (Self::Unassigned, "unassigned"),
        (Self::OwnedByMember, "the member's own"),
        (Self::OwnedByAnother, "another member's"),
        (Self::WithoutDate, "without a processing date ahead"),
        (Self::WithVisa, "with a visa"),
        (Self::Refunded, "marked as refunded"),
        (Self::RefundMailStopped, "marked as refunded and its email stopped"),
        (Self::AskedForDocuments, "asked for documents"),
        (Self::Filed, "filed with the portal"),
        (Self::Disputed, "was in ChargeBack"),
    ];
}

impl fmt::Display for Situation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(Self::ALL.iter().find(|(one, _)| one == self).map_or("", |(_, name)| name))
    }
}

/// A cell of the table.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// The place of the action among all.
    pub action: usize,
    pub who: StaffType,
    pub status: ProcessStatus,
    pub situation: Situation,
    /// Chooses what makes no difference.
    pub choice: usize,
}

/// A refusal's code, or none if the server allowed the action.
pub type Outcome = Option<String>;

/// The server with its members, each with one session.
pub struct Agency<'a> {
    test: &'a TestApp,
    members: Vec<(StaffType, Client<'a>)>,
    /// Who brings orders into their situations.
    leader: Client<'a>,
    /// Held by an action that starts a child process.
    slow: Mutex<()>,
    owner: StaffId,
}

/// Without limits that would refuse many actions by one member. Emails about refunds wait, so that they can be stopped.
pub fn without_limits(config: &mut Config) {
    config.refunds.delay_mails_above = 0;
    config.limits.files_per_member_and_day = 1_000_000;
    config.limits.mails_per_member_and_hour = 1_000_000;
    config.limits.mails_elsewhere_per_member_and_hour = 1_000_000;
}

fn name_of(who: StaffType) -> String {
    format!("The {who}")
}

impl<'a> Agency<'a> {
    pub async fn of(test: &'a TestApp) -> Self {
        let members = StaffType::ALL.iter().map(|who| (*who, test.as_staff(*who, &name_of(*who)))).collect();
        let agency = Self {
            test,
            members,
            leader: test.as_staff(StaffType::Admin, "Ayu"),
            slow: Mutex::new(()),
            owner: StaffId(test.add_member(StaffType::Team, OWNER).await),
        };
        test.add_member(StaffType::Team, ANOTHER).await;
        for (_, member) in &agency.members {
            member.id().await;
        }
        agency.leader.id().await;
        agency
    }

    pub fn member(&self, who: StaffType) -> &Client<'a> {
        self.members.iter().find(|(one, _)| *one == who).map(|(_, client)| client).expect("every type has a member")
    }

    /// Adds an order of the cell. Only what the program itself does brings it into its situation and its status.
    pub async fn order_for(&self, who: StaffType, status: ProcessStatus, situation: Situation) -> i64 {
        let today = self.test.clock.today(self.test.app.config.time_zone);
        let ahead = if situation == Situation::WithoutDate { 0 } else { 30 };
        let owner = match situation {
            Situation::OwnedByMember => Some(StaffId(self.member(who).id().await)),
            Situation::OwnedByAnother => Some(self.owner),
            _ => None,
        };
        let first = match situation {
            Situation::Refunded | Situation::RefundMailStopped => Refunds,
            Situation::AskedForDocuments | Situation::Filed => New,
            Situation::Disputed => ChargeBack,
            _ => status,
        };
        let order = self
            .test
            .add_order_with(first, |order| {
                order.processing_date = today.checked_add_days(Days::new(ahead));
                order.assign_to = owner;
            })
            .await;
        let (then, answer) = match situation {
            Situation::WithVisa => {
                self.test.add_visa(order).await;
                return order;
            }
            Situation::Refunded | Situation::RefundMailStopped => {
                let selected = json!({ "orderId": [order] });
                let mut done = self.leader.put("/admin/move-to-complete-refund", selected.clone()).await;
                if situation == Situation::RefundMailStopped {
                    done = self.leader.put("/admin/stop-refund-mails", selected).await;
                    assert_eq!(done.json["changed"], 1, "{done}");
                }
                (Refunds, done)
            }
            Situation::AskedForDocuments => {
                (ProcessStatus::Awaiting, ask(&self.leader, order, &[("passport", "missing")]).await)
            }
            Situation::Filed => {
                (AwaitingGovt, file_application(&self.leader, order, &format!("EV-{order}"), None).await)
            }
            Situation::Disputed => {
                self.move_to(order, New).await;
                self.move_to(order, ChargeBack).await;
                self.move_to(order, status).await;
                return order;
            }
            _ => return order,
        };
        assert_eq!(answer.status, 200, "{situation}: {answer}");
        if then != status {
            self.move_to(order, status).await;
        }
        order
    }

    async fn move_to(&self, order: i64, status: ProcessStatus) {
        let body = json!({ "orderId": order, "updatingStatus": status.as_str(), "updated_at": null });
        let moved = self.leader.put("/admin/move-order-status", body).await;
        assert_eq!(moved.status, 200, "to {status}: {moved}");
    }

    /// Asks for the cell's action on a new order.
    pub async fn ask(&self, actions: &[Action], cell: Cell) -> Outcome {
        let action = &actions[cell.action];
        let order = self.order_for(cell.who, cell.status, cell.situation).await;
        let mut document = None;
        if let Some(kind) = action.needed_document() {
            give_to(self.test, order, kind, pdf()).await;
            let papers = self.leader.get(&format!("/admin/order-papers/{order}")).await;
            let papers = papers.data()["papers"].as_array().cloned().unwrap_or_default();
            let given = papers.iter().find(|paper| paper["kind"] == kind);
            document = given.and_then(|paper| paper["document_id"].as_i64());
            assert!(document.is_some(), "{papers:?}");
        }
        // A member generates one pack at a time.
        let _one_child = if action.is_slow() { Some(self.slow.lock().await) } else { None };
        let today = self.test.clock.today(self.test.app.config.time_zone).to_string();
        let target = Target { order, document, member: name_of(cell.who), today, choice: cell.choice };
        let answer = action.ask(self.member(cell.who), &target).await;
        if answer.status == 200 {
            return None;
        }
        let code = answer.json["code"].as_str().unwrap_or_default().to_owned();
        // Others say that the request was wrong, and not what the member or the order may: no row of the page has them.
        let is_rule = matches!(answer.status, 403 | 404 | 409 | 422) && code != "wrong_shape";
        if !is_rule {
            return Some(answer.to_string());
        }
        Some(code)
    }

    /// What the order's details offer the member.
    pub async fn offered(&self, who: StaffType, order: i64) -> Value {
        let details = self.member(who).get(&format!("/admin/get-orders-details/{order}")).await;
        assert_eq!(details.status, 200, "{details}");
        details.data()["allowed"].clone()
    }
}
