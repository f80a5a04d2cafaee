//! Promises as JSON.

use serde_json::{Value, json};

use super::FileError;
use super::fields::Fields;
use super::recorded::{exact, parse_exact};
use crate::release::{Delta, Promise};

/// A promise, its epsilon exact; `null` for none.
pub(in crate::release) fn promise_to_json(promise: &Promise) -> Value {
    match promise {
        Promise::Lplp { n, epsilon } => json!({ "kind": "pure", "n": n, "epsilon": exact(*epsilon) }),
        // The shortest text that reads back as the same double.
        Promise::Approximate { n, epsilon, delta } => {
            json!({ "kind": "approximate", "n": n, "epsilon": exact(*epsilon), "delta": format!("{:e}", delta.get()) })
        }
        Promise::None => Value::Null,
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
            let delta = text.parse().ok().and_then(|delta| Delta::new(delta).ok());
            let expected = "a probability above 0 and below 1";
            let delta = delta.ok_or_else(|| fields.refuse("delta", &Value::String(text), expected))?;
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
