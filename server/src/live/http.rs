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
use tokio::sync::{broadcast, watch};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use super::colleagues::{ColleagueAtOrder, colleagues_of};
use super::errors::LiveError;
use super::feed::Follow;
use super::followers::Follower;
use super::moments::{LiveChanges, LiveMoment};
use super::{Live, reading};
use crate::error::Result;
use crate::http::json::Query;
use crate::http::routes::call;
use crate::orders::presences::Presence;
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
/// Server-sent events with the ids of orders that changed, the folders that list them now, the counts of folders, and the colleagues who have
/// orders open. The stream does not keep its session alive, and ends within a second after the session or when the type of its member changes.
#[utoipa::path(get, path = "/admin/live", params(FollowChanges),
    responses((status = 200, content_type = "text/event-stream", body = LiveChanges)))]
pub async fn follow_changes(
    State(room): State<Arc<Live>>,
    staff: Staff,
    Query(query): Query<FollowChanges>,
) -> Result<impl IntoResponse> {
    if query.after.is_some_and(|after| after < 0) {
        return Err(LiveError::InvalidLiveCursor.into());
    }
    let follow = reading::follow(&room, &staff, query.after).await?;
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        // A proxy that collects responses would hold the events back.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Sse::new(events(staff, follow)).keep_alive(KeepAlive::new().interval(ALIVE_EVERY))))
}

/// The events of a stream, until it has to end.
fn events(staff: Staff, follow: Follow) -> impl Stream<Item = Result<Event, Infallible>> {
    let Follow { first, further, presences, follower } = follow;
    let state =
        OpenEvents { staff, last: first.last().cloned(), first, further, presences, colleagues: None, follower };
    stream::unfold(state, |mut state| async move {
        let told = state.next().await?;
        // Ids, names and numbers can be written.
        let event = Event::default().json_data(&told).unwrap_or_default();
        Some((Ok(event), state))
    })
}

struct OpenEvents {
    staff: Staff,
    first: Vec<Arc<LiveMoment>>,
    /// The last moment that was told.
    last: Option<Arc<LiveMoment>>,
    further: broadcast::Receiver<Arc<LiveMoment>>,
    presences: watch::Receiver<Vec<Presence>>,
    /// The colleagues at orders that were told last.
    colleagues: Option<Vec<ColleagueAtOrder>>,
    follower: Follower,
}

impl OpenEvents {
    /// Waits for what is to be told next. None: the stream has to end.
    async fn next(&mut self) -> Option<LiveChanges> {
        if !self.first.is_empty() {
            let first = std::mem::take(&mut self.first);
            return Some(self.told(first.iter().map(|moment| &**moment)));
        }
        loop {
            let received = tokio::select! {
                biased;
                changed = self.follower.unread.changed() => {
                    changed.ok()?;
                    // The inbox alone has changed.
                    let Some(last) = self.last.clone() else { continue };
                    return Some(self.told([&last.without_orders(false)]));
                }
                received = self.further.recv() => received,
                changed = self.presences.changed() => {
                    changed.ok()?;
                    let told = self.last.clone().map(|last| self.told([&last.without_orders(false)]));
                    match told {
                        Some(told) if told.colleagues.is_some() => return Some(told),
                        _ => continue,
                    }
                }
            };
            let moment = match received {
                Ok(moment) => moment,
                Err(RecvError::Closed) => return None,
                Err(RecvError::Lagged(_)) => {
                    // Its browser reads too slowly to be told each of them.
                    let newest = self.further.recv().await.ok()?;
                    Arc::new(newest.without_orders(true))
                }
            };
            self.last = Some(moment.clone());
            return Some(self.told([&*moment]));
        }
    }

    fn told<'a>(&mut self, moments: impl IntoIterator<Item = &'a LiveMoment>) -> LiveChanges {
        let unread = *self.follower.unread.borrow_and_update();
        let colleagues = colleagues_of(&self.staff, &self.presences.borrow_and_update());
        let is_new = self.colleagues.as_ref() != Some(&colleagues);
        let colleagues = is_new.then(|| self.colleagues.insert(colleagues).clone());
        LiveChanges { colleagues, ..LiveChanges::told(&self.staff, unread, moments) }
    }
}
