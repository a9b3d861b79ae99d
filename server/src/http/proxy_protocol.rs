//! The PROXY protocol: the first bytes of a proxy's connection name its client (HAProxy, The PROXY protocol, versions 1 and 2).

use std::io;
use std::net::SocketAddr;

use ppp::{HeaderResult, v1, v2};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The bytes that tell the versions apart. No header is shorter.
const SIGNATURE: usize = v2::PROTOCOL_PREFIX.len();

/// The longest header of version 1 (section 2.1).
const LONGEST_TEXT: usize = 107;

/// The most that version 2 may add to its 16 bytes: addresses, and a proxy's own notes, which are not read.
const LONGEST_BINARY: u16 = 4096;

/// Reads the header at the beginning of `stream`. None: the proxy speaks for itself, as in its health checks.
///
/// # Errors
/// If there is no header, or one that is not understood, or the connection breaks.
pub async fn read_client(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<SocketAddr>> {
    let mut header = vec![0; SIGNATURE];
    stream.read_exact(&mut header).await?;
    if header == v2::PROTOCOL_PREFIX {
        read_binary(stream, &mut header).await?;
    } else {
        // What follows the line belongs to the first request.
        while !header.ends_with(b"\r\n") {
            if header.len() == LONGEST_TEXT {
                return Err(not_understood());
            }
            header.push(stream.read_u8().await?);
        }
    }
    client(&header)
}

/// Adds the rest of a header of version 2, which has its length behind the signature (section 2.2).
async fn read_binary(stream: &mut (impl AsyncRead + Unpin), header: &mut Vec<u8>) -> io::Result<()> {
    let [command, family] = [stream.read_u8().await?, stream.read_u8().await?];
    let length = stream.read_u16().await?;
    if length > LONGEST_BINARY {
        return Err(not_understood());
    }
    header.extend([command, family]);
    header.extend(length.to_be_bytes());
    let begin = header.len();
    header.resize(begin + usize::from(length), 0);
    stream.read_exact(&mut header[begin..]).await?;
    Ok(())
}

/// The client that a whole header names.
fn client(header: &[u8]) -> io::Result<Option<SocketAddr>> {
    match HeaderResult::parse(header) {
        HeaderResult::V1(Ok(header)) => Ok(match header.addresses {
            v1::Addresses::Tcp4(pair) => Some((pair.source_address, pair.source_port).into()),
            v1::Addresses::Tcp6(pair) => Some((pair.source_address, pair.source_port).into()),
            v1::Addresses::Unknown => None,
        }),
        HeaderResult::V2(Ok(header)) => Ok(match (header.command, header.addresses) {
            (v2::Command::Proxy, v2::Addresses::IPv4(pair)) => Some((pair.source_address, pair.source_port).into()),
            (v2::Command::Proxy, v2::Addresses::IPv6(pair)) => Some((pair.source_address, pair.source_port).into()),
            (v2::Command::Proxy, v2::Addresses::Unix(_) | v2::Addresses::Unspecified) | (v2::Command::Local, _) => None,
        }),
        HeaderResult::V1(Err(_)) | HeaderResult::V2(Err(_)) => Err(not_understood()),
    }
}

fn not_understood() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the connection does not begin with a header of the PROXY protocol")
}
