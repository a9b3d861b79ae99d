//! The steps that an installation still lacks before an agency works with it. Told to Admins until none is left.

use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Config;
use crate::db::Conn;
use crate::error::Result;
use crate::ids::StaffId;
use crate::staff::rules::Member;
use crate::staff::{second_factor, store};

/// Something to be done once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FirstRunStep {
    /// The people of the demo can sign in, with a password that everybody knows.
    DeleteDemoPeople,
    /// The Admin who asks signs in with a password alone.
    SecondFactor,
    /// The Admin who asks is the only member.
    AddColleagues,
    /// Mails become files.
    SetUpMail,
    /// Links in mails lead to this machine alone.
    SetPublicUrl,
    /// No backups are scheduled.
    ScheduleBackups,
}

/// The steps that are left for that Admin, in the order in which to do them.
pub fn open_steps(conn: &mut Conn, config: &Config, admin: StaffId) -> Result<Vec<FirstRunStep>> {
    let has_factor = second_factor::has_any(conn, admin)?;
    let members = store::list(conn)?;
    let steps = [
        (members.iter().any(Member::is_of_demo), FirstRunStep::DeleteDemoPeople),
        (!has_factor, FirstRunStep::SecondFactor),
        (members.len() < 2, FirstRunStep::AddColleagues),
    ];
    let open = steps.into_iter().filter(|(is_open, _)| *is_open).map(|(_, step)| step);
    Ok(open.chain(unconfigured(config)).collect())
}

/// The steps that whoever runs the server takes in the configuration.
fn unconfigured(config: &Config) -> impl Iterator<Item = FirstRunStep> {
    let steps = [
        (!config.mail.is_by_smtp(), FirstRunStep::SetUpMail),
        (config.is_local(), FirstRunStep::SetPublicUrl),
        (config.backups.place.is_empty(), FirstRunStep::ScheduleBackups),
    ];
    steps.into_iter().filter(|(is_open, _)| *is_open).map(|(_, step)| step)
}
