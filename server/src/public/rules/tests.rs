use crate::ids::{OrderId, StaffId};
use crate::timestamp::Timestamp;
use std::cell::Cell;

use super::*;

fn at(day: u32) -> Timestamp {
    format!("2026-05-{day:02}T09:00:00Z").parse().unwrap()
}

fn order(process_status: ProcessStatus) -> TrackedFacts {
    TrackedFacts {
        order_id: OrderId(100_001),
        process_status,
        full_name: "Ana Putri".into(),
        visa_type: Some("C1".into()),
        assign_to: None,
        processed_at: None,
        refund_date: None,
        created_at: at(1),
        updated_at: at(9),
        visa_issued_at: None,
        first_visa_at: None,
    }
}

#[test]
fn either_address_of_the_order_confirms_it_in_any_case() {
    let known = Emails { contact: "Ana.Putri@post.example".into(), account: Some("family@post.example".into()) };
    let confirms = |typed| confirms(typed, Some(&known), str::to_owned);
    for right in ["ana.putri@post.example", " ANA.PUTRI@POST.EXAMPLE\t", "Family@Post.Example"] {
        assert!(confirms(right), "{right}");
    }
    for wrong in ["", " ", "ana.putri@post.exampl", "ana.putri", "@", "ana.putri@post.example,family@post.example"] {
        assert!(!confirms(wrong), "{wrong}");
    }
    let same = Emails { contact: "ana@post.example".into(), account: Some("Ana@post.example".into()) };
    assert!(super::confirms("ana@post.example", Some(&same), str::to_owned), "both are this address");
    let none = Emails { contact: "ana@post.example".into(), account: None };
    assert!(!super::confirms("", Some(&none), str::to_owned), "a missing address is not confirmed by an empty one");
    assert!(!super::confirms("", None, str::to_owned) && !super::confirms("ana@post.example", None, str::to_owned));
}

#[test]
fn right_wrong_and_unknown_cost_the_same_work() {
    let both = Emails { contact: "ana@post.example".into(), account: Some("family@post.example".into()) };
    let one = Emails { contact: "ana@post.example".into(), account: None };
    let work = |typed: &str, known: Option<&Emails>| {
        let signatures = Cell::new(0);
        confirms(typed, known, |text| {
            signatures.set(signatures.get() + 1);
            text.to_owned()
        });
        signatures.get()
    };
    let costs = [
        work("ana@post.example", Some(&both)),
        work("family@post.example", Some(&both)),
        work("wrong@post.example", Some(&both)),
        work("ana@post.example", Some(&one)),
        work("wrong@post.example", Some(&one)),
        work("ana@post.example", None),
    ];
    assert!(costs[0] > 0 && costs.iter().all(|cost| *cost == costs[0]), "{costs:?}");
}

#[test]
fn every_status_is_a_stage() {
    let stages = |visa: Option<Timestamp>| {
        ProcessStatus::ALL
            .iter()
            .map(move |status| stage(&TrackedFacts { visa_issued_at: visa, first_visa_at: visa, ..order(*status) }))
    };
    use Stage::*;
    // New, Pending, Future, Awaiting, AwaitingGovt, Contact Customer, Customer Called, Completed, Refunds, ChargeBack, Deleted.
    let without = [
        Received,
        Received,
        Received,
        WaitingForYou,
        WithImmigration,
        WaitingForYou,
        InReview,
        InReview,
        Closed,
        Closed,
        Closed,
    ];
    let with = [
        Received,
        Received,
        Received,
        WaitingForYou,
        WithImmigration,
        WaitingForYou,
        Ready,
        Ready,
        Closed,
        Closed,
        Closed,
    ];
    assert_eq!(stages(None).collect::<Vec<_>>(), without);
    assert_eq!(stages(Some(at(5))).collect::<Vec<_>>(), with);
    assert_eq!(stage(&TrackedFacts { assign_to: Some(StaffId(7)), ..order(ProcessStatus::New) }), InReview);
}

#[test]
fn the_timeline_starts_with_received_skips_repeated_stages_and_ends_with_the_current_one() {
    use ProcessStatus::{AwaitingGovt, Completed, CustomerCalled, Deleted, New, Refunds};
    let told = |order: &TrackedFacts, changes: &[(Timestamp, ProcessStatus)]| -> Vec<(Stage, u32)> {
        use chrono::Datelike;
        timeline(order, changes).into_iter().map(|step| (step.stage, step.at.day())).collect()
    };
    let done = TrackedFacts { visa_issued_at: Some(at(6)), first_visa_at: Some(at(6)), ..order(Completed) };
    let changes = [
        (at(1), New),
        (at(2), AwaitingGovt),
        (at(3), Deleted),
        (at(4), AwaitingGovt),
        (at(6), Completed),
        (at(7), CustomerCalled),
        (at(8), Completed),
    ];
    assert_eq!(told(&done, &changes), [(Stage::Received, 1), (Stage::WithImmigration, 2), (Stage::Ready, 6)]);

    // From an older system, without a trail.
    assert_eq!(told(&done, &[]), [(Stage::Received, 1), (Stage::Ready, 6)]);
    let refunded = TrackedFacts { refund_date: Some(at(8)), ..order(Refunds) };
    assert_eq!(told(&refunded, &[]), [(Stage::Received, 1), (Stage::Closed, 8)]);
    let taken = TrackedFacts { assign_to: Some(StaffId(7)), ..order(New) };
    assert_eq!(told(&taken, &[]), [(Stage::Received, 1), (Stage::InReview, 9)]);
    assert_eq!(told(&order(New), &[]), [(Stage::Received, 1)]);
}

#[test]
fn an_order_lists_the_documents_and_the_reply_that_it_needs() {
    let told = |status, given: &[&str]| -> Vec<&'static str> {
        let given = given.iter().map(|kind| (*kind).to_owned()).collect();
        needs(&order(status), &given).iter().map(|need| need.label.unwrap_or(need.code.as_str())).collect()
    };
    let bank = "Bank statement (minimum USD 2000)";
    assert_eq!(told(ProcessStatus::New, &[]), ["Passport", bank, "Recent colour photograph"]);
    assert_eq!(told(ProcessStatus::Awaiting, &["passport_picture", "upload_picture"]), ["reply", bank]);
    assert_eq!(
        told(ProcessStatus::ContactCustomer, &["passport_picture", "upload_picture", "bank_statement"]),
        ["reply"]
    );
    for quiet in
        [ProcessStatus::Completed, ProcessStatus::AwaitingGovt, ProcessStatus::Refunds, ProcessStatus::ChargeBack]
    {
        assert_eq!(told(quiet, &[]), [""; 0], "{quiet}");
    }
    let ready =
        TrackedFacts { visa_issued_at: Some(at(6)), first_visa_at: Some(at(6)), ..order(ProcessStatus::Completed) };
    assert_eq!(needs(&ready, &HashSet::new()), []);
    let unknown = TrackedFacts { visa_type: None, ..order(ProcessStatus::New) };
    assert_eq!(needs(&unknown, &HashSet::new()), []);
}

#[test]
fn a_code_is_six_digits_with_or_without_spaces() {
    assert_eq!(parse_code(" 123 456\u{a0}").as_deref(), Some("123456"));
    assert_eq!(parse_code("000000").as_deref(), Some("000000"));
    for wrong in ["", "12345", "1234567", "12345a", "１２３４５６", "-12345"] {
        assert_eq!(parse_code(wrong), None, "{wrong}");
    }
}
