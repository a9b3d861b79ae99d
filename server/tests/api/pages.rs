//! The pages that browsers load. The browser tests check their content.

use reqwest::Method;
use visadesk::staff::rules::StaffType::Team;

use crate::support::{Answer, PASSWORD, TestApp};

const PUBLIC: [&str; 4] = [
    "/track-order/MjAwMDAy",
    "/get-new-order-details/MjAwMDAy",
    "/track-order/no-such-order",
    "/get-new-order-details/%00%ff",
];

fn header<'a>(answer: &'a Answer, name: &str) -> &'a str {
    answer.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("")
}

#[tokio::test]
async fn a_public_page_is_never_cached_and_runs_only_our_script() {
    let test = TestApp::start().await;
    for path in PUBLIC {
        let page = test.anonymous().page(path).await;
        assert_eq!(page.status, 200, "{path}");
        assert!(page.text.contains("/assets/"), "run `cargo xtask test --only web-build` first: {}", page.text);
        assert_eq!(header(&page, "content-type"), "text/html; charset=utf-8", "{path}");
        assert_eq!(header(&page, "cache-control"), "no-store", "{path}");
        assert_eq!(header(&page, "referrer-policy"), "no-referrer", "{path}");
        assert_eq!(header(&page, "vary"), "cookie, accept-language, accept-encoding", "{path}");
        let policy = header(&page, "content-security-policy");
        for rule in
            ["default-src 'none'", "script-src 'self';", "form-action 'none'", "require-trusted-types-for 'script'"]
        {
            assert!(policy.contains(rule), "{path}: {policy}");
        }
        for source in ["unsafe", "nonce", "data:", "blob:", "http"] {
            assert!(!policy.contains(source), "{path}: {policy}");
        }
    }
}

#[tokio::test]
async fn a_public_page_is_the_same_for_every_order_and_for_staff() {
    let test = TestApp::start().await;
    let first = test.anonymous().page("/track-order/MjAwMDAy").await.text;
    assert_eq!(test.anonymous().page("/track-order/MjAwMDA0").await.text, first);
    assert_eq!(test.as_staff(Team, "Budi").page("/track-order/MjAwMDAy").await.text, first);
}

#[tokio::test]
async fn an_invalid_language_cookie_is_ignored() {
    let test = TestApp::start().await;
    let english = test.anonymous().page(PUBLIC[0]).await.text;
    for cookie in
        ["visadesk_language=", "visadesk_language=../../etc", "visadesk_language", "=;=", "visadesk_language=xx\u{fc}"]
    {
        let page = test.anonymous().with_header("cookie", cookie).page(PUBLIC[0]).await;
        assert_eq!((page.status, page.text), (200, english.clone()), "{cookie}");
    }
}

#[tokio::test]
async fn a_public_page_accepts_only_get_and_head() {
    let test = TestApp::start().await;
    let desk = test.anonymous();
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        let answer = desk.send(desk.request(method.clone(), PUBLIC[0]).await).await;
        assert_eq!(answer.status, 405, "{method}");
    }
    assert_eq!(desk.send(desk.request(Method::HEAD, PUBLIC[0]).await).await.status, 200);
}

#[tokio::test]
async fn an_address_of_the_web_app_accepts_only_get_and_head() {
    let test = TestApp::start().await;
    let desk = test.anonymous();
    // None of them is a route: the web app has its own router.
    for path in ["/", "/admin/new-orders", "/no-such-page", "/assets/no-such-script.js"] {
        for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            let answer = desk.send(desk.request(method.clone(), path).await).await;
            assert_eq!(
                (answer.status, answer.json["code"].as_str()),
                (405, Some("method_not_allowed")),
                "{method} {path}: {answer}"
            );
        }
    }
    for method in [Method::GET, Method::HEAD] {
        let answer = desk.send(desk.request(method.clone(), "/admin/new-orders").await).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, "text/html; charset=utf-8"), "{method}");
    }
}

#[tokio::test]
async fn the_reference_names_every_operation_runs_no_script_and_is_cached_by_its_etag() {
    let test = TestApp::start().await;
    let desk = test.anonymous();
    let page = desk.page("/api/docs").await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    let contract = serde_json::to_value(visadesk::app::router::contract()).expect("the contract is JSON");
    let calls = contract["paths"].as_object().expect("paths").values().filter_map(serde_json::Value::as_object);
    let ids: Vec<&str> =
        calls.flat_map(|methods| methods.values()).filter_map(|one| one["operationId"].as_str()).collect();
    assert!(ids.len() > 40, "{ids:?}");
    for id in ids {
        assert!(page.text.contains(&format!("<article id=\"{id}\"")), "{id} is not in the reference");
    }
    for forbidden in ["<script", " onclick", "javascript:", " style=", "<link", "src="] {
        assert!(!page.text.contains(forbidden), "{forbidden}");
    }
    let policy = page.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cache-control"), "public, max-age=300");
    let again =
        desk.send(desk.request(Method::GET, "/api/docs").await.header("if-none-match", page.header("etag"))).await;
    assert_eq!((again.status, again.text.as_str()), (304, ""));
    assert_eq!(again.header("etag"), page.header("etag"));
}

#[tokio::test]
async fn every_response_denies_features_and_one_that_is_no_page_loads_nothing() {
    let test = TestApp::start().await;
    for path in
        ["/", "/track-order/MjAwMDAy", "/api/docs", "/api/user_info", "/api/nothing", "/uploads/nothing", "/healthz"]
    {
        let answer = test.anonymous().page(path).await;
        assert!(header(&answer, "permissions-policy").contains("camera=(), "), "{path}");
        assert_eq!(header(&answer, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&answer, "strict-transport-security"), "", "{path}: not over http");
        assert!(header(&answer, "content-security-policy").starts_with("default-src 'none'"), "{path}");
    }
    for answer in [
        test.anonymous().page("/api/user_info").await,
        test.as_staff(Team, "Budi").page("/api/user_info").await,
        test.anonymous().track(100_001, "ana@post.example").await,
        test.anonymous().page("/api/nothing").await,
        test.anonymous().page("/healthz").await,
    ] {
        assert_eq!(header(&answer, "content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    }
}

#[tokio::test]
async fn over_https_browsers_are_told_to_stay_and_cookies_cannot_be_set_without_it() {
    let test = TestApp::start_with(|config| config.public_url = "https://desk.example".into()).await;
    test.add_member(Team, "Budi").await;
    for path in ["/", "/track-order/MjAwMDAy", "/api/user_info", "/uploads/nothing"] {
        let answer = test.anonymous().page(path).await;
        assert_eq!(header(&answer, "strict-transport-security"), "max-age=31536000", "{path}");
    }
    let signed_in = test.sign_in("budi@visadesk.example", PASSWORD).await;
    let cookie = header(&signed_in, "set-cookie");
    assert!(cookie.starts_with("__Secure-visadesk_uploads=") && cookie.contains("; Secure"), "{cookie}");
}

#[tokio::test]
async fn without_remember_me_the_staff_page_says_so() {
    for (days, mark) in [(7, false), (0, true)] {
        let test = TestApp::start_with(|config| config.sessions.remember_days = days).await;
        let page = test.anonymous().page("/").await;
        assert_eq!(page.text.contains("<html data-remember-me=\"off\" "), mark, "{}", page.text);
    }
}
