//! The public pages: drawn when the app was built, once in each language, and complete before any script has run.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::sync::OnceCell;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;

use super::{NOT_BUILT, WebApp, accepts, escaped, with_notice};

/// Where the web app's build left them: `{language}/{page}.html`.
const FOLDER: &str = "visitor/";
const SITE_PLACE: &str = "__MARKETING_URL__";
const LANGUAGE_COOKIE: &str = "visadesk_language";
const DEFAULT_LANGUAGE: &str = "en";

/// Nothing inline, nothing from elsewhere, and no form that a browser could send by itself.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The pages in all their languages, with the marketing site's address in them. Clones share them.
#[derive(Clone)]
pub struct VisitorPages(Arc<HashMap<String, Page>>);

/// A document, and its packed forms made at the first request for them.
struct Page {
    html: Bytes,
    brotli: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl VisitorPages {
    /// Loads the built pages and fills in the address of the marketing site and the banner.
    pub fn fill_in(marketing_url: &str, notice: Option<&str>) -> Self {
        let site = escaped(marketing_url.trim_end_matches('/'));
        let pages = WebApp::iter().filter_map(|path| {
            let name = path.strip_prefix(FOLDER)?.strip_suffix(".html")?.to_owned();
            let html = String::from_utf8_lossy(&WebApp::get(&path)?.data).replace(SITE_PLACE, &site);
            let html = with_notice(html, notice);
            Some((name, Page { html: html.into(), brotli: OnceCell::new(), gzip: OnceCell::new() }))
        });
        Self(Arc::new(pages.collect()))
    }

    /// The page in the language of the cookie, else in the first of the browser's languages that has one, else in English.
    fn find(&self, page: &str, headers: &HeaderMap) -> Option<&Page> {
        let page_in = |language: &str| self.0.get(&format!("{language}/{page}"));
        let chosen = language_of(headers).and_then(page_in);
        let accepted = || accepted_languages(headers).iter().map(String::as_str).find_map(page_in);
        chosen.or_else(accepted).or_else(|| page_in(DEFAULT_LANGUAGE))
    }
}

/// Asks for the email used on the application.
pub async fn track_order(State(pages): State<VisitorPages>, headers: HeaderMap) -> Response {
    serve(&pages, "track-order", &headers).await
}

/// Shows where an order stands; its script asks for the order.
pub async fn new_order_details(State(pages): State<VisitorPages>, headers: HeaderMap) -> Response {
    serve(&pages, "download", &headers).await
}

async fn serve(pages: &VisitorPages, page: &str, headers: &HeaderMap) -> Response {
    let Some(page) = pages.find(page, headers) else {
        return around((StatusCode::OK, NOT_BUILT).into_response());
    };
    let packed = if accepts(headers, "br") {
        Some(("br", page.brotli.get_or_init(|| packed(&page.html, "br")).await))
    } else if accepts(headers, "gzip") {
        Some(("gzip", page.gzip.get_or_init(|| packed(&page.html, "gzip")).await))
    } else {
        None
    };
    let mut response = around(packed.map_or(&page.html, |(_, bytes)| bytes).clone().into_response());
    if let Some((encoding, _)) = packed {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

fn around(mut response: Response) -> Response {
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::CACHE_CONTROL, "no-store"),
        (header::VARY, "cookie, accept-language, accept-encoding"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The value of the language cookie, whatever it is.
fn language_of(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find_map(|(name, value)| (name == LANGUAGE_COOKIE).then_some(value))
}

/// The languages of `Accept-Language` as the pages spell them, the preferred one first (RFC 9110, section 12.5.4).
fn accepted_languages(headers: &HeaderMap) -> Vec<String> {
    let values = headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let ranges = values.flat_map(|value| value.split(','));
    let mut weighed: Vec<(f32, String)> = ranges.filter_map(weighed_language).collect();
    // The sort is stable: of equal weights, the first comes first.
    weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    weighed.into_iter().map(|(_, language)| language).collect()
}

/// The weight and the language of a range such as `zh-TW;q=0.8`; none if it is not wanted or not understood.
fn weighed_language(range: &str) -> Option<(f32, String)> {
    let mut parts = range.split(';').map(str::trim);
    let tag = parts.next()?.to_ascii_lowercase();
    let weight = match parts.find_map(|part| part.strip_prefix("q=")) {
        Some(weight) => weight.parse().ok()?,
        None => 1.0,
    };
    let mut subtags = tag.split('-');
    let language = match subtags.next()? {
        "zh" if subtags.any(|subtag| matches!(subtag, "hant" | "tw" | "hk" | "mo")) => "zh-Hant",
        "zh" => "zh-Hans",
        "" => return None,
        // Older phones send the former code of Indonesian.
        "in" => "id",
        language => language,
    };
    (weight > 0.0).then(|| (weight, language.to_owned()))
}

/// `html` in the given encoding; as it is, should packing fail.
async fn packed(html: &Bytes, encoding: &'static str) -> Bytes {
    let body = html.clone();
    let whole = service_fn(move |_: Request| {
        let body = body.clone();
        async move { Ok::<_, Infallible>(Response::new(Body::from(body))) }
    });
    let mut request = Request::new(Body::empty());
    request.headers_mut().insert(header::ACCEPT_ENCODING, HeaderValue::from_static(encoding));
    let Ok(answer) = CompressionLayer::new().layer(whole).oneshot(request).await;
    to_bytes(Body::new(answer.into_body()), usize::MAX).await.unwrap_or_else(|_| html.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookies(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(value))])
    }

    #[test]
    fn the_language_is_what_the_cookie_says() {
        assert_eq!(language_of(&cookies("visadesk_language=zh-Hant")), Some("zh-Hant"));
        assert_eq!(language_of(&cookies("visitor=abc; visadesk_language=ar; other=1")), Some("ar"));
        assert_eq!(language_of(&cookies("not_visadesk_language=ar")), None);
        assert_eq!(language_of(&HeaderMap::new()), None);
    }

    #[test]
    fn a_page_comes_in_the_chosen_language_or_in_english() {
        let page = |html: &'static str| Page { html: html.into(), brotli: OnceCell::new(), gzip: OnceCell::new() };
        let pages = VisitorPages(Arc::new(HashMap::from([
            ("en/download".into(), page("en")),
            ("ar/download".into(), page("ar")),
        ])));
        let found = |cookie| pages.find("download", &cookies(cookie)).map(|page| page.html.clone());
        assert_eq!(found("visadesk_language=ar"), Some("ar".into()));
        for cookie in ["visadesk_language=tlh", "visadesk_language=../ar", "visadesk_language="] {
            assert_eq!(found(cookie), Some("en".into()), "{cookie}");
        }
    }

    #[test]
    fn the_first_visit_has_the_language_of_the_browser() {
        let accepted = |value: &'static str| {
            accepted_languages(&HeaderMap::from_iter([(header::ACCEPT_LANGUAGE, HeaderValue::from_static(value))]))
        };
        assert_eq!(accepted("ja"), ["ja"]);
        assert_eq!(accepted("en;q=0.5, fr-CH, fr;q=0.9, *;q=0.1"), ["fr", "fr", "en", "*"]);
        assert_eq!(accepted("zh-TW,zh;q=0.8"), ["zh-Hant", "zh-Hans"]);
        assert_eq!(accepted("zh-Hant-SG"), ["zh-Hant"]);
        assert_eq!(accepted("in-ID"), ["id"]);
        assert!(accepted("de;q=0, ru;q=x, ,;").is_empty());
        assert!(accepted_languages(&HeaderMap::new()).is_empty());
    }

    #[test]
    fn a_chosen_language_counts_more_than_that_of_the_browser() {
        let page = |html: &'static str| Page { html: html.into(), brotli: OnceCell::new(), gzip: OnceCell::new() };
        let pages = VisitorPages(Arc::new(HashMap::from([
            ("en/download".into(), page("en")),
            ("ar/download".into(), page("ar")),
            ("ja/download".into(), page("ja")),
        ])));
        let found = |cookie: &'static str, accepted: &'static str| {
            let headers = HeaderMap::from_iter([
                (header::COOKIE, HeaderValue::from_static(cookie)),
                (header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted)),
            ]);
            pages.find("download", &headers).map(|page| page.html.clone())
        };
        assert_eq!(found("visadesk_language=ar", "ja"), Some("ar".into()));
        assert_eq!(found("visadesk_language=tlh", "tlh, ja;q=0.5"), Some("ja".into()));
        assert_eq!(found("visitor=abc", "../ar, sv"), Some("en".into()));
    }

    #[test]
    fn an_address_cannot_leave_its_attribute() {
        assert_eq!(
            escaped("https://a.example/?a=1&b=\"><script>"),
            "https://a.example/?a=1&amp;b=&quot;&gt;&lt;script&gt;"
        );
    }

    #[tokio::test]
    async fn a_page_is_packed_as_asked() {
        let html = Bytes::from("<p>visa</p>".repeat(500));
        for encoding in ["br", "gzip"] {
            let packed = packed(&html, encoding).await;
            assert!(packed.len() < html.len() / 10, "{encoding}: {} bytes", packed.len());
        }
    }
}
