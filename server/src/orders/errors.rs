//! Why something cannot be done with an order.

use strum::IntoStaticStr;

use crate::error::{Kind, Reason};

/// Why something cannot be done with an order.
#[derive(Debug, thiserror::Error, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum OrderError {
    #[error("There is no such order")]
    OrderNotFound,
}

impl Reason for OrderError {
    fn kind(&self) -> Kind {
        match self {
            Self::OrderNotFound => Kind::NotFound,
        }
    }

    fn code(&self) -> &'static str {
        self.into()
    }
}
