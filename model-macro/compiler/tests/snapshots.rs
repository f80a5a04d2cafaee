//! Derivations of the main families as they are printed, the Rust that is generated for them, and what holds for every expansion.
//!
//! After a change of wording or of a derivation: `UPDATE_EXPECT=1 cargo test -p skellam-compiler`, and read
//! the difference.

use std::path::Path;

use expect_test::expect_file;
use proc_macro2::TokenStream;
use skellam_compiler::derive::DerivedModel;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::show::{Block, CellLines, CellNames, CellText, Form, LineText, Passage, Printed, graph};
use skellam_compiler::{derivation, emit, expand, show};

/// Each case with the most lines that its expansion may have, a tenth above what it had.
const CASES: [(&str, usize); 15] = [
    ("matrix", LINES[0]),
    ("cp", LINES[1]),
    ("tucker", LINES[2]),
    ("background", LINES[3]),
    ("hierarchical", LINES[4]),
    ("block", LINES[5]),
    ("simplex", LINES[6]),
    ("views", LINES[7]),
    ("groups", LINES[8]),
    ("learned", LINES[9]),
    ("skellam", LINES[10]),
    ("totals", LINES[11]),
    ("dynamics", LINES[12]),
    ("known", LINES[13]),
    ("answers", LINES[14]),
];
const LINES: [usize; 15] = [
    790, 890, 1060, 780, 940, 920, 750, 1060, 1030, 1250, 960, 730, 1400, 760, 1000,
];

fn tokens(case: &str) -> TokenStream {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/cases")
        .join(case)
        .with_extension("model");
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

fn derived(case: &str) -> DerivedModel {
    derivation(tokens(case), &mut Sink::default()).unwrap()
}

fn block(out: &mut String, heading: &str, rule: &str, lines: &[String]) {
    out.push_str(&format!("{heading}\n"));
    if !rule.is_empty() {
        out.push_str(&format!("  rule: {rule}\n"));
    }
    lines.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
}

/// What a channel is told, and what the language says of its cells.
fn cells(out: &mut String, of: &CellText) {
    let CellText {
        names,
        is_drawn,
        cell,
        line,
    } = of;
    let CellNames {
        truth,
        observed,
        rate,
        mean_rate,
        geometric,
        bound,
        ..
    } = names;
    out.push_str(&format!("cells, drawn: {is_drawn}\n"));
    out.push_str(&format!(
        "    {truth}  {observed}  {rate}  {mean_rate}  {geometric}  {bound}\n"
    ));
    if let Some(CellLines { declared, steps, bound }) = cell {
        block(out, "  declared", "", declared);
        for (form, lines) in Form::ALL.iter().zip(steps) {
            block(out, &format!("  {form:?}"), "", lines);
        }
        for (form, lines) in ["Cavi", "CaviAugmented"].iter().zip(bound) {
            block(out, &format!("  bound of {form}"), "", lines);
        }
    }
    if let Some(LineText { gibbs, cavi, bound }) = line {
        for (title, lines) in [("gibbs", gibbs), ("cavi", cavi), ("bound", bound)] {
            block(out, &format!("  line, {title}"), "", lines);
        }
    }
    out.push('\n');
}

/// Headings, rules and formulas, what channels are told, every form.
fn printed(derivation: &DerivedModel) -> String {
    let mut out = String::new();
    let Printed {
        before,
        counts,
        forms,
        after,
        simplex,
        learned,
    } = show::printed(derivation);
    for Block { heading, rule, lines } in &before {
        block(&mut out, heading, rule, lines);
        out.push('\n');
    }
    counts.iter().for_each(|count| cells(&mut out, count));
    for form in &forms {
        out.push_str(&format!("{:?}\n", form.form));
        let parts = [
            ("notation", &form.definitions),
            ("allocation", &form.allocation),
            ("latents", &form.latents),
            ("bound", &form.bound),
        ];
        for (title, Passage { lines }) in parts {
            block(&mut out, &format!("  {title}"), "", lines);
        }
        out.push('\n');
    }
    out.push_str(&format!("simplex: {simplex:?}, learned: {learned:?}\n\n"));
    for Block { heading, rule, lines } in &after {
        block(&mut out, heading, rule, lines);
        out.push('\n');
    }
    out
}

#[test]
fn derivations() {
    for (case, _) in CASES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
        expect_file![path.with_extension("txt")].assert_eq(&printed(&derived(case)));
        expect_file![path.with_extension("dot")].assert_eq(&graph(&derived(case)));
    }
}

