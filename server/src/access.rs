//! Access to the calls: one table, deny by default. A call that the table lacks cannot be served.

pub mod check;
pub mod errors;
pub mod viewers;

use std::collections::HashMap;
use std::sync::Arc;

use axum::http::Method;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::Operation;

use crate::audit::access_log::AccessLog;
use crate::audit::reader::Reader;
use crate::audit::store::Actor;
use crate::error::{Error, Result};
use crate::http::kit::Kit;
use crate::intake::Intake;
use crate::intake::rules::keys::KeyRight;
use crate::orders::rules as order_rules;
use crate::orders::rules::Folder;
use crate::staff::Identity;
use crate::staff::rules::{Abilities, Staff, StaffType, rows_per_hour};
use crate::tracking::Tracking;
use crate::tracking::limits::Call;

/// The dependencies of authentication and of the access check.
pub struct Gate {
    pub table: AccessTable,
    pub identity: Arc<Identity>,
    pub tracking: Arc<Tracking>,
    pub intake: Arc<Intake>,
    pub access_log: AccessLog,
    pub kit: Arc<Kit>,
}

impl Gate {
    /// The member as a reader whose views are noted.
    fn reader(&self, staff: &Staff) -> Reader {
        let budget = rows_per_hour(staff.staff_type, &self.identity.config.access.rows_per_hour);
        Reader::new(self.access_log.clone(), Actor::from(staff), budget)
    }
}

/// The callers that a call admits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Everyone.
    Public,
    /// Everyone, within the rate limit of this kind of call.
    RateLimited(Call),
    /// Visitors who confirmed the email of an order, for that order only.
    Visitor,
    /// A sales site, by an API key with this right.
    SalesSite(KeyRight),
    /// Signed-in staff of these types.
    Staff(&'static [StaffType]),
}

use Access::{Public, RateLimited, SalesSite, Staff as Only, Visitor};
use StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

const EVERYONE: Access = Only(&[Admin, Manager, Team, Telecaller, NightStaff]);
/// Those who talk to customers.
const DAY_STAFF: Access = Only(&[Admin, Manager, Team, Telecaller]);
const LEADERS: Access = Only(&[Admin, Manager]);
const ADMIN: Access = Only(&[Admin]);

