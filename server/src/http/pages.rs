//! The web app, served from memory: hashed assets are cached for ever, the staff page has a new nonce in each response.

pub mod reference;
pub mod visitor;

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::prelude::BASE64_STANDARD_NO_PAD;
use rust_embed::{EmbeddedFile, RustEmbed};

use super::errors::HttpError;
use crate::config::Config;
use crate::error::Error;

/// The output of the web app's build; empty when it was not built.
#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct WebApp;

const NONCE_PLACE: &str = "__CSP_NONCE__";

const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Visadesk</title>\
    <h1>The web app is not in this binary</h1>\
    <p>Run <code>cargo xtask run</code> or <code>cargo xtask build</code>: both build it first.</p></html>";

/// The dependencies of the staff page.
pub struct StaffPages {
    pub config: Arc<Config>,
    /// The text of a banner on every page.
    pub notice: Option<String>,
}

/// Serves an asset by its path, or the app's page for every other address: the app has its own router.
pub async fn serve(State(pages): State<Arc<StaffPages>>, request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    if path.starts_with("api/") || path.starts_with("uploads/") {
        return no_such_address().await.into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return method_not_allowed().await.into_response();
    }
    match WebApp::get(path) {
        Some(file) if path.starts_with("assets/") || !path.ends_with(".html") => asset(path, request.headers(), file),
        _ if path.starts_with("assets/") => StatusCode::NOT_FOUND.into_response(),
        _ => page(&pages),
    }
}

/// The response of an unknown address of the API.
pub async fn no_such_address() -> Error {
    HttpError::NoSuchAddress.into()
}

/// The response of a known address to a method that it does not have.
pub async fn method_not_allowed() -> Error {
    HttpError::MethodNotAllowed.into()
}

fn asset(path: &str, headers: &HeaderMap, file: EmbeddedFile) -> Response {
    let packed = [("br", ".br"), ("gzip", ".gz")]
        .into_iter()
        .filter(|(encoding, _)| accepts(headers, encoding))
        .find_map(|(encoding, ending)| Some((encoding, WebApp::get(&format!("{path}{ending}"))?)));
    let cache = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    let mut response = bytes(packed.as_ref().map_or(&file, |(_, packed)| packed).data.clone()).into_response();
    let answer = response.headers_mut();
    if let Ok(media_type) = HeaderValue::from_str(file.metadata.mimetype()) {
        answer.insert(header::CONTENT_TYPE, media_type);
    }
    answer.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    answer.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if let Some((encoding, _)) = packed {
        answer.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

/// Returns true if the browser accepts `encoding`; `q=0` refuses it (RFC 9110, section 12.5.3).
fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let accepted = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    accepted.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim() == encoding && weight.is_some_and(|weight| weight > 0.0)
    })
}

fn bytes(data: Cow<'static, [u8]>) -> axum::body::Bytes {
    match data {
        Cow::Borrowed(data) => axum::body::Bytes::from_static(data),
        Cow::Owned(data) => data.into(),
    }
}

fn page(pages: &StaffPages) -> Response {
    let html = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    let Some(index) = WebApp::get("index.html") else {
        return (StatusCode::OK, html, NOT_BUILT).into_response();
    };
    let nonce = BASE64_STANDARD_NO_PAD.encode(rand::random::<[u8; 16]>());
    let page = String::from_utf8_lossy(&index.data).replace(NONCE_PLACE, &nonce);
    let page = with_notice(page, pages.notice.as_deref());
    let page = if pages.config.sessions.remember_days == 0 {
        page.replacen("<html ", "<html data-remember-me=\"off\" ", 1)
    } else {
        page
    };
    let mut response = (StatusCode::OK, html, page).into_response();
    // The nonce is base64 and the rest is ours: always a valid header.
    if let Ok(policy) = HeaderValue::from_str(&policy(&nonce, &pages.config)) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}

/// A page with a notice above everything else.
fn with_notice(html: String, notice: Option<&str>) -> String {
    match notice {
        Some(notice) => html.replacen(
            "<body>",
            &format!("<body><p class=\"notice\" lang=\"en\" dir=\"ltr\">{}</p>", escaped(notice)),
            1,
        ),
        None => html,
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The Content-Security-Policy of the staff page: our own origin, and the configured hosts of files.
fn policy(nonce: &str, config: &Config) -> String {
    let hosts = [&config.admin_uploads_url, &config.customer_uploads_url];
    let hosts = hosts.into_iter().filter(|url| !url.is_empty());
    let files: String = hosts.map(|url| format!(" {}/", url.trim_end_matches('/'))).collect();
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' blob: data:{files}; \
         font-src 'self'; connect-src 'self'; frame-src 'self' blob:{files}; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_encoding_with_weight_zero_is_refused() {
        let accepts = |value: &'static str| {
            super::accepts(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]), "br")
        };
        assert!(accepts("gzip, br") && accepts("br;q=0.5") && accepts("br; q=1.0"));
        assert!(!accepts("gzip") && !accepts("br;q=0") && !accepts("br; q=0.000, gzip"));
    }

    #[test]
    fn files_are_seen_from_the_hosts_that_are_set_for_them_and_from_no_other() {
        let shown = |config: &Config| {
            let policy = policy("abc", config);
            let rule = |name: &str| policy.split("; ").find(|rule| rule.starts_with(name)).unwrap_or("").to_owned();
            (rule("img-src"), rule("frame-src"))
        };
        let ours = ("img-src 'self' blob: data:".to_owned(), "frame-src 'self' blob:".to_owned());
        assert_eq!(shown(&Config::default()), ours);
        let elsewhere = Config {
            admin_uploads_url: "https://visas.agency.example/".into(),
            customer_uploads_url: "https://papers.agency.example".into(),
            ..Config::default()
        };
        let hosts = "https://visas.agency.example/ https://papers.agency.example/";
        assert_eq!(shown(&elsewhere), (format!("{} {hosts}", ours.0), format!("{} {hosts}", ours.1)));
    }
}
