//! The actions of staff on one order: calls with bodies that are valid, so that only a rule refuses them.

use reqwest::multipart::{Form, Part};
use serde_json::{Map, Value, json};
use visadesk::orders::rules::Folder;
use visadesk::orders::status::ProcessStatus;

use crate::deliveries::registered_visa;
use crate::support::calls::{Call, calls, example_for};
use crate::support::{Answer, Client};

/// An order that an action is tried on.
pub struct Target {
    pub order: i64,
    /// One of its documents, if the action needs one.
    pub document: Option<i64>,
    /// The name of the member who acts.
    pub member: String,
    pub today: String,
    /// Chooses what makes no difference: a list to delete from.
    pub choice: usize,
}

/// One action.
pub struct Action {
    /// The heading that it is listed under.
    pub group: &'static str,
    pub name: String,
    pub call: &'static str,
    /// The fields of the body that differ from the call's example.
    with: Box<dyn Fn(&Target) -> Value>,
}

/// The calls about an order that are no action here, because they decide on one file and not on the order: what a check found in it, and
/// whether it is a picture.
pub const OF_A_FILE: [&str; 4] = ["look_at_finding", "look_at_visa", "decide_visa", "make_portal_photograph"];

/// The calls whose actions take too long to be tried on every order: they start child processes.
const SLOW: [&str; 2] = ["upload_visa_document", "get_defence_pack_pdf"];

/// The heading of what changes nothing about an order.
const LOOK: &str = "Remarks and views";

/// The member to whom orders are assigned, and who owns some already.
pub const ANOTHER: &str = "Sari";
pub const OWNER: &str = "Wayan";

impl Action {
    /// Whether the short form tries it on a few orders only: it is a view, starts a child process, or is one of the many moves, which one rule
    /// decides.
    pub fn is_sampled(&self) -> bool {
        self.is_alike() || self.name.starts_with("Move to")
    }

    /// Whether the page says that nothing but the status makes a difference. The long form relies on it, and the sample of the short form proves it.
    pub fn is_alike(&self) -> bool {
        self.is_slow() || self.group == LOOK
    }

    /// Whether it starts a child process.
    pub fn is_slow(&self) -> bool {
        SLOW.contains(&self.call)
    }

    /// The kind of document that it needs of the applicant.
    pub fn needed_document(&self) -> Option<&'static str> {
        match self.call {
            "set_paper_state" | "check_papers" => Some("recent_photo"),
            "filing_kit" => Some("bank_statement"),
            _ => None,
        }
    }

    fn declared(&self) -> &'static Call {
        calls().iter().find(|call| call.name == self.call).unwrap_or_else(|| panic!("{} is a call", self.call))
    }

    /// Asks for the action.
    pub async fn ask(&self, member: &Client<'_>, target: &Target) -> Answer {
        let call = self.declared();
        let mut path = call.template.replace("{orderId}", &target.order.to_string());
        if self.call == "order_history" {
            path += "?history=remarks";
        }
        let request = member.request(call.method.clone(), &path).await;
        let form = || Form::new().text("orderId", target.order.to_string());
        let request = match self.call {
            "upload_visa_document" => {
                let file = Part::bytes(registered_visa(target.order, "PA1234567", "ANA PUTRI", "17/05/1990"))
                    .file_name("e-visa.pdf");
                request.multipart(form().text("email", "ana@post.example").part("uploadVisaDoc", file))
            }
            "file_application" => request.multipart(form().text("applicationNumber", format!("EV-{}", target.order))),
            _ => match example_for(self.call, target.order) {
                None => request,
                Some(mut body) => {
                    let with = (self.with)(target);
                    body.as_object_mut().expect("an object").extend(with.as_object().cloned().unwrap_or_default());
                    request.json(&body)
                }
            },
        };
        member.send(request).await
    }
}

fn nothing(_: &Target) -> Value {
    Value::Null
}

