//! The rules about names know the names that are generated, and those that generated code uses.

use std::fs;
use std::path::Path;

use skellam_compiler::diagnostics::Sink;
use skellam_compiler::{check, derivation, emit};

/// Every latent, known array and count has a constant, in capitals where no other has the same.
#[test]
fn constants_are_distinct() {
    let text = "model Letters {
        index n, m;
        data x[i in n]: positive;
        latent q[i in n] ~ Gamma(shape = 1.0, rate = 1.0);
        latent Q[j in m] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in n, j in m] ~ Poisson(x[i] * q[i] * Q[j]);
    }";
    let derivation = derivation(text.parse().unwrap(), &mut Sink::default()).unwrap();
    let source = emit::source(&derivation);
    for row in ["0 q q[n] ", "1 Q Q[m] ", "0 X x[n]: ", "0 Y y[n, m] "] {
        assert!(source.contains(row), "{row}");
    }
}

/// The names that a model cannot have are those of the preamble of generated implementations.
#[test]
fn names_of_the_preamble_are_taken() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/src/preamble.rs");
    let text = fs::read_to_string(path).unwrap();
    let uses = text.lines().filter_map(|line| line.strip_prefix("pub use "));
    let last = |path: &str| path.rsplit("::").next().unwrap().trim().to_string();
    let mut named: Vec<String> = Vec::new();
    for path in uses.map(|path| path.trim_end_matches(';')) {
        match path.split_once("::{") {
            Some((own, several)) => {
                named.extend(several.trim_end_matches('}').split(',').map(|one| match one.trim() {
                    "self" => last(own),
                    other => other.to_string(),
                }))
            }
            None => named.push(last(path)),
        }
    }
    named.sort();
    assert_eq!(named, check::PREAMBLE);
}
