//! Files of a release or a ledger with the digests that their bytes have: digests are not signatures, and whoever forges a
//! file writes them anew.

use hmac_sha256::Hash;
use serde_json::{Value, json};

/// The streams of a folder, by the names of their fields and files.
pub const STREAMS: [(&str, &str); 2] = [("values", "values.bin"), ("mask", "mask.bin")];

/// The text of a file with its digest put right, and with it lengths and digests of the streams beside it; what is not a JSON
/// object stays as it is.
pub fn resealed(text: &[u8], streams: [Option<&[u8]>; 2]) -> Vec<u8> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(text) else {
        return text.to_vec();
    };
    for ((name, _), bytes) in STREAMS.into_iter().zip(streams) {
        let stated = fields.get_mut("contents").and_then(|contents| contents.get_mut(name));
        if let (Some(Value::Object(stated)), Some(bytes)) = (stated, bytes) {
            stated.insert("bytes".to_owned(), json!(bytes.len()));
            stated.insert("sha256".to_owned(), json!(sha256(bytes)));
        }
    }
    fields.remove("digest");
    sealed(&Value::Object(fields)).into_bytes()
}

/// The text of a JSON object with its digest, which is that of all before it, as the last field.
pub fn sealed(fields: &Value) -> String {
    let text = format!("{fields:#}");
    let body = text.strip_suffix("\n}").unwrap_or(&text);
    format!("{body},\n  \"digest\": \"{}\"\n}}\n", sha256(body.as_bytes()))
}

/// The digest of some bytes.
pub fn sha256(bytes: &[u8]) -> String {
    Hash::hash(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
