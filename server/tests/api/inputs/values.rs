//! Values that people type in many ways.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use toml::Value;
use visadesk::config::proxies::ClientSource;
use visadesk::email::Email;
use visadesk::http::address::ClientAddress;
use visadesk::ids::OrderId;
use visadesk::orders::rules::phone::Phone;
use visadesk::orders::status::ProcessStatus::New;
use visadesk::staff::rules::StaffType::Admin;
use visadesk::staff::rules::second_factor::TypedFactor;

use super::Case;
use crate::support::TestApp;

fn is(case: &Case, name: &str) -> bool {
    case.expected.get(name).and_then(Value::as_bool).unwrap_or(false)
}

pub fn order_number(case: &Case) -> Vec<String> {
    match OrderId::parse(case.text("typed")) {
        Some(id) if is(case, "none") => vec![format!("it is read as {id}")],
        Some(id) => case.compare("number", id.0).into_iter().collect(),
        None if is(case, "none") => Vec::new(),
        None => vec!["it is not read".to_owned()],
    }
}

pub fn email(case: &Case) -> Vec<String> {
    let read = |name: &str| case.given.get(name).and_then(Value::as_str).map(Email::parse);
    let Some(typed) = read("typed").expect("an address") else {
        return if is(case, "refused") { Vec::new() } else { vec!["it is refused".to_owned()] };
    };
    let refused = is(case, "refused").then(|| format!("it is taken as {}", typed.as_str()));
    let same = read("other").map(|other| other.is_some_and(|other| other.key() == typed.key()));
    let same = same.and_then(|same| case.compare("same", same));
    refused.into_iter().chain(case.compare("address", typed.as_str())).chain(same).collect()
}

pub fn phone(case: &Case) -> Vec<String> {
    let code = Some(case.text("country_code")).filter(|code| !code.is_empty());
    let phone = Phone::read(code, Some(case.text("phone_number")));
    let digits = phone.as_ref().and_then(Phone::digits);
    let kept = case.compare("kept", digits.is_none());
    let digits = case.compare("digits", digits.unwrap_or_default());
    let shown = phone.map(|phone| phone.shown()).unwrap_or_default();
    let extension = shown.split_once(" ext. ").map(|(_, extension)| extension.to_owned());
    let extension = case.compare("extension", extension.unwrap_or_default());
    kept.into_iter().chain(digits).chain(extension).chain(case.compare("shown", shown)).collect()
}

/// Adds the order and searches it in the list of all orders and in a folder, as the web app does.
pub async fn search(case: &Case, test: &TestApp) -> Vec<String> {
    let order = case.given["order"].as_table().expect("fields");
    let text = |name: &str| order.get(name).and_then(Value::as_str).map(str::to_owned);
    let id = test
        .add_order_with(New, |new| {
            new.full_name = text("full_name").unwrap_or("Ann Lee".into());
            new.contact_email_address = text("contact_email_address").unwrap_or("ann@shop.example".into());
            (new.country_code, new.phone_number) = (text("country_code"), text("phone_number"));
            new.application.account_email = text("user.email");
            new.application.document_number = text("document_number");
        })
        .await;
    let (term, staff) = (case.text("term").replace("{number}", &id.to_string()), test.as_staff(Admin, "Ayu"));
    let mut faults = Vec::new();
    for folder in ["allOrder", "newOrder"] {
        let found = staff.search(folder, &term).await.contains(&id);
        faults.extend(case.compare("found", found).map(|fault| format!("{folder}: {fault}")));
    }
    faults
}

pub fn address(case: &Case) -> Vec<String> {
    let mut headers = HeaderMap::new();
    for pair in case.given["headers"].as_array().expect("headers") {
        let [name, value] = [0, 1].map(|at| pair[at].as_str().expect("a text"));
        // A character is a byte, so that a case can have bytes that are no text.
        let value: Vec<u8> = value.chars().map(|one| u8::try_from(one).expect("a byte")).collect();
        let name: HeaderName = name.parse().expect("a name");
        headers.append(name, HeaderValue::from_bytes(&value).expect("a value"));
    }
    let trusted = case.text("trusted").parse().expect("networks");
    let peer: IpAddr = case.text("peer").parse().expect("an address");
    let source = match case.text("header") {
        "forwarded" => ClientSource::Forwarded,
        "proxy-protocol" => ClientSource::ProxyProtocol,
        _ => ClientSource::XForwardedFor,
    };
    let client = ClientAddress::of(&trusted, source, peer, &headers);
    case.compare("client", client.to_string()).into_iter().collect()
}

pub fn code(case: &Case) -> Vec<String> {
    match TypedFactor::parse(case.text("typed")) {
        Ok(TypedFactor::AppCode(code)) if !is(case, "none") => case.compare("code", code).into_iter().collect(),
        Ok(read) if is(case, "none") => vec![format!("it is read as {read:?}")],
        _ if is(case, "none") => Vec::new(),
        _ => vec!["it is not read".to_owned()],
    }
}
