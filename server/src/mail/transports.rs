//! How a mail leaves: by SMTP, or into a folder. Each provider has its own, and none takes over for the other.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lettre::Message;
use lettre::message::Mailbox;
use tokio::sync::Semaphore;

use super::leases::How;
use super::rules::{Outcome, Provider};
use super::sender;
use super::smtp::{Smtp, Turn};
use crate::config::Config;
use crate::error::{Error, Result};

/// How the mails of each provider leave.
pub struct Transports {
    aws: Transport,
    sendgrid: Transport,
    /// Whom mails come from.
    pub from: Mailbox,
}

struct Transport {
    leaves: Leaves,
    turns: Arc<Semaphore>,
}

enum Leaves {
    BySmtp(Smtp),
    IntoFolder(PathBuf),
}

impl Transports {
    /// Reads the providers' addresses, and refuses one that cannot be used by the name of its setting.
    pub fn open(config: &Config) -> Result<Self> {
        let open = |key: &str, url: &str| -> Result<Transport> {
            let leaves = match url {
                "" => Leaves::IntoFolder(config.data_dir.join("mail")),
                url => Leaves::BySmtp(
                    Smtp::parse(url, config)
                        .map_err(|refused| Error::invalid(format!("{key} {}", refused.message())))?,
                ),
            };
            Ok(Transport { leaves, turns: Arc::new(Semaphore::new(1)) })
        };
        Ok(Self {
            aws: open("mail.aws", &config.mail.aws)?,
            sendgrid: open("mail.sendgrid", &config.mail.sendgrid)?,
            from: sender::sender(config)?,
        })
    }

    /// Hands a mail over; never fails, but says how it ended. `begin_text` is asked before the text goes out where it could go
    /// out twice, and the text stays here unless it gives a turn. Keep that until the end is written down.
    pub async fn send<Begun: Future<Output = Result<Option<Turn>>>>(
        &self,
        provider: Provider,
        name: String,
        message: &Message,
        begin_text: impl FnOnce() -> Begun,
    ) -> (How, Option<Turn>) {
        match &self.of(provider).leaves {
            Leaves::BySmtp(smtp) => smtp.send(message, begin_text).await,
            // The same mail has the same name in each try, so it cannot lie there twice.
            Leaves::IntoFolder(folder) => {
                let (folder, text) = (folder.clone(), message.formatted());
                let kept = tokio::task::spawn_blocking(move || keep(&folder, &name, &text).map(|()| name)).await;
                let how = match kept.map_err(io::Error::other).flatten() {
                    Ok(name) => {
                        How { outcome: Outcome::Accepted, answer: format!("StoredResponse as the file mail/{name}") }
                    }
                    Err(error) => How::put_off(format!("The file could not be written: {error}")),
                };
                (how, None)
            }
        }
    }

    /// Waits for the provider's turn to take a text.
    pub async fn turn(&self, provider: Provider) -> Result<Turn> {
        self.of(provider).turns.clone().acquire_owned().await.map_err(Error::internal)
    }

    fn of(&self, provider: Provider) -> &Transport {
        match provider {
            Provider::Aws => &self.aws,
            Provider::Sendgrid => &self.sendgrid,
        }
    }
}

/// Writes the file whole or not at all, and leaves only when it is on the disk.
fn keep(folder: &Path, name: &str, text: &[u8]) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!(".{name}.{:08x}", rand::random::<u32>()));
    let written = File::create_new(&draft).and_then(|mut file| {
        file.write_all(text)?;
        file.sync_all()
    });
    if let Err(error) = written.and_then(|()| fs::rename(&draft, folder.join(name))) {
        // It may not even be there.
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    File::open(folder)?.sync_all()
}
