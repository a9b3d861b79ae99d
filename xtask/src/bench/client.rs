//! A client of one server.

use std::time::Duration;

use anyhow::Result;
use ureq::http::Request;
use ureq::{Agent, Body};

/// A client with connections of its own, and the token of a member if the server asks for one.
pub struct Client {
    agent: Agent,
    address: String,
    token: Option<String>,
}

impl Client {
    /// A client of the server at `http://…`.
    pub fn new(address: &str, token: Option<&str>) -> Client {
        let agent = Agent::config_builder().timeout_global(Some(Duration::from_secs(60))).build().into();
        Client { agent, address: address.to_owned(), token: token.map(str::to_owned) }
    }

    /// Another client of the same server, with connections of its own.
    pub fn another(&self) -> Client {
        Client::new(&self.address, self.token())
    }

    /// `http://…`
    pub fn address(&self) -> &str {
        &self.address
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Returns the body of a response.
    ///
    /// # Errors
    /// If the server refuses the request.
    pub fn get(&self, path: &str) -> Result<String> {
        self.send("GET", path, "")
    }

    /// Sends a request, with a body of JSON unless it is empty, and returns the body of the response.
    ///
    /// # Errors
    /// If the server refuses the request.
    pub fn send(&self, method: &str, path: &str, body: &str) -> Result<String> {
        /// A list of 500 rows is less than 1 MiB.
        const MAX_BYTES: u64 = 16 << 20;
        let request = self.request(method, path);
        let mut response = match body {
            "" => self.agent.run(request.body(())?)?,
            _ => self.agent.run(request.header("Content-Type", "application/json").body(body)?)?,
        };
        Ok(response.body_mut().with_config().limit(MAX_BYTES).read_to_string()?)
    }

    /// Opens a response of any length. None: the server does not know the call.
    ///
    /// # Errors
    /// If the server refuses the request.
    pub fn open(&self, path: &str) -> Result<Option<Body>> {
        // Without a time limit.
        let agent: Agent = Agent::config_builder().build().into();
        match agent.run(self.request("GET", path).body(())?) {
            Ok(response) => Ok(Some(response.into_body())),
            Err(ureq::Error::StatusCode(404)) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn request(&self, method: &str, path: &str) -> ureq::http::request::Builder {
        let request = Request::builder().method(method).uri(format!("{}{path}", self.address));
        match &self.token {
            Some(token) => request.header("Authorization", token),
            None => request,
        }
    }
}
