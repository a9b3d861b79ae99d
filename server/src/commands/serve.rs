//! `visadesk serve` and `visadesk work`: until SIGTERM or Ctrl-C, then in order to an end.

use std::os::fd::AsFd;
use std::pin::pin;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use visadesk::app::{App, maintenance, router};
use visadesk::config::proxies::TrustedProxies;
use visadesk::error::{Error, Result};
use visadesk::http::{layers, server};

use super::errors::CommandError;
use super::start::{Start, say};

/// Serves, and works beside it when `with_worker`.
pub async fn serve(start: Start, with_worker: bool) -> Result<()> {
    let listen = start.config.listen;
    let listener = TcpListener::bind(listen).await.map_err(|error| CommandError::AddressNotFree { listen, error })?;
    let mut stop = pin!(stop_signal()?);
    let app = tokio::select! {
        app = bootstrap(start, &listener) => app?,
        () = &mut stop => return Ok(()),
    };
    let address = listener.local_addr().map_err(Error::internal)?;
    say(&format!("Visadesk is ready at http://{address}"))?;
    tracing::info!(%address, "ready");
    tokio::spawn(warn_of_storage(app.clone()));

    let (tell, told) = watch::channel(false);
    let worker = with_worker.then(|| tokio::spawn(maintenance::run(app.clone(), told)));
    let until_stop = async {
        stop.await;
        tell.send_replace(true);
    };
    let (limits, proxies) = (&app.config.limits, &app.kit.proxies);
    server::serve(listener, router::router(&app)?, limits, proxies, until_stop).await;
    if let Some(worker) = worker {
        end_in_time(&app, worker).await;
    }
    app.audit.access_log.flush().await?;
    tracing::info!("stopped");
    Ok(())
}

/// Waits for the database, and puts callers off meanwhile.
async fn bootstrap(start: Start, listener: &TcpListener) -> Result<App> {
    let door = listener.as_fd().try_clone_to_owned().map_err(Error::internal)?;
    let door = TcpListener::from_std(door.into()).map_err(Error::internal)?;
    let (limits, proxies) = (start.config.limits.clone(), TrustedProxies::parse(&start.config.trusted_proxies)?);
    let (opened, is_open) = oneshot::channel::<()>();
    let until_open = async {
        // Either way nobody has to wait any longer.
        let _ = is_open.await;
    };
    let open = async {
        let app = start.app().await;
        drop(opened);
        app
    };
    let (app, ()) = tokio::join!(open, server::serve(door, layers::startup_router(), &limits, &proxies, until_open));
    app
}

/// Says early that files can neither be stored nor shown. The rest works, so this is no reason not to start.
async fn warn_of_storage(app: App) {
    if let Err(error) = app.documents.files.check().await {
        tracing::warn!(%error, "the file storage does not answer: are files_url and the AWS_ variables right?");
    }
}

/// Works until it is told to stop.
pub async fn work(start: Start) -> Result<()> {
    let mut stop = pin!(stop_signal()?);
    let app = tokio::select! {
        app = start.app() => app?,
        () = &mut stop => return Ok(()),
    };
    tracing::info!("working");
    let (tell, told) = watch::channel(false);
    let mut worker = tokio::spawn(maintenance::run(app.clone(), told));
    tokio::select! {
        _ = &mut worker => return Err(Error::internal("the background work has ended by itself")),
        () = stop => {}
    }
    tell.send_replace(true);
    end_in_time(&app, worker).await;
    tracing::info!("stopped");
    Ok(())
}

/// Waits for mails on their way. One that takes too long is judged by the next worker, once its lease has run out.
async fn end_in_time(app: &App, mut worker: JoinHandle<()>) {
    let most = Duration::from_secs(app.config.limits.stop_seconds);
    if timeout(most, &mut worker).await.is_err() {
        tracing::warn!("mails that were on their way have been left");
        worker.abort();
    }
}

/// Ends at SIGTERM or Ctrl-C. Listens from the moment it is made, so that no signal is missed.
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
