//! An HTTP client with credentials, and the server's answers.

use std::fmt;

use reqwest::header::{AUTHORIZATION, HeaderMap};
use reqwest::multipart::Form;
use reqwest::{Method, RequestBuilder};
use serde_json::Value;
use tokio::sync::OnceCell;
use visadesk::email::Email;
use visadesk::error::Permission;
use visadesk::ids::StaffId;
use visadesk::staff::rules::passwords::NewPassword;
use visadesk::staff::rules::{Staff, StaffType};
use visadesk::staff::sessions::{self, SignInOrigin};
use visadesk::staff::store::{self, Profile};
use visadesk::staff::tokens::{NewSession, Remember, TokenPerson};
use visadesk::text::PersonName;

use super::{PASSWORD, TestApp, http};

/// The credentials of a client's requests.
pub enum Credentials {
    Anonymous,
    Member(StaffType, String),
    Token(String),
}

/// An HTTP client of the server. Paths are those of the spec: `/admin/…` means `/api/admin/…`.
pub struct Client<'a> {
    test: &'a TestApp,
    credentials: Credentials,
    headers: Vec<(String, String)>,
    session: OnceCell<Session>,
}

/// A session that a test began without a password.
#[derive(Clone, Debug)]
pub struct Session {
    pub staff_id: i64,
    pub token: String,
}

impl<'a> Client<'a> {
    pub(super) fn new(test: &'a TestApp, credentials: Credentials) -> Self {
        Self { test, credentials, headers: Vec::new(), session: OnceCell::new() }
    }

    /// Adds a header to every request.
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds this `Idempotency-Key` to every request.
    pub fn with_key(self, key: &str) -> Self {
        self.with_header("idempotency-key", key)
    }

    /// The member's session, begun with the first request.
    pub async fn session(&self) -> &Session {
        let Credentials::Member(staff_type, name) = &self.credentials else { panic!("only members have a session") };
        self.session.get_or_init(|| begin(self.test, *staff_type, name)).await
    }

    /// The member's id.
    pub async fn id(&self) -> i64 {
        self.session().await.staff_id
    }

    /// The member as handlers receive it.
    pub async fn staff(&self) -> Staff {
        let Credentials::Member(staff_type, name) = &self.credentials else { panic!("only members are staff") };
        Staff {
            id: StaffId(self.id().await),
            name: name.clone(),
            email: String::new(),
            staff_type: *staff_type,
            session_hash: String::new(),
            signed_in_at: self.test.clock.now(),
            confirmed_at: self.test.clock.now(),
            address: "127.0.0.1".into(),
        }
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

    /// Uploads a form.
    pub async fn upload(&self, path: &str, form: Form) -> Answer {
        self.send(self.request(Method::POST, &api(path)).await.multipart(form)).await
    }

    /// Fetches an address outside the API.
    pub async fn page(&self, path: &str) -> Answer {
        self.send(self.request(Method::GET, path).await).await
    }

    /// A request for the test to complete. The path is not prefixed.
    pub async fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let mut request = http::client().request(method, format!("http://{}{path}", self.test.address));
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match &self.credentials {
            Credentials::Anonymous => request,
            Credentials::Token(token) => request.header(AUTHORIZATION, token),
            Credentials::Member(..) => request.header(AUTHORIZATION, self.token().await),
        }
    }

    /// Sends a request that the test completed.
    pub async fn send(&self, request: RequestBuilder) -> Answer {
        let response = request.send().await.expect("the server responds");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = first_text(response).await;
        Answer { status, headers, json: serde_json::from_str(&text).unwrap_or(Value::Null), text }
    }
}

/// The body; of a stream of events, the first of them.
async fn first_text(mut response: reqwest::Response) -> String {
    let is_stream = response.headers().get("content-type").is_some_and(|value| value == "text/event-stream");
    if !is_stream {
        return response.text().await.expect("the answer is text");
    }
    // The answer to a HEAD has no events.
    let first = response.chunk().await.expect("the stream begins").unwrap_or_default();
    String::from_utf8(first.to_vec()).expect("events are text")
}

fn api(path: &str) -> String {
    format!("/api{path}")
}

/// Begins a session for the member of this name, and adds the member if missing.
async fn begin(test: &TestApp, staff_type: StaffType, name: &str) -> Session {
    let staff_id = add_member(test, staff_type, name).await;
    test.begin_session(staff_id, Remember::No).await
}

impl TestApp {
    /// Begins a session without a password.
    pub async fn begin_session(&self, staff_id: i64, remember: Remember) -> Session {
        let new = NewSession::draw(remember, self.clock.now());
        let session = new.clone();
        let member = self
            .write(move |tx| {
                sessions::start(tx, &session, StaffId(staff_id), &SignInOrigin::default())?;
                Ok(store::find(tx, StaffId(staff_id))?.expect("an active member"))
            })
            .await;
        let person = TokenPerson { id: StaffId(staff_id), name: member.name, staff_type: member.staff_type };
        Session { staff_id, token: self.app.staff.tokens.sign(&new, &person).expect("the token is signed") }
    }
}

/// Returns the id of the member of this name, and adds the member if missing.
pub async fn add_member(test: &TestApp, staff_type: StaffType, name: &str) -> i64 {
    let passwords = &test.app.staff.passwords;
    let password = NewPassword::of_member(PASSWORD, passwords.rule).expect("a password");
    let hash = passwords.hash(Permission::in_background(), password).await;
    let (hash, now) = (hash.expect("the password is hashed"), test.clock.now());
    let email = format!("{}@visadesk.example", name.to_lowercase().replace(' ', "."));
    let profile = Profile {
        name: PersonName::parse(name, "").expect("a name"),
        email: Email::parse(&email).expect("an address"),
        staff_type,
    };
    let _alone = test.adding_member.lock().await;
    test.write(move |tx| match store::find_active_by_name(tx, profile.name.as_str())? {
        Some((staff_id, _)) => {
            let known = store::find(tx, staff_id)?.map(|member| member.staff_type);
            assert_eq!(known, Some(staff_type), "{} exists already with another type", profile.name.as_str());
            Ok(staff_id.0)
        }
        None => Ok(store::add(tx, &profile, &hash, "a test", now)?.0),
    })
    .await
}

/// A response of the server. Prints as `200 {…}`, with times and tokens replaced by placeholders.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    /// The body, or null if it is not JSON.
    pub json: Value,
    pub text: String,
}

impl Answer {
    /// The `data` field of the body.
    pub fn data(&self) -> &Value {
        &self.json["data"]
    }

    /// The `message` field of the body.
    pub fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_default()
    }

    /// A header as text, or an empty text if it is missing.
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

/// Replaces values that differ between runs.
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
