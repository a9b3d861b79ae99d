//! A provider that wants encryption and a password, as both real ones do.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};

use mailin::{AuthMechanism, Handler, Response, SessionBuilder, response};
use visadesk::mail::rules::MailState::Sent;

use super::crashes::{Site, Worker};
use crate::support::smtp;

/// Lets in who has the right password, and takes their mail.
#[derive(Clone, Default)]
struct Guarded {
    seen: Arc<Mutex<Vec<String>>>,
}

impl Handler for Guarded {
    fn auth_plain(&mut self, _: &str, name: &str, password: &str) -> Response {
        self.seen.lock().expect("nobody panics").push(format!("{name} {password}"));
        if (name, password) == ("AKIA", "a/b+c") { response::AUTH_OK } else { response::INVALID_CREDENTIALS }
    }

    fn data_end(&mut self) -> Response {
        self.seen.lock().expect("nobody panics").push("a mail".into());
        response::OK
    }
}

/// Makes an authority, and a certificate of its for localhost.
fn make_certificates(folder: &Path) {
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").expect("it is written");
    for arguments in [
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=Tests -keyout ca.key -out ca.crt",
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt",
    ] {
        let made = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output();
        let made = made.expect("openssl is there");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
}

#[tokio::test]
async fn a_provider_is_believed_with_a_good_certificate_and_gets_the_password_only_then() {
    let folder = tempfile::tempdir().expect("a folder");
    make_certificates(folder.path());
    let file = |name: &str| folder.path().join(name).display().to_string();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let port = listener.local_addr().expect("it has an address").port();
    let guarded = Guarded::default();
    let mut sessions = SessionBuilder::new("localhost");
    sessions.enable_start_tls().enable_auth(AuthMechanism::Plain);
    let tls = smtp::tls_of(&folder.path().join("server.crt"), &folder.path().join("server.key"));
    smtp::serve(listener, sessions, Some(tls), guarded.clone());
    let seen = || guarded.seen.lock().expect("nobody panics").clone();

    let site = Site::make().await;
    let mail = site.queue(1).await;
    let work = |password: &str, authority: Option<&str>| {
        let mut command = site.here.command(&["work"]);
        command.env("VISADESK_MAIL__AWS", format!("smtp://AKIA:{password}@localhost:{port}?tls=required"));
        command.env_remove("SSL_CERT_FILE").stdout(Stdio::null()).stderr(Stdio::null());
        command.envs(authority.map(|file| ("SSL_CERT_FILE", file)));
        Worker(command.spawn().expect("it starts"))
    };
    let stranger = work("a/b+c", None);
    let answer = site.answer_of_attempt(1).await;
    assert!(answer.contains("certificate"), "{answer}");
    assert_eq!(seen(), [""; 0], "nothing is said to a stranger");
    drop(stranger);

    site.leases_pass().await;
    let tries = site.attempts().await;
    let wrong = work("wrong", Some(&file("ca.crt")));
    let answer = site.answer_of_attempt(tries + 1).await;
    assert!(answer.starts_with("535"), "{answer}");
    drop(wrong);

    site.leases_pass().await;
    let _right = work("a/b+c", Some(&file("ca.crt")));
    site.wait_until_settled().await;
    assert_eq!(site.states().await, [(mail, Sent)]);
    assert_eq!(seen().iter().filter(|seen| *seen == "a mail").count(), 1, "{:?}", seen());
    assert!(seen().contains(&"AKIA a/b+c".to_owned()));
}
