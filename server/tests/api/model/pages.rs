//! What must hold at the end of a sequence, as the pages of staff and applicants show it.

use serde_json::{Value, json};
use visadesk::audit::chain;
use visadesk::orders::status::ProcessStatus::Deleted;

use super::invariants::{Rule, Violations};
use super::rows::Rows;
use super::steps::Member;
use super::world::{Known, World};
use crate::counts::FOLDERS;

/// The kinds of files that are not the applicant's.
const NOT_OF_APPLICANT: [&str; 5] = ["visa", "waiting_visa", "withdrawn_visa", "filing_receipt", "portal_photograph"];

/// Asks for every page that states something about the orders.
pub async fn check(world: &World, found: &mut Violations) {
    let rows = Rows::read(world.node()).await;
    for member in Member::ALL {
        let is_active = rows.member(world.id_of(member)).deleted_at.is_none();
        if is_active {
            check_folders(world, member, &rows, found).await;
        }
    }
    for known in &world.orders {
        check_kit(world, known.id, found).await;
        check_pack(world, known, &rows, found).await;
        check_applicant(world, known, &rows, found).await;
    }
    let audit = &world.node().app.audit;
    while chain::extend_chain(audit).await.expect("the chain grows") > 0 {}
    let verified = tokio::task::block_in_place(|| chain::verify(world.node().db()));
    found.expect(verified.is_ok(), Rule::AuditVerifies, || format!("{verified:?}"));
}

/// The count of each folder is the length of its list, and each order in work is in the list that a member would look for it in.
async fn check_folders(world: &World, member: Member, rows: &Rows, found: &mut Violations) {
    let client = world.as_member(member);
    let counts = client.get("/admin/get-all-folder-count").await;
    for (folder, key) in FOLDERS {
        let list = client.get(&format!("/admin/get-orders-list/{folder}?limit=1000")).await;
        if list.status == 403 {
            continue;
        }
        let ids = list.order_ids();
        found.expect(counts.data()[key] == ids.len() && list.json["total"] == ids.len(), Rule::Folder, || {
            format!("{} counts {} in {folder}, which lists {ids:?}", member.name(), counts.data()[key])
        });
        let expected: Vec<i64> = rows
            .orders
            .iter()
            .filter(|order| {
                let is_own = order.owner == Some(world.id_of(member));
                let is_priority = order.mode.starts_with("Priority");
                match (folder, order.status.as_str()) {
                    ("allOrder", _) => true,
                    ("newOrder", "New") => order.owner.is_none() && !is_priority,
                    ("priorityOrder", "New") => order.owner.is_none() && is_priority,
                    ("myOrder", "Completed" | "Refunds" | "ChargeBack" | "Deleted") => false,
                    ("myOrder", _) => is_own,
                    ("futureOrder", "Future")
                    | ("pendingOrder", "Pending")
                    | ("completedOrder", "Completed")
                    | ("deletedOrder", "Deleted")
                    | ("awaitingOrder", "Awaiting")
                    | ("awaitingGovtOrder", "AwaitingGovt")
                    | ("customerCalledOrder", "Customer Called")
                    | ("contactCustomerOrder", "Contact Customer")
                    | ("refundOrder", "Refunds")
                    | ("chargeBackOrder", "ChargeBack") => true,
                    _ => false,
                }
            })
            .map(|order| order.id)
            .collect();
        let mut listed = ids.clone();
        listed.sort_unstable();
        found.expect(listed == expected, Rule::Folder, || {
            format!("{} finds {listed:?} in {folder}, where {expected:?} belong", member.name())
        });
    }
}

async fn check_kit(world: &World, id: i64, found: &mut Violations) {
    let filing = world.as_member(Member::Ayu).get(&format!("/admin/order-filing/{id}")).await;
    let files = filing.data()["files"].as_array().cloned().unwrap_or_default();
    let labels: Vec<&str> = files.iter().filter_map(|file| file["label"].as_str()).collect();
    let is_own = |label: &&str| !["visa", "receipt"].iter().any(|part| label.to_lowercase().contains(part));
    found.expect(labels.iter().all(is_own), Rule::KitOrigin, || format!("the kit of order {id} has {labels:?}"));
    let values = filing.data()["sections"].as_array().cloned().unwrap_or_default();
    let phone = values
        .iter()
        .flat_map(|section| section["values"].as_array().cloned().unwrap_or_default())
        .find(|value| value["field"].as_str().is_some_and(|field| field.contains("phone")))
        .and_then(|value| value["value"].as_str().map(str::to_owned))
        .unwrap_or_default();
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    found.expect(
        digits.is_empty() || (digits.starts_with("4477009") && digits.len() >= 12),
        Rule::PortalTelephone,
        || format!("the portal gets {phone} of order {id}"),
    );
}

