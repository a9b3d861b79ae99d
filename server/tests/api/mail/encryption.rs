//! A provider that requires TLS and a password, as both real providers do.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use mailin::{AuthMechanism, Handler, Response, SessionBuilder, response};
use visadesk::mail::rules::MailState::Sent;

use super::crashes::{Site, Worker};
use crate::support::smtp;

/// Requires the password and records what it receives.
#[derive(Clone, Default)]
struct PasswordHandler {
    received: Arc<Mutex<Vec<String>>>,
}

impl Handler for PasswordHandler {
    fn auth_plain(&mut self, _: &str, name: &str, password: &str) -> Response {
        self.received.lock().expect("the mutex is not poisoned").push(format!("{name} {password}"));
        if (name, password) == ("AKIA", "a/b+c") { response::AUTH_OK } else { response::INVALID_CREDENTIALS }
    }

    fn data_end(&mut self) -> Response {
        self.received.lock().expect("the mutex is not poisoned").push("a mail".into());
        response::OK
    }
}

/// Creates a certificate authority and a certificate for localhost.
fn make_certificates(folder: &Path) {
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").expect("the file is written");
    for arguments in [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Tests -keyout ca.key -out ca.crt",
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt",
    ] {
        let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
        let output = output.expect("openssl is installed");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[tokio::test]
async fn the_password_is_sent_only_to_a_provider_with_a_trusted_certificate() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificates(folder.path());
    let file = |name: &str| folder.path().join(name).display().to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("the listener has an address").port();
    let handler = PasswordHandler::default();
    let mut sessions = SessionBuilder::new("localhost");
    sessions.enable_start_tls().enable_auth(AuthMechanism::Plain);
    let tls = smtp::tls_of(&folder.path().join("server.crt"), &folder.path().join("server.key"));
    smtp::serve(listener, sessions, Some(tls), handler.clone());
    let received = || handler.received.lock().expect("the mutex is not poisoned").clone();

    let site = Site::make().await;
    let mail = site.queue(1).await;
    let work = |password: &str, authority: Option<&str>| {
        let mut command = site.installation.command(&["work"]);
        command.env("VISADESK_MAIL__AWS", format!("smtp://AKIA:{password}@localhost:{port}?tls=required"));
        command.env_remove("SSL_CERT_FILE").stdout(Stdio::null()).stderr(Stdio::null());
        command.envs(authority.map(|file| ("SSL_CERT_FILE", file)));
        Worker(command.spawn().expect("the worker starts"))
    };
    let untrusted = work("a/b+c", None);
    let answer = site.answer_of_attempt(1).await;
    assert!(answer.contains("certificate"), "{answer}");
    assert_eq!(received(), [""; 0], "no password is sent to an untrusted server");
    drop(untrusted);

    site.expire_leases().await;
    let attempts = site.attempts().await;
    let wrong_password = work("wrong", Some(&file("ca.crt")));
    let answer = site.answer_of_attempt(attempts + 1).await;
    assert!(answer.starts_with("535"), "{answer}");
    drop(wrong_password);

    site.expire_leases().await;
    let _worker = work("a/b+c", Some(&file("ca.crt")));
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(received().iter().filter(|received| *received == "a mail").count(), 1, "{:?}", received());
    assert!(received().contains(&"AKIA a/b+c".to_owned()));
}
