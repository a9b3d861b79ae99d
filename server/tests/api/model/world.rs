//! The world of a sequence: the nodes, the people, and what they remember of earlier answers.

use std::collections::HashMap;

use chrono::TimeDelta;
use serde_json::Value;
use visadesk::app::maintenance;
use visadesk::casework::paper_reminders;
use visadesk::deliveries::release;
use visadesk::deliveries::worker as deliveries;
use visadesk::ids::StaffId;
use visadesk::lifecycle::scheduler;
use visadesk::mail::worker as mails;
use visadesk::papers::worker as papers;
use visadesk::staff::store;
use visadesk::staff::tokens::Remember;

use super::requests::{letters, new_address};
use super::steps::{Correction, Desk, Member, Order, Site, Step, Wait};
use crate::intake::shop_key;
use crate::support::database::Database;
use crate::support::visitors::without_limits;
use crate::support::{Answer, Client, TestApp};

/// How many orders there are at the beginning: a regular one, a priority one, an unpaid one and one whose day of processing is ahead.
pub const FIRST_ORDERS: usize = 4;

/// What the people know of an order.
#[derive(Clone, Debug)]
pub struct Known {
    pub id: i64,
    pub email: String,
    /// The addresses before its corrections.
    pub old_emails: Vec<String>,
    pub(super) passport: String,
    pub(super) name: String,
    /// How often its telephone number was corrected.
    pub(super) phones: u32,
}

/// Where a sequence runs.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub database: Database,
    /// One or two: the steps alternate between them.
    pub nodes: usize,
}

impl Place {
    /// One node on the database of this run.
    pub fn usual() -> Place {
        Place { database: Database::of_the_run(), nodes: 1 }
    }
}

/// The nodes, the people, and what they remember.
pub struct World {
    nodes: Vec<TestApp>,
    pub(super) key: String,
    tokens: HashMap<Member, (i64, String)>,
    pub(super) visitors: HashMap<i64, String>,
    pub(super) undo: HashMap<Member, Value>,
    /// The newest signed link of each order's visa.
    pub links: HashMap<i64, String>,
    pub orders: Vec<Known>,
    taken: usize,
}

impl World {
    /// A new installation with four orders.
    pub async fn make(place: Place) -> World {
        let first = TestApp::start_over_a(place.database, |config| {
            without_limits(config);
            config.refunds.approval_orders = 2;
            config.papers.reminder_days = vec![2, 5];
        })
        .await;
        // The day does not end in the middle of a sequence at one speed, and not at another.
        let time = first.clock.now();
        first.later(TimeDelta::days(1) - TimeDelta::seconds(time.timestamp().rem_euclid(86_400)) + TimeDelta::hours(2));
        let mut all = vec![first];
        for _ in 1..place.nodes {
            let another = all[0].another_node().await;
            all.push(another);
        }
        let key = shop_key(&all[0]).await;
        let mut world = World {
            nodes: all,
            key,
            tokens: HashMap::new(),
            visitors: HashMap::new(),
            undo: HashMap::new(),
            links: HashMap::new(),
            orders: Vec::new(),
            taken: 0,
        };
        for member in Member::ALL {
            let id = world.node().add_member(member.staff_type(), member.name()).await;
            world.tokens.insert(member, (id, String::new()));
        }
        world.begin_sessions().await;
        for (number, reference) in (0..FIRST_ORDERS).zip(100..) {
            let answer = world.create_order(reference, number != 2).await;
            assert_eq!(answer.status, 200, "{answer}");
        }
        world
    }

    /// The node that serves the next step.
    pub fn node(&self) -> &TestApp {
        &self.nodes[self.taken % self.nodes.len()]
    }

