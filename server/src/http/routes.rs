//! The calls that a room offers, and the errors that the arguments of their handlers declare.

use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::handler::Handler;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use serde_json::{Value, json};
use utoipa::openapi::path::Operation;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::errors::status_of;
use crate::error::{Error, Permission, Reason, Refusals};

/// The calls of a room with the state `S`, each group with the tag under which the contract lists it.
pub type Routes<S> = Vec<(&'static str, OpenApiRouter<Arc<S>>)>;

/// Where the errors of a call stand until `app::contract` completes it.
pub const REFUSALS: &str = "x-refusals";

/// The route of a handler for `OpenApiRouter::routes`. Its contract has the errors of the handler's arguments.
macro_rules! call {
    ($($handler:tt)+) => {
        $crate::http::routes::declare(utoipa_axum::routes!($($handler)+), &$($handler)+)
    };
}
pub(crate) use call;

/// Adds the errors of a handler's arguments to its operation.
pub fn declare<H, T, S>((schemas, mut paths, methods): UtoipaMethodRouter<S>, _: &H) -> UtoipaMethodRouter<S>
where
    H: Handler<T, S>,
    T: Refusals,
    S: Clone + Send + Sync + 'static,
{
    let refusals: Vec<Value> = T::refusals()
        .iter()
        .map(|reason| json!([status_of(reason.kind()).as_u16(), reason.code(), reason.to_string()]))
        .collect();
    let operations =
        paths.paths.values_mut().flat_map(|item| [&mut item.get, &mut item.post, &mut item.put, &mut item.delete]);
    for operation in operations.flatten() {
        operation.extensions.get_or_insert_default().insert(REFUSALS.to_owned(), json!(refusals));
    }
    (schemas, paths, methods)
}

/// Takes the errors that [`declare`] added: the status, code and message of each.
pub fn take_refusals(operation: &mut Operation) -> Vec<(u16, String, String)> {
    let taken = operation.extensions.as_mut().and_then(|extensions| extensions.remove(REFUSALS));
    taken.and_then(|refusals| serde_json::from_value(refusals).ok()).unwrap_or_default()
}

impl<S: Sync, R: Send> FromRequestParts<S> for Permission<R> {
    type Rejection = Error;

    async fn from_request_parts(_: &mut Parts, _: &S) -> Result<Self, Error> {
        Ok(Self::by_argument())
    }
}

impl<S> Refusals for State<S> {}
impl Refusals for HeaderMap {}
impl Refusals for CookieJar {}

/// The arguments of a handler, as axum lists them: behind a marker.
macro_rules! arguments {
    ($($argument:ident)*) => {
        impl<M, $($argument: Refusals),*> Refusals for (M, $($argument,)*) {
            fn refusals() -> Vec<Box<dyn Reason>> {
                let all: [Vec<Box<dyn Reason>>; _] = [$($argument::refusals()),*];
                all.into_iter().flatten().collect()
            }
        }
    };
}
arguments!();
arguments!(A);
arguments!(A B);
arguments!(A B C);
arguments!(A B C D);
arguments!(A B C D E);
arguments!(A B C D E F);
arguments!(A B C D E F G);
arguments!(A B C D E F G H);
