//! Who makes requests, and what is answered.

use std::fmt;

use diesel::prelude::*;
use reqwest::header::{AUTHORIZATION, HeaderMap};
use reqwest::multipart::Form;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tokio::sync::OnceCell;
use visadesk::db::Conn;
use visadesk::db::schema::staff;
use visadesk::error::Result;
use visadesk::staff::rules::StaffType;
use visadesk::staff::sessions::{self, NewSession, Remember, Shown};

use super::TestApp;

/// Whose requests they are.
pub enum Who {
    Nobody,
    Member(StaffType, String),
    Token(String),
}

/// Somebody at the desk. Paths are those of the spec: `/admin/…` means `/api/admin/…`.
pub struct Desk<'a> {
    test: &'a TestApp,
    who: Who,
    headers: Vec<(String, String)>,
    session: OnceCell<Session>,
}

/// A session that a test made, without a password.
#[derive(Clone, Debug)]
pub struct Session {
    pub staff_id: i64,
    pub token: String,
}

impl<'a> Desk<'a> {
    pub(super) fn new(test: &'a TestApp, who: Who) -> Self {
        Self { test, who, headers: Vec::new(), session: OnceCell::new() }
    }

    /// The same person, sending one more header.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The same person, whose next requests carry this `Idempotency-Key`.
    pub fn with_key(self, key: &str) -> Self {
        self.with_header("idempotency-key", key)
    }

    /// The member's session, begun at the first request.
    pub async fn session(&self) -> &Session {
        let Who::Member(staff_type, name) = &self.who else { panic!("only members have a session") };
        self.session.get_or_init(|| begin(self.test, *staff_type, name)).await
    }

    /// The member's id.
    pub async fn id(&self) -> i64 {
        self.session().await.staff_id
    }

    /// The token of the member's session.
    pub async fn token(&self) -> &str {
        &self.session().await.token
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, &api(path)).await).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::POST, &api(path)).await.json(&body)).await
    }

    pub async fn put(&self, path: &str, body: Value) -> Answer {
        self.send(self.request(Method::PUT, &api(path)).await.json(&body)).await
    }

    /// Sends an upload.
    pub async fn upload(&self, path: &str, form: Form) -> Answer {
        self.send(self.request(Method::POST, &api(path)).await.multipart(form)).await
    }

    /// Fetches an address that is not the API's.
    pub async fn page(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).await).await
    }

    /// A request to finish by hand. The path stands as it is.
    pub async fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = self.test.http.request(method, format!("http://{}{path}", self.test.address));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match &self.who {
            Who::Nobody => request,
            Who::Token(token) => request.header(AUTHORIZATION, token),
            Who::Member(..) => request.header(AUTHORIZATION, self.token().await),
        }
    }

    /// Sends a request that was finished by hand.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("the answer is text");
        Answer { status, headers, json: serde_json::from_str(&text).unwrap_or(Value::Null), text }
    }
}

fn api(path: &str) -> String {
    format!("/api{path}")
}

/// Begins a session for the member of that name, making the member when there is none.
async fn begin(test: &TestApp, staff_type: StaffType, name: &str) -> Session {
    let (now, wanted) = (test.clock.now(), name.to_owned());
    let new = NewSession::draw(Remember::No, now);
    let began = new.clone();
    let staff_id = test
        .write(move |tx| {
            let staff_id = find_or_add(tx, staff_type, &wanted, now)?;
            sessions::start(tx, &began, staff_id)?;
            Ok(staff_id)
        })
        .await;
    let shown = Shown { id: staff_id, name: name.to_owned(), staff_type };
    Session { staff_id, token: test.app.tokens.sign(&new, &shown).expect("the token is signed") }
}

fn find_or_add(tx: &mut Conn, staff_type: StaffType, name: &str, now: chrono::NaiveDateTime) -> Result<i64> {
    let name_key = name.to_lowercase();
    let known = staff::table.filter(staff::name_key.eq(&name_key)).filter(staff::deleted_at.is_null());
    let known = known.select((staff::staff_id, staff::staff_type)).first::<(i64, StaffType)>(tx).optional()?;
    if let Some((staff_id, known_type)) = known {
        assert_eq!(known_type, staff_type, "{name} is there already");
        return Ok(staff_id);
    }
    let email = format!("{}@visadesk.example", name_key.replace(' ', "."));
    Ok(diesel::insert_into(staff::table)
        .values((
            staff::name.eq(name),
            staff::name_key.eq(&name_key),
            staff::email.eq(&email),
            staff::email_key.eq(&email),
            staff::staff_type.eq(staff_type),
            staff::password_hash.eq("nobody signs in with this"),
            staff::created_at.eq(now),
            staff::updated_at.eq(now),
        ))
        .returning(staff::staff_id)
        .get_result(tx)?)
}

/// What the server answered. Prints as `200 {…}`, with instants and tokens replaced by what they are.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, null when it is no JSON.
    pub json: Value,
    pub text: String,
}

impl Answer {
    /// What the answer carries.
    pub fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// The text for a person.
    pub fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_default()
    }

    /// A header as text, empty when it is not there.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.json {
            Value::Null => write!(to, "{} {}", self.status, self.text),
            json => {
                let mut shown = json.clone();
                redact(&mut shown);
                write!(to, "{} {shown}", self.status)
            }
        }
    }
}

/// Replaces what differs in each run.
fn redact(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(redact),
        Value::Object(fields) => {
            for (key, field) in fields {
                match field {
                    Value::String(text) if key.ends_with("Token") => *text = "[token]".into(),
                    field => redact(field),
                }
            }
        }
        Value::String(text) if chrono::DateTime::parse_from_rfc3339(text).is_ok() => *text = "[time]".into(),
        _ => {}
    }
}