    /// A client of a member, at the node of the next step.
    pub fn as_member(&self, member: Member) -> Client<'_> {
        self.node().with_token(self.tokens[&member].1.clone())
    }

    pub fn id_of(&self, member: Member) -> i64 {
        self.tokens[&member].0
    }

    /// Every member whose session ended by time signs in again.
    async fn begin_sessions(&mut self) {
        for member in Member::ALL {
            let (id, token) = self.tokens[&member].clone();
            let is_open = !token.is_empty() && self.node().with_token(token).get("/user_info").await.status == 200;
            let staff = self.node().read(move |conn| store::find(conn, StaffId(id))).await;
            if !is_open && staff.is_some() {
                let session = self.node().begin_session(id, Remember::No).await;
                self.tokens.insert(member, (id, session.token));
            }
        }
    }

    pub(super) fn known(&self, order: Order) -> &Known {
        &self.orders[order.0 % self.orders.len()]
    }

    pub fn id(&self, order: Order) -> i64 {
        self.known(order).id
    }

    pub(super) fn ids(&self, orders: &[Order]) -> Vec<i64> {
        orders.iter().map(|order| self.id(*order)).collect()
    }

    /// Takes a step. None: it is no request.
    pub async fn take(&mut self, step: &Step) -> Option<Answer> {
        self.taken += 1;
        match step {
            Step::Desk(member, desk) => {
                let answer = self.desk(*member, desk).await;
                let undo = &answer.json["undo"]["event_id"];
                if undo.is_i64() {
                    self.undo.insert(*member, undo.clone());
                }
                if let (Desk::AddPhoneOrder, 200) = (desk, answer.status) {
                    self.remember(&answer, 90);
                }
                if let (Desk::Correct(order, Correction::Email), 200) = (desk, answer.status) {
                    let place = order.0 % self.orders.len();
                    let known = &mut self.orders[place];
                    let new = new_address(known);
                    known.old_emails.push(std::mem::replace(&mut known.email, new));
                }
                if let (Desk::Correct(order, Correction::Phone), 200) = (desk, answer.status) {
                    let place = order.0 % self.orders.len();
                    self.orders[place].phones += 1;
                }
                Some(answer)
            }
            Step::Applicant(order, applicant) => self.applicant(*order, *applicant).await,
            Step::Site(Site::CreateOrder(reference, is_paid)) => Some(self.create_order(*reference, *is_paid).await),
            Step::Site(site) => Some(self.site(*site).await),
            Step::Later(wait) => {
                let by = match wait {
                    Wait::Minutes => TimeDelta::minutes(11),
                    Wait::Hours => TimeDelta::hours(5),
                    Wait::Days => TimeDelta::days(4),
                };
                self.node().later(by);
                self.run_jobs().await;
                self.begin_sessions().await;
                None
            }
        }
    }

    /// Runs the background jobs until nothing is due.
    pub async fn run_jobs(&self) {
        let app = &self.node().app;
        scheduler::release_due(&app.lifecycle).await.expect("the scheduler runs");
        deliveries::read_due(&app.deliveries).await.expect("visas are read");
        release::deliver_due(&app.deliveries).await.expect("visas are delivered");
        // Before the papers are checked: a check can take longer than the time to a reminder.
        paper_reminders::remind_due(&app.casework).await.expect("reminders are queued");
        papers::check_due(&app.papers).await.expect("papers are checked");
        mails::send_due(&app.mail).await.expect("mails are sent");
        maintenance::merge_counters(app).await.expect("counters are merged");
    }

    /// Notes an order unless it is known already.
    pub(super) fn remember(&mut self, answer: &Answer, reference: u8) {
        let Some(id) = answer.data()["order_id"].as_i64() else { return };
        if self.orders.iter().all(|known| known.id != id) {
            let email = if reference == 90 {
                "emily@post.example".to_owned()
            } else {
                format!("traveller{reference}@post.example")
            };
            let (passport, name) = (format!("PA12345{reference:02}"), format!("TRAVELLER {}", letters(reference)));
            self.orders.push(Known { id, email, old_emails: Vec::new(), passport, name, phones: 0 });
        }
    }
}
