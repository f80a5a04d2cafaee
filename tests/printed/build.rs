//! Prints the source of every model below as `generated()` does, from the declarations that `tests/generated` compiles with the
//! macro.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skellam_compiler::derive::{BoundTerm, Cell, ConditionalLaw, DerivedModel, Engine, Leaf, Origin, Summand, Update};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::family::Family;
use skellam_compiler::resolve::Scalar;
use skellam_compiler::{derivation, emit};
use skellam_formula::{Expr, Level, Quantity};

const FILES: [&str; 9] = [
    "../src/families/matrix.rs",
    "../src/families/cp.rs",
    "../src/families/tucker.rs",
    "../src/families/background.rs",
    "../src/families/batch.rs",
    "../src/families/mixed.rs",
    "../src/families/offset.rs",
    "../src/families/pairs.rs",
    "tests/generated/main.rs",
];

/// What is changed in the conditional of a latent.
struct Change {
    /// The module that it is printed to.
    name: &'static str,
    model: &'static str,
    latent: &'static str,
    engines: &'static [Engine],
    change: fn(&mut ConditionalLaw),
}

/// Of `theta` of `Matrix`, for both engines.
const fn of_theta(name: &'static str, change: fn(&mut ConditionalLaw)) -> Change {
    Change {
        name,
        model: "matrix",
        latent: "theta",
        engines: &Engine::BOTH,
        change,
    }
}

/// The second says the same in another way.
const CHANGES: [Change; 9] = [
    of_theta("less_exposure", |of| {
        of.parameters[1].pop();
    }),
    of_theta("other_order", |of| of.parameters[1][1].factors.reverse()),
    of_theta("other_shape", |of| of.parameters[0][0].factors[0] = number(0.5)),
    of_theta("other_rate", |of| of.parameters[1][0].factors.push(number(3.0))),
    of_theta("other_family", |of| {
        of.parameters.pop();
        of.family = Family::dirichlet();
        of.along = Some(1);
    }),
    Change {
        model: "hierarchy",
        latent: "xi",
        ..of_theta("twice_the_children", |of| {
            let children = of.parameters[1].last_mut().expect("children");
            children.factors.push(number(2.0));
        })
    },
    Change {
        model: "chained",
        latent: "drift",
        engines: &[Engine::Gibbs],
        ..of_theta("twice_the_chain", |of| {
            let is_chain = |part: &&mut Summand| matches!(part.from, Origin::Child(_));
            let chain = of.parameters[1].iter_mut().find(is_chain).expect("the value after");
            chain.factors.push(number(2.0));
        })
    },
    Change {
        model: "chained",
        latent: "eps",
        engines: &[Engine::Gibbs],
        ..of_theta("twice_under_a_shape", |of| {
            of.parameters[1][1].factors.push(number(2.0))
        })
    },
    Change {
        model: "dynamic",
        engines: &[Engine::Gibbs],
        ..of_theta("twice_the_tables", |of| {
            let is_of_tables = |part: &&mut Summand| matches!(part.from, Origin::Rate(place) if place.count == 1);
            let tables = of.parameters[1]
                .iter_mut()
                .find(is_of_tables)
                .expect("later table counts");
            tables.factors.push(number(2.0));
        })
    },
];

fn number(number: f64) -> Leaf {
    Leaf::Scalar(Scalar {
        number,
        ..Scalar::one()
    })
}

/// The cells of `Matrix` with the posterior rate of the noise as ICML19 prints it (eq. 16).
fn misprinted(mut of: DerivedModel) -> DerivedModel {
    let alpha = || Expr::from(Quantity::Alpha);
    let Cell::Noise { made_of, .. } = &mut of.cells[0] else {
        panic!("geometric noise");
    };
    let Level::Exponential { updated, .. } = &mut made_of.level else {
        panic!("rates that are exponential");
    };
    *updated = alpha() / (Expr::from(1) - alpha()) + Expr::from(1);
    of
}

