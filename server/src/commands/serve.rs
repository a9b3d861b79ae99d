//! `visadesk serve` and `visadesk work`: until SIGTERM or Ctrl-C, then in order to an end.

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use visadesk::error::{Error, Result};
use visadesk::{http, work};

use super::{Start, say};

/// Serves, and works beside it when `with_worker`.
pub async fn serve(start: Start, with_worker: bool) -> Result<()> {
    let app = start.app()?;
    let listen = app.config.listen;
    let in_use = |error| {
        Error::invalid(format!("{listen} cannot be listened on: {error}. Set VISADESK_LISTEN to a free address"))
    };
    let listener = TcpListener::bind(listen).await.map_err(in_use)?;
    let address = listener.local_addr().map_err(Error::internal)?;
    say(&format!("Visadesk is ready at http://{address}"))?;
    tracing::info!(%address, "ready");

    let worker = with_worker.then(|| tokio::spawn(work::run(app.clone())));
    http::server::serve(listener, http::router(app.clone()), &app, stop_signal()?).await;
    if let Some(worker) = worker {
        worker.abort();
    }
    app.access_log.flush().await?;
    tracing::info!("stopped");
    Ok(())
}

/// Works until it is told to stop.
pub async fn work(start: Start) -> Result<()> {
    let app = start.app()?;
    tracing::info!("working");
    tokio::select! {
        () = work::run(app) => {}
        () = stop_signal()? => tracing::info!("stopped"),
    }
    Ok(())
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
