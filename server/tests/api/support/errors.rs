//! Records which errors each call returns: `cargo xtask test` compares them with `contract/errors.json`.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;
use std::sync::{LazyLock, Mutex};

use axum::extract::{MatchedPath, Request};
use axum::middleware::Next;
use axum::response::Response;
use visadesk::http::errors::ErrorCode;

/// The variable with the file to which each new error adds a line: `POST /api/… 409 code`.
const FILE: &str = "VISADESK_TEST_ERRORS";

static SEEN: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// The layer that records the call, the status and the code of every error.
pub async fn record(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = request.method().clone();
    let response = next.run(request).await;
    if let (Some(path), Some(ErrorCode(code))) = (path, response.extensions().get::<ErrorCode>()) {
        let line = format!("{method} {path} {} {code}\n", response.status().as_u16());
        let is_new = SEEN.lock().expect("the mutex is not poisoned").insert(line.clone());
        if let Some(file) = std::env::var_os(FILE).filter(|_| is_new) {
            let opened = OpenOptions::new().append(true).create(true).open(Path::new(&file));
            let written = opened.and_then(|mut file| file.write_all(line.as_bytes()));
            written.unwrap_or_else(|error| panic!("{FILE}: {error}"));
        }
    }
    response
}