/// The cells of `Matrix` with noise that does not make counts above what was observed less probable: in the law of a count, the noise summed out.
fn one_sided(mut of: DerivedModel) -> DerivedModel {
    let Cell::Noise {
        summed: Some(summed), ..
    } = &mut of.cells[0]
    else {
        panic!("noise that can be summed out");
    };
    summed.above = Expr::from(1);
    of
}

/// The bound of `Matrix` without the divergence of `phi` from its prior.
fn forgotten_divergence(mut of: DerivedModel) -> DerivedModel {
    let forgotten = of.bound.terms.pop();
    assert!(matches!(forgotten, Some(BoundTerm::Divergence { .. })));
    of
}

/// The bound of `Answers` without what the last of its counts adds.
fn forgotten_count(mut of: DerivedModel) -> DerivedModel {
    let last = of.model.counts.len() - 1;
    let terms = &mut of.bound.terms;
    let before = terms.len();
    terms.retain(|term| !matches!(term, BoundTerm::Cells { count, .. } if *count == last));
    assert_eq!(terms.len() + 1, before);
    of
}

/// A copy of what is printed in which somebody has left out the counts on a factor of the rate: a derivation with others does not expand.
fn with_other_counts(source: &str) -> String {
    let counts = "rt::add(&mut self.theta.row_mut([d])[k], n);";
    assert_eq!(source.matches(counts).count(), 1);
    source.replace(counts, "rt::add(&mut self.theta.row_mut([d])[k], &n[1..]);")
}

/// A derivation with one conditional changed.
fn changed(mut of: DerivedModel, change: &Change) -> DerivedModel {
    let is_it = |update: &&mut Update| of.model.latents[update.latent.0].name == change.latent;
    let update = of.updates.iter_mut().find(is_it).expect("a latent");
    for engine in change.engines {
        let conditional = match engine {
            Engine::Gibbs => &mut update.conditional,
            Engine::Cavi => &mut update.posterior,
        };
        (change.change)(&mut conditional.law);
    }
    of
}

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let (mut modules, mut texts, mut changes) = (String::new(), String::new(), String::new());
    for file in FILES {
        let path = here.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        for declaration in declarations(&path) {
            let name = declaration.split("model ").nth(1).expect("a model");
            let name = name.split(' ').next().expect("a name").to_lowercase();
            let derived = || {
                let tokens = declaration.parse().expect("tokens");
                let Ok(derivation) = derivation(tokens, &mut Sink::default()) else {
                    panic!("{name} is declared in {file} with a mistake");
                };
                derivation
            };
            let mut module = |name: &str, source: &str, list: &mut String| {
                let path = out.join(name).with_extension("rs");
                fs::write(&path, source).expect("a folder of cargo's");
                writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("memory");
                writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("memory");
            };
            let source = emit::source(&derived());
            module(&name, &source, &mut texts);
            if name == "matrix" {
                module("misprinted_noise", &emit::source(&misprinted(derived())), &mut changes);
                module("one_sided_noise", &emit::source(&one_sided(derived())), &mut changes);
                let forgotten = emit::source(&forgotten_divergence(derived()));
                module("forgotten_divergence", &forgotten, &mut changes);
                module("other_counts", &with_other_counts(&source), &mut changes);
            }
            if name == "answers" {
                module(
                    "forgotten_count",
                    &emit::source(&forgotten_count(derived())),
                    &mut changes,
                );
            }
            for change in CHANGES.iter().filter(|change| change.model == name) {
                module(change.name, &emit::source(&changed(derived(), change)), &mut changes);
            }
        }
    }
    let all = format!(
        "{modules}
/// Every module, and its text.
pub const TEXTS: &[(&str, &str)] = &[
{texts}];

/// The same with one conditional of its derivation changed.
pub const CHANGED: &[(&str, &str)] = &[
{changes}];
"
    );
    fs::write(out.join("all.rs"), all).expect("a folder of cargo's");
}

/// What stands in `model!` in a file: from a line that opens it to the next brace that no indentation precedes.
fn declarations(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let after = text.split("\nskellam::model! {\n").skip(1);
    after
        .map(|rest| rest.split("\n}\n").next().unwrap_or_default().to_owned())
        .collect()
}
