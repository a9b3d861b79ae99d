//! The stream of changes, as server-sent events.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderName, header};
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};
use serde::Deserialize;
use tokio::sync::broadcast::error::RecvError;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::Live;
use super::feed::{self, Follow};
use super::moments::{LiveChanges, Moment};
use crate::error::Result;
use crate::http::json::Query;
use crate::http::routes::call;
use crate::staff::rules::Staff;

/// The pause after which an empty event shows that the stream is alive.
const ALIVE_EVERY: Duration = Duration::from_secs(15);

pub fn endpoints() -> OpenApiRouter<Arc<Live>> {
    OpenApiRouter::new().routes(call!(follow_changes))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct FollowChanges {
    /// The `cursor` of the last event of an earlier stream, to be told what changed since.
    after: Option<i64>,
}

/// Follow the changes of orders as they happen
///
/// Server-sent events with the ids of orders that changed, the folders that list them now, and the counts of folders. The stream does not keep
/// its session alive, and ends within a second after the session or when the type of its member changes.
#[utoipa::path(get, path = "/admin/live", params(FollowChanges),
    responses((status = 200, content_type = "text/event-stream", body = LiveChanges)))]
pub async fn follow_changes(
    State(room): State<Arc<Live>>,
    staff: Staff,
    Query(query): Query<FollowChanges>,
) -> Result<impl IntoResponse> {
    let follow = feed::follow(&room, &staff, query.after).await?;
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        // A proxy that collects responses would hold the events back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Sse::new(events(staff, follow)).keep_alive(KeepAlive::new().interval(ALIVE_EVERY))))
}

/// The events of a stream, until it has to end.
fn events(staff: Staff, follow: Follow) -> impl Stream<Item = Result<Event, Infallible>> {
    stream::unfold((staff, follow), |(staff, mut follow)| async move {
        loop {
            let first = std::mem::take(&mut follow.first);
            let told = if first.is_empty() {
                tokio::select! {
                    biased;
                    _ = &mut follow.following.end => return None,
                    moment = follow.further.recv() => match moment {
                        Ok(moment) => LiveChanges::told(&staff, [&*moment]),
                        Err(RecvError::Lagged(_)) => {
                            // Its browser reads too slowly to be told each of them.
                            let Ok(newest) = follow.further.recv().await else { return None };
                            LiveChanges::told(&staff, [&Moment { is_all: true, ..Moment::clone(&newest) }])
                        }
                        Err(RecvError::Closed) => return None,
                    },
                }
            } else {
                LiveChanges::told(&staff, first.iter().map(|moment| &**moment))
            };
            match Event::default().json_data(&told) {
                Ok(event) => return Some((Ok(event), (staff, follow))),
                Err(error) => tracing::error!(%error, "an event cannot be written"),
            }
        }
    })
}
