//! One mail to one SMTP server, with the conversation in our own hands: whether it broke before or after the text began to go
//! out decides whether the mail may be tried again.

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

use super::leases::How;
use super::rules::Outcome;
use crate::config::Config;
use crate::error::{Error, Result};

/// How long a connection may take to stand.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a server may take to say goodbye. Nobody waits for it.
const GOODBYE: Duration = Duration::from_secs(5);
/// The most letters of an answer that are kept.
const MAX_ANSWER_LEN: usize = 500;

const SHAPE: &str = "must be smtps://name:password@host:465 or smtp://name:password@host:587?tls=required";

/// The turn of a mail to send its text. A process sends one text at a time through a provider, so that a kill leaves one mail
/// at most of which nobody knows whether it was taken.
pub type Turn = OwnedSemaphorePermit;

/// A server that takes mail.
pub struct Smtp {
    host: String,
    port: u16,
    encryption: Encryption,
    credentials: Option<Credentials>,
    /// What we call ourselves.
    hello: ClientId,
    agree: Duration,
    answer: Duration,
}

enum Encryption {
    /// From the first byte.
    Whole(TlsParameters),
    /// After STARTTLS, without which nothing is said.
    Started(TlsParameters),
    None,
}

impl Smtp {
    /// Reads a server's address. The error says nothing of its password.
    pub fn parse(url: &str, config: &Config) -> Result<Self> {
        let shape = || Error::invalid(SHAPE);
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
        let tls = || {
            TlsParameters::new(host.clone()).map_err(|error| Error::invalid(format!("TLS is not available: {error}")))
        };
        let wanted = place.query_pairs().find(|(key, _)| key == "tls").map(|(_, value)| value.into_owned());
        let (encryption, usual_port) = match (scheme, wanted.as_deref()) {
            ("smtps", None) => (Encryption::Whole(tls()?), 465),
            ("smtp", Some("required")) => (Encryption::Started(tls()?), 587),
            ("smtp", None) if credentials.is_some() && !is_here(&host) => {
                return Err(Error::invalid("would send its password in the clear. Add ?tls=required, or use smtps://"));
            }
            ("smtp", None) => (Encryption::None, 25),
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

    /// Hands the mail over and says how it ended. The text goes out only in its turn, which is given back when that is written
    /// down.
    pub async fn send<Begun: Future<Output = Result<Option<Turn>>>>(
        &self,
        message: &Message,
        begin_text: impl FnOnce() -> Begun,
    ) -> (How, Option<Turn>) {
        let agreed = timeout(self.agree, self.agree(message)).await;
        let mut connection = match agreed {
            Ok(Ok(connection)) => connection,
            Ok(Err(refused)) => return (refused, None),
            Err(_) => return (How::put_off(format!("No answer within {} seconds", self.agree.as_secs())), None),
        };
        let turn = match begin_text().await {
            Ok(Some(turn)) => turn,
            Ok(None) => return (How::put_off("Another worker has taken this mail over"), None),
            Err(error) => return (How::put_off(error.message()), None),
        };
        let how = self.send_text(&mut connection, &message.formatted()).await;
        part(connection);
        (how, Some(turn))
    }

    async fn send_text(&self, connection: &mut AsyncSmtpConnection, text: &[u8]) -> How {
        match timeout(self.agree, connection.command(Data)).await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => return judged(&error),
            Err(_) => return How::put_off(format!("No answer within {} seconds", self.agree.as_secs())),
        }
        let how = |outcome, answer: &str| How { outcome, answer: shown(answer) };
        match timeout(self.answer, connection.message(text)).await {
            Ok(Ok(response)) => {
                let words: Vec<&str> = response.message().collect();
                how(Outcome::Accepted, &format!("{} {}", response.code(), words.join(" ")))
            }
            Ok(Err(error)) if error.status().is_some() => judged(&error),
            Ok(Err(error)) => how(Outcome::Unknown, &said(&error)),
            Err(_) => {
                let seconds = self.answer.as_secs();
                how(Outcome::Unknown, &format!("No answer within {seconds} seconds after the text"))
            }
        }
    }

    /// Everything before the text: nothing that happens here can have delivered the mail.
    async fn agree(&self, message: &Message) -> Result<AsyncSmtpConnection, How> {
        let mut connection = self.connect().await.map_err(|error| How::put_off(said(&error)))?;
        self.offer(&mut connection, message).await?;
        Ok(connection)
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, SmtpError> {
        let whole = match &self.encryption {
            Encryption::Whole(tls) => Some(tls.clone()),
            Encryption::Started(_) | Encryption::None => None,
        };
        let server = (&*self.host, self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, Some(CONNECT), &self.hello, whole, None).await?;
        if let Encryption::Started(tls) = &self.encryption {
            connection.starttls(tls.clone(), &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }

    async fn offer(&self, connection: &mut AsyncSmtpConnection, message: &Message) -> Result<(), How> {
        let envelope = message.envelope();
        let is_ascii = |address: &lettre::Address| <lettre::Address as AsRef<str>>::as_ref(address).is_ascii();
        let mut parameters = Vec::new();
        if !envelope.to().iter().all(is_ascii) {
            if !connection.server_info().supports_feature(Extension::SmtpUtfEight) {
                let answer = "This provider takes no address with letters beyond English ones before the @".to_owned();
                return Err(How { outcome: Outcome::Refused, answer });
            }
            parameters.push(MailParameter::SmtpUtfEight);
        }
        connection.command(Mail::new(envelope.from().cloned(), parameters)).await.map_err(|error| judged(&error))?;
        for to in envelope.to() {
            connection.command(Rcpt::new(to.clone(), Vec::new())).await.map_err(|error| judged(&error))?;
        }
        Ok(())
    }
}

/// A refusal once the mail was named is about the mail, if it is for good. One before is about us: that can be mended, and
/// mails wait for it.
fn judged(error: &SmtpError) -> How {
    let outcome = if error.is_permanent() { Outcome::Refused } else { Outcome::PutOff };
    How { outcome, answer: said(error) }
}

impl How {
    /// Nothing was handed over; it is tried again.
    pub fn put_off(answer: impl AsRef<str>) -> Self {
        Self { outcome: Outcome::PutOff, answer: shown(answer.as_ref()) }
    }
}

/// Whether the host is this machine.
fn is_here(host: &str) -> bool {
    match Host::parse(host) {
        Ok(Host::Domain(name)) => name == "localhost",
        Ok(Host::Ipv4(address)) => IpAddr::from(address).is_loopback(),
        Ok(Host::Ipv6(address)) => address.is_loopback(),
        Err(_) => host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
    }
}

/// Says goodbye without making anybody wait: how the mail fared is known.
fn part(mut connection: AsyncSmtpConnection) {
    tokio::spawn(async move {
        // Whether the server answers changes nothing.
        let _ = timeout(GOODBYE, connection.quit()).await;
    });
}

/// What went wrong, in the server's words where it used some.
fn said(error: &SmtpError) -> String {
    let source = error.source().map(ToString::to_string).unwrap_or_default();
    shown(&match error.status() {
        Some(code) => format!("{code} {source}"),
        None if error.is_tls() => format!("No secure connection: {source}"),
        None if error.is_response() => format!("The answer was not SMTP: {source}"),
        None => format!("The connection failed: {source}"),
    })
}

/// An answer as it is kept and shown: without controls, and not too long.
fn shown(answer: &str) -> String {
    let plain = answer.chars().map(|one| if one.is_control() { ' ' } else { one });
    plain.take(MAX_ANSWER_LEN).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(url: &str) -> Result<Smtp, String> {
        Smtp::parse(url, &Config::default()).map_err(|error| error.message().to_owned())
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