/// The Rust that is generated, so that a change of it is seen in a review: of one case for each way of emitting, as the differences of the others would be the
/// same. What it computes is held by self-tests, and the sums of tensors, terms and several counts by `loops.rs` and `conditionals.rs`.
#[test]
fn expansions() {
    let cases = [
        "matrix", "tucker", "block", "groups", "skellam", "totals", "learned", "dynamics",
    ];
    for case in cases {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
        let source = emit::source(&derived(case));
        let shown = if case == "matrix" {
            source
        } else {
            without_cell(&source)
        };
        expect_file![path.with_extension("rs")].assert_eq(&shown);
    }
}

/// Where the steps of a cell begin and end in a source: its documentation, and the `impl`.
fn cell_in(source: &str) -> Option<[usize; 3]> {
    let start = source.find("/// A cell of ")?;
    let steps = start + source[start..].find("#[allow(unused_doc_comments")?;
    let end = steps + source[steps..].find("\n}\n")? + "\n}\n".len();
    Some([start, steps, end])
}

/// A source without the steps of a cell that are line by line those of `matrix.rs`: every law of cells is read once.
fn without_cell(source: &str) -> String {
    let matrix = emit::source(&derived("matrix"));
    let steps = |source: &str, [_, steps, end]: [usize; 3]| -> Vec<String> {
        let lines = source[steps..end].lines().filter(|line| !line.starts_with("impl "));
        lines.map(str::to_owned).collect()
    };
    match (cell_in(source), cell_in(&matrix)) {
        (Some(own), Some(known)) if steps(source, own) == steps(&matrix, known) => {
            let [start, _, end] = own;
            format!(
                "{}// The steps of a cell are those of `matrix.rs`.\n{}",
                &source[..start],
                &source[end..]
            )
        }
        _ => source.to_owned(),
    }
}

#[test]
fn tokens_are_the_same_every_time() {
    for (case, _) in CASES {
        assert_eq!(
            expand(tokens(case)).to_string(),
            expand(tokens(case)).to_string(),
            "{case}"
        );
    }
}

/// Without the methods that print it, formatted.
fn source(case: &str) -> String {
    let emitted = emit::emit(&derived(case));
    prettyplease::unparse(&syn::parse2(emitted).unwrap())
}

/// What an expansion costs to build grows with its lines.
#[test]
fn expansions_stay_small() {
    for (case, most) in CASES {
        let lines = source(case).lines().count();
        println!("{case}: {lines} lines");
        assert!(lines <= most, "{case}: {lines} lines, {most} allowed");
        assert!(lines > most / 2, "{case}: {lines} lines: lower the limit of {most}");
    }
}

/// What is generated can be read: mathematics first, and little else.
#[test]
fn generated_files_are_short_and_narrow() {
    for (case, most) in [
        ("matrix", 455),
        ("cp", 490),
        ("block", 525),
        ("tucker", 655),
        ("views", 660),
        ("skellam", 575),
    ] {
        let source = emit::source(&derived(case));
        let lines = source.lines().count();
        assert!(lines <= most, "{case}: {lines} lines, {most} allowed");
        for line in source.lines() {
            assert!(line.chars().count() <= 120, "{case}: {line}");
        }
    }
}

/// DOT: one graph, balanced brackets and quotes, every edge between declared nodes, every factor in it.
#[test]
fn graphs_are_dot() {
    for (case, _) in CASES {
        let derivation = derived(case);
        let dot = graph(&derivation);
        let (first, last) = (dot.lines().next().unwrap(), dot.lines().last().unwrap());
        assert!(
            first.starts_with("digraph ") && first.ends_with('{') && last == "}",
            "{dot}"
        );
        for [open, close] in [['{', '}'], ['[', ']']] {
            assert_eq!(
                dot.matches(open).count(),
                dot.matches(close).count(),
                "{case}: {open}{close}"
            );
        }
        let quotes = |line: &str| line.matches('"').count() - line.matches("\\\"").count();
        assert!(dot.lines().all(|line| quotes(line) % 2 == 0), "{dot}");
        let nodes: Vec<&str> = dot
            .lines()
            .map(str::trim)
            .filter(|l| l.contains('[') && !l.contains("->"))
            .filter_map(|l| l.split(" [").next())
            .collect();
        for edge in dot.lines().filter(|l| l.contains("->")) {
            let ends = edge.split(" [").next().unwrap().trim().trim_end_matches(';');
            for end in ends.split("->").map(str::trim) {
                assert!(
                    nodes.contains(&end),
                    "{case}: {end:?} of {edge:?} is not a node of {nodes:?}"
                );
            }
        }
        for latent in &derivation.model.latents {
            assert!(
                nodes.contains(&format!("\"{}\"", latent.name).as_str()),
                "{case}: {}",
                latent.name
            );
        }
    }
}

