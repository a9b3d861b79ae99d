//! Why a demo is not seeded.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why a demo is not seeded.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum DemoError {
    #[error("The database holds orders already. Seed a new one, with an empty data folder")]
    DatabaseNotEmpty,
    #[error(
        "The database has members of staff already. The people of the demo have a password that everybody knows, so \
             they are added to a new installation only: start with an empty data folder"
    )]
    StaffNotEmpty,
}

impl Reason for DemoError {
    fn kind(&self) -> Kind {
        Kind::Conflict
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
