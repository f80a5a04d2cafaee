//! The rules about names know the names that are generated, and those that generated code uses.

use std::fs;
use std::path::Path;

use skellam_compiler::diagnostics::Sink;
use skellam_compiler::{check, derivation, emit};

/// Every method of the model with its data that is named after a count or a latent is one of those that the
/// rule compares; the others are numbered steps, whose digit no count's name can imitate.
#[test]
fn methods_are_those_that_are_compared() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let models = fs::read_dir(cases).unwrap().map(|file| file.unwrap().path());
    for path in models.filter(|path| path.extension().is_some_and(|e| e == "model")) {
        let tokens = fs::read_to_string(&path).unwrap().parse().unwrap();
        let derivation = derivation(tokens, &mut Sink::default()).unwrap();
        let compared: Vec<String> = check::methods(&derivation.model).into_iter().map(|m| m.name).collect();
        let model = &derivation.model;
        let counts: Vec<String> = model.counts.iter().map(|c| c.name.to_string()).collect();
        let latents: Vec<String> = model.latents.iter().map(|l| l.name.to_string()).collect();
        let source = emit::source(&derivation);
        let functions = source.lines().filter_map(|line| {
            let (_, rest) = line.trim_start().split_once("fn ")?;
            rest.split(['(', '<']).next().map(str::to_string)
        });
        let of_counts = |name: &String| counts.iter().any(|c| name.starts_with(&format!("{c}_")));
        let of_latents = |name: &String| {
            latents
                .iter()
                .any(|l| *name == format!("prior_{l}") || *name == format!("update_{l}"))
        };
        let named: Vec<String> = functions.filter(|name| of_counts(name) || of_latents(name)).collect();
        assert!(!named.is_empty(), "{}", path.display());
        for name in &named {
            assert!(
                compared.contains(name),
                "{}: `{name}` is not compared: {compared:?}",
                path.display()
            );
        }
        for name in &compared {
            assert!(
                named.contains(name),
                "{}: `{name}` is not generated: {named:?}",
                path.display()
            );
        }
    }
}

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
    for constant in ["q: usize = 0", "Q: usize = 1", "X: usize = 0", "Y: usize = 0"] {
        assert!(source.contains(&format!("pub const {constant};")), "{constant}");
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
