//! The children of the program, which parse what strangers sent.

use std::io::Write;
use std::process::{Command, Stdio};

use visadesk::child::sandbox;

use crate::support::program::{BINARY, Installation};
use crate::support::until;

#[tokio::test]
async fn a_child_is_confined_by_the_kernel_before_it_has_read_its_input() {
    for verb in ["inspect-file", "render-page", "read-workbook", "typeset"] {
        let mut child = Command::new(BINARY)
            .arg(verb)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the child starts");
        let status = format!("/proc/{}/status", child.id());
        let mode = async || {
            let status = std::fs::read_to_string(&status).expect("the child waits for its input");
            let has = |line: &str| status.lines().any(|found| found == line);
            (has("NoNewPrivs:\t1") && has("Seccomp:\t2")).then_some(())
        };
        until("the child is confined", mode).await;
        let mut input = child.stdin.take().expect("its input");
        input.write_all(b"neither a file nor a job").expect("it waits");
        drop(input);
        child.wait_with_output().expect("it ends by itself");
    }
}

#[tokio::test]
async fn check_config_warns_of_exactly_the_protections_that_this_kernel_lacks() {
    let installation = Installation::make_empty().await;
    let checked = installation.run(&["check-config"], "");
    assert!(checked.status.success());
    let warnings = String::from_utf8_lossy(&checked.stderr).into_owned();
    let missing = sandbox::missing();
    assert_eq!(warnings.contains("this machine lacks"), !missing.is_empty(), "{warnings}");
    assert!(missing.iter().all(|name| warnings.contains(name)), "{warnings}");
}
