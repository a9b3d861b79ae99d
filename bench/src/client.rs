//! A client of one server.

use std::time::Duration;

use anyhow::Result;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

/// A client with connections of its own, and the token of a member or a visitor if the server asks for one.
pub struct Client {
    agent: Agent,
    address: String,
    token: Option<String>,
    /// The client's address as a proxy forwards it.
    forwarded: Option<String>,
}

impl Client {
    /// A client of the server at `http://…`.
    pub fn new(address: &str, token: Option<&str>) -> Client {
        let agent = Agent::config_builder().timeout_global(Some(Duration::from_secs(60))).build().into();
        Client { agent, address: address.to_owned(), token: token.map(str::to_owned), forwarded: None }
    }

    /// A client with its token, if any, that asks from another address, over the same connections. The server must trust this machine as
    /// a proxy.
    pub fn at_address(&self, address: String, token: Option<&str>) -> Client {
        let (agent, server) = (self.agent.clone(), self.address.clone());
        Client { agent, address: server, token: token.map(str::to_owned), forwarded: Some(address) }
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
        let mut response = match body {
            "" => self.agent.run(self.request(method, path).body(())?)?,
            _ => self.send_as("application/json", method, path, body.as_bytes())?,
        };
        Ok(response.body_mut().with_config().limit(MAX_BYTES).read_to_string()?)
    }

    /// Sends a request with a body of this type, and returns the response.
    ///
    /// # Errors
    /// If the server refuses the request.
    pub fn send_as(&self, content_type: &str, method: &str, path: &str, body: &[u8]) -> Result<Response<Body>> {
        Ok(self.agent.run(self.request(method, path).header("Content-Type", content_type).body(body)?)?)
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
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.address));
        let headers = [("Authorization", &self.token), ("X-Forwarded-For", &self.forwarded)];
        for (name, value) in headers.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))) {
            request = request.header(name, value);
        }
        request
    }
}
