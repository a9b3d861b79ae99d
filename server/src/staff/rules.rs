//! What each type of staff may do. Deny by default: a call that the table does not name cannot be served.

use crate::text_enum;

text_enum! {
    /// The five types of staff (spec §6).
    pub enum StaffType {
        Admin = "Admin",
        Manager = "Manager",
        Team = "Team",
        Telecaller = "Telecaller",
        NightStaff = "Night Staff",
    }
}

/// The signed-in person who makes a request.
#[derive(Clone, Debug)]
pub struct Staff {
    pub id: i64,
    pub name: String,
    pub email: String,
    pub staff_type: StaffType,
    /// Names the session in the store.
    pub session_hash: String,
    /// When the session began (UTC).
    pub signed_in_at: chrono::NaiveDateTime,
    /// Where the request comes from, for the audit.
    pub address: String,
}

/// Who may make a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Public,
    /// The sales site, by its API key.
    SalesSite,
    /// Signed-in staff of these types.
    Staff(&'static [StaffType]),
}

use Access::{Public, SalesSite, Staff as Only};
use StaffType::{Admin, Manager, NightStaff, Team, Telecaller};

const EVERYONE: Access = Only(&[Admin, Manager, Team, Telecaller, NightStaff]);
const LEADERS: Access = Only(&[Admin, Manager]);

/// Every call by its operation id, and who may make it (spec §6). Finer rules, such as whose order it is, stand beside what
/// they decide.
pub const ACCESS: &[(&str, Access)] = &[
    ("sign_in", Public),
    ("sign_out", EVERYONE),
    ("user_info", EVERYONE),
    ("change_password", EVERYONE),
    ("list_team_members", LEADERS),
    ("list_team_member_types", LEADERS),
    ("find_team_member", LEADERS),
    ("add_team_member", LEADERS),
    ("update_team_member", LEADERS),
    ("delete_team_member", LEADERS),
    ("folder_counts", EVERYONE),
    ("list_orders", EVERYONE),
    ("search_orders", EVERYONE),
    ("future_order_counts", EVERYONE),
    ("order_details", EVERYONE),
    ("assign_orders", EVERYONE),
    ("change_order_status", EVERYONE),
    ("move_order_status", EVERYONE),
    ("restore_orders", LEADERS),
    ("visa_catalogue", EVERYONE),
    ("take_in_order", SalesSite),
    ("take_in_document", SalesSite),
    ("take_in_payment", SalesSite),
];

/// Who may make the call, if it is in the table.
pub fn access_to(operation_id: &str) -> Option<Access> {
    ACCESS.iter().find(|(id, _)| *id == operation_id).map(|(_, access)| *access)
}
