//! The calls that a room offers.

use std::sync::Arc;

use utoipa_axum::router::OpenApiRouter;

/// The calls of a room with the state `S`, each group with the tag under which the contract lists it.
pub type Routes<S> = Vec<(&'static str, OpenApiRouter<Arc<S>>)>;
