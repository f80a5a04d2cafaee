//! The page *How it is built* follows one rate through the compiler and prints what each phase makes of it: every such value is computed here.
//! `UPDATE_EXPECT=1` rewrites the page. Names in its prose are looked for in the sources.

#[path = "internals/names.rs"]
mod names;

use std::fmt::Display;
use std::path::{Path, PathBuf};

use skellam_compiler::derive::{DerivedModel, Leaf, Occurrence, Origin, Summand};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::resolve::{Access, Scalar, Source, Term};
use skellam_compiler::syntax::{self, Bind, CountLaw, Factor, Item, Place};
use skellam_compiler::{derivation, emit, show};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The page. What does not agree is rewritten, or fails the test.
struct Page {
    path: PathBuf,
    text: String,
    update: bool,
}

impl Page {
    fn open() -> Self {
        let path = root().join("../../docs/src/internals.md");
        let text = read(&path);
        let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
        Self { path, text, update }
    }

    /// What stands behind the only `open`, up to `close`.
    fn between(&mut self, open: &str, close: &str, found: &str) {
        assert_eq!(self.text.matches(open).count(), 1, "`{}` on the page", open.trim());
        let begin = self.text.find(open).unwrap() + open.len();
        let end = begin + self.text[begin..].find(close).unwrap();
        if self.update {
            self.text.replace_range(begin..end, found);
            std::fs::write(&self.path, &self.text).unwrap();
        } else {
            let advice = format!("behind `{}`: UPDATE_EXPECT=1 rewrites it", open.trim());
            assert_eq!(&self.text[begin..end], found, "{advice}");
        }
    }

    fn block(&mut self, kind: &str, text: &str) {
        self.between(&format!("```{kind}\n"), "```", &format!("{text}\n"));
    }
}

fn list<T: Display>(of: impl IntoIterator<Item = T>) -> String {
    let all: Vec<String> = of.into_iter().map(|one| one.to_string()).collect();
    all.join(", ")
}

/// The rate as written. Patterns name every field, so that a new one is seen here.
fn written(syntax::Rate { terms }: &syntax::Rate) -> String {
    format!("Rate {{ terms: [ {} ] }}", list(terms.iter().map(product)))
}

fn product(syntax::Term { factors, span: _ }: &syntax::Term) -> String {
    format!("Term {{ factors: [ {} ] }}", list(factors.iter().map(factor)))
}

fn factor(of: &Factor) -> String {
    match of {
        Factor::Sum { binds, body } => {
            let binds = list(binds.iter().map(|Bind { var, set }| format!("{var} in {set}")));
            format!("Sum {{\n    binds: [{binds}],\n    body: {},\n}}", product(body))
        }
        Factor::Access { name, indices } => {
            let indices = list(indices.iter().map(|place| match place {
                Place::Index(index) => index,
                Place::Lookup { .. } | Place::Shift { .. } => panic!("{place:?} is not on the page"),
            }));
            format!("Access {{ name: {name}, indices: [{indices}] }}")
        }
        other => panic!("{other:?} is not on the page"),
    }
}

/// A term of the resolved rate.
fn resolved(term: &Term) -> String {
    let Term {
        coefficient,
        factors,
        summed,
        span: _,
    } = term;
    let Scalar { number, hypers, per } = coefficient;
    assert!(
        hypers.is_empty() && per.is_empty(),
        "{coefficient:?} is not on the page"
    );
    let factors = list(factors.iter().map(
        |Access {
             of,
             vars,
             start,
             span: _,
             uses: _,
         }| {
            let (Source::Latent(latent), None) = (of, start) else {
                panic!("{of:?}, {start:?} is not on the page")
            };
            let vars = list(vars.iter().map(|var| var.0));
            format!("Access {{ of: Latent({}), vars: [{vars}] }}", latent.0)
        },
    ));
    let summed = list(summed.iter().map(|var| var.0));
    format!("Term {{ coefficient: {number}, factors: [ {factors} ], summed: [{summed}] }}")
}

