//! Promises as JSON.

use serde_json::{Value, json};

use super::FileError;
use super::fields::Fields;
use super::recorded::{exact, parse_exact};
use crate::release::Promise;

/// A promise, its epsilon exact.
pub(in crate::release) fn promise_to_json(promise: &Promise) -> Value {
    match promise {
        Promise::Lplp { n, epsilon } => json!({ "kind": "pure", "n": n, "epsilon": exact(*epsilon) }),
        // The shortest text that reads back as the same double.
        Promise::Approximate { n, epsilon, delta } => {
            json!({ "kind": "approximate", "n": n, "epsilon": exact(*epsilon), "delta": format!("{delta:e}") })
        }
        Promise::None => json!({}),
    }
}

/// The other side of [`promise_to_json`].
pub(in crate::release) fn read_promise(mut fields: Fields<'_>) -> Result<Promise, FileError> {
    let n = fields.number("n")?;
    let text = fields.text("epsilon")?;
    let epsilon = parse_exact(&text).map_err(|_| {
        let expected = "a ratio of two whole numbers above 0, such as `1/3`";
        fields.refuse("epsilon", &Value::String(text), expected)
    })?;
    let kind = fields.text("kind")?;
    let promise = match kind.as_str() {
        "pure" => Promise::Lplp { n, epsilon },
        "approximate" => {
            let text = fields.text("delta")?;
            // Rounded up as it is, a delta may pass one by a hair.
            let delta = text.parse::<f64>().ok().filter(|delta| (0.0..1.01).contains(delta));
            let delta = delta.ok_or_else(|| fields.refuse("delta", &Value::String(text), "a probability"))?;
            Promise::Approximate { n, epsilon, delta }
        }
        _ => return Err(fields.refuse("kind", &Value::String(kind), "`pure` or `approximate`")),
    };
    if n == 0 {
        return Err(fields.refuse("n", &json!(n), "at least 1"));
    }
    fields.finish()?;
    Ok(promise)
}
