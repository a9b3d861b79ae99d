//! Wakes the workers of this process when a mail waits, so that it leaves before their next look.

use tokio::sync::watch;

/// Wakes the workers. Clones wake the same ones.
#[derive(Clone, Debug)]
pub struct MailNotify(watch::Sender<()>);

impl Default for MailNotify {
    fn default() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl MailNotify {
    /// To be called after the commit that queued a mail.
    pub fn notify(&self) {
        self.0.send_replace(());
    }

    /// Receives every notification from now on.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}
