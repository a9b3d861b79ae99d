//! TLS to a PostgreSQL server: how its certificate is verified, and our own certificate if it asks for one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;
use x509_cert::Certificate;
use x509_cert::der::Decode;

use crate::tls;

/// The TLS settings of a connection.
#[derive(Clone, Debug)]
pub struct Tls {
    pub verify: Verify,
    pub roots: Roots,
    /// Our own certificate and its key.
    pub identity: Option<(PathBuf, PathBuf)>,
}

/// The extent to which the server's certificate is verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    Nothing,
    /// A trusted authority has signed it.
    Chain,
    /// And it names the host of the URL.
    ChainAndName,
}

/// The trusted authorities.
#[derive(Clone, Debug)]
pub enum Roots {
    System,
    File(PathBuf),
}

impl Tls {
    pub fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let provider = tls::provider();
        let trusted = match &self.roots {
            Roots::File(file) => TrustedCertificates::read(file)?,
            Roots::System => TrustedCertificates { authorities: RootCertStore::empty(), all: Vec::new() },
        };
        let verifier: Arc<dyn ServerCertVerifier> = match (self.verify, &self.roots) {
            (Verify::ChainAndName, Roots::System) => {
                let system = rustls_platform_verifier::Verifier::new(provider.clone());
                Arc::new(system.map_err(|error| format!("the system's certificates cannot be read: {error}"))?)
            }
            (verify, _) => Arc::new(Verifier { verify, trusted, provider: provider.clone() }),
        };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(verifier);
        let config = match &self.identity {
            None => config.with_no_client_auth(),
            Some((certificate, key)) => {
                let unreadable = |error| format!("{}: {error}", key.display());
                let key = PrivateKeyDer::from_pem_file(key).map_err(unreadable)?;
                let chain = certificates(certificate)?;
                config.with_client_auth_cert(chain, key).map_err(|error| format!("sslcert and sslkey: {error}"))?
            }
        };
        Ok(MakeRustlsConnect::new(config))
    }
}

fn certificates(file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let unreadable = |error| format!("{}: {error}", file.display());
    CertificateDer::pem_file_iter(file).map_err(unreadable)?.collect::<Result<_, _>>().map_err(unreadable)
}

/// The certificates of `sslrootcert`.
#[derive(Debug)]
struct TrustedCertificates {
    authorities: RootCertStore,
    /// The same certificates, because one of them may be the server's own: rustls refuses an authority as a server.
    all: Vec<CertificateDer<'static>>,
}

impl TrustedCertificates {
    fn read(file: &Path) -> Result<Self, String> {
        let all = certificates(file)?;
        let mut authorities = RootCertStore::empty();
        authorities.add_parsable_certificates(all.iter().cloned());
        if authorities.is_empty() {
            return Err(format!("{} has no certificate", file.display()));
        }
        Ok(Self { authorities, all })
    }
}

/// Verifies as much as `sslmode` asks for.
#[derive(Debug)]
struct Verifier {
    verify: Verify,
    trusted: TrustedCertificates,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if self.verify != Verify::Nothing {
            let certificate = ParsedCertificate::try_from(end_entity)?;
            if self.trusted.all.contains(end_entity) {
                verify_dates(end_entity, now)?;
            } else {
                let algorithms = self.provider.signature_verification_algorithms.all;
                let authorities = &self.trusted.authorities;
                verify_server_cert_signed_by_trust_anchor(&certificate, authorities, intermediates, now, algorithms)?;
            }
            if self.verify == Verify::ChainAndName {
                verify_server_name(&certificate, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

fn verify_dates(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), rustls::Error> {
    let certificate = Certificate::from_der(certificate).map_err(|_| CertificateError::BadEncoding)?;
    let validity = certificate.tbs_certificate.validity;
    match now.as_secs() {
        now if now < validity.not_before.to_unix_duration().as_secs() => Err(CertificateError::NotValidYet.into()),
        now if now > validity.not_after.to_unix_duration().as_secs() => Err(CertificateError::Expired.into()),
        _ => Ok(()),
    }
}
