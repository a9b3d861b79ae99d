//! Sends one mail to one SMTP server. We implement the conversation ourselves: whether it broke before or after the text began to go
//! out decides whether the mail may be sent again.

use std::error::Error as _;
use std::net::IpAddr;
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::Error as SmtpError;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::{ClientId, Extension, MailParameter};
use percent_encoding::percent_decode_str;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use url::{Host, Url};

use super::errors::SmtpUrlError;
use super::leases::AttemptResult;
use super::rules::Outcome;
use crate::config::Config;
use crate::error::Result;

/// The most time that connecting may take.
const MAX_CONNECT_TIME: Duration = Duration::from_secs(10);
/// The most time that a server may take to answer QUIT, in the background.
const MAX_QUIT_TIME: Duration = Duration::from_secs(5);
/// The most characters of an answer that are stored.
const MAX_ANSWER_LEN: usize = 500;

/// The permit to send a text. A process sends one text at a time through a provider, so that a kill leaves at most one mail that may
/// or may not have been delivered.
pub type SendPermit = OwnedSemaphorePermit;

/// An SMTP server.
pub struct Smtp {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    /// Our name in EHLO.
    hello: ClientId,
    agree: Duration,
    answer: Duration,
}

enum Encryption {
    /// TLS from the first byte.
    Implicit(TlsParameters),
    /// STARTTLS, which is required.
    StartTls(TlsParameters),
    None,
}

impl Smtp {
    /// Reads a server's address.
    pub fn parse(url: &str, config: &Config) -> Result<Self, SmtpUrlError> {
        let shape = || SmtpUrlError::Malformed;
        let (scheme, rest) = url.split_once("://").ok_or_else(shape)?;
        // The last @: providers hand out passwords with slashes, and people paste them as they are.
        let (login, place) = rest.rsplit_once('@').map_or((None, rest), |(login, place)| (Some(login), place));
        let place = Url::parse(&format!("{scheme}://{place}")).map_err(|_| shape())?;
        let host =
            place.host_str().filter(|host| !host.is_empty()).ok_or_else(shape)?.trim_matches(['[', ']']).to_owned();
        let credentials = match login.map(|login| login.split_once(':').ok_or_else(shape)).transpose()? {
            Some((name, password)) => {
                let decode = |text: &str| percent_decode_str(text).decode_utf8().map(String::from).map_err(|_| shape());
                Some(Credentials::new(decode(name)?, decode(password)?))
            }
            None => None,
        };
        let tls = || TlsParameters::new(host.clone()).map_err(SmtpUrlError::NoTls);
        let wanted = place.query_pairs().find(|(key, _)| key == "tls").map(|(_, value)| value.into_owned());
        let (encryption, usual_port) = match (scheme, wanted.as_deref()) {
            ("smtps", None) => (Encryption::Implicit(tls()?), 465),
            ("smtp", Some("required")) => (Encryption::StartTls(tls()?), 587),
            ("smtp", None) if is_here(&host) => (Encryption::None, 25),
            ("smtp", None) => return Err(SmtpUrlError::WithoutTls),
            _ => return Err(shape()),
        };
        let own = Url::parse(&config.public_url).ok().and_then(|url| url.host_str().map(str::to_owned));
        Ok(Self {
            port: place.port().unwrap_or(usual_port),
            host,
            encryption,
            credentials,
            hello: own.map_or_else(ClientId::default, ClientId::Domain),
            agree: Duration::from_secs(config.mail.agree_seconds.into()),
            answer: Duration::from_secs(config.mail.answer_seconds.into()),
        })
    }

    /// Sends the mail and returns how the attempt ended. The text goes out only with a permit, which the caller drops after recording
    /// the result.
    pub async fn send<Begun: Future<Output = Result<Option<SendPermit>>>>(
        &self,
        message: &Message,
        begin_text: impl FnOnce() -> Begun,
    ) -> (AttemptResult, Option<SendPermit>) {
        let agreed = timeout(self.agree, self.agree(message)).await;
        let mut connection = match agreed {
            Ok(Ok(connection)) => connection,
            Ok(Err(refused)) => return (refused, None),
            Err(_) => {
                return (AttemptResult::put_off(format!("No answer within {} seconds", self.agree.as_secs())), None);
            }
        };
        let permit = match begin_text().await {
            Ok(Some(permit)) => permit,
            Ok(None) => return (AttemptResult::put_off("Another worker has taken this mail over"), None),
            Err(error) => return (AttemptResult::put_off(error.message()), None),
        };
        let how = self.send_text(&mut connection, &message.formatted()).await;
        quit(connection);
        (how, Some(permit))
    }

