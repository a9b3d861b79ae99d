//! Panics inside a transaction.

use crate::error::{Error, Result};

/// A panic that left the closure would keep its savepoint open, with its rows: it becomes an error in here.
pub fn unwind_as_error<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work))
        .unwrap_or_else(|panic| Err(Error::internal(panic_text(&*panic))))
}

/// What a panic said, for the log. A text that was put together while running may hold a person's data, and stays unsaid.
pub fn panic_text(panic: &(dyn std::any::Any + Send)) -> &'static str {
    panic.downcast_ref::<&'static str>().copied().unwrap_or("a panic whose text may hold data")
}