/// A summand of a conditional, with its indices by their letters.
fn derived(derivation: &DerivedModel, summand: &Summand) -> String {
    let Summand {
        from,
        indices,
        own,
        summed,
        factors,
    } = summand;
    let Origin::Rate(Occurrence { count, term, factor }) = from else {
        panic!("{from:?} is not on the page")
    };
    let names = |of: std::ops::Range<usize>| list(indices[of].iter().map(|letter| &letter.name));
    let [own, over] = [0..*own, *own..own + summed].map(names);
    let at = |at: &[usize]| list(at.iter().map(|at| &indices[*at].name));
    let model = &derivation.model;
    let factors = list(factors.iter().map(|leaf| match leaf {
        Leaf::Weight { count, at: of } => format!("Weight({}, [{}])", model.counts[*count].name, at(of)),
        Leaf::Latent(latent, of) => format!("Latent({}, [{}])", model.latents[latent.0].name, at(of)),
        other => panic!("{other:?} is not on the page"),
    }));
    format!(
        "Summand {{ from: Rate(count {count}, term {term}, factor {factor}), indices: [{own} | {over}], factors: [ {factors} ] }}"
    )
}

/// The lines between the braces of a function.
fn body_of(source: &str, function: &str) -> String {
    let after = source.split(&format!("fn {function}(")).nth(1).unwrap();
    let lines = after.lines().skip(1).take_while(|line| *line != "    }");
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix("        ").unwrap_or_default())
        .collect();
    lines.join("\n").trim_end().to_owned()
}

#[test]
fn one_rate_is_followed_from_its_tokens_to_its_rust() {
    let declaration = read(&root().join("tests/cases/matrix.model"));
    let law = declaration.split("count y").nth(1).unwrap().split(';').next().unwrap();
    let law = law.split("~ Poisson(").nth(1).unwrap();
    let tokens: proc_macro2::TokenStream = declaration.parse().unwrap();
    let mut page = Page::open();
    page.between("\n`Poisson(", "` reaches the macro", law);

    let parsed = syntax::parse(tokens.clone(), &mut Sink::default()).unwrap();
    let rates = parsed.items.iter().filter_map(|item| match item {
        Item::Count(count) => Some(&count.law),
        _ => None,
    });
    let [CountLaw::Poisson(rate)] = rates.collect::<Vec<_>>()[..] else {
        panic!("the case has one Poisson count")
    };
    page.block("text rate", &written(rate));

    let derivation = derivation(tokens, &mut Sink::default()).unwrap();
    let count = &derivation.model.counts[0];
    let numbers: Vec<String> = (count.vars.iter().enumerate())
        .map(|(number, index)| match number {
            0 => format!("`{}` is {number}", index.name),
            _ => format!("`{}` {number}", index.name),
        })
        .collect();
    page.between("those of its cells first: ", ". The result is", &numbers.join(", "));
    let [term] = &count.terms[..] else {
        panic!("the rate has one term")
    };
    page.block("text term", &resolved(term));

    let [_, exposure] = derivation.updates[0].conditional.rate() else {
        panic!("one place adds to the rate of theta")
    };
    page.block("text summand", &derived(&derivation, exposure));
    let formula = show::summand(&derivation.model, exposure);
    page.between("`show` prints the summand as `", "`", &formula);
    let source = emit::source(&derivation);
    let body = |of: &str| body_of(&source, of);
    assert!(
        source.contains(&format!("/// `{formula}`\n    fn exposure_of_theta(")),
        "{source}"
    );
    page.block("rust exposure", &body("exposure_of_theta"));

    let operands = |of: &DerivedModel| show::operands(&of.model, &of.model.counts[0], &of.formed[0]).join("\n");
    page.block("text layout", &operands(&derivation));
    let [left, right] = ["left", "right"].map(body);
    page.block("rust rate", &format!("{left}\n\n{right}"));

    let tucker = read(&root().join("tests/cases/tucker.model"));
    let tucker = skellam_compiler::derivation(tucker.parse().unwrap(), &mut Sink::default()).unwrap();
    page.block("text tensor", &operands(&tucker));
    let [right, finish] = ["right", "finish"].map(|of| body_of(&emit::source(&tucker), of));
    page.block("rust tensor", &format!("{right}\n\n{finish}"));
}
