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

/// Logs each panic of this process with its place, instead of printing its message.
pub fn log_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let at = panic.location().map(ToString::to_string);
        let said = panic_text(panic.payload());
        tracing::error!(at, said, "panic");
    }));
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::thread;

    use super::*;

    /// Set for the process whose log the test reads: the hook is that of a whole process.
    const IS_CHILD: &str = "VISADESK_TEST_PANICS";

    #[test]
    fn a_panic_is_logged_with_its_place_and_without_its_data() {
        let name = std::hint::black_box("Budi Santoso");
        if std::env::var_os(IS_CHILD).is_some() {
            tracing_subscriber::fmt().json().with_writer(std::io::stderr).init();
            log_panics();
            drop(thread::spawn(move || panic!("{name}, born 1990-05-17")).join());
            drop(thread::spawn(|| panic!("a constant message")).join());
            return;
        }
        let this = "db::panics::tests::a_panic_is_logged_with_its_place_and_without_its_data";
        let mut child = Command::new(std::env::current_exe().unwrap());
        let output = child.args(["--exact", this, "--nocapture"]).env(IS_CHILD, "1").output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{log}");
        assert_eq!(log.matches("db/panics.rs").count(), 2, "{log}");
        assert!(log.contains("a panic whose text may hold data") && log.contains("a constant message"), "{log}");
        assert!(!log.contains(name) && !log.contains("1990"), "{log}");
    }
}
