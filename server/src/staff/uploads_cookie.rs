//! The cookie that opens links to files for as long as the session lasts. Scripts cannot read it, and no other path gets it.

use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use url::Url;

use super::Identity;
use crate::config::Config;

const NAME: &str = "visadesk_uploads";
const PURPOSE: &str = "uploads cookies";

/// Ties the cookie to the session: the name of its row and a seal that only this installation can make.
pub fn of_session(room: &Identity, session_hash: &str) -> Cookie<'static> {
    let seal = hex::encode(room.secret.sign(PURPOSE, session_hash.as_bytes()));
    holding(room, format!("{session_hash}.{seal}"))
}

/// Takes the cookie away.
pub fn removal(room: &Identity) -> Cookie<'static> {
    let mut gone = holding(room, String::new());
    gone.make_removal();
    gone
}

/// The session that a request's cookie is tied to, if this installation made it.
pub fn session_of(room: &Identity, cookies: &CookieJar) -> Option<String> {
    let (session_hash, seal) = cookies.get(NAME)?.value().split_once('.')?;
    let seal = hex::decode(seal).ok()?;
    room.secret.verify(PURPOSE, session_hash.as_bytes(), &seal).then(|| session_hash.to_owned())
}

fn holding(room: &Identity, value: String) -> Cookie<'static> {
    let mut cookie = Cookie::build((NAME, value))
        .path("/uploads")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(room.config.public_url.starts_with("https://"))
        .build();
    if let Some(domain) = shared_domain(&room.config) {
        cookie.set_domain(domain);
    }
    cookie
}

/// The domain that this host and those of the files have in common; none while all are one.
fn shared_domain(config: &Config) -> Option<String> {
    let here = host(&config.public_url)?;
    let elsewhere = [&config.admin_uploads_url, &config.customer_uploads_url].map(|url| host(url));
    let elsewhere: Vec<String> = elsewhere.into_iter().flatten().filter(|other| *other != here).collect();
    if elsewhere.is_empty() {
        return None;
    }
    let here = here.as_str();
    let ends = here.match_indices('.').map(|(at, _)| &here[at + 1..]);
    let in_common =
        |domain: &&str| elsewhere.iter().all(|other| other == *domain || other.ends_with(&format!(".{domain}")));
    std::iter::once(here).chain(ends).filter(|domain| domain.contains('.')).find(in_common).map(str::to_owned)
}

fn host(url: &str) -> Option<String> {
    Url::parse(url).ok()?.domain().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cookie_for_several_hosts_belongs_to_what_they_share() {
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
