//! The home screen: what needs a member of staff, the last 30 days, and one's own day; for each type of staff what it may see.

mod statements;

use chrono::{Days, TimeDelta};
use diesel::prelude::*;
use serde_json::{Value, json};
use visadesk::db::schema::{mails, orders, staff};
use visadesk::ids::StaffId;
use visadesk::money::Currency;
use visadesk::orders::facts::Payment;
use visadesk::orders::rules::ProcessingMode;
use visadesk::orders::status::ProcessStatus;
use visadesk::orders::status::ProcessStatus::{
    Awaiting, AwaitingGovt, ChargeBack, Completed, ContactCustomer, CustomerCalled, Deleted, Future, New, Pending,
    Refunds,
};
use visadesk::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};
use visadesk::timestamp::Timestamp;

use crate::support::mails::past_mail;
use crate::support::statements::Statements;
use crate::support::{Answer, Client, TestApp};

async fn home(client: &Client<'_>) -> Answer {
    let answer = client.get("/admin/home").await;
    assert_eq!(answer.status, 200, "{answer}");
    answer
}

fn group<'a>(answer: &'a Answer, name: &str) -> &'a Value {
    let groups = answer.data()["groups"].as_array().expect("groups");
    groups.iter().find(|group| group["group"] == name).expect("the group")
}

/// The total of a group, and number and reason of the orders that are shown.
fn shown(answer: &Answer, name: &str) -> (i64, Vec<(i64, String)>) {
    let group = group(answer, name);
    let orders = group["orders"].as_array().expect("orders").iter();
    let rows = orders.map(|order| {
        let reason = order["reason"].as_str().expect("a reason").to_owned();
        (order["order_id"].as_i64().expect("an id"), reason)
    });
    (group["total"].as_i64().expect("a total"), rows.collect())
}

fn rows(expected: &[(i64, &str)]) -> Vec<(i64, String)> {
    expected.iter().map(|(order, reason)| (*order, (*reason).to_owned())).collect()
}

fn paid(minor: i64, currency: &str, paid_at: Timestamp) -> Option<Payment> {
    Some(Payment {
        gateway: "Stripe".into(),
        payment_reference: "pi_1".into(),
        amount_minor: minor,
        currency: Currency::parse(currency).expect("a currency"),
        card_brand: None,
        card_last_four: None,
        paid_at,
    })
}

/// Pretends that the order was last changed at that time.
async fn changed_at(test: &TestApp, order: i64, at: Timestamp) {
    test.write(move |tx| {
        let row = orders::table.filter(orders::order_id.eq(order));
        Ok(diesel::update(row).set(orders::updated_at.eq(at)).execute(tx)?)
    })
    .await;
}

#[tokio::test]
async fn priority_orders_without_an_owner_are_listed_by_how_long_they_wait() {
    let test = TestApp::start().await;
    test.clock.stop();
    let citra = test.add_member(Team, "Citra").await;
    let now = test.clock.now();
    let add = async |minutes: i64, owner: Option<i64>, mode: ProcessingMode| {
        test.add_order_with(New, |order| {
            order.created_at = now - TimeDelta::minutes(minutes);
            (order.processing_mode, order.assign_to) = (mode, owner.map(StaffId));
        })
        .await
    };
    let mut waiting = Vec::new();
    for minutes in [5, 40, 130, 3_000] {
        waiting.insert(0, add(minutes, None, ProcessingMode::Priority).await);
    }
    add(10_000, Some(citra), ProcessingMode::Priority).await;
    add(10_000, None, ProcessingMode::Regular).await;
    let answer = home(&test.as_staff(Team, "Budi")).await;
    let expected =
        rows(&[(waiting[0], "Waiting 2 days"), (waiting[1], "Waiting 2 h 10 min"), (waiting[2], "Waiting 40 min")]);
    assert_eq!(shown(&answer, "priority"), (4, expected));
    let group = group(&answer, "priority");
    assert_eq!((&group["folder"], &group["more"]), (&json!("priorityOrder"), &json!(false)));
    assert_eq!((&group["orders"][0]["is_urgent"], &group["orders"][2]["is_urgent"]), (&json!(true), &json!(false)));
}

