//! The address of a PostgreSQL server and how its identity is verified, from a URL in the form that libpq takes.

use std::time::Duration;

use percent_encoding::percent_decode_str;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::{Client, Config};

use super::failure::described;
use super::tls::{Roots, Tls, Verify};

/// The time that connecting may take in all, unless `connect_timeout` is set.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// The folder of the Unix socket when the URL names no host.
const SOCKET_FOLDER: &str = "/var/run/postgresql";

/// A server and how to reach it.
#[derive(Clone, Debug)]
pub struct ServerAddress {
    config: Config,
    tls: Tls,
}

impl ServerAddress {
    /// Parses a URL. Parameters about certificates are parsed here, tokio-postgres parses the others.
    pub fn parse(url: &str) -> Result<Self, String> {
        let (place, parameters) = url.split_once('?').unwrap_or((url, ""));
        let (mut mode, mut roots, mut certificate, mut key) = (None, Roots::System, None, None);
        let mut others = Vec::new();
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let text = || percent_decode_str(value).decode_utf8_lossy().into_owned();
            match name {
                "sslmode" => mode = Some(text()),
                "sslrootcert" if value == "system" => roots = Roots::System,
                "sslrootcert" => roots = Roots::File(text().into()),
                "sslcert" => certificate = Some(text().into()),
                "sslkey" => key = Some(text().into()),
                _ => others.push(parameter),
            }
        }
        let (mode, verify) = match (mode.as_deref(), &roots) {
            (Some("disable"), _) => (SslMode::Disable, Verify::Nothing),
            (Some("allow" | "prefer") | None, _) => (SslMode::Prefer, Verify::Nothing),
            // As in libpq: with a file of certificates, the chain is verified.
            (Some("require"), Roots::File(_)) => (SslMode::Require, Verify::Chain),
            (Some("require"), Roots::System) => (SslMode::Require, Verify::Nothing),
            (Some("verify-ca"), Roots::File(_)) => (SslMode::Require, Verify::Chain),
            (Some("verify-ca"), Roots::System) => {
                return Err("sslmode=verify-ca needs sslrootcert=FILE: any public authority would be trusted".into());
            }
            (Some("verify-full"), _) => (SslMode::Require, Verify::ChainAndName),
            (Some(other), _) => {
                return Err(format!("sslmode is disable, prefer, require, verify-ca or verify-full, not {other}"));
            }
        };
        let identity = match (certificate, key) {
            (Some(certificate), Some(key)) => Some((certificate, key)),
            (None, None) => None,
            _ => return Err("sslcert and sslkey belong together".into()),
        };
        let mut config: Config = format!("{place}?{}", others.join("&")).parse().map_err(|error| described(&error))?;
        config.ssl_mode(mode);
        if config.get_hosts().is_empty() {
            match config.get_hostaddrs().to_vec().as_slice() {
                [] => _ = config.host_path(SOCKET_FOLDER),
                // The name that the certificate must contain.
                addresses => addresses.iter().for_each(|address| _ = config.host(address.to_string())),
            }
        }
        if config.get_hosts().iter().all(|host| matches!(host, Host::Unix(_))) {
            // PostgreSQL offers no TLS on Unix sockets.
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self { config, tls: Tls { verify, roots, identity } })
    }

    /// Connects, and drives the connection on the current runtime from then on.
    pub async fn connect(&self) -> Result<Client, String> {
        let within = self.config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT);
        let connecting = self.config.connect(self.tls.connector()?);
        match tokio::time::timeout(within, connecting).await {
            Ok(Ok((client, connection))) => {
                // The running statement gets its error.
                tokio::spawn(connection);
                Ok(client)
            }
            Ok(Err(error)) => Err(described(&error)),
            Err(_) => Err(format!("no connection within {} seconds", within.as_secs())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode_of(parameters: &str) -> Result<(SslMode, Verify), String> {
        let address = ServerAddress::parse(&format!("postgres://desk:secret@db.example/visadesk{parameters}"))?;
        Ok((address.config.get_ssl_mode(), address.tls.verify))
    }

    #[test]
    fn sslmode_means_what_it_means_to_libpq() {
        assert_eq!(mode_of(""), Ok((SslMode::Prefer, Verify::Nothing)));
        assert_eq!(mode_of("?sslmode=disable"), Ok((SslMode::Disable, Verify::Nothing)));
        assert_eq!(mode_of("?sslmode=require"), Ok((SslMode::Require, Verify::Nothing)));
        assert_eq!(mode_of("?sslmode=require&sslrootcert=/a.crt"), Ok((SslMode::Require, Verify::Chain)));
        assert_eq!(mode_of("?sslrootcert=/a.crt&sslmode=verify-ca"), Ok((SslMode::Require, Verify::Chain)));
        assert_eq!(mode_of("?sslmode=verify-full"), Ok((SslMode::Require, Verify::ChainAndName)));
        // A typing error must not switch verification off.
        for (parameters, reason) in [
            ("?sslmode=verify-ca", "sslmode=verify-ca needs sslrootcert=FILE"),
            (
                "?sslmode=verify-fully",
                "sslmode is disable, prefer, require, verify-ca or verify-full, not verify-fully",
            ),
            ("?sslmod=verify-full", "sslmod"),
        ] {
            assert!(mode_of(parameters).is_err_and(|message| message.contains(reason)), "{parameters}");
        }
    }

    #[test]
    fn other_parameters_reach_the_client() {
        let url =
            "postgresql://desk@db.example:5433/visadesk?connect_timeout=3&hostaddr=10.0.0.7&application_name=a%20b";
        let ServerAddress { config, .. } = ServerAddress::parse(url).expect("it is read");
        assert_eq!(config.get_hosts(), [Host::Tcp("db.example".into())]);
        assert_eq!((config.get_ports(), config.get_user()), (&[5433][..], Some("desk")));
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(3)));
        assert_eq!(config.get_application_name(), Some("a b"));
        assert_eq!(config.get_hostaddrs().len(), 1);
    }

    #[test]
    fn a_socket_has_no_tls() {
        for url in
            ["postgres:///visadesk?sslmode=require", "postgres://%2Ftmp/visadesk", "postgres:///visadesk?host=/tmp"]
        {
            let ServerAddress { config, .. } = ServerAddress::parse(url).expect("it is read");
            assert!(matches!(config.get_hosts(), [Host::Unix(_)]), "{url}");
            assert_eq!(config.get_ssl_mode(), SslMode::Disable, "{url}");
        }
    }
}