async fn check_pack(world: &World, known: &Known, rows: &Rows, found: &mut Violations) {
    let id = known.id;
    let body = json!({ "orderId": id });
    let details = world.as_member(Member::Ayu).post("/admin/defence-pack-details", body).await;
    if details.status != 200 {
        return;
    }
    let evidence = details.data()["evidence"].as_array().cloned().unwrap_or_default();
    let detail = |code: &str| evidence.iter().find(|piece| piece["code"] == code).map(|piece| piece["detail"].clone());
    let of_applicant = rows
        .documents
        .iter()
        .filter(|document| document.order == id && !NOT_OF_APPLICANT.contains(&document.kind.as_str()))
        .count();
    let documents = detail("documents").and_then(|detail| detail.as_str().map(str::to_owned)).unwrap_or_default();
    let counted: usize = documents.split(' ').next().and_then(|count| count.parse().ok()).unwrap_or_default();
    found.expect(counted == of_applicant, Rule::PackOrigin, || {
        format!("the pack of order {id} counts {documents:?}, and the applicant sent {of_applicant}")
    });
    let own: Vec<&String> = known.old_emails.iter().chain([&known.email]).collect();
    let carried = rows.mails.iter().any(|mail| {
        mail.order == id && mail.state == "sent" && mail.document.is_some() && own.contains(&&mail.recipient)
    });
    let says = detail("mail").is_some_and(|detail| detail != Value::Null);
    found.expect(carried || !says, Rule::PackDelivery, || format!("the pack of order {id} says {:?}", detail("mail")));
}

async fn check_applicant(world: &World, known: &Known, rows: &Rows, found: &mut Violations) {
    let (id, order) = (known.id, rows.order(known.id).expect("the order"));
    let anonymous = world.node().anonymous();
    for old in &known.old_emails {
        let answer = anonymous.track(id, old).await;
        found.expect(answer.status != 200, Rule::OldAddress, || format!("{old} opens order {id}: {answer}"));
    }
    if let (Some(link), Deleted) = (world.links.get(&id), order.status) {
        let visitor = world.node().with_token(world.visitors.get(&id).cloned().unwrap_or_default());
        let file = visitor.page(&format!("/{link}")).await;
        found.expect(file.status == 404, Rule::HiddenOrder, || format!("order {id} is deleted, and its visa opens"));
    }
    let answer = anonymous.track(id, &known.email).await;
    let Some(token) = answer.json["visitorToken"].as_str() else {
        found.expect(order.status == Deleted, Rule::HiddenOrder, || format!("order {id} cannot be tracked: {answer}"));
        let unknown = anonymous.track(999_999, &known.email).await;
        found.expect(answer.to_string() == unknown.to_string(), Rule::HiddenOrder, || {
            format!("{answer}, not {unknown}")
        });
        return;
    };
    found.expect(order.status != Deleted, Rule::HiddenOrder, || format!("order {id} is deleted and can be tracked"));
    let page = world.node().with_token(token).history(id).await;
    let timeline = page.json["mainResult"]["timeline"].as_array().cloned().unwrap_or_default();
    let first_visa = rows
        .documents
        .iter()
        .filter(|document| document.order == id && document.kind == "visa")
        .map(|document| document.created_at)
        .min();
    let is_early = timeline.iter().filter(|step| step["stage"] == "ready").any(|step| {
        let at = step["at"].as_str().and_then(|at| chrono::DateTime::parse_from_rfc3339(at).ok());
        at.is_some_and(|at| first_visa.is_none_or(|visa| at.timestamp() < visa.timestamp()))
    });
    found.expect(!is_early, Rule::ReadyBeforeVisa, || format!("order {id}: {timeline:?}, first visa {first_visa:?}"));
}