#[tokio::test]
async fn disputes_are_listed_by_the_days_to_their_working_deadline() {
    let test = TestApp::start_with(|config| config.chargebacks.working_days = 10).await;
    let today = test.clock.today(chrono_tz::Asia::Jakarta);
    let budi = test.as_staff(Team, "Budi");
    let dispute = async |opened: i64, respond: i64, outcome: &str| {
        let order = test.add_order(ChargeBack).await;
        let day = |days: i64| (today + TimeDelta::days(days)).to_string();
        let body = json!({ "orderId": order, "network": "Visa", "outcome": outcome, "openedOn": day(opened), "respondBy": day(respond) });
        let saved = budi.post("/admin/save-chargeback", body).await;
        assert_eq!(saved.status, 200, "{saved}");
        order
    };
    // The agency's own deadline is ten days after the opening, unless the network's day is earlier.
    let own_deadline = dispute(-8, 60, "Open").await;
    let late = dispute(-20, -3, "Open").await;
    dispute(-1, 40, "Open").await;
    let network_deadline = dispute(0, 1, "Open").await;
    dispute(-30, -20, "Won").await;
    let answer = home(&budi).await;
    let expected =
        rows(&[(late, "Overdue by 10 days"), (network_deadline, "1 day left"), (own_deadline, "2 days left")]);
    assert_eq!(shown(&answer, "disputes"), (4, expected));
    assert_eq!(group(&answer, "disputes")["folder"], "chargeBackOrder");
}

#[tokio::test]
async fn an_order_is_listed_while_its_newest_email_did_not_surely_arrive() {
    let test = TestApp::start().await;
    let now = test.clock.now();
    let at = |days: i64| now - TimeDelta::days(days);
    let (failed, unknown) = (test.add_order(Completed).await, test.add_order(Completed).await);
    test.add_mail(past_mail(unknown, "approval", "failed", at(3))).await;
    test.add_mail(past_mail(unknown, "resend", "unknown", at(2))).await;
    test.add_mail(past_mail(failed, "approval", "failed", at(1))).await;
    test.add_mail(past_mail(failed, "tracking code", "sent", at(0))).await;
    for (status, mails) in [
        (Completed, [("approval", "failed"), ("resend", "sent")]),
        (Completed, [("approval", "failed"), ("resend", "queued")]),
        (Completed, [("approval", "sent"), ("tracking code", "failed")]),
        (Deleted, [("approval", "sent"), ("refund", "failed")]),
    ] {
        let order = test.add_order(status).await;
        for (kind, state) in mails {
            test.add_mail(past_mail(order, kind, state, at(1))).await;
        }
    }
    let old = test.add_order(Completed).await;
    test.add_mail(past_mail(old, "approval", "failed", at(31))).await;
    let stopped = test.add_order(Completed).await;
    let mail_id = test.add_mail(past_mail(stopped, "refund", "failed", at(1))).await;
    test.write(move |tx| Ok(diesel::update(mails::table.find(mail_id)).set(mails::stopped_at.eq(now)).execute(tx)?))
        .await;
    let answer = home(&test.as_staff(Team, "Budi")).await;
    assert_eq!(shown(&answer, "emails"), (2, rows(&[(failed, "Not sent"), (unknown, "May not have arrived")])));
}

