//! Laws of other libraries and languages, each with what a declaration has in its place.

use proc_macro2::{TokenStream, TokenTree};
use syn::Ident;
use syn::parse::ParseStream;

use super::ast::Bind;
use super::shown::{shown, until};

/// Why a law does not exist here, and what to type instead.
pub(super) type Instead = [String; 2];

/// What a law is of, by its name in any library.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Counts that spread more than Poisson counts.
    Overdispersed,
    /// Counts with more zeros than Poisson counts have.
    ZeroInflated,
    /// Counts out of a total.
    Binomial,
    /// Whether something happened at all.
    Binary,
    /// One of several values.
    Categorical,
    /// A share, which lies between zero and one.
    Share,
    /// Numbers that are not whole.
    Continuous,
}

fn kind(law: &str) -> Option<Kind> {
    let word = law.replace('_', "").to_lowercase();
    Some(match word.trim_end_matches(char::is_numeric) {
        "negativebinomial"
        | "negbinomial"
        | "negbin"
        | "nbinom"
        | "nb"
        | "geometric"
        | "polya"
        | "gammapoisson"
        | "poissongamma"
        | "poissonlognormal"
        | "overdispersedpoisson"
        | "quasipoisson"
        | "generalizedpoisson"
        | "conwaymaxwellpoisson"
        | "compoisson" => Kind::Overdispersed,
        "zip" | "zinb" => Kind::ZeroInflated,
        word if word.starts_with("zeroinflated") || word.starts_with("hurdle") => Kind::ZeroInflated,
        "binomial" | "betabinomial" | "hypergeometric" => Kind::Binomial,
        "bernoulli" | "binary" | "bernoullipoisson" => Kind::Binary,
        "categorical" | "multinoulli" | "discrete" | "onehotcategorical" => Kind::Categorical,
        "beta" | "kumaraswamy" | "logitnormal" => Kind::Share,
        "normal" | "gaussian" | "lognormal" | "gamma" | "dirichlet" | "exponential" | "uniform" | "laplace"
        | "studentt" | "cauchy" | "weibull" | "halfnormal" | "halfcauchy" | "invgamma" | "inversegamma"
        | "chisquared" | "pareto" => Kind::Continuous,
        _ => return None,
    })
}

/// Whether a law is one of counts, here or elsewhere.
pub(super) fn is_of_counts(law: &str) -> bool {
    let here = ["Poisson", "Skellam", "Multinomial"].contains(&law);
    let continuous = |kind| matches!(kind, Kind::Share | Kind::Continuous);
    here || kind(law).is_some_and(|kind| !continuous(kind))
}

/// Of a count whose law would be `law`, with its parameters next in `input`.
pub(super) fn of_count(law: &str, count: &Ident, binds: &[Bind], input: ParseStream) -> Option<Instead> {
    let (declared, cell) = (brackets(binds, None), places(binds, None));
    let arguments = arguments(input);
    let effect = |shape: f64| {
        format!(
            "`latent eps{declared} ~ Gamma(shape = {shape:?}, rate = {shape:?});` and `Poisson(eps{cell} * {})`",
            mean(&arguments)
        )
    };
    let shares = |set: &str, total: &str| {
        let one_more = index(binds, set);
        let (declared, cell) = (brackets(binds, Some((&one_more, set))), places(binds, Some(&one_more)));
        format!(
            "`index {set};`, `latent p{declared} ~ Dirichlet(concentration = 1.0, along = {one_more});` and \
             `count {count}{declared} ~ Multinomial({total}, p{cell}, along = {one_more});`"
        )
    };
    let (why, help) = match kind(law)? {
        Kind::Overdispersed => (
            "a Poisson count with a gamma in every cell is negative binomial: see *Negative binomial counts* in the book",
            effect(number(&arguments).unwrap_or(if law == "Geometric" { 1.0 } else { 2.0 })),
        ),
        Kind::ZeroInflated => (
            "a gamma of small shape in every cell makes as many zeros: see *Negative binomial counts* in the book",
            effect(0.5),
        ),
        Kind::Binomial => {
            let total = (arguments.iter()).find(|(key, _)| matches!(&**key, "n" | "total" | "trials"));
            let total = total.or(arguments.first()).map(|(_, value)| &**value);
            let help = match total.filter(|total| total.starts_with(char::is_alphabetic)) {
                Some(total) => shares("sides", total),
                None => format!("`total n;`, {}", shares("sides", "n")),
            };
            let why = "what happened and what did not are counts of a known total, whose shares sum to one";
            (why, help)
        }
        Kind::Binary => (
            "whether something happened at all is whether a Poisson count is at least one",
            format!("`Poisson({})` and `release {count} by AtLeastOne;`", mean(&arguments)),
        ),
        Kind::Categorical => (
            "a choice is a line of counts, of which one is 1 and the others are 0",
            format!("`total one;`, set by `.one(1)`, {}", shares("choices", "one")),
        ),
        Kind::Share | Kind::Continuous => {
            let known =
                format!("`Poisson(..)` if these are counts, `data {count}{declared}: positive;` if they are known");
            let help = match law {
                "Gamma" | "Dirichlet" => {
                    let written = until(input, |_| false);
                    format!("`latent {count}{declared} ~ {law}{written};` if they are learned, {known}")
                }
                _ => known,
            };
            ("observations are counts, which are whole numbers", help)
        }
    };
    Some([why.to_owned(), help])
}

