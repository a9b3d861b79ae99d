//! Prints the settings with the passwords in their URLs masked.

use super::Config;
use crate::error::{Error, Result};

impl Config {
    /// Every setting as TOML, with the passwords in its URLs masked.
    pub fn masked(&self) -> Result<String> {
        let mut shown = self.clone();
        shown.database_url = self.database_url();
        shown.secret_key_file = self.secret_key_file().display().to_string();
        for url in [&mut shown.database_url, &mut shown.files_url, &mut shown.mail.aws, &mut shown.mail.sendgrid] {
            *url = mask_url(url);
        }
        toml::to_string_pretty(&shown).map_err(Error::internal)
    }
}

/// Replaces the password by stars: `scheme://name:********@host`, and in parameters named like a password.
fn mask_url(url: &str) -> String {
    let (address, parameters) = url.split_once('?').map_or((url, None), |(left, right)| (left, Some(right)));
    let (scheme, rest) = address.split_once("://").map_or(("", address), |(scheme, rest)| (scheme, rest));
    // The last @: a password that was not percent-encoded may contain an @ or a slash, with which a URL parser would fail or show it.
    let mut masked = match rest.rsplit_once('@') {
        Some((login, host)) => {
            let name = login.split_once(':').map_or(login, |(name, _)| name);
            format!("{scheme}://{name}:********@{host}")
        }
        None => address.to_owned(),
    };
    if let Some(parameters) = parameters {
        let shown = parameters.split('&').map(|parameter| match parameter.split_once('=') {
            Some((key, _)) if key.to_ascii_lowercase().contains("password") => format!("{key}=********"),
            _ => parameter.to_owned(),
        });
        masked = format!("{masked}?{}", shown.collect::<Vec<_>>().join("&"));
    }
    masked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_in_a_url_is_masked() {
        assert_eq!(mask_url("postgres://desk:s3cret@db:5432/visadesk"), "postgres://desk:********@db:5432/visadesk");
        assert_eq!(mask_url("sqlite://./data/visadesk.db"), "sqlite://./data/visadesk.db");
        assert_eq!(mask_url("postgres://desk:s3/c@r:et@db/visadesk"), "postgres://desk:********@db/visadesk");
        assert_eq!(
            mask_url("postgres://db/visadesk?user=desk&password=s3cret&sslmode=verify-full"),
            "postgres://db/visadesk?user=desk&password=********&sslmode=verify-full"
        );
    }
}
