//! Derivations of the main families as they are printed, the Rust that is generated for them, and what holds for every expansion.
//!
//! After a change of wording or of a derivation: `UPDATE_EXPECT=1 cargo test -p skellam-compiler`, and read
//! the difference.

use std::path::Path;

use expect_test::expect_file;
use proc_macro2::{TokenStream, TokenTree};
use skellam_compiler::derive::DerivedModel;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::show::{Block, CellLines, CellNames, CellText, Form, LineText, Passage, Printed, graph};
use skellam_compiler::{derivation, emit, expand, show};

/// Each case with the most lines that its expansion may have, a tenth above what it had.
const CASES: [(&str, usize); 15] = [
    ("matrix", 790),
    ("cp", 890),
    ("tucker", 1060),
    ("background", 780),
    ("hierarchical", 940),
    ("block", 920),
    ("simplex", 790),
    ("views", 1060),
    ("groups", 1100),
    ("learned", 1250),
    ("skellam", 960),
    ("totals", 730),
    ("dynamics", 1400),
    ("known", 760),
    ("answers", 1000),
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
        // A cell of tokens is drawn as by the first form.
        for (form, lines) in Form::ALL
            .iter()
            .zip(steps)
            .filter(|(form, _)| **form != Form::GibbsTokens)
        {
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
        no_tokens,
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
    out.push_str(&format!(
        "simplex: {simplex:?}, learned: {learned:?}, no tokens: {no_tokens:?}\n\n"
    ));
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

/// The Rust that is generated, so that a change of it is seen in a review: of three models the whole file; `parts.txt` has what others add. What it computes is
/// held by self-tests.
#[test]
fn expansions() {
    for case in ["matrix", "block", "tucker"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(case);
        expect_file![path.with_extension("rs")].assert_eq(&emit::source(&derived(case)));
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

/// What an expansion costs to build grows with its lines, without the methods that print it.
#[test]
fn expansions_stay_small() {
    for (case, most) in CASES {
        let emitted = emit::emit(&derived(case));
        let source = prettyplease::unparse(&syn::parse2(emitted).unwrap());
        let lines = source.lines().count();
        println!("{case}: {lines} lines");
        assert!(lines <= most, "{case}: {lines} lines, {most} allowed");
        assert!(lines > most / 2, "{case}: {lines} lines: lower the limit of {most}");
    }
}

/// The string literals of some tokens, without those of attributes, which are documentation and reasons.
fn strings(tokens: TokenStream, into: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if !is_attribute => strings(group.stream(), into),
            TokenTree::Literal(literal) => into.extend(Some(literal.to_string()).filter(|text| text.starts_with('"'))),
            TokenTree::Punct(ref mark) if mark.as_char() == '#' || (is_attribute && mark.as_char() == '!') => {
                is_attribute = true;
                continue;
            }
            _ => {}
        }
        is_attribute = false;
    }
}

/// What is generated can be read: lines are narrow, and mathematics is code, not text.
#[test]
fn generated_files_are_code() {
    for (case, _) in CASES {
        let source = emit::source(&derived(case));
        // The name of one model is too long for its table, and the heading says more of two.
        if !["hierarchical", "learned", "dynamics"].contains(&case) {
            let wide = source.lines().find(|line| line.chars().count() > 120);
            assert_eq!(wide, None, "{case}");
        }
        let mut all = Vec::new();
        strings(source.parse().unwrap(), &mut all);
        // Tokens were looked through: those of its name are among them.
        assert!(
            all.iter().any(|text| text.contains("every latent has counts")),
            "{case}: {all:?}"
        );
        for text in all {
            let is_formula = |c: char| "+-−*/=~|[]()Σ".contains(c) || ('α'..='ω').contains(&c);
            assert!(!text.contains(is_formula), "{case}: {text}");
        }
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
