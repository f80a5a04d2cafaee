//! Prints the source of every model below as `generated()` does, from the declarations that `tests/generated` compiles with the
//! macro.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skellam_compiler::cells::{CellLaw, Step};
use skellam_compiler::derive::{BoundTerm, Cell, ConditionalLaw, DerivedModel, Engine, Leaf, Origin, Update};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::family::Family;
use skellam_compiler::resolve::Scalar;
use skellam_compiler::{derivation, emit};

const FILES: [&str; 2] = ["../src/families.rs", "tests/generated/main.rs"];

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

const CHANGES: [Change; 4] = [
    of_theta("less_exposure", |of| {
        of.parameters[1].pop();
    }),
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
        model: "dynamic",
        engines: &[Engine::Gibbs],
        ..of_theta("twice_the_shape", |of| {
            let own = of.parameters[0].iter_mut().find(|part| part.from == Origin::Prior);
            own.expect("its own shape").factors.push(number(2.0));
        })
    },
];

fn number(number: f64) -> Leaf {
    Leaf::Scalar(Scalar {
        number,
        ..Scalar::one()
    })
}

/// A row of the table of a law, changed: what it says, and what runs.
struct Row {
    /// The module that it is printed to, and a model in `FILES`.
    name: &'static str,
    model: &'static str,
    /// The law by which that model is released; empty where it is a difference.
    law: &'static str,
    rows: fn(&mut CellLaw) -> Option<&mut &'static [Step]>,
    /// The row that begins so.
    begins: &'static str,
    is: Step,
}

macro_rules! is {
    ($formula:literal => $code:literal) => {
        Step {
            formula: $formula,
            source: "",
            code: || $code.parse().expect("tokens"),
        }
    };
}

const ROWS: [Row; 4] = [
    Row {
        name: "misprinted_noise",
        model: "matrix",
        law: "TwoSidedGeometric",
        rows: |law| law.noise.as_mut().map(|noise| &mut noise.draw),
        begins: "λ±",
        // As ICML19 prints it (eq. 16).
        is: is!("λ± | − ~ Gamma(1 + g±, α/(1 − α) + 1)" =>
            "let lambda_plus = rt::gamma(1.0 + g_plus as f64, alpha / (1.0 - alpha) + 1.0, rng);
             let lambda_minus = rt::gamma(1.0 + g_minus as f64, alpha / (1.0 - alpha) + 1.0, rng);"),
    },
    Row {
        name: "one_sided_noise",
        model: "matrix",
        law: "TwoSidedGeometric",
        rows: |law| Some(&mut law.draw),
        begins: "y | −",
        is: is!("y | − ~ Poisson(μ/α) up to c, Poisson(μ) above" =>
            "let y = rt::SplicedPoisson::new(mu / alpha, c, mu).draw(rng);"),
    },
    Row {
        name: "one_where_present",
        model: "matrix",
        law: "AtLeastOne",
        rows: |law| Some(&mut law.ascend),
        begins: "E[y]",
        is: is!("E[y]/ρ = 1/ρ if c = 1, else 0" => "let per_rate = if c { 1.0 / rho } else { 0.0 };"),
    },
    Row {
        name: "smaller_side",
        model: "noisy",
        law: "",
        rows: |law| Some(&mut law.ascend),
        begins: "E[c⁻]",
        is: is!("E[c⁻] = E[m]" => "let mean_c_minus = mean_m;"),
    },
];

/// The model with another row in the table of its first count.
fn with_row(mut of: DerivedModel, row: &Row) -> DerivedModel {
    let Cell::Of(law) = &mut of.cells[0] else {
        panic!("a law that the language knows");
    };
    let rows = (row.rows)(law).expect("rows");
    let mut changed = rows.to_vec();
    let mut found = changed.iter_mut().filter(|step| step.formula.starts_with(row.begins));
    *found.next().expect("a row that begins so") = row.is;
    assert!(found.next().is_none(), "one row begins with {}", row.begins);
    *rows = changed.leak();
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

/// A copy of what is printed in which somebody has halved the prior shape of a latent.
fn with_other_line(source: &str) -> String {
    let (before, prior) = source.split_once("fn prior_of_theta(").expect("a prior");
    let other = prior.replacen("[x.a, x.b]", "[0.5 * x.a, x.b]", 1);
    assert_ne!(other, prior);
    format!("{before}fn prior_of_theta({other}")
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
    let [mut modules, mut texts, mut changes, mut rows] = [const { String::new() }; 4];
    for file in FILES {
        let path = here.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        for declaration in declarations(&path) {
            let name = declaration.split("model ").nth(1).expect("a model");
            let name = name.split(' ').next().expect("a name").to_lowercase();
            let derived = |declaration: &str| {
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
            let source = emit::source(&derived(&declaration));
            module(&name, &source, &mut texts);
            if name == "matrix" {
                let forgotten = emit::source(&forgotten_divergence(derived(&declaration)));
                module("forgotten_divergence", &forgotten, &mut changes);
                module("other_line", &with_other_line(&source), &mut changes);
            }
            if name == "answers" {
                module(
                    "forgotten_count",
                    &emit::source(&forgotten_count(derived(&declaration))),
                    &mut changes,
                );
            }
            for row in ROWS.iter().filter(|row| row.model == name) {
                let declaration = declaration.replace("TwoSidedGeometric", row.law);
                let derived = || derived(&declaration);
                // What is printed with the row as it is stands beside it, and is not compiled.
                let right = out.join(row.name).with_extension("right");
                fs::write(&right, emit::source(&derived())).expect("a folder of cargo's");
                writeln!(rows, "    ({:?}, include_str!({right:?})),", row.name).expect("memory");
                module(row.name, &emit::source(&with_row(derived(), row)), &mut changes);
            }
            for change in CHANGES.iter().filter(|change| change.model == name) {
                module(
                    change.name,
                    &emit::source(&changed(derived(&declaration), change)),
                    &mut changes,
                );
            }
        }
    }
    let all = format!(
        "{modules}
/// Every module, and its text.
pub const TEXTS: &[(&str, &str)] = &[
{texts}];

/// What is printed of a model, one row of whose cells is changed in the module of this name.
pub const RIGHT: &[(&str, &str)] = &[
{rows}];

/// The same with one conditional of its derivation changed, or one row of its cells.
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
