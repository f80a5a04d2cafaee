//! Prints the source of every model below as `generated()` does, from the declarations that `tests/generated` compiles with the
//! macro.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use skellam_compiler::diagnostics::Sink;
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

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let (mut modules, mut texts) = (String::new(), String::new());
    for file in FILES {
        let path = here.join(file);
        println!("cargo::rerun-if-changed={}", path.display());
        for declaration in declarations(&path) {
            let name = declaration.split("model ").nth(1).expect("a model");
            let name = name.split(' ').next().expect("a name").to_lowercase();
            let tokens = declaration.parse().expect("tokens");
            let Ok(derivation) = derivation(tokens, &mut Sink::default()) else {
                panic!("{name} is declared in {file} with a mistake");
            };
            let path = out.join(&name).with_extension("rs");
            fs::write(&path, emit::source(&derivation)).expect("a folder of cargo's");
            writeln!(modules, "#[path = {path:?}]\npub mod {name};").expect("memory");
            writeln!(texts, "    ({name:?}, include_str!({path:?})),").expect("memory");
        }
    }
    let all = format!("{modules}\n/// Every module, and its text.\npub const TEXTS: &[(&str, &str)] = &[\n{texts}];\n");
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
