//! Panics inside a transaction.

use crate::error::{Error, Result};

/// Turns a panic of `work` into an error. A panic that left the closure would keep its savepoint open, with its rows.
pub fn unwind_as_error<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))))
}

/// The message of a panic, for the log. Only a constant message: a formatted one may contain personal data.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> &'static str {
    panic.downcast_ref::<&'static str>().copied().unwrap_or("a panic whose text may hold data")
}
