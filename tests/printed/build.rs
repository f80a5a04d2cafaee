//! Prints the source of every model below as `generated()` does, from the declarations that `tests/generated` compiles with the
//! macro.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skellam_compiler::derive::{DerivedModel, Leaf, Sum};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::resolve::Scalar;
use skellam_compiler::{derivation, emit};

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

/// To the parameters of a conditional.
type Change = fn(&mut [Sum]);

/// What is changed in the conditional of `theta` of `Matrix`, by name. The last one says the same in another way.
const CHANGES: [(&str, Change); 6] = [
    ("less_exposure", |of| {
        of[1].pop();
    }),
    ("twice_the_exposure", |of| of[1][1].factors.push(number(2.0))),
    ("squared_loading", |of| {
        let loading = of[1][1].factors[1].clone();
        of[1][1].factors.push(loading);
    }),
    ("other_shape", |of| of[0][0].factors[0] = number(0.5)),
    ("other_rate", |of| of[1][0].factors.push(number(3.0))),
    ("other_order", |of| of[1][1].factors.reverse()),
];

fn number(number: f64) -> Leaf {
    Leaf::Scalar(Scalar {
        number,
        ..Scalar::one()
    })
}

/// One value of a derivation, changed for both engines.
fn changed(mut of: DerivedModel, change: Change) -> DerivedModel {
    let theta = &mut of.updates[0];
    change(&mut theta.conditional.law.parameters);
    change(&mut theta.posterior.law.parameters);
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
            let mut module = |name: &str, derivation: &DerivedModel, list: &mut String| {
                let path = out.join(name).with_extension("rs");
                fs::write(&path, emit::source(derivation)).expect("a folder of cargo's");
                writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("memory");
                writeln!(list, "    ({name:?}, include_str!({path:?})),").expect("memory");
            };
            module(&name, &derived(), &mut texts);
            if name == "matrix" {
                for (name, change) in CHANGES {
                    module(name, &changed(derived(), change), &mut changes);
                }
            }
        }
    }
    let all = format!(
        "{modules}
/// Every module, and its text.
pub const TEXTS: &[(&str, &str)] = &[
{texts}];

/// The same of `Matrix` with one value of its derivation changed.
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