#[tokio::test]
async fn an_order_in_work_is_listed_after_three_days_without_a_member_of_staff() {
    let test = TestApp::start().await;
    test.clock.stop();
    let citra = test.add_member(Team, "Citra").await;
    let budi = test.as_staff(Team, "Budi");
    let at = |hours: i64| test.clock.now() - TimeDelta::hours(hours);
    let mut untouched = Vec::new();
    for (place, &status) in ProcessStatus::ALL.iter().enumerate() {
        let order = test
            .add_order_with(status, |order| {
                order.processing_date = test.clock.today(chrono_tz::Asia::Jakarta).checked_add_days(Days::new(9));
            })
            .await;
        changed_at(&test, order, at(200 - place as i64)).await;
        if matches!(status, New | AwaitingGovt | ContactCustomer | CustomerCalled) {
            untouched.push((order, "Untouched for 8 days"));
        } else {
            assert!(matches!(status, Pending | Future | Awaiting | Completed | Refunds | ChargeBack | Deleted));
        }
    }
    let recent = test.add_order(New).await;
    changed_at(&test, recent, at(71)).await;
    let taken = test.add_order_with(New, |order| order.assign_to = Some(StaffId(citra))).await;
    changed_at(&test, taken, at(72)).await;
    // A remark does not change the order, but a member of staff was there.
    let with_remark = test.add_order(New).await;
    changed_at(&test, with_remark, at(300)).await;
    let remark = json!({ "orderId": with_remark, "remark": "Called", "whatsapp": "", "telephone": "Y", "statusRefund": "", "voided": "", "chargeBack": "" });
    assert_eq!(budi.post("/admin/add-new-remark", remark).await.status, 200);
    let answer = home(&budi).await;
    assert_eq!(shown(&answer, "untouched"), (5, rows(&untouched[..3])));
    // A telecaller has no Order History, and My Orders has only those that they own.
    let answer = home(&test.as_staff(Telecaller, "Tia")).await;
    assert_eq!(shown(&answer, "untouched"), (0, vec![]));
    // After three days without anybody it is listed again, since the remark.
    test.later(TimeDelta::hours(73));
    let answer = home(&test.as_staff(Admin, "Ayu")).await;
    assert_eq!(shown(&answer, "untouched").0, 7);
}

#[tokio::test]
async fn untouched_orders_are_listed_by_their_last_touch_which_may_be_a_remark() {
    let test = TestApp::start().await;
    test.clock.stop();
    let budi = test.as_staff(Team, "Budi");
    let (with_remark, other) = (test.add_order(New).await, test.add_order(New).await);
    changed_at(&test, with_remark, test.clock.now() - TimeDelta::hours(300)).await;
    changed_at(&test, other, test.clock.now() - TimeDelta::hours(200)).await;
    let remark = json!({ "orderId": with_remark, "remark": "Called", "whatsapp": "", "telephone": "Y", "statusRefund": "", "voided": "", "chargeBack": "" });
    assert_eq!(budi.post("/admin/add-new-remark", remark).await.status, 200);
    test.later(TimeDelta::hours(80));
    let expected = rows(&[(other, "Untouched for 11 days"), (with_remark, "Untouched for 3 days")]);
    let answer = home(&test.as_staff(Admin, "Ayu")).await;
    assert_eq!(shown(&answer, "untouched"), (2, expected));
}

#[tokio::test]
async fn the_groups_of_a_telecaller_are_not_those_that_another_one_has_just_read() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (tia, tono) = (test.as_staff(Telecaller, "Tia"), test.as_staff(Telecaller, "Tono"));
    let owner = StaffId(tia.id().await);
    let order = test.add_order_with(New, |order| order.assign_to = Some(owner)).await;
    changed_at(&test, order, test.clock.now() - TimeDelta::hours(100)).await;
    // The New order of Tia is in her folders alone.
    assert_eq!(shown(&home(&tono).await, "untouched").0, 0);
    assert_eq!(shown(&home(&tia).await, "untouched").0, 1);
}