/// A declaration with mistakes expands to errors and a skeleton that is Rust.
#[test]
fn mistakes_leave_a_skeleton() {
    for (case, _) in CASES {
        let text = tokens(case)
            .to_string()
            .replace("~ Skellam", "~ Skelam")
            .replace("Poisson", "Poison")
            .replace("Multinomial", "Multinomal");
        let expanded = expand(text.parse().unwrap());
        let file = syn::parse2::<syn::File>(expanded.clone()).unwrap();
        let counts = ["Poison", "Skelam", "Multinomal"]
            .map(|law| text.matches(law).count())
            .iter()
            .sum::<usize>();
        assert_eq!(expanded.to_string().matches("compile_error").count(), counts, "{case}");
        assert!(prettyplease::unparse(&file).contains("pub fn gibbs"), "{case}");
    }
}

/// The equations of the papers whose steps a cell or a sweep has, each with where the generated file of the topic model computes it. `UPDATE_EXPECT=1`
/// rewrites the table of the book.
#[test]
fn every_equation_is_pointed_at() {
    const EQUATIONS: [(&str, &[u32]); 2] = [("ICML19", &[13, 14, 15, 16]), ("VI18", &[1, 2, 3, 4, 5, 6, 7, 8])];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(root.join("tests/cases/matrix.rs")).unwrap();
    let lines: Vec<&str> = file.lines().collect();
    let mut table = String::new();
    for (paper, equations) in EQUATIONS {
        for &equation in equations {
            let found: Vec<String> = (lines.iter().enumerate())
                .filter(|(_, line)| line.trim_start().starts_with("///") && cites(line, paper, equation))
                .filter_map(|(at, _)| {
                    // The first line of code below, or of the function below.
                    let is_code = |line: &str| {
                        let line = line.trim_start();
                        !line.starts_with("///") && !line.starts_with("fn ")
                    };
                    let code = lines[at..].iter().copied().position(is_code)?;
                    Some(format!("line {:>3}   {}", at + code + 1, lines[at + code].trim()))
                })
                .collect();
            assert!(
                !found.is_empty(),
                "{paper}, eq. {equation} is nowhere in the generated file"
            );
            for (i, place) in found.iter().enumerate() {
                let name = if i == 0 {
                    format!("{paper}, eq. {equation}")
                } else {
                    String::new()
                };
                table.push_str(&format!("{name:<16}{place}\n"));
            }
        }
    }
    let path = root.join("../../docs/src/engines.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let begin = page.find("```text equations\n").unwrap() + "```text equations\n".len();
    let end = begin + page[begin..].find("```").unwrap();
    if std::env::var("UPDATE_EXPECT").is_ok_and(|update| update != "0") {
        std::fs::write(&path, format!("{}{table}{}", &page[..begin], &page[end..])).unwrap();
    } else {
        assert_eq!(&page[begin..end], table, "UPDATE_EXPECT=1 rewrites the table");
    }
}

/// Whether a line of documentation names the equation of the paper: alone, in a list or in a range.
fn cites(line: &str, paper: &str, equation: u32) -> bool {
    let cited = format!("{paper}, eq. ");
    line.match_indices(&cited).map(|(at, _)| at + cited.len()).any(|at| {
        let said: String = (line[at..].chars())
            .take_while(|c| c.is_ascii_digit() || " and–".contains(*c))
            .collect();
        let numbers = |text: &str| -> Vec<u32> {
            text.split(|c: char| !c.is_ascii_digit())
                .filter_map(|number| number.parse().ok())
                .collect()
        };
        match said.split_once('–') {
            Some((first, last)) => match (numbers(first).last(), numbers(last).first()) {
                (Some(first), Some(last)) => (*first..=*last).contains(&equation),
                _ => false,
            },
            None => numbers(&said).contains(&equation),
        }
    })
}
