//! Parts of generated files, of models that bring about one thing each: in which order closed forms are summed, what is kept current, what is looked up where.
//!
//! `parts.txt` has the cases. A case begins with `## `; then comes its declaration, or `cases/NAME.model` for that of a file. `> fn left(&self` asks for the
//! first item of the generated file that begins so, which follows with its documentation. After a change, `UPDATE_EXPECT=1 cargo test -p skellam-compiler
//! --test parts`, and read the difference.

use std::path::{Path, PathBuf};

use expect_test::expect_file;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::{derivation, emit};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(path)
}

/// The first item whose line begins with `start`, with its documentation, as far as the line that closes it.
fn item<'s>(source: &'s [&'s str], start: &str) -> &'s [&'s str] {
    let Some(at) = source.iter().position(|line| line.trim_start().starts_with(start)) else {
        return &["(none)"];
    };
    let above = source[..at].iter().rev();
    let documented = above.take_while(|line| line.trim_start().starts_with("///")).count();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let closes = |line: &&str| indent(line) == indent(source[at]) && line.trim_start().starts_with(['}', ']', ')']);
    let is_open = source[at].ends_with(['{', '[', '(']);
    let after = source[at + 1..].iter().position(closes).filter(|_| is_open);
    &source[at - documented..after.map_or(at + 1, |after| at + after + 2)]
}

#[test]
fn parts_of_generated_files() {
    let path = here("parts.txt");
    let text = std::fs::read_to_string(&path).unwrap();
    let mut printed = String::new();
    for case in text.split("## ").skip(1) {
        let (head, asked) = case.split_once("\n> ").unwrap();
        let (title, declaration) = head.split_once('\n').unwrap();
        let declaration = match declaration.ends_with(".model") {
            true => std::fs::read_to_string(here(declaration)).unwrap(),
            false => declaration.to_owned(),
        };
        let mut sink = Sink::default();
        let derived = derivation(declaration.parse().unwrap(), &mut sink);
        let source = emit::source(&derived.unwrap_or_else(|_| panic!("{title}: {:?}", sink.diagnostics())));
        let source: Vec<&str> = source.lines().collect();
        printed.push_str(&format!("## {head}\n"));
        for asked in asked.split("\n> ") {
            let start = asked.lines().next().unwrap();
            printed.push_str(&format!("> {start}\n{}\n\n", item(&source, start).join("\n")));
        }
    }
    expect_file![path].assert_eq(&printed);
}