#[tokio::test]
async fn the_numbers_count_each_of_the_last_thirty_days_in_the_agency_time_zone() {
    let test = TestApp::start().await;
    let zone = chrono_tz::Asia::Jakarta;
    let today = test.clock.today(zone);
    let start = |back: u64| visadesk::calendar::start(today.checked_sub_days(Days::new(back)).expect("a day"), zone);
    let add = async |status: ProcessStatus, at: Timestamp, payment: Option<Payment>| {
        test.add_order_with(status, |order| (order.created_at, order.payment) = (at, payment)).await
    };
    let microsecond = TimeDelta::microseconds(1);
    add(New, start(0), paid(11_900, "USD", start(0))).await;
    add(New, start(0) - microsecond, paid(5_000, "USD", start(1))).await;
    add(New, start(29), paid(700, "JPY", start(29))).await;
    add(New, start(29) - microsecond, paid(9_900, "USD", start(30))).await;
    for status in [Pending, Deleted] {
        add(status, start(2), paid(100_000, "USD", start(2))).await;
    }
    let budi = test.add_member(Team, "Budi").await;
    let complete = async |mode: ProcessingMode, done: Timestamp, minutes: i64| {
        test.add_order_with(Completed, |order| {
            order.created_at = start(400);
            order.processing_mode = mode;
            (order.processed_by, order.processed_at) = (Some(StaffId(budi)), Some(done));
            order.payment = paid(1, "EUR", done - TimeDelta::minutes(minutes));
        })
        .await
    };
    complete(ProcessingMode::Regular, start(0), 600).await;
    complete(ProcessingMode::Regular, start(1), 500).await;
    complete(ProcessingMode::Priority, start(1) + microsecond, 100).await;
    complete(ProcessingMode::Regular, start(29) - microsecond, 7).await;
    // Orders of an older system may be completed before their payment is recorded: they have no time to delivery.
    complete(ProcessingMode::Regular, start(3), -50).await;
    complete(ProcessingMode::Regular, start(3), -60).await;

    let answer = home(&test.as_staff(Manager, "Made")).await;
    let numbers = &answer.data()["numbers"];
    let days = numbers["days"].as_array().expect("days");
    assert_eq!(
        (days.len(), &days[29]["day"], &days[0]["day"]),
        (30, &json!(today), &json!(today - TimeDelta::days(29)))
    );
    let of = |back: usize| (days[29 - back]["received"].as_i64(), days[29 - back]["completed"].as_i64());
    assert_eq!(
        [of(0), of(1), of(2), of(3), of(29)],
        [(Some(1), Some(1)), (Some(1), Some(2)), (Some(0), Some(0)), (Some(0), Some(2)), (Some(1), Some(0))]
    );
    assert_eq!((&numbers["received"], &numbers["completed"]), (&json!(3), &json!(5)));
    let sums = json!([{ "currency": "JPY", "amount": "700" }, { "currency": "USD", "amount": "169.00" }]);
    assert_eq!(numbers["paid"], sums);
    assert_eq!((&numbers["median_minutes"], &numbers["priority_median_minutes"]), (&json!(500), &json!(100)));
    let own = &home(&test.as_staff(Team, "Budi")).await.data()["my_day"].clone();
    assert_eq!(own, &json!({ "open": 0, "completed_today": 1 }));
}

#[tokio::test]
async fn each_type_sees_the_numbers_and_sums_that_it_may() {
    let test = TestApp::start().await;
    let now = test.clock.now();
    test.add_order_with(New, |order| order.payment = paid(11_900, "USD", now)).await;
    for (staff_type, has_numbers, has_sums) in [
        (Admin, true, true),
        (Manager, true, true),
        (Team, true, false),
        (Telecaller, false, false),
        (NightStaff, true, false),
    ] {
        let client = test.as_staff(staff_type, staff_type.as_str());
        let answer = home(&client).await;
        let numbers = &answer.data()["numbers"];
        assert_eq!(!numbers.is_null(), has_numbers, "{staff_type}");
        assert_eq!(numbers["paid"].is_array(), has_sums, "{staff_type}");
        for name in ["emails", "untouched"] {
            let folder = group(&answer, name)["folder"].as_str().expect("a folder").to_owned();
            let list = client.get(&format!("/admin/get-orders-list/{folder}")).await;
            assert_eq!(list.status, 200, "{staff_type} may open the folder of {name}");
        }
    }
    assert_eq!(StaffType::ALL.len(), 5);
}

