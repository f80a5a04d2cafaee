//! What derivations call the quantities of cells: no two of them alike, whatever a model declares.

use std::collections::HashMap;

use proc_macro2::TokenStream;
use skellam_compiler::derivation;
use skellam_compiler::derive::DerivedModel;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::show::{CellNames, printed};

fn derived(declaration: &str) -> DerivedModel {
    let mut sink = Sink::default();
    let derived = derivation(declaration.parse::<TokenStream>().unwrap(), &mut sink);
    derived.unwrap_or_else(|_| panic!("{declaration}\n{:?}", sink.diagnostics()))
}

const TOPICS: &str = "index docs, words, topics; latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
    latent phi[k in topics, v in words] ~ Gamma(shape = 0.3, rate = 1.0); ";

/// The models: two counts of the same indices, in either order and under other letters, differences, and names that letters have.
fn models() -> Vec<DerivedModel> {
    let of = |rest: &str| derived(&format!("model M {{ {TOPICS} {rest} }}"));
    let rate = "sum(k in topics) theta[d, k] * phi[k, v]";
    vec![
        of(&format!(
            "count sent[d in docs, v in words] ~ Poisson({rate}); count read[d in docs, v in words] ~ Poisson({rate});
             release sent by TwoSidedGeometric; release read by Laplace;"
        )),
        of(&format!(
            "count sent[d in docs, v in words] ~ Poisson({rate}); count read[v in words, d in docs] ~ Poisson({rate});
             release sent by TwoSidedGeometric; release read by TwoSidedGeometric;"
        )),
        of(&format!(
            "count y[d in docs, v in words] ~ Poisson({rate});
             count z[i in docs, j in words] ~ Poisson(sum(k in topics) theta[i, k] * phi[k, j]);"
        )),
        of(&format!(
            "latent mu_a ~ Gamma(shape = 1.0, rate = 1.0); latent rho ~ Gamma(shape = 1.0, rate = 1.0);
             count a[d in docs, v in words] ~ Poisson(mu_a * {rate}); count b[d in docs, v in words] ~ Poisson(rho * {rate});
             release a by TwoSidedGeometric;"
        )),
        of(&format!(
            "latent s[d in docs] ~ Gamma(shape = 1.0, rate = 1.0); count a[d in docs, v in words] ~ Skellam(plus = {rate}, minus = s[d]);
             count b[d in docs, v in words] ~ Skellam(plus = s[d], minus = {rate});"
        )),
        of(&format!("count c[d in docs, v in words] ~ Poisson({rate}); release c by TwoSidedGeometric;")),
        of(&format!(
            "count c[d in docs] ~ Poisson(sum(k in topics) theta[d, k]);
             count y[d in docs, v in words] ~ Poisson({rate}); release y by TwoSidedGeometric;"
        )),
        derived(
            "model M { index docs, classes; latent s[a in classes] ~ Gamma(shape = 1.0, rate = 1.0);
             latent theta[d in docs] ~ Gamma(shape = sum(c in classes) s[c], rate = 1.0);
             count y[d in docs] ~ Poisson(theta[d]); release y by TwoSidedGeometric; }",
        ),
        derived(
            "model M { index docs, classes; latent theta[d in docs, c in classes] ~ Gamma(shape = 1.0, rate = 1.0);
             count y[d in docs] ~ Poisson(sum(c in classes) theta[d, c]); release y by TwoSidedGeometric; }",
        ),
        derived(
            "model M { index months, zones, parts; hyper lambda: positive = 1.0, S: positive = 1.0;
             latent rho[m in months, k in parts] ~ Gamma(shape = lambda, rate = S);
             latent g[k in parts, z in zones] ~ Gamma(shape = lambda, rate = 1.0);
             count L[m in months, z in zones] ~ Poisson(sum(k in parts) rho[m, k] * g[k, z]); release L by TwoSidedGeometric; }",
        ),
    ]
}

/// The letters of a name: `c` of `c[d,v]`, without the indices of the cell.
fn letter(name: &str) -> String {
    name.split('[').next().unwrap().to_owned()
}

