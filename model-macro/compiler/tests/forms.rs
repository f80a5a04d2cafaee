//! Every form of inference is printed for every kind of model, in the model's own letters.

use std::path::Path;

use skellam_compiler::derivation;
use skellam_compiler::derive::DerivedModel;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::show::{self, Form, FormLines, Printed};

fn case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    std::fs::read_to_string(path.with_extension("model")).unwrap()
}

fn derived(text: &str) -> DerivedModel {
    derivation(text.parse().unwrap(), &mut Sink::default()).unwrap()
}

fn printed(text: &str) -> Printed {
    show::printed(&derived(text))
}

/// A model whose count comes through a channel of the user's own.
const OWN_CHANNEL: &str = "pub model Own {
    index docs, words, topics;
    latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
    latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
    count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    release y by my::channels::Rounded;
}";

fn of(printed: &Printed, form: Form) -> &FormLines {
    printed.forms.iter().find(|lines| lines.form == form).unwrap()
}

/// Each kind of model: what every latent is called, and the rates at geometric means.
const KINDS: [(&str, &[&str], &[&str]); 6] = [
    ("matrix", &["θ[d,k]", "φ[k,v]"], &["ρ[d,v] = Σ_k G[θ[d,k]] G[φ[k,v]]"]),
    (
        "cp",
        &["a[i,k]", "b[j,k]", "c[t,k]"],
        &["ρ[i,j,t] = Σ_k G[a[i,k]] G[b[j,k]] G[c[t,k]]"],
    ),
    (
        "block",
        &["θ[i,c]", "π[c,e]"],
        &["ρ[i,j] = Σ_{c,e} G[θ[i,c]] G[θ[j,e]] G[π[c,e]]"],
    ),
    ("simplex", &["θ[d,k]", "φ[k,v]"], &["ρ[d,v] = Σ_k G[θ[d,k]] G[φ[k,v]]"]),
    (
        "views",
        &["θ[d,k]", "φ[k,v]", "taste[k,r]"],
        &[
            "ρ[d,v] = Σ_k G[θ[d,k]] G[φ[k,v]]",
            "ρ[d,r] = Σ_k shown[d,r] G[θ[d,k]] G[taste[k,r]]",
        ],
    ),
    ("own", &["θ[d,k]", "φ[k,v]"], &["ρ[d,v] = Σ_k G[θ[d,k]] G[φ[k,v]]"]),
];

#[test]
fn every_form_has_every_latent() {
    for (kind, latents, rates) in KINDS {
        let text = if kind == "own" {
            OWN_CHANNEL.to_owned()
        } else {
            case(kind)
        };
        let printed = printed(&text);
        let forms: Vec<Form> = printed.forms.iter().map(|lines| lines.form).collect();
        assert_eq!(forms, Form::ALL, "{kind}");
        for lines in &printed.forms {
            let gibbs = matches!(lines.form, Form::Gibbs | Form::GibbsAugmented);
            for latent in latents {
                let begins = match gibbs {
                    true => format!("{latent} | − ~ "),
                    false => format!("q({latent}) = "),
                };
                let found = lines.latents.lines.iter().filter(|line| line.starts_with(&begins));
                assert_eq!(
                    found.count(),
                    1,
                    "{kind}, {:?}: {begins}: {:#?}",
                    lines.form,
                    lines.latents
                );
            }
            let of_moves = |line: &&String| line.trim_start().starts_with("ln p(");
            let moves = lines.latents.lines.iter().filter(of_moves).count();
            assert_eq!(moves, usize::from(lines.form == Form::Gibbs), "{kind}");
            for rate in rates {
                let defined = lines.definitions.lines.iter().any(|line| line == rate);
                assert_eq!(
                    defined, !gibbs,
                    "{kind}, {:?}: {rate}: {:#?}",
                    lines.form, lines.definitions
                );
            }
            assert_eq!(
                lines.bound.lines[0].starts_with("none"),
                gibbs || lines.form == Form::CaviPublished
            );
        }
    }
}

