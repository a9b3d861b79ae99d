//! An SMTP server on `mailin`, which implements the protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;

use mailin::{Action, Handler, Response, Session, SessionBuilder};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// Serves each client on its own thread until the tests end.
pub fn serve(
    listener: TcpListener,
    sessions: SessionBuilder,
    tls: Option<Arc<ServerConfig>>,
    handler: impl Handler + Clone + Send + 'static,
) {
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (sessions, tls, handler) = (sessions.clone(), tls.clone(), handler.clone());
            // An error means that the client closed the connection.
            std::thread::spawn(move || {
                serve_client(stream, sessions.build(IpAddr::V4(Ipv4Addr::LOCALHOST), handler), tls).ok()
            });
        }
    });
}

/// The TLS configuration of a server with this certificate and key.
pub fn tls_of(certificate: &Path, key: &Path) -> Arc<ServerConfig> {
    let chain =
        CertificateDer::pem_file_iter(certificate).expect("the certificate is readable").collect::<Result<_, _>>();
    let key = PrivateKeyDer::from_pem_file(key).expect("the key is readable");
    let config = ServerConfig::builder_with_provider(visadesk::tls::provider()).with_safe_default_protocol_versions();
    let config = config.expect("the protocol versions are supported").with_no_client_auth();
    Arc::new(config.with_single_cert(chain.expect("certificates"), key).expect("the key belongs to the certificate"))
}

fn serve_client<H: Handler>(
    mut stream: TcpStream,
    mut session: Session<H>,
    tls: Option<Arc<ServerConfig>>,
) -> io::Result<()> {
    write_response(&mut stream, &session.greeting())?;
    if !serve_session(&stream, &mut session)? {
        return Ok(());
    }
    let connection = ServerConnection::new(tls.expect("the server offers TLS")).map_err(io::Error::other)?;
    session.tls_active();
    serve_session(StreamOwned::new(connection, stream), &mut session).map(drop)
}

/// Serves commands. Returns true when the client starts TLS.
fn serve_session<H: Handler>(stream: impl Read + Write, session: &mut Session<H>) -> io::Result<bool> {
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
            _ => write_response(stream.get_mut(), &response)?,
        }
        match response.action {
            Action::Close => return Ok(false),
            Action::UpgradeTls => return Ok(true),
            Action::Reply | Action::NoReply => {}
        }
    }
}

fn write_response(stream: &mut impl Write, response: &Response) -> io::Result<()> {
    stream.write_all(&response.buffer()?)?;
    stream.flush()
}
