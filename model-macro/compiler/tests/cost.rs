//! What a declaration costs whoever compiles it: time in the macro and lines of expansion.

use std::path::{Path, PathBuf};

use cpu_time::ThreadTime;
use proc_macro2::{TokenStream, TokenTree};
use skellam_compiler::expand;

/// Every declaration in the sources under a folder, with the file it stands in.
fn declarations(folder: &Path, into: &mut Vec<(PathBuf, TokenStream)>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            declarations(&path, into);
        } else if path.extension().is_some_and(|e| e == "rs") {
            let source: TokenStream = std::fs::read_to_string(&path).unwrap().parse().unwrap();
            calls(source, &mut |body| into.push((path.clone(), body)));
        }
    }
}

/// Calls `found` with the body of every `model! { .. }`.
fn calls(tokens: TokenStream, found: &mut impl FnMut(TokenStream)) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    for (at, tree) in trees.iter().enumerate() {
        let TokenTree::Group(group) = tree else { continue };
        let before = |back: usize| at.checked_sub(back).map(|at| trees[at].to_string()).unwrap_or_default();
        if before(1) == "!" && before(2) == "model" {
            found(group.stream());
        } else {
            calls(group.stream(), found);
        }
    }
}

/// The processor time of something, in milliseconds.
fn milliseconds(of: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    of();
    start.elapsed().as_secs_f64() * 1e3
}

/// The time of an expansion as it is where formatting this source takes [`REFERENCE`]: other work on a machine slows both. Of five tries the
/// least times of both, or of more until the expansion is below a limit, as a machine is slow for some tries and not for others.
fn expansion_time(declaration: &TokenStream, reference: &str, limit: f64) -> f64 {
    let [mut expansion, mut formatting] = [f64::INFINITY; 2];
    for tried in 0..60 {
        expansion = expansion.min(milliseconds(|| assert!(!expand(declaration.clone()).is_empty())));
        formatting = formatting.min(milliseconds(|| {
            let file = syn::parse_file(reference).unwrap();
            assert!(!prettyplease::unparse(&file).is_empty());
        }));
        if tried >= 4 && expansion / formatting * REFERENCE < limit {
            break;
        }
    }
    expansion / formatting * REFERENCE
}

/// Milliseconds that formatting takes where nothing else runs.
const REFERENCE: f64 = 3.9;

/// Measured as this test is built, which is how the macro of a debug build is: not optimised.
#[test]
fn every_model_of_the_examples_expands_in_fifty_milliseconds() {
    let (folder, mut all) = (Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"), Vec::new());
    declarations(&folder, &mut all);
    assert!(all.len() >= 2, "the examples declare models");
    let reference = include_str!("cases/matrix.rs");
    for (path, declaration) in &all {
        let (ms, name) = (
            expansion_time(declaration, reference, 50.0),
            path.file_stem().unwrap().to_string_lossy(),
        );
        println!("{name}: {ms:.1} ms");
        assert!(ms < 50.0, "{}: {ms:.1} ms", path.display());
    }
}

/// Lines of the expansion of a declaration.
fn lines(declaration: &str) -> usize {
    let expansion = expand(declaration.parse().unwrap());
    prettyplease::unparse(&syn::parse2(expansion).unwrap()).lines().count()
}

/// `n` views of one factor, each with a factor and a hyperparameter of its own.
fn views(n: usize) -> String {
    let mut text = String::from(
        "pub model Many { index docs, topics; latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);",
    );
    for i in 0..n {
        text.push_str(&format!(
            "index words{i}; hyper a{i}: positive = 1.0; latent phi{i}[k in topics, v in words{i}] ~ Gamma(shape = a{i}, rate = 1.0);\
             count y{i}[d in docs, v in words{i}] ~ Poisson(sum(k in topics) theta[d, k] * phi{i}[k, v]);"
        ));
    }
    text + "}"
}

/// `n` terms in one rate.
fn terms(n: usize) -> String {
    let mut text = String::from("pub model Terms { index docs, words, topics;");
    let mut rate = Vec::new();
    for i in 0..n {
        text.push_str(&format!(
            "latent theta{i}[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0); latent phi{i}[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);"
        ));
        rate.push(format!("sum(k in topics) theta{i}[d, k] * phi{i}[k, v]"));
    }
    text + &format!("count y[d in docs, v in words] ~ Poisson({}); }}", rate.join(" + "))
}

/// What each further statement adds does not grow with the number of statements before it.
#[test]
fn expansions_grow_in_proportion_to_statements() {
    for (what, build) in [("views", views as fn(usize) -> String), ("terms", terms)] {
        let [a, b, c] = [4, 8, 12].map(|n| lines(&build(n)));
        println!("{what}: {a}, {b} and {c} lines");
        let (first, second) = (b - a, c - b);
        assert!(
            second <= first + first / 20,
            "{what}: four more added {first}, then {second}"
        );
    }
}

/// Products with many factors and many indices are not enumerated without end.
#[test]
fn long_declarations_expand_in_bounded_time() {
    let modes: Vec<String> = (0..7).map(|i| format!("m{i}")).collect();
    let mut text = format!("pub model Long {{ index {}, parts;", modes.join(", "));
    for m in &modes {
        text.push_str(&format!(
            "latent f_{m}[i in {m}, k in parts] ~ Gamma(shape = 1.0, rate = 1.0);"
        ));
    }
    let binds: Vec<String> = modes.iter().map(|m| format!("i_{m} in {m}")).collect();
    let factors: Vec<String> = modes.iter().map(|m| format!("f_{m}[i_{m}, k]")).collect();
    text.push_str(&format!(
        "count y[{}] ~ Poisson(sum(k in parts) {}); }}",
        binds.join(", "),
        factors.join(" * ")
    ));
    for (what, text) in [
        ("seven modes", text),
        ("twelve terms", terms(12)),
        ("twelve views", views(12)),
    ] {
        let declaration: TokenStream = text.parse().unwrap();
        let ms = milliseconds(|| assert!(!expand(declaration.clone()).is_empty()));
        println!("{what}: {ms:.0} ms");
        assert!(ms < 1000.0, "{what}: {ms:.0} ms");
    }
}
