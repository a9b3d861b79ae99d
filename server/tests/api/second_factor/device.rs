//! A software authenticator: a device that keeps one passkey, with every part that a hostile one could change.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use p256::ecdsa::signature::Signer;
use p256::ecdsa::{Signature, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Flags of the authenticator data: the person was present and verified, and a new key follows (WebAuthn Level 3 §6.1).
const VERIFIED: u8 = 0x05;
const NEW_KEY: u8 = 0x40;

/// A device with one passkey.
pub struct Device {
    key: SigningKey,
    id: Vec<u8>,
    /// The counter of its next signature; a device that counts nothing stays at 0.
    pub counter: u32,
    /// The address that its browser has open.
    pub origin: String,
}

impl Device {
    /// A device whose browser has the program's own address open.
    pub fn new() -> Self {
        let key = SigningKey::from_slice(&rand::random::<[u8; 32]>()).expect("a key");
        let id = rand::random::<[u8; 32]>().to_vec();
        Self { key, id, counter: 0, origin: "http://localhost:8080".into() }
    }

    /// What `navigator.credentials.create()` answers to `options`.
    pub fn create(&self, options: &Value) -> Value {
        let mut data = self.authenticator_data(&options["rp"]["id"], VERIFIED | NEW_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).expect("a short id").to_be_bytes());
        data.extend(&self.id);
        let point = self.key.verifying_key().to_sec1_point(false);
        // A COSE key (RFC 9053 §7.1): EC2, ES256, P-256, x, y.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point.as_bytes()[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point.as_bytes()[33..]);
        // A CBOR map: fmt "none", attStmt {}, authData.
        let mut object = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        object.push(u8::try_from(data.len()).expect("short data"));
        object.extend(data);
        let client = self.client_data("webauthn.create", &options["challenge"]);
        self.credential(json!({ "attestationObject": encode(&object), "clientDataJSON": encode(&client) }))
    }

    /// What `navigator.credentials.get()` answers to `options`.
    pub fn sign(&self, options: &Value) -> Value {
        let data = self.authenticator_data(&options["rpId"], VERIFIED);
        let client = self.client_data("webauthn.get", &options["challenge"]);
        let signed = [data.as_slice(), &Sha256::digest(&client)].concat();
        let signature: Signature = self.key.sign(&signed);
        self.credential(json!({
            "authenticatorData": encode(&data),
            "clientDataJSON": encode(&client),
            "signature": encode(signature.to_der().as_bytes()),
            "userHandle": null,
        }))
    }

    fn authenticator_data(&self, site: &Value, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(site.as_str().expect("the host of the site")).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, challenge: &Value) -> Vec<u8> {
        json!({ "type": kind, "challenge": challenge, "origin": self.origin, "crossOrigin": false }).to_string().into()
    }

    fn credential(&self, response: Value) -> Value {
        let id = encode(&self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}
