//! Why a demo is not seeded.

use derive::Reason;

/// Why a demo is not seeded.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Conflict)]
pub enum DemoError {
    #[error("The database already contains orders. Use a new one, with an empty data folder")]
    DatabaseNotEmpty,
    #[error(
        "The database has members of staff already. The people of the demo have a password that everybody knows, so \
             they are added to a new installation only: start with an empty data folder"
    )]
    StaffNotEmpty,
}