/// Every call by operation id, and who may make it (spec §6). Finer rules, such as whose order it is, are in the rooms.
pub const ACCESS: &[(&str, Access)] = &[
    ("sign_in", Public),
    ("begin_enrolment", Public),
    ("begin_passkey_enrolment", Public),
    ("begin_passkey_sign_in", Public),
    ("sign_in_second_factor", Public),
    ("sign_out", EVERYONE),
    ("user_info", EVERYONE),
    ("change_password", EVERYONE),
    ("list_sessions", EVERYONE),
    ("end_session", EVERYONE),
    ("find_second_factor", EVERYONE),
    ("begin_authenticator", EVERYONE),
    ("add_authenticator", EVERYONE),
    ("remove_authenticator", EVERYONE),
    ("make_recovery_codes", EVERYONE),
    ("begin_passkey", EVERYONE),
    ("add_passkey", EVERYONE),
    ("remove_passkey", EVERYONE),
    ("begin_passkey_confirmation", EVERYONE),
    ("confirm_identity", EVERYONE),
    ("list_colleagues", EVERYONE),
    ("list_inbox", EVERYONE),
    ("count_inbox", EVERYONE),
    ("mark_inbox_read", EVERYONE),
    ("list_team_members", LEADERS),
    ("list_team_member_types", LEADERS),
    ("find_team_member", LEADERS),
    ("add_team_member", LEADERS),
    ("update_team_member", LEADERS),
    ("delete_team_member", LEADERS),
    ("remove_second_factor", LEADERS),
    ("folder_counts", EVERYONE),
    ("home", EVERYONE),
    ("list_orders", EVERYONE),
    ("search_orders", EVERYONE),
    ("orders_csv", LEADERS),
    ("save_list_settings", EVERYONE),
    ("list_saved_views", EVERYONE),
    ("save_view", EVERYONE),
    ("delete_saved_view", EVERYONE),
    ("count_saved_views", EVERYONE),
    ("find_orders", EVERYONE),
    ("order_rows", EVERYONE),
    ("follow_changes", EVERYONE),
    ("set_presence", EVERYONE),
    ("future_order_counts", EVERYONE),
    ("future_orders_csv", LEADERS),
    ("country_orders", EVERYONE),
    ("country_orders_csv", LEADERS),
    ("processed_by_counts", ADMIN),
    ("processed_by_csv", ADMIN),
    ("list_audit", ADMIN),
    ("list_access_log", ADMIN),
    ("access_log_csv", ADMIN),
    ("list_row_budgets", ADMIN),
    ("list_backups", ADMIN),
    ("list_api_keys", ADMIN),
    ("add_api_key", ADMIN),
    ("revoke_api_key", ADMIN),
    ("order_details", EVERYONE),
    ("order_history", EVERYONE),
    ("order_duplicates", EVERYONE),
    ("order_papers", EVERYONE),
    ("set_paper_state", EVERYONE),
    ("list_paper_reasons", EVERYONE),
    ("save_paper_reason", ADMIN),
    ("list_canned_texts", EVERYONE),
    ("save_canned_text", EVERYONE),
    ("delete_canned_text", EVERYONE),
    ("preview_paper_request", EVERYONE),
    ("ask_for_papers", EVERYONE),
    ("withdraw_paper_request", EVERYONE),
    ("look_at_finding", EVERYONE),
    ("check_papers", EVERYONE),
    ("make_portal_photograph", EVERYONE),
    ("correct_order", EVERYONE),
    ("order_filing", EVERYONE),
    ("filing_kit", EVERYONE),
    ("claim_filing", EVERYONE),
    ("release_filing", EVERYONE),
    ("file_application", EVERYONE),
    ("refuse_application", EVERYONE),
    ("add_phone_order", DAY_STAFF),
    ("assign_orders", EVERYONE),
    ("reassign_orders", LEADERS),
    ("hand_over_orders", EVERYONE),
    ("take_next_order", EVERYONE),
    ("list_workload", LEADERS),
    ("change_order_status", EVERYONE),
    ("move_order_status", EVERYONE),
    ("restore_orders", LEADERS),
    ("undo", EVERYONE),
    ("refund_orders", EVERYONE),
    ("list_refund_approvals", EVERYONE),
    ("count_refund_approvals", EVERYONE),
    ("approve_refunds", LEADERS),
    ("decline_refunds", LEADERS),
    ("withdraw_refunds", EVERYONE),
    ("waiting_refund_mails", EVERYONE),
    ("stop_refund_mails", EVERYONE),
    ("send_refund_mails", EVERYONE),
    ("take_back_refund", ADMIN),
    ("upload_visa_document", EVERYONE),
    ("look_at_visa", EVERYONE),
    ("decide_visa", EVERYONE),
    ("add_remark", EVERYONE),
    ("resend_mail", EVERYONE),
    ("send_download_mail", EVERYONE),
    ("email_content", EVERYONE),
    ("revoke_mailed_links", EVERYONE),
    ("defence_pack_details", EVERYONE),
    ("get_defence_pack_pdf", EVERYONE),
    ("list_payment_gateways", LEADERS),
    ("set_payment_gateway", LEADERS),
    ("save_transaction_details", EVERYONE),
    ("chargeback_terms", EVERYONE),
    ("save_chargeback", EVERYONE),
    ("visa_catalogue", EVERYONE),
    ("create_order", SalesSite(KeyRight::Orders)),
    ("find_order", SalesSite(KeyRight::Orders)),
    ("add_document", SalesSite(KeyRight::Documents)),
    ("add_payment", SalesSite(KeyRight::Payments)),
    ("find_active_gateway", SalesSite(KeyRight::Gateway)),
    ("track_order", RateLimited(Call::Track)),
    ("send_tracking_code", RateLimited(Call::Code)),
    ("confirm_tracking_code", RateLimited(Call::Code)),
    // Limited by its handler, which first verifies the key.
    ("open_mailed_link", Public),
    ("download_history", Visitor),
    ("download_visa", Visitor),
    ("upload_paper", Visitor),
    ("send_paper_anyway", Visitor),
];

