//! The delivery of mails: by SMTP, or into a folder. Each provider has its own transport, and none takes over for the other.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::Message;
use lettre::message::Mailbox;
use tokio::sync::Semaphore;

use super::errors::MailError;
use super::leases::AttemptResult;
use super::rules::{Outcome, Provider};
use super::sender;
use super::smtp::{SendPermit, Smtp};
use crate::config::Config;
use crate::error::{Error, Result};

/// The transport of each provider.
pub struct Transports {
    aws: Transport,
    sendgrid: Transport,
    /// The sender of all mails.
    pub from: Mailbox,
}

struct Transport {
    delivery: MailRoute,
    send_permits: Arc<Semaphore>,
}

enum MailRoute {
    Smtp(Smtp),
    Folder(PathBuf),
}

impl Transports {
    /// Reads the providers' addresses.
    ///
    /// # Errors
    /// [`MailError::InvalidMailProvider`] names the setting that cannot be used.
    pub fn open(config: &Config) -> Result<Self> {
        let open = |key: &'static str, url: &str| -> Result<Transport> {
            let delivery = match url {
                "" => MailRoute::Folder(config.data_dir.join("mail")),
                url => MailRoute::Smtp(
                    Smtp::parse(url, config).map_err(|error| MailError::InvalidMailProvider { key, error })?,
                ),
            };
            Ok(Transport { delivery, send_permits: Arc::new(Semaphore::new(1)) })
        };
        Ok(Self {
            aws: open("mail.aws", &config.mail.aws)?,
            sendgrid: open("mail.sendgrid", &config.mail.sendgrid)?,
            from: sender::sender(config)?,
        })
    }

    /// Sends a mail and returns how the attempt ended. `begin_text` runs before the text goes out, where a repeated attempt could
    /// deliver it twice; without a permit from it the text is not sent. Hold the permit until the result is recorded.
    pub async fn send<Begun: Future<Output = Result<Option<SendPermit>>>>(
        &self,
        provider: Provider,
        name: String,
        message: &Message,
        begin_text: impl FnOnce() -> Begun,
    ) -> (AttemptResult, Option<SendPermit>) {
        match &self.of(provider).delivery {
            MailRoute::Smtp(smtp) => smtp.send(message, begin_text).await,
            // The same mail has the same file name in each attempt, so it is never stored twice.
            MailRoute::Folder(folder) => {
                let (folder, text) = (folder.clone(), message.formatted());
                let written =
                    tokio::task::spawn_blocking(move || write_file(&folder, &name, &text).map(|()| name)).await;
                let how = match written.map_err(io::Error::other).flatten() {
                    Ok(name) => {
                        let answer = format!("Stored as the file mail/{name}");
                        AttemptResult { in_file: true, ..AttemptResult::new(Outcome::Accepted, answer) }
                    }
                    Err(error) => AttemptResult::put_off(format!("The file could not be written: {error}")),
                };
                (how, None)
            }
        }
    }

    /// Waits until the provider may be sent a text.
    pub async fn send_permit(&self, provider: Provider) -> Result<SendPermit> {
        self.of(provider).send_permits.clone().acquire_owned().await.map_err(Error::internal)
    }

    fn of(&self, provider: Provider) -> &Transport {
        match provider {
            Provider::Aws => &self.aws,
            Provider::Sendgrid => &self.sendgrid,
        }
    }
}

/// Writes the file whole or not at all, and returns only when it is on the disk.
fn write_file(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".{name}.{:08x}", rand::random::<u32>()));
    let written = File::create_new(&draft).and_then(|mut file| {
        file.write_all(text)?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&draft, folder.join(name))) {
        // Best effort: the draft may not exist.
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    File::open(folder)?.sync_all()
}
