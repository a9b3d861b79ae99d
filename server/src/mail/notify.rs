//! Wakes the workers of this process when a mail is queued, so that it is sent before their next poll.

use tokio::sync::watch;

/// Wakes the workers. Clones wake the same workers.
#[derive(Clone, Debug)]
pub struct MailNotify(watch::Sender<()>);

impl Default for MailNotify {
    fn default() -> Self {
        Self(watch::Sender::new(()))
    }
}

impl MailNotify {
    /// Wakes the workers. Call it after the commit that queued a mail.
    pub fn notify(&self) {
        self.0.send_replace(());
    }

    /// Receives every notification from now on.
    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.0.subscribe()
    }
}
