//! What the filing of an order warns of.

use serde_json::json;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::papers::worker::check_due;
use visadesk::staff::rules::StaffType::Team;

use super::{filing, warnings};
use crate::paper_requests::{ask, order_for_c1, photograph, send};
use crate::papers::give_to;
use crate::support::portraits::Fault;
use crate::support::sample_files::pdf;
use crate::support::{Client, TestApp};

/// What the bank statement of C1 is called.
const STATEMENT: &str = "Bank statement (minimum USD 2000)";

/// What is open about the papers of an order.
async fn of_papers(staff: &Client<'_>, order: i64) -> Vec<String> {
    let filing = filing(staff, order).await;
    let open = warnings(&filing).into_iter().filter(|(place, _)| *place == "papers");
    open.map(|(_, text)| text.to_owned()).collect()
}

#[tokio::test]
async fn what_a_member_said_about_the_newest_file_of_a_paper_is_repeated() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    for kind in ["passport_picture", "upload_picture", "bank_statement"] {
        give_to(&test, order, kind, pdf()).await;
    }
    assert_eq!(of_papers(&budi, order).await, [""; 0]);
    let set = async |state: &str| {
        let papers = budi.get(&format!("/admin/order-papers/{order}")).await;
        let papers = papers.data()["papers"].as_array().expect("papers").clone();
        let statement = papers.iter().find(|paper| paper["kind"] == "bank_statement").expect("it is needed");
        let body = json!({
            "orderId": order, "kind": "bank_statement", "documentId": statement["document_id"], "state": state, "reason": null,
        });
        assert_eq!(budi.post("/admin/set-paper-state", body).await.status, 200);
    };
    for state in ["unreadable", "wrong", "expired"] {
        set(state).await;
        assert_eq!(of_papers(&budi, order).await, [format!("{STATEMENT} is {state}.")]);
    }
    give_to(&test, order, "bank_statement", pdf()).await;
    assert_eq!(of_papers(&budi, order).await, [""; 0], "a newer file came");
    set("fine").await;
    assert_eq!(of_papers(&budi, order).await, [""; 0]);
}

#[tokio::test]
async fn a_paper_that_its_applicant_still_owes_is_named_once_until_it_is_in() {
    let test = TestApp::start().await;
    let order = order_for_c1(&test, New).await;
    let budi = test.as_staff(Team, "Budi");
    give_to(&test, order, "passport_picture", pdf()).await;
    give_to(&test, order, "bank_statement", pdf()).await;
    let missing = "Recent colour photograph is missing.";
    assert_eq!(of_papers(&budi, order).await, [missing]);
    let items = [("bank_statement", "balance_too_low"), ("recent_photo", "missing"), ("guarantor_letter", "missing")];
    assert_eq!(ask(&budi, order, &items).await.status, 200);
    let mut open = of_papers(&budi, order).await;
    open.sort();
    assert_eq!(
        open,
        [
            format!("{STATEMENT}: the applicant has been asked for another one."),
            "Guarantor letter is missing. The applicant has been asked for it.".to_owned(),
            format!("{missing} The applicant has been asked for it."),
        ]
    );

    let move_to = async |status: &str| {
        let body = json!({ "orderId": order, "updatingStatus": status });
        assert_eq!(budi.put("/admin/change-order-status", body).await.status, 200);
    };
    move_to("New").await;
    assert_eq!(of_papers(&budi, order).await, [missing], "staff have moved it on");
    move_to("Awaiting").await;
    let visitor = test.as_visitor(order).await;
    for kind in ["bank_statement", "guarantor_letter"] {
        assert_eq!(send(&visitor, order, kind, pdf()).await.status, 200);
    }
    let label = "Recent colour photograph";
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::Pixels)).await.status, 200);
    assert_eq!(of_papers(&budi, order).await, [format!("{label}: a new file is being checked.")]);
    check_due(&test.app.papers).await.expect("the photograph is checked");
    let faults = format!("{label}: the new file has faults. The applicant may send another one.");
    assert_eq!(of_papers(&budi, order).await, [faults]);
    assert_eq!(send(&visitor, order, "recent_photo", photograph(Fault::None)).await.status, 200);
    check_due(&test.app.papers).await.expect("the photograph is checked");
    assert_eq!(of_papers(&budi, order).await, [""; 0]);
}