/// The variance of a rate is printed where it is used, with what is left out of it.
#[test]
fn the_variance_is_that_of_the_published_form() {
    let says = |text: &str, form: Form, what: &str| {
        let printed = printed(text);
        of(&printed, form)
            .definitions
            .lines
            .iter()
            .any(|line| line.contains(what))
    };
    let matrix = "V[μ[d,v]] = Σ_k (E[θ[d,k]²] E[φ[k,v]²] − E[θ[d,k]]² E[φ[k,v]]²)";
    assert!(says(&case("matrix"), Form::CaviPublished, matrix));
    assert!(!says(&case("matrix"), Form::CaviAugmented, "V[μ"));
    let covariances = "covariances of components";
    for (kind, are_left_out) in [("matrix", false), ("cp", false), ("tucker", true), ("block", true)] {
        assert_eq!(
            says(&case(kind), Form::CaviPublished, covariances),
            are_left_out,
            "{kind}"
        );
    }
    for squares in ["V[μ[d,v]] = (0.5 boost)² (E[base[v]²]", "Σ_k exposure[d]² (E[θ[d,k]²]"] {
        assert!(says(&case("background"), Form::CaviPublished, squares), "{squares}");
    }
}

/// Priors with latents in them have no divergence of their own; updates of the user's own are trusted.
#[test]
fn bounds_say_what_they_are_made_of() {
    let bound = |text: &str| of(&printed(text), Form::Cavi).bound.lines.join("\n");
    let matrix = bound(&case("matrix"));
    assert!(
        matrix.starts_with("ELBO = Σ_{d,v} L[d,v] − KL(q(θ) ‖ p(θ)) − KL(q(φ) ‖ p(φ))"),
        "{matrix}"
    );
    assert!(matrix.ends_with("it never falls once annealing has ended"), "{matrix}");
    let hierarchical = bound(&case("hierarchical"));
    assert!(hierarchical.contains("E[ln p(θ | ξ)] − E[ln q(θ)]"), "{hierarchical}");
    assert!(hierarchical.contains("− KL(q(ξ) ‖ p(ξ))"), "{hierarchical}");
    let views = bound(&case("views"));
    assert!(views.contains("Σ_{d,v} L_y[d,v] + Σ_{d,r} L_marks[d,r]"), "{views}");
    let text = case("matrix");
    let own = format!(
        "{}    update theta by mine::Slice;\n}}\n",
        &text[..text.rfind('}').unwrap()]
    );
    assert!(
        bound(&own).ends_with("if mine::Slice never lowers it"),
        "{}",
        bound(&own)
    );
}

/// The letters of the noise make way for names and indices of the model.
#[test]
fn names_of_the_model_are_not_taken() {
    let text = "pub model Taken {
        index months, zones, parts;
        hyper lambda: positive = 1.0, S: positive = 1.0;
        latent rho[m in months, k in parts] ~ Gamma(shape = lambda, rate = S);
        latent g[k in parts, z in zones] ~ Gamma(shape = lambda, rate = 1.0);
        count L[m in months, z in zones] ~ Poisson(sum(k in parts) rho[m, k] * g[k, z]);
        release L by TwoSidedGeometric;
    }";
    let names = &printed(text).counts[0].names;
    assert_eq!(names.geometric, "r[m,z]");
    assert_eq!(names.minimum, "smaller[m,z]");
    assert_eq!(names.noise[1], "noise⁻[m,z]");
    assert_eq!(names.level[2], "level±[m,z]");
    assert_eq!(names.total, "total[m,z]");
    assert_eq!(names.argument, "argument[m,z]");
    assert_eq!(names.bound, "bound[m,z]");
}

/// A formula that is longer than a line is broken, and only then.
#[test]
fn lines_fit_a_page() {
    for kind in [
        "matrix",
        "cp",
        "block",
        "simplex",
        "views",
        "hierarchical",
        "background",
        "tucker",
    ] {
        for lines in &printed(&case(kind)).forms {
            for of in [&lines.definitions, &lines.allocation, &lines.latents, &lines.bound] {
                for line in &of.lines {
                    assert!(line.chars().count() <= 100, "{kind}, {:?}: {line}", lines.form);
                }
            }
        }
    }
}
