//! The five members of staff of a demo, one of each type. They exist only after `visadesk seed --demo-staff`.

use std::fmt::Write;

use crate::clock::Clock;
use crate::db::Db;
use crate::error::Result;
use crate::staff::command::{self, Typed};
use crate::staff::passwords::Passwords;
use crate::staff::rules::StaffType::{self, Admin, Manager, NightStaff, Team, Telecaller};
use crate::staff::store;
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
pub fn add(db: &Db, clock: &Clock, passwords: &Passwords) -> Result<String> {
    for (name, email, staff_type) in PEOPLE {
        if db.read_now(|conn| store::find_credentials(conn, &without_case(email)))?.is_none() {
            let typed = Typed { name, email, staff_type: staff_type.as_str(), password: PASSWORD };
            command::add(db, clock, passwords, typed)?;
        }
    }
    Ok(table())
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
