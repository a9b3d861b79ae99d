//! The cookie that authorises links to files while the session lasts. It is HttpOnly and limited to the path `/uploads`.

use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use url::Url;

use super::Identity;
use crate::config::Config;

/// Its name. Over https its prefix prevents a page without TLS from setting it; `__Host-` would forbid its path.
fn name(config: &Config) -> &'static str {
    if config.is_https() { "__Secure-visadesk_uploads" } else { "visadesk_uploads" }
}

const PURPOSE: &str = "uploads cookies";

/// The cookie of a session: the hash of the session and its signature.
pub fn of_session(room: &Identity, session_hash: &str) -> Cookie<'static> {
    let signature = hex::encode(room.secret.sign(PURPOSE, session_hash.as_bytes()));
    build(room, format!("{session_hash}.{signature}"))
}

/// The cookie that removes it.
pub fn removal(room: &Identity) -> Cookie<'static> {
    let mut removal = build(room, String::new());
    removal.make_removal();
    removal
}

/// The hash of the session in a request's cookie, if the signature is valid.
pub fn session_of(room: &Identity, cookies: &CookieJar) -> Option<String> {
    let (session_hash, signature) = cookies.get(name(&room.config))?.value().split_once('.')?;
    let signature = hex::decode(signature).ok()?;
    room.secret.verify(PURPOSE, session_hash.as_bytes(), &signature).then(|| session_hash.to_owned())
}

fn build(room: &Identity, value: String) -> Cookie<'static> {
    let mut cookie = Cookie::build((name(&room.config), value))
        .path("/uploads")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(room.config.is_https())
        .build();
    if let Some(domain) = shared_domain(&room.config) {
        cookie.set_domain(domain);
    }
    cookie
}

/// The longest domain that this host and the hosts of the files share; none if they are the same host.
fn shared_domain(config: &Config) -> Option<String> {
    let here = host(&config.public_url)?;
    let elsewhere = [&config.admin_uploads_url, &config.customer_uploads_url].map(|url| host(url));
    let elsewhere: Vec<String> = elsewhere.into_iter().flatten().filter(|other| *other != here).collect();
    if elsewhere.is_empty() {
        return None;
    }
    let here = here.as_str();
    let ends = here.match_indices('.').map(|(at, _)| &here[at + 1..]);
    let is_shared =
        |domain: &&str| elsewhere.iter().all(|other| other == *domain || other.ends_with(&format!(".{domain}")));
    std::iter::once(here).chain(ends).filter(|domain| domain.contains('.')).find(is_shared).map(str::to_owned)
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.domain().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_for_several_hosts_is_set_on_the_domain_that_they_share() {
        let shared = |files: &str| {
            let config = Config {
                public_url: "https://desk.agency.example:8443/".into(),
                admin_uploads_url: files.into(),
                ..Config::default()
            };
            shared_domain(&config)
        };
        assert_eq!(shared(""), None);
        assert_eq!(shared("https://desk.agency.example"), None);
        assert_eq!(shared("https://files.agency.example/x").as_deref(), Some("agency.example"));
        assert_eq!(shared("https://agency.example").as_deref(), Some("agency.example"));
        assert_eq!(shared("https://files.desk.agency.example").as_deref(), Some("desk.agency.example"));
        assert_eq!(shared("https://files.other.example"), None, "never a whole top domain");
        assert_eq!(shared("http://[::1]:8081"), None, "an address has no domain");
    }
}
