//! `visadesk check-config` behind a proxy: asks the running server, at the address that people use, whether it understands whom the proxy names.

use std::time::Duration;

use crate::config::Config;
use crate::tls;

/// The time that the server may take to respond.
const WAIT: Duration = Duration::from_secs(5);

/// Returns the reason why the server does not know its clients, or that this could not be checked. None without trusted proxies.
pub async fn fault(config: &Config) -> Option<String> {
    if config.trusted_proxies.is_empty() {
        return None;
    }
    let url = format!("{}/healthz", config.public_url.trim_end_matches('/'));
    match ask(&url).await {
        // The first line says that the process is alive.
        Ok(text) => text.lines().nth(1).map(|fault| format!("{fault}. Set client_source to what the proxy sends")),
        Err(error) => {
            let reason = error.without_url();
            Some(format!(
                "not checked: whether the proxy's header is understood, because {url} does not respond ({reason})"
            ))
        }
    }
}

async fn ask(url: &str) -> reqwest::Result<String> {
    tls::provider();
    #[expect(
        clippy::disallowed_methods,
        reason = "this is no test: the server is asked as people ask it, through every proxy"
    )]
    let client = reqwest::Client::builder().timeout(WAIT).build()?;
    client.get(url).send().await?.error_for_status()?.text().await
}
