//! An SMTP server around `mailin`, which knows the protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

use mailin::{Action, Handler, Response, Session, SessionBuilder};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Serves every client on a thread of its own until the tests end.
pub fn serve(
    listener: TcpListener,
    sessions: SessionBuilder,
    tls: Option<Arc<ServerConfig>>,
    handler: impl Handler + Clone + Send + 'static,
) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (sessions, tls, handler) = (sessions.clone(), tls.clone(), handler.clone());
            // A client that goes away ends the conversation.
            std::thread::spawn(move || {
                talk(stream, sessions.build(IpAddr::V4(Ipv4Addr::LOCALHOST), handler), tls).ok()
            });
        }
    });
}

/// A server's side of TLS with the certificate and the key in these files.
pub fn tls_of(certificate: &Path, key: &Path) -> Arc<ServerConfig> {
    let chain = CertificateDer::pem_file_iter(certificate).expect("it is there").collect::<Result<_, _>>();
    let key = PrivateKeyDer::from_pem_file(key).expect("it is a key");
    let config = ServerConfig::builder_with_provider(visadesk::tls::provider()).with_safe_default_protocol_versions();
    let config = config.expect("the versions fit").with_no_client_auth();
    Arc::new(config.with_single_cert(chain.expect("certificates"), key).expect("they fit"))
}

fn talk<H: Handler>(mut stream: TcpStream, mut session: Session<H>, tls: Option<Arc<ServerConfig>>) -> io::Result<()> {
    say(&mut stream, &session.greeting())?;
    if !converse(&stream, &mut session)? {
        return Ok(());
    }
    let connection = ServerConnection::new(tls.expect("it offers TLS")).map_err(io::Error::other)?;
    session.tls_active();
    converse(StreamOwned::new(connection, stream), &mut session).map(drop)
}

/// Answers line by line; true when the client goes on with TLS.
fn converse<H: Handler>(stream: impl Read + Write, session: &mut Session<H>) -> io::Result<bool> {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        if stream.read_until(b'\n', &mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let response = session.process(&line);
        match response.action {
            Action::NoReply => continue,
            _ => say(stream.get_mut(), &response)?,
        }
        match response.action {
            Action::Close => return Ok(false),
            Action::UpgradeTls => return Ok(true),
            Action::Reply | Action::NoReply => {}
        }
    }
}

fn say(stream: &mut impl Write, response: &Response) -> io::Result<()> {
    stream.write_all(&response.buffer()?)?;
    stream.flush()
}
