//! Why a call is refused before its handler runs.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};
use crate::staff::rules::StaffType;

/// Why a call is refused before its handler runs. A missing session is [`crate::http::errors::HttpError::SignedOut`].
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum AccessError {
    /// The table of access has no such call.
    #[error("This call is not available")]
    CallNotListed,
    #[error("{0} staff may not do this")]
    StaffTypeForbidden(StaffType),
}

impl Reason for AccessError {
    fn kind(&self) -> Kind {
        match self {
            Self::CallNotListed | Self::StaffTypeForbidden(_) => Kind::Forbidden,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
