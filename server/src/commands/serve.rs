//! `visadesk serve` and `visadesk work`: run until SIGTERM or Ctrl-C, then shut down in order.

use std::net::SocketAddr;
use std::os::fd::AsFd;
use std::pin::pin;
use std::time::{Duration, Instant};

use crate::app::{App, maintenance, router};
use crate::child::sandbox;
use crate::config::proxies::ClientSource;
use crate::demo::people;
use crate::error::{Error, Result};
use crate::http::layers;
use crate::http::server::{self, Connections};
use crate::http::staff_networks::StaffNetworks;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::errors::CommandError;
use super::start::{Start, say};

/// Serves, and does the background work too if `with_worker`.
pub async fn serve(start: Start, with_worker: bool) -> Result<()> {
    let listener = bind("VISADESK_LISTEN", start.config.listen).await?;
    let metrics = match start.config.metrics.address()? {
        Some(address) => Some(bind("VISADESK_METRICS__LISTEN", address).await?),
        None => None,
    };
    let mut stop = pin!(stop_signal()?);
    let app = tokio::select! {
        app = bootstrap(start, &listener) => app?,
        () = &mut stop => return Ok(()),
    };
    let address = listener.local_addr().map_err(Error::internal)?;
    say(&format!("Visadesk is ready at http://{address}"))?;
    tracing::info!(%address, "ready");
    app.config.warnings().iter().for_each(|warning| tracing::warn!("{warning}"));
    if let Some(warning) = unconfined_children() {
        tracing::warn!("{warning}");
    }
    tokio::spawn(try_storage(app.clone()));
    tokio::spawn(warn_of_the_demo(app.clone()));

    let (stop_workers, stopped) = watch::channel(false);
    let worker = with_worker.then(|| tokio::spawn(maintenance::run(app.clone(), stopped)));
    let until_stop = async {
        stop.await;
        stop_workers.send_replace(true);
        // They would last for the whole grace period.
        app.live.feed.followers.end();
    };
    if let Some(metrics) = metrics {
        let (router, app) = (router::metrics_router(&app), app.clone());
        tokio::spawn(async move {
            // The agency's own monitoring asks here, without the proxy.
            let connections = Connections { source: ClientSource::default(), ..Connections::of(&app.kit) };
            server::serve(metrics, router, connections, std::future::pending()).await;
        });
    }
    server::serve(listener, router::router(&app)?, Connections::of(&app.kit), until_stop).await;
    if let Some(worker) = worker {
        end_in_time(&app, worker).await;
    }
    app.audit.access_log.end(Duration::from_secs(app.config.limits.stop_seconds)).await;
    tracing::info!("stopped");
    Ok(())
}

async fn bind(setting: &'static str, listen: SocketAddr) -> Result<TcpListener> {
    let bound = TcpListener::bind(listen).await;
    Ok(bound.map_err(|error| CommandError::AddressNotFree { listen, error, setting })?)
}

/// Waits for the database; until then callers get 503.
async fn bootstrap(start: Start, listener: &TcpListener) -> Result<App> {
    let startup = listener.as_fd().try_clone_to_owned().map_err(Error::internal)?;
    let startup = TcpListener::from_std(startup.into()).map_err(Error::internal)?;
    let config = start.config.clone();
    let (opened, is_open) = oneshot::channel::<()>();
    let until_open = async {
        // A dropped sender means the same: the startup router is no longer needed.
        let _ = is_open.await;
    };
    let open = async {
        let app = start.app().await;
        drop(opened);
        app
    };
    let (router, none_yet) = (layers::startup_router(), StaffNetworks::default());
    let (limits, proxies, source) = (&config.limits, &config.trusted_proxies, config.client_source);
    let connections = Connections { limits, proxies, source, staff: &none_yet };
    let (app, ()) = tokio::join!(open, server::serve(startup, router, connections, until_open));
    app
}

/// The warning that this machine cannot confine the children, if it lacks a protection.
pub fn unconfined_children() -> Option<String> {
    let missing = sandbox::missing();
    (!missing.is_empty()).then(|| {
        format!(
            "this machine lacks {} for the processes that parse files and typeset packs. They have only their limits of memory and \
             time. Use a kernel of Linux 5.13 or newer with Landlock and seccomp, and a container that allows them",
            missing.join(", ")
        )
    })
}

/// Says in the log whether the file storage can be used. Without it everything else works, so the server starts anyway.
async fn try_storage(app: App) {
    match app.documents.files.check().await {
        Ok(()) => tracing::info!("the file storage works"),
        Err(error) => tracing::warn!(%error, "the file storage cannot be used. Check files_url and the AWS_ variables"),
    }
}

/// The intervals at which the server looks for people of the demo, who may be added while it runs, and at which it warns of them.
const LOOK_FOR_THE_DEMO: Duration = Duration::from_secs(10);
const WARN_OF_THE_DEMO: Duration = Duration::from_secs(3_600);

/// Says in the log, at once and every hour, that the people of the demo can sign in, for as long as they can, and once that there are
/// none or no more.
async fn warn_of_the_demo(app: App) {
    let mut looks = tokio::time::interval(LOOK_FOR_THE_DEMO);
    let mut warned_at: Option<Instant> = None;
    let mut said_none = false;
    loop {
        looks.tick().await;
        match app.db.read(people::exist).await {
            Ok(true) if warned_at.is_some_and(|at| at.elapsed() < WARN_OF_THE_DEMO) => {}
            Ok(true) => {
                tracing::warn!(
                    "the people of the demo can sign in, with a password that everybody knows. Delete them in Manage Team before \
                     anybody else can reach this address"
                );
                (warned_at, said_none) = (Some(Instant::now()), false);
            }
            Ok(false) => {
                if !said_none {
                    tracing::info!("there are no people of the demo");
                }
                (warned_at, said_none) = (None, true);
            }
            Err(error) => tracing::warn!(%error, "it could not be checked whether people of the demo can sign in"),
        }
    }
}

/// Does the background work until a stop signal.
pub async fn work(start: Start) -> Result<()> {
    let mut stop = pin!(stop_signal()?);
    let app = tokio::select! {
        app = start.app() => app?,
        () = &mut stop => return Ok(()),
    };
    tracing::info!("working");
    let (stop_workers, stopped) = watch::channel(false);
    let mut worker = tokio::spawn(maintenance::run(app.clone(), stopped));
    tokio::select! {
        _ = &mut worker => return Err(Error::internal("the background work ended unexpectedly")),
        () = stop => {}
    }
    stop_workers.send_replace(true);
    end_in_time(&app, worker).await;
    tracing::info!("stopped");
    Ok(())
}

/// Waits for mails in delivery. The next worker takes over one that takes too long, once its lease has expired.
async fn end_in_time(app: &App, mut worker: JoinHandle<()>) {
    let most = Duration::from_secs(app.config.limits.stop_seconds);
    if timeout(most, &mut worker).await.is_err() {
        tracing::warn!("mails in delivery were left to the next worker");
        worker.abort();
    }
}

/// A future that completes at SIGTERM or Ctrl-C. It listens from its creation, so that no signal is missed.
fn stop_signal() -> Result<impl Future<Output = ()>> {
    let mut terminate = signal(SignalKind::terminate()).map_err(Error::internal)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(Error::internal)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