/// The calls of consequence: they may ask for a proof of who one is, see [`crate::staff::confirmation`].
pub const CONFIRMED: &[&str] = &[
    "add_team_member",
    "update_team_member",
    "delete_team_member",
    "remove_second_factor",
    "approve_refunds",
    "set_payment_gateway",
    "add_api_key",
    "revoke_api_key",
    "orders_csv",
    "future_orders_csv",
    "country_orders_csv",
    "processed_by_csv",
    "access_log_csv",
];

/// The row of a call.
pub fn row_of(operation_id: &str) -> Option<(&'static str, Access)> {
    ACCESS.iter().find(|(id, _)| *id == operation_id).copied()
}

/// Returns the callers that a call admits. None: the table lacks the call.
pub fn access_to(operation_id: &str) -> Option<Access> {
    row_of(operation_id).map(|(_, access)| access)
}

/// Returns true if the table admits that type of staff to the call.
fn may_call(who: StaffType, operation_id: &str) -> bool {
    matches!(access_to(operation_id), Some(Only(types)) if types.contains(&who))
}

/// The permissions of that type of staff (spec §6), for the web app.
pub fn abilities(who: StaffType) -> Abilities {
    Abilities {
        see_order_history: order_rules::may_list(who, Folder::All),
        manage_team: may_call(who, "add_team_member"),
        set_gateway: may_call(who, "set_payment_gateway"),
        see_processed: may_call(who, "processed_by_counts"),
        see_audit: may_call(who, "list_audit"),
        see_access_log: may_call(who, "list_access_log"),
        see_backups: may_call(who, "list_backups"),
        manage_api_keys: may_call(who, "add_api_key"),
        restore_orders: order_rules::may_restore(who),
        export_csv: may_call(who, "country_orders_csv"),
        add_phone_orders: may_call(who, "add_phone_order"),
        edit_paper_reasons: may_call(who, "save_paper_reason"),
    }
}

/// The table by path and method.
#[derive(Clone, Debug)]
pub struct AccessTable(HashMap<String, HashMap<Method, (&'static str, Access)>>);

impl AccessTable {
    /// Builds the table for every operation of the contract.
    ///
    /// # Errors
    /// If an operation is not in [`ACCESS`].
    pub fn of(contract: &OpenApi) -> Result<Self> {
        let mut table: HashMap<String, HashMap<_, _>> = HashMap::new();
        for (path, item) in &contract.paths.paths {
            let methods = [
                (Method::GET, &item.get),
                (Method::POST, &item.post),
                (Method::PUT, &item.put),
                (Method::DELETE, &item.delete),
            ];
            for (method, operation) in methods {
                let Some(Operation { operation_id, .. }) = operation else { continue };
                let id = operation_id.as_deref().unwrap_or_default();
                let row = row_of(id)
                    .ok_or_else(|| Error::internal(format!("{method} {path} ({id}) is not in the access table")))?;
                table.entry(path.clone()).or_default().insert(method, row);
            }
        }
        Ok(Self(table))
    }

    /// Finds the operation of a method and path, and who may call it.
    pub fn find(&self, method: &Method, path: &str) -> Option<(&'static str, Access)> {
        let method = if method == Method::HEAD { &Method::GET } else { method };
        self.0.get(path)?.get(method).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_rules_admit_the_same_types_to_restoring_and_to_approving_refunds() {
        for who in StaffType::ALL {
            for decision in ["approve_refunds", "decline_refunds"] {
                assert_eq!(may_call(*who, decision), order_rules::refund_approvals::may_approve(*who), "{who}");
            }
            assert_eq!(may_call(*who, "restore_orders"), order_rules::may_restore(*who), "{who}");
        }
    }
}
