//! Which calls of staff are noted in the access log: all that show something about customers.

use visadesk::access::{ACCESS, Access};

/// The calls whose responses are noted.
const NOTED: [&str; 22] = [
    "access_log_csv",
    "country_orders",
    "country_orders_csv",
    "defence_pack_details",
    "email_content",
    "filing_kit",
    "find_orders",
    "future_orders_csv",
    "get_defence_pack_pdf",
    "home",
    "list_access_log",
    "list_audit",
    "list_orders",
    "order_details",
    "order_duplicates",
    "order_filing",
    "order_history",
    "order_papers",
    "orders_csv",
    "processed_by_counts",
    "processed_by_csv",
    "search_orders",
];

/// The calls that show nothing about customers, or only the result of a change, which is in the audit.
const NOT_NOTED: [&str; 64] = [
    "add_api_key",
    "add_authenticator",
    "add_passkey",
    "add_phone_order",
    "add_remark",
    "add_team_member",
    "approve_refunds",
    "assign_orders",
    "begin_authenticator",
    "begin_passkey",
    "begin_passkey_confirmation",
    "change_order_status",
    "change_password",
    "chargeback_terms",
    "check_papers",
    "confirm_identity",
    "correct_order",
    "count_refund_approvals",
    "decline_refunds",
    "delete_team_member",
    "end_session",
    "file_application",
    "find_second_factor",
    "find_team_member",
    "folder_counts",
    "future_order_counts",
    "list_api_keys",
    "list_backups",
    "list_payment_gateways",
    "list_refund_approvals",
    "list_row_budgets",
    "list_sessions",
    "list_team_member_types",
    "list_team_members",
    "look_at_finding",
    "make_portal_photograph",
    "make_recovery_codes",
    "move_order_status",
    "refund_orders",
    "refuse_application",
    "remove_authenticator",
    "remove_passkey",
    "remove_second_factor",
    "resend_mail",
    "restore_orders",
    "revoke_api_key",
    "revoke_mailed_links",
    "save_chargeback",
    "save_list_settings",
    "save_transaction_details",
    "send_download_mail",
    "send_refund_mails",
    "set_payment_gateway",
    "sign_out",
    "stop_refund_mails",
    "take_back_refund",
    "undo",
    "update_team_member",
    "upload_visa_document",
    "look_at_visa",
    "user_info",
    "visa_catalogue",
    "waiting_refund_mails",
    "withdraw_refunds",
];

#[test]
fn every_call_of_staff_is_noted_or_shows_nothing_about_customers() {
    let is_of_staff = |(name, access): &(&'static str, Access)| matches!(access, Access::Staff(_)).then_some(*name);
    let mut of_staff: Vec<&str> = ACCESS.iter().filter_map(is_of_staff).collect();
    let mut decided = [&NOTED[..], &NOT_NOTED[..]].concat();
    of_staff.sort_unstable();
    decided.sort_unstable();
    assert_eq!(decided, of_staff, "a new call belongs in one of the two lists");
}