/// Of a latent whose prior would be `law`, with its parameters next in `input`.
pub(super) fn of_latent(law: &str, latent: &Ident, binds: &[Bind], input: ParseStream) -> Option<Instead> {
    let shares = |set: &str| {
        let one_more = index(binds, set);
        let declared = brackets(binds, Some((&one_more, set)));
        format!(
            "`index {set};` and `latent {latent}{declared} ~ Dirichlet(concentration = 1.0, along = {one_more});`, which is \
             summed over in a rate: `sum({one_more} in {set}) {latent}{} * ..`",
            places(binds, Some(&one_more))
        )
    };
    let (why, help) = match kind(law) {
        Some(Kind::Share | Kind::Binary) => (
            "a share and what is left of it sum to one: a Dirichlet along a set of two",
            shares("sides"),
        ),
        Some(Kind::Categorical) => (
            "instead of one choice a latent has shares of all of them, which sum to one",
            shares("choices"),
        ),
        _ if is_of_counts(law) => {
            let (declared, written) = (brackets(binds, None), until(input, |_| false));
            (
                "a latent is a positive number that is learned; whole numbers that were observed are a count",
                format!("`count {latent}{declared} ~ {law}{written};`"),
            )
        }
        _ => return None,
    };
    Some([why.to_owned(), help])
}

/// `[d in docs, s in sides]`
pub(super) fn brackets(binds: &[Bind], more: Option<(&str, &str)>) -> String {
    let written = binds.iter().map(|bind| format!("{} in {}", bind.var, bind.set));
    in_brackets(written.chain(more.map(|(index, set)| format!("{index} in {set}"))))
}

/// `[d, s]`
fn places(binds: &[Bind], more: Option<&str>) -> String {
    let written = binds.iter().map(|bind| bind.var.to_string());
    in_brackets(written.chain(more.map(str::to_owned)))
}

fn in_brackets(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    match &all[..] {
        [] => String::new(),
        all => format!("[{}]", all.join(", ")),
    }
}

/// An index over a new set: its first letter, unless that is an index already.
fn index(binds: &[Bind], set: &str) -> String {
    let letter = &set[..1];
    let is_taken = binds.iter().any(|bind| bind.var == letter);
    if is_taken { set.to_owned() } else { letter.to_owned() }
}

/// What stands in the parentheses that come next: each argument with its name, or without one.
fn arguments(input: ParseStream) -> Vec<(String, String)> {
    let Ok(TokenTree::Group(group)) = input.fork().parse::<TokenTree>() else {
        return Vec::new();
    };
    let tokens: Vec<TokenTree> = group.stream().into_iter().collect();
    let is = |token: &TokenTree, sign: char| matches!(token, TokenTree::Punct(p) if p.as_char() == sign);
    let text = |tokens: &[TokenTree]| shown(tokens.iter().cloned().collect::<TokenStream>());
    let arguments = tokens
        .split(|token| is(token, ','))
        .filter(|argument| !argument.is_empty());
    arguments
        .map(|argument| match argument {
            [TokenTree::Ident(key), sign, value @ ..] if is(sign, '=') => (key.to_string(), text(value)),
            value => (String::new(), text(value)),
        })
        .collect()
}

/// The mean of a count among the parameters of its law: the one that is named so, else the first that has a name in it.
fn mean(arguments: &[(String, String)]) -> String {
    let is_named = |(key, _): &&(String, String)| matches!(&**key, "mu" | "mean" | "rate" | "lambda" | "m");
    let is_rate = |(_, value): &&(String, String)| value.contains(char::is_alphabetic);
    let found = arguments.iter().find(is_named).or(arguments.iter().find(is_rate));
    match found {
        Some((_, value)) if value.contains(" + ") => format!("({value})"),
        Some((_, value)) => value.clone(),
        None => "..".to_owned(),
    }
}

/// The number among the parameters of a law.
fn number(arguments: &[(String, String)]) -> Option<f64> {
    let mut numbers = arguments.iter().filter_map(|(_, value)| value.parse::<f64>().ok());
    numbers.rfind(|number| *number > 0.0 && number.is_finite())
}
