//! The rules about names know those that generated code uses.

use std::fs;
use std::path::Path;

use skellam_compiler::check;

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
