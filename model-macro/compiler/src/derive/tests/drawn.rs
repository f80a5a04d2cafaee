//! Everything that a sweep draws has its line: what there is to draw is read from the declaration, not from what was derived.

use super::{MODELS, derived};
use crate::derive::DerivedModel;
use crate::resolve::{Side, Term};
use crate::show::{self, Printed};
use skellam_formula::symbol;
use syn::Ident;

/// The models of the golden files that are not among [`MODELS`].
const MORE: [&str; 2] = [
    include_str!("../../../tests/cases/dynamics.model"),
    include_str!("../../../tests/cases/totals.model"),
];

/// What a sweep draws, each as the beginning of a line and what follows its indices.
fn drawn(derivation: &DerivedModel) -> Vec<[String; 2]> {
    let model = &derivation.model;
    let mut all: Vec<[String; 2]> = Vec::new();
    for latent in &model.latents {
        all.push([written(&latent.name), " | − ~ ".to_owned()]);
    }
    for count in &model.counts {
        let name = written(&count.name);
        match count.is_difference() {
            false => all.extend(parts(&name, &count.terms)),
            true => {
                for (side, sign) in [(Side::Plus, "⁺"), (Side::Minus, "⁻")] {
                    all.extend(parts(&format!("{name}{sign}"), &count.terms[count.terms_of(side)]));
                }
            }
        }
        if count.total.is_some() {
            all.push(["backwards from s = ".to_owned(), format!("P({name}")]);
        }
    }
    for shape in &model.shapes {
        let name = written(&shape.tables.name);
        all.push([name.clone(), " | − ~ CRT(".to_owned()]);
        all.extend(parts(&name, &shape.tables.terms));
    }
    all
}

fn written(name: &Ident) -> String {
    symbol(&name.to_string()).to_owned()
}

/// The parts of a count: one for each term, if there are several or the only one is a sum.
fn parts(name: &str, terms: &[Term]) -> Vec<[String; 2]> {
    let several = terms.len() > 1;
    if !several && terms.iter().all(|term| term.summed.is_empty()) {
        return Vec::new();
    }
    let head = [format!("parts of {name}"), format!(" ~ Multinomial({name}")];
    let subscript = |at: usize| match several {
        true => char::from_u32('₁' as u32 + at as u32)
            .map(String::from)
            .unwrap_or_default(),
        false => String::new(),
    };
    let each = (0..terms.len()).map(|at| [format!("{name}{}", subscript(at)), ":  ".to_owned()]);
    [vec![head], each.collect()].concat()
}

/// What is drawn in a sweep and not printed.
fn missing(derivation: &DerivedModel, printed: &Printed) -> Vec<[String; 2]> {
    let of_lines = printed.counts.iter().flat_map(|count| &count.line);
    let form = &printed.forms[0];
    let lines: Vec<&String> = (form.allocation.lines.iter())
        .chain(&form.latents.lines)
        .chain(of_lines.flat_map(|line| &line.gibbs))
        .collect();
    let is_there = |[begins, goes_on]: &[String; 2]| {
        lines.iter().any(|line| {
            let rest = line.trim_start().strip_prefix(&begins[..]);
            // Another name may begin with this one.
            let is_whole = |rest: &str| begins.ends_with(' ') || rest.starts_with(['[', ' ', ':']);
            rest.is_some_and(|rest| is_whole(rest) && rest.contains(&goes_on[..]))
        })
    };
    drawn(derivation).into_iter().filter(|what| !is_there(what)).collect()
}

#[test]
fn whatever_a_sweep_draws_is_printed() {
    for text in MODELS.into_iter().chain(MORE) {
        let derivation = derived(text);
        let found = missing(&derivation, &show::printed(&derivation));
        assert!(found.is_empty(), "{found:?} in {text}");
    }
}

/// Each line that says how something is drawn is asked for: without it something is missing.
#[test]
fn a_line_that_goes_is_missed() {
    let says_a_draw = |line: &str| line.contains(" ~ ") || line.starts_with("  ") && line.contains(":  ");
    for text in MODELS.into_iter().chain(MORE) {
        let derivation = derived(text);
        let whole = show::printed(&derivation);
        let of: [fn(&mut Printed) -> &mut Vec<String>; 2] = [
            |printed| &mut printed.forms[0].allocation.lines,
            |printed| &mut printed.forms[0].latents.lines,
        ];
        for lines in of {
            for at in 0..lines(&mut whole.clone()).len() {
                let mut printed = whole.clone();
                let line = lines(&mut printed).remove(at);
                if says_a_draw(&line) {
                    assert_eq!(missing(&derivation, &printed).len(), 1, "{line} in {text}");
                }
            }
        }
    }
}