/// All actions, in the order of the document.
pub fn actions() -> Vec<Action> {
    let mut actions = Vec::new();
    let mut add = |group: &'static str, name: &str, call: &'static str, with: Box<dyn Fn(&Target) -> Value>| {
        actions.push(Action { group, name: name.to_owned(), call, with });
    };
    const OWNER_GROUP: &str = "Owner";
    add(OWNER_GROUP, "Assign to oneself", "assign_orders", Box::new(|target| json!({ "assignto": target.member })));
    add(OWNER_GROUP, "Assign to another member", "assign_orders", Box::new(|_| json!({ "assignto": ANOTHER })));
    let another = |_: &Target| json!({ "assignto": ANOTHER, "note": "The owner is ill" });
    add(OWNER_GROUP, "Reassign to another member, with a note", "reassign_orders", Box::new(another));
    add(OWNER_GROUP, "Hand over to another member", "hand_over_orders", Box::new(another));
    add(OWNER_GROUP, "Give back", "assign_orders", Box::new(|_| json!({ "assignto": "" })));

    const STATUS: &str = "Status";
    for to in ProcessStatus::ALL.iter().filter(|to| **to != ProcessStatus::Deleted) {
        let with = move |_: &Target| json!({ "updatingStatus": to.as_str(), "updated_at": null });
        add(STATUS, &format!("Move to {to}"), "move_order_status", Box::new(with));
    }
    let deleted = |_: &Target| json!({ "updatingStatus": "Deleted", "updated_at": null });
    add(STATUS, "Delete, on its own screen", "move_order_status", Box::new(deleted));
    add(STATUS, "Delete, in the list My Orders", "change_order_status", Box::new(|_| deleted_from("myOrder")));
    let other_list = |target: &Target| {
        let others: Vec<&str> =
            Folder::ALL.iter().filter(|(folder, _)| *folder != Folder::My).map(|(_, name)| *name).collect();
        deleted_from(others[target.choice % others.len()])
    };
    add(STATUS, "Delete, in another list", "change_order_status", Box::new(other_list));
    add(STATUS, "Restore", "restore_orders", Box::new(nothing));

    const REFUNDS: &str = "Refunds";
    add(REFUNDS, "Mark as refunded", "refund_orders", Box::new(nothing));
    add(REFUNDS, "Take the mark back", "take_back_refund", Box::new(nothing));
    add(REFUNDS, "Stop the waiting email about it", "stop_refund_mails", Box::new(nothing));
    add(REFUNDS, "Send the stopped email about it after all", "send_refund_mails", Box::new(nothing));

    const VISA: &str = "Visa and emails";
    add(VISA, "Upload the visa", "upload_visa_document", Box::new(nothing));
    let to_ana = |_: &Target| json!({ "email": "ana@post.example" });
    add(VISA, "Send the visa's email again", "resend_mail", Box::new(to_ana));
    add(VISA, "Send the download link", "send_download_mail", Box::new(to_ana));
    add(VISA, "Read the email", "email_content", Box::new(nothing));
    add(VISA, "End the links in its emails", "revoke_mailed_links", Box::new(nothing));

    const APPLICATION: &str = "Application and documents";
    let correct = |_: &Target| json!({ "fields": { "nationality": { "before": "Australia", "after": "Japan" } } });
    add(APPLICATION, "Correct what the customer entered", "correct_order", Box::new(correct));
    let paper = |_: &Target| json!({ "items": [{ "kind": "passport", "reason": "missing" }] });
    add(APPLICATION, "Preview a request for documents", "preview_paper_request", Box::new(paper));
    add(APPLICATION, "Ask for documents", "ask_for_papers", Box::new(paper));
    add(APPLICATION, "Withdraw the request", "withdraw_paper_request", Box::new(nothing));
    let state = |target: &Target| json!({ "documentId": target.document });
    add(APPLICATION, "Accept or reject a document", "set_paper_state", Box::new(state));
    add(APPLICATION, "Check its documents again", "check_papers", Box::new(nothing));
    add(APPLICATION, "Download the files for the portal", "filing_kit", Box::new(nothing));
    add(APPLICATION, "Claim it in order to file it", "claim_filing", Box::new(|_| json!({ "takeOver": null })));
    add(APPLICATION, "End one's claim", "release_filing", Box::new(nothing));
    add(APPLICATION, "Record the filed application", "file_application", Box::new(nothing));
    add(APPLICATION, "Record that the portal refused it", "refuse_application", Box::new(nothing));

    const DISPUTES: &str = "Disputes";
    add(DISPUTES, "Save the transaction details", "save_transaction_details", Box::new(nothing));
    let open = |target: &Target| json!({ "openedOn": target.today, "updated_at": null });
    add(DISPUTES, "Save the chargeback", "save_chargeback", Box::new(open));
    let won = |target: &Target| json!({ "openedOn": target.today, "updated_at": null, "outcome": "Won" });
    add(DISPUTES, "Save the chargeback as won", "save_chargeback", Box::new(won));
    add(DISPUTES, "See the facts of a defence pack", "defence_pack_details", Box::new(nothing));
    add(DISPUTES, "Generate a defence pack", "get_defence_pack_pdf", Box::new(|_| json!({ "defencePackType": 2 })));

    add(LOOK, "Add a remark", "add_remark", Box::new(nothing));
    add(LOOK, "Tell colleagues that one has it open", "set_presence", Box::new(nothing));
    for (name, call) in [
        ("See the order", "order_details"),
        ("See its history", "order_history"),
        ("See its duplicates", "order_duplicates"),
        ("See its documents", "order_papers"),
        ("See what the portal asks for", "order_filing"),
    ] {
        add(LOOK, name, call, Box::new(nothing));
    }
    actions
}

fn deleted_from(folder: &str) -> Value {
    json!({ "updatingStatus": "Deleted", "folderName": folder })
}

/// The calls of staff that name an order in their path or body.
pub fn calls_about_an_order() -> Vec<&'static str> {
    let names_it = |call: &&Call| {
        let body: Option<Map<String, Value>> = example_for(&call.name, 1).and_then(|body| body.as_object().cloned());
        call.template.contains("/admin/")
            && (call.template.contains("{orderId}") || body.is_some_and(|body| body.contains_key("orderId")))
    };
    calls().iter().filter(names_it).map(|call| call.name.as_str()).collect()
}