#[tokio::test]
async fn own_open_and_completed_orders_are_counted_at_once() {
    let test = TestApp::start().await;
    let budi = test.as_staff(Team, "Budi");
    let (one, other) = (test.add_order(New).await, test.add_order(New).await);
    let day = async || home(&budi).await.data()["my_day"].clone();
    assert_eq!(day().await, json!({ "open": 0, "completed_today": 0 }));
    let taken = budi.put("/admin/assign-order-status", json!({ "orderId": [one, other], "assignto": "Budi" })).await;
    assert_eq!(taken.status, 200, "{taken}");
    assert_eq!(day().await, json!({ "open": 2, "completed_today": 0 }));
    let moved = budi.put("/admin/move-order-status", json!({ "orderId": one, "updatingStatus": "Completed" })).await;
    assert_eq!(moved.status, 200, "{moved}");
    assert_eq!(day().await, json!({ "open": 1, "completed_today": 1 }));
}

#[tokio::test]
async fn groups_and_numbers_are_read_once_a_minute_for_all_members_of_a_type() {
    let test = TestApp::start().await;
    test.clock.stop();
    let (budi, citra) = (test.as_staff(Team, "Budi"), test.as_staff(Team, "Citra"));
    for client in [&budi, &citra] {
        client.id().await;
    }
    let add = async || test.add_order_with(New, |order| order.processing_mode = ProcessingMode::Priority).await;
    add().await;
    let total = |answer: &Answer| shown(answer, "priority").0;
    assert_eq!(total(&home(&budi).await), 1);
    let statements = Statements::watch(&test).await;
    add().await;
    statements.take();
    let answer = home(&citra).await;
    assert_eq!(total(&answer), 1, "the groups of the last minute");
    let again: Vec<String> =
        statements.take().into_iter().filter(|sql| sql.contains("mails") || sql.contains("CASE WHEN")).collect();
    assert_eq!(again, [""; 0]);
    test.later(TimeDelta::seconds(60));
    let later = home(&citra).await;
    assert_eq!(total(&later), 2);
    assert_ne!(answer.data()["as_of"], later.data()["as_of"]);
    assert!(statements.take().iter().any(|sql| sql.contains("CASE WHEN")), "the statements are recorded");
}

#[tokio::test]
async fn an_admin_is_told_what_the_installation_still_lacks_until_it_lacks_nothing() {
    let test = TestApp::start_with(|config| {
        config.public_url = "http://localhost:8080".into();
        config.backups.place = String::new();
    })
    .await;
    let (ayu, of_demo) = (test.as_staff(Admin, "Ayu"), "ayu@demo.visadesk.example");
    let left = async |client: &Client<'_>| home(client).await.data()["first_run"].clone();
    let configured = ["set_up_mail", "set_public_url", "schedule_backups"];
    assert_eq!(left(&ayu).await, json!([&["second_factor", "add_colleagues"][..], &configured].concat()));
    let made = test.as_staff(Manager, "Made");
    assert_eq!(left(&made).await, json!([]), "nobody but Admins can do it");
    assert_eq!(left(&ayu).await, json!([&["second_factor"][..], &configured].concat()));
    test.write(move |tx| {
        let member = staff::table.filter(staff::name.eq("Made"));
        Ok(diesel::update(member).set((staff::email.eq(of_demo), staff::email_key.eq(of_demo))).execute(tx)?)
    })
    .await;
    assert_eq!(left(&ayu).await[0], "delete_demo_people");

    let ready = TestApp::start_with(|config| {
        config.public_url = "https://desk.agency.example".into();
        config.backups.place = "/mnt/backups".into();
        config.mail.aws = "smtps://name:password@mail.example".into();
    })
    .await;
    let ayu = ready.as_staff(Admin, "Ayu");
    ready.as_staff(Team, "Budi").id().await;
    assert_eq!(left(&ayu).await, json!(["second_factor"]));
}
