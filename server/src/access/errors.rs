//! Why a call is refused before its handler runs.

use derive::Reason;

use crate::staff::rules::StaffType;

/// Why a call is refused before its handler runs. A missing session is [`crate::http::errors::HttpError::SignedOut`].
#[derive(Debug, thiserror::Error, Reason)]
pub enum AccessError {
    /// The table of access has no such call.
    #[error("This call is not available")]
    #[reason(Forbidden)]
    CallNotListed,
    #[error("{0} staff may not do this")]
    #[reason(Forbidden)]
    StaffTypeForbidden(StaffType),
}