    async fn send_text(&self, connection: &mut AsyncSmtpConnection, text: &[u8]) -> AttemptResult {
        match timeout(self.agree, connection.command(Data)).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return result_of(&error),
            Err(_) => return AttemptResult::put_off(format!("No answer within {} seconds", self.agree.as_secs())),
        }
        let how = |outcome, answer: &str| AttemptResult::new(outcome, printable(answer));
        match timeout(self.answer, connection.message(text)).await {
            Ok(Ok(response)) => {
                let words: Vec<&str> = response.message().collect();
                how(Outcome::Accepted, &format!("{} {}", response.code(), words.join(" ")))
            }
            Ok(Err(error)) if error.status().is_some() => result_of(&error),
            Ok(Err(error)) => how(Outcome::Unknown, &describe(&error)),
            Err(_) => {
                let seconds = self.answer.as_secs();
                how(Outcome::Unknown, &format!("No answer within {seconds} seconds after the text"))
            }
        }
    }

    /// The conversation before the text: nothing here can have delivered the mail.
    async fn agree(&self, message: &Message) -> Result<AsyncSmtpConnection, AttemptResult> {
        let mut connection = self.connect().await.map_err(|error| AttemptResult::put_off(describe(&error)))?;
        self.offer(&mut connection, message).await?;
        Ok(connection)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let whole = match &self.encryption {
            Encryption::Implicit(tls) => Some(tls.clone()),
            Encryption::StartTls(_) | Encryption::None => None,
        };
        let server = (&*self.host, self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(MAX_CONNECT_TIME), &self.hello, whole, None).await?;
        if let Encryption::StartTls(tls) = &self.encryption {
            connection.starttls(tls.clone(), &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }

    async fn offer(&self, connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), AttemptResult> {
        let envelope = message.envelope();
        let is_ascii = |address: &lettre::Address| <lettre::Address as AsRef<str>>::as_ref(address).is_ascii();
        let mut parameters = Vec::new();
        if !envelope.to().iter().all(is_ascii) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                let answer = "This provider takes no address with letters beyond English ones before the @";
                return Err(AttemptResult::new(Outcome::Refused, answer));
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        connection.command(Mail::new(envelope.from().cloned(), parameters)).await.map_err(|error| result_of(&error))?;
        for to in envelope.to() {
            connection.command(Rcpt::new(to.clone(), Vec::new())).await.map_err(|error| result_of(&error))?;
        }
        Ok(())
    }
}

/// A permanent refusal after MAIL is about the mail. A refusal before it is about us: the configuration can be fixed, and mails wait
/// for that.
fn result_of(error: &SmtpError) -> AttemptResult {
    let outcome = if error.is_permanent() { Outcome::Refused } else { Outcome::PutOff };
    AttemptResult::new(outcome, describe(error))
}

impl AttemptResult {
    /// Nothing was sent; another attempt follows.
    pub fn put_off(answer: impl AsRef<str>) -> Self {
        Self::new(Outcome::PutOff, printable(answer.as_ref()))
    }
}

/// Returns true if the host is this machine.
fn is_here(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Domain(name)) => name == "localhost",
        Ok(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Err(_) => host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

/// Sends QUIT in the background: the result is already known.
fn quit(mut connection: AsyncSmtpConnection) {
    tokio::spawn(async move {
        // The server's answer changes nothing.
        let _ = timeout(MAX_QUIT_TIME, connection.quit()).await;
    });
}

/// The failure, in the server's words where it sent any.
fn describe(error: &SmtpError) -> String {
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    printable(&match error.status() {
        Some(code) => format!("{code} {source}"),
        None if error.is_tls() => format!("No secure connection: {source}"),
        None if error.is_response() => format!("The answer was not SMTP: {source}"),
        None => format!("The connection failed: {source}"),
    })
}

/// An answer as it is stored and shown: without control characters, and cut to [`MAX_ANSWER_LEN`].
fn printable(answer: &str) -> String {
    let plain = answer.chars().map(|one| if one.is_control() { ' ' } else { one });
    plain.take(MAX_ANSWER_LEN).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Smtp, String> {
        Smtp::parse(url, &Config::default()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_usual_addresses_are_read() {
        for (url, host, port) in [
            ("smtps://AKIA:a%2Fb@email-smtp.eu-west-1.amazonaws.com", "email-smtp.eu-west-1.amazonaws.com", 465),
            ("smtp://apikey:SG.x@smtp.sendgrid.net?tls=required", "smtp.sendgrid.net", 587),
            ("smtp://apikey:SG.x@smtp.sendgrid.net:2525?tls=required", "smtp.sendgrid.net", 2525),
            ("smtp://localhost:1025", "localhost", 1025),
            ("smtp://name:password@127.0.0.1:1025", "127.0.0.1", 1025),
            ("smtp://[::1]:1025", "::1", 1025),
            ("smtps://AKIA:a/b+c@d@mail.example:465", "mail.example", 465),
        ] {
            let smtp = parse(url).ok().unwrap();
            assert_eq!((&*smtp.host, smtp.port), (host, port), "{url}");
        }
    }

    #[test]
    fn what_is_no_address_or_would_show_a_password_is_refused_without_showing_it() {
        for url in [
            "mail.example",
            "http://name:kanari@mail.example",
            "smtps://name:kanari@",
            "smtps://name:kanari@mail.example?tls=required",
            "smtp://name:kanari@mail.example?tls=opportunistic",
            "smtp://name:kanari@mail.example:587",
            "smtp://name:kanari%ff@mail.example?tls=required",
        ] {
            let refused = parse(url).err().unwrap();
            assert!(!refused.contains("kanari") && refused.len() > 20, "{url}: {refused}");
        }
    }
}
