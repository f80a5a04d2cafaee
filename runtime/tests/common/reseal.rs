//! Files of a release or a ledger with the digests that their bytes have: digests are no signatures, and whoever forges a
//! file writes them anew.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The streams of a folder, by the names of their fields and files.
pub const STREAMS: [(&str, &str); 3] = [
    ("positives", "positives.bin"),
    ("rest", "rest.bin"),
    ("mask", "mask.bin"),
];

/// The text of a file with its digest put right, and with it lengths and digests of the streams beside it; what is no JSON
/// object stays as it is.
pub fn resealed(text: &[u8], streams: [Option<&[u8]>; 3]) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(text) else {
        return text.to_vec();
    };
    for ((name, _), bytes) in STREAMS.into_iter().zip(streams) {
        if let (Some(Value::Object(stated)), Some(bytes)) = (fields.get_mut(name), bytes) {
            stated.insert("bytes".to_owned(), json!(bytes.len()));
            stated.insert("sha256".to_owned(), json!(sha256(bytes)));
        }
    }
    fields.remove("digest");
    // Fields are in alphabetical order and without spaces, as the digest takes them.
    let digest = sha256(Value::Object(fields.clone()).to_string().as_bytes());
    fields.insert("digest".to_owned(), json!(digest));
    Value::Object(fields).to_string().into_bytes()
}

fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