#[test]
fn no_two_quantities_are_called_alike() {
    for derived in models() {
        let model = &derived.model;
        let symbol = |name: String| skellam_formula::symbol(&name).to_owned();
        let indices = model.vars().chain(model.latents.iter().flat_map(|l| &l.indices));
        let mut declared: Vec<String> = indices.map(|index| symbol(index.name.to_string())).collect();
        declared.extend(model.latents.iter().map(|latent| symbol(latent.name.to_string())));
        let mut whose: HashMap<(String, usize), String> = HashMap::new();
        for count in &model.counts {
            let names = CellNames::new(model, count);
            let mut of = |what: &str, name: &str| {
                let (letter, what) = (letter(name), format!("{what} of {}", count.name));
                assert!(!declared.contains(&letter), "{letter} is declared, and {what}");
                if let Some(other) = whose.insert((letter, count.free), what.clone()) {
                    panic!("{other} and {what} are both called {name}");
                }
            };
            of("the truth", &names.truth);
            if names.observed != names.truth {
                of("the release", &names.observed);
            }
            match &names.sides {
                None => {
                    of("the rate", &names.rate);
                    of("the geometric rate", &names.geometric);
                    of("the minimum", &names.minimum);
                    of("the noise", &names.noise[0]);
                    of("the level", &names.level[0]);
                    of("the bound", &names.bound);
                }
                Some(sides) => {
                    of("the rate", &sides.rate[0]);
                    of("the geometric rate", &sides.geometric[1]);
                }
            }
        }
    }
}

/// Two counts over different index sets share letters, as their indices tell them apart.
#[test]
fn counts_of_other_indices_keep_their_letters() {
    let derived = derived(&format!(
        "model M {{ {TOPICS} count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
         count z[d in docs] ~ Poisson(sum(k in topics) theta[d, k]); release y by TwoSidedGeometric; }}"
    ));
    let names: Vec<String> = derived
        .model
        .counts
        .iter()
        .map(|count| CellNames::new(&derived.model, count).rate)
        .collect();
    assert_eq!(names, ["μ[d,v]", "μ[d]"]);
}

#[test]
fn twins_are_called_after_their_counts() {
    let derived = &models()[0];
    let [sent, read] = [0, 1].map(|count| CellNames::new(&derived.model, &derived.model.counts[count]));
    assert_eq!(sent.observed, "c_sent[d,v]");
    assert_eq!(read.rate, "μ_read[d,v]");
    assert_eq!(read.noise[2], "g_read±[d,v]");
}

/// Every line of a derivation.
fn lines(derived: &DerivedModel) -> String {
    let printed = printed(derived);
    let blocks = printed
        .before
        .iter()
        .chain(&printed.after)
        .flat_map(|block| &block.lines);
    let forms = printed
        .forms
        .iter()
        .flat_map(|form| [&form.definitions, &form.allocation, &form.latents, &form.bound]);
    let all: Vec<&str> = blocks
        .chain(forms.flat_map(|passage| &passage.lines))
        .map(|line| line.as_str())
        .collect();
    all.join("\n")
}

#[test]
fn nothing_is_divided_by_one() {
    let of = |rate: &str| {
        derived(&format!(
            "model M {{ index docs; latent r ~ Gamma(shape = 1.0, rate = 1.0); latent b ~ Gamma(shape = 1.0, rate = 1.0);
             latent eps[d in docs] ~ Gamma(shape = r, rate = {rate}); count y[d in docs] ~ Poisson(b * eps[d]); }}"
        ))
    };
    let [one, two] = ["1.0", "2.0"].map(|rate| lines(&of(rate)));
    assert!(!one.contains("/1") && one.contains("ln(1 + w[d] b)"), "{one}");
    assert!(two.contains("ln(1 + (w[d] b)/2)"), "{two}");
}

/// Where nothing says what the first rate of a chain is, the derivation does.
#[test]
fn the_first_rate_of_a_chain_is_told() {
    let told = |rate: &str| {
        let derived = derived(&format!(
            "model M {{ index times: ordered; index words; hyper a: positive = 2.0; data x[t in times]: positive;
             latent s[t in times] ~ Gamma(shape = 1.0, rate = x[t]);
             latent theta[t in times, v in words] ~ Gamma(shape = a, rate = {rate});
             count y[t in times, v in words] ~ Poisson(s[t] * theta[t, v]); }}"
        ));
        let lines = printed(&derived).before[0].lines.clone();
        let found: Vec<String> = lines.into_iter().filter(|line| line.contains("first rate")).collect();
        found.join("; ")
    };
    let stands = "stands for θ[t-1,v] where there is no earlier time";
    assert_eq!(
        told("theta[t - 1, v]"),
        format!("the first rate of θ[t,v] is 1: one {stands}")
    );
    assert_eq!(
        told("2.0 * a * theta[t - 1, v]"),
        format!("the first rate of θ[t,v] is 2 a: one {stands}")
    );
    assert_eq!(
        told("x[t] * theta[t - 1, v]"),
        format!("the first rate of θ[t,v] is x[t]: one {stands}")
    );
    assert_eq!(
        told("theta[t - 1, v] * s[t - 2]"),
        "the first rate of θ[t,v] is 1: one stands for θ[t-1,v] and s[t-2] where there is no earlier time"
    );
    assert_eq!(told("a * theta[t - 1, v] or a"), "");
    assert_eq!(told("a"), "");
}
