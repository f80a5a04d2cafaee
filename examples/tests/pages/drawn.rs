//! Everything that the runtime draws in a sweep has its line in a printed derivation. The compiler's own tests ask this of what a model
//! declares; here it is asked of the places where a stream of random numbers is opened, so that a new one comes with its line.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use skellam::prelude::EngineForm;

use super::{background, contingency, deep, difference, dynamics, simplex};

/// What is drawn with a stream: the words of the derivation of an example that say so, or why there is none.
enum Said {
    Printed(fn(EngineForm) -> String, &'static str),
    OutsideOfSweeps,
}

/// Each file of the runtime that opens streams, for what, and how often.
fn sites() -> [(&'static str, &'static str, Vec<Said>); 12] {
    use Said::{OutsideOfSweeps, Printed};
    let background = |form| background::Background::derivation_of(form).to_string();
    let difference = |form| difference::Declared::derivation_of(form).to_string();
    let dynamics = |form| dynamics::Dynamics::derivation_of(form).to_string();
    let deep = |form| deep::Deep::derivation_of(form).to_string();
    let contingency = |form| contingency::Contingency::derivation_of(form).to_string();
    let moved = |_| simplex::Simplex::derivation_of(EngineForm::GibbsTokens).to_string();
    let tables = "parts of l";
    let smaller = "| − ~ Bessel(|c[d,v]|, 2 √(μ⁺[d,v] μ⁻[d,v]))";
    let sides = "parts of c⁺[d,v] | c⁺[d,v] ~ Multinomial(c⁺[d,v])";
    let cell = "P(y[d,v]) ∝ μ[d,v]^y[d,v] / y[d,v]! · α^|c[d,v] − y[d,v]|";
    let parts = "parts of y[d,v] | y[d,v] ~ Multinomial(y[d,v])";
    [
        // By blocks, and by stored cells; counts and differences alike.
        (
            "view/passes/draw.rs",
            "Cells",
            vec![Printed(background, cell), Printed(difference, smaller)],
        ),
        (
            "view/passes/draw.rs",
            "Thin",
            vec![Printed(background, parts), Printed(difference, sides)],
        ),
        (
            "view/passes/tables.rs",
            "Cells",
            vec![Printed(dynamics, "backwards, from the last t to the first")],
        ),
        ("view/passes/tables.rs", "Thin", vec![Printed(deep, tables)]),
        (
            "total/tree.rs",
            "Cells",
            vec![Printed(contingency, "backwards from s = ")],
        ),
        (
            "infer/redraw.rs",
            "Factors",
            vec![Printed(background, "θ[d,k] | − ~ Gamma(")],
        ),
        (
            "infer/moves/mod.rs",
            "Moves",
            vec![
                Printed(background, "trajectory of all latents that are not frozen [Neal 2011]"),
                Printed(background, "or a scaling of one or of its slices"),
                Printed(background, "the law of u is log-concave and drawn exactly"),
            ],
        ),
        // Given latents, as the collapsed form draws counts and parts; then given all other tokens.
        ("view/passes/units.rs", "Cells", vec![Printed(background, cell)]),
        (
            "infer/tokens.rs",
            "Tokens",
            vec![
                Printed(background, parts),
                Printed(moved, "each token of y[d,v], given where all others are"),
            ],
        ),
        ("view/bound.rs", "Start", vec![OutsideOfSweeps]),
        ("infer/start.rs", "Start", vec![OutsideOfSweeps, OutsideOfSweeps]),
        ("infer/at_prior.rs", "Start", vec![OutsideOfSweeps]),
    ]
}

/// What opens streams for something that is not part of a chain: replicas of data, draws of q and of the prior, evidence of held-out documents.
const AFTER: [&str; 4] = ["Replicas", "Posterior", "Prior", "Evidence"];

pub fn every_stream_of_a_sweep_has_its_line() {
    let mut known = BTreeMap::new();
    for (file, purpose, said) in sites() {
        known.insert((file.to_owned(), purpose.to_owned()), said.len());
        for said in said {
            let Said::Printed(derivation, words) = said else {
                continue;
            };
            let printed = derivation(EngineForm::Gibbs);
            assert!(printed.contains(words), "{file}: `{words}` is not in {printed}");
        }
    }
    assert_eq!(
        opened(),
        known,
        "where streams are opened: each that a sweep draws with needs a line"
    );
}

/// How often each source of the runtime opens a stream for each purpose, outside of its tests.
fn opened() -> BTreeMap<(String, String), usize> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/src");
    let mut found = BTreeMap::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let source = fs::read_to_string(&path).unwrap();
            let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            for (at, _) in code.match_indices(".open(") {
                let after = code[at..].trim_start_matches(".open(").trim_start();
                let Some(purpose) = after.strip_prefix("Purpose::") else {
                    continue;
                };
                let purpose: String = purpose.chars().take_while(char::is_ascii_alphanumeric).collect();
                if !AFTER.contains(&&purpose[..]) {
                    let file = path.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
                    *found.entry((file, purpose)).or_default() += 1;
                }
            }
        }
    }
    found
}
