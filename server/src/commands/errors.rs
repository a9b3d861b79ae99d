//! Why a command fails; printed to the operator.

use std::io;
use std::net::SocketAddr;

use derive::Reason;

/// Why a command fails.
#[derive(Debug, thiserror::Error, Reason)]
#[reason(Invalid)]
pub enum CommandError {
    #[error("{faults} of {files} files are missing or changed")]
    FilesFaulty { faults: usize, files: usize },
    #[error("{name} cannot be restored: {faults} of its objects are missing or damaged")]
    BackupFaulty { name: String, faults: u64 },
    #[error("{listen} is not available: {error}. Set {setting} to a free address")]
    AddressNotFree { listen: SocketAddr, error: io::Error, setting: &'static str },
}
