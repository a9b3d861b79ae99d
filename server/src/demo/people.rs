//! The five members of staff of a demo, one of each type. They exist only after `visadesk seed --demo-staff`.

use std::fmt::Write;

use super::errors::DemoError;
use crate::clock::Clock;
use crate::db::{Conn, Db};
use crate::error::Result;
use crate::orders::store as orders;
use crate::staff::command::{NewMember, TypedMember};
use crate::staff::passwords::Passwords;
use crate::staff::rules::Member;
use crate::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};
use crate::staff::store as staff;
use crate::text::without_case;

/// Their password. It is public, so a real installation must not have these members.
pub const PASSWORD: &str = "demo-desk-2026";

/// Name, email address and type.
pub const PEOPLE: [(&str, &str, StaffType); 5] = [
    ("Ayu Lestari", "ayu@demo.visadesk.example", Admin),
    ("Made Wirawan", "made@demo.visadesk.example", Manager),
    ("Budi Santoso", "budi@demo.visadesk.example", Team),
    ("Citra Dewi", "citra@demo.visadesk.example", Telecaller),
    ("Nyoman Putra", "nyoman@demo.visadesk.example", NightStaff),
];

/// Adds the members that do not exist yet and returns a table of all five, to be printed. Blocks.
///
/// # Errors
/// [`DemoError`] if the database holds an order or any other member: everybody could sign in to a live installation.
pub fn add(db: &Db, clock: &Clock, passwords: &Passwords) -> Result<String> {
    let typed = PEOPLE.map(|(name, email, staff_type)| TypedMember {
        name,
        email,
        staff_type: staff_type.as_str(),
        password: PASSWORD,
    });
    let new = typed.into_iter().map(|typed| NewMember::of(passwords, typed)).collect::<Result<Vec<_>>>()?;
    let now = clock.now();
    db.write_now(move |tx| {
        if !orders::is_empty(tx)? {
            return Err(DemoError::DatabaseNotEmpty.into());
        }
        let members = staff::list(tx)?;
        if !members.iter().all(Member::is_of_demo) {
            return Err(DemoError::StaffNotEmpty.into());
        }
        let there: Vec<String> = members.iter().map(|member| without_case(&member.email)).collect();
        for ((_, email, _), member) in PEOPLE.iter().zip(&new) {
            if !there.iter().any(|other| other == email) {
                member.add(tx, now)?;
            }
        }
        Ok(())
    })?;
    Ok(table())
}

/// Returns true if there is a member of the demo who can sign in.
pub fn exist(conn: &mut Conn) -> Result<bool> {
    Ok(staff::list(conn)?.iter().any(Member::is_of_demo))
}

/// A table of who can sign in to the demo, and how.
pub fn table() -> String {
    let mut table = format!("{:<14}{:<32}{}\n", "Type", "Email", "Password");
    for (_, email, staff_type) in PEOPLE {
        // Writing to a String cannot fail.
        let _ = writeln!(table, "{:<14}{email:<32}{PASSWORD}", staff_type.as_str());
    }
    table
}
