//! Conditionals as values: what is printed and what is run are made from them.

use std::panic::catch_unwind;

use skellam_compiler::derive::{DerivedModel, Leaf, Update};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::resolve::{LatentId, Scalar};
use skellam_compiler::{derivation, emit, show};

fn derived(text: &str) -> DerivedModel {
    derivation(text.parse().unwrap(), &mut Sink::default()).unwrap()
}

fn topics() -> DerivedModel {
    derived(
        "pub model Topics {
            index docs, words, topics;
            hyper a: positive = 0.1, b: positive = 1.0;
            latent xi[d in docs] ~ Gamma(shape = a, rate = b);
            latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 2.0 * xi[d]);
            latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        }",
    )
}

fn number(number: f64) -> Leaf {
    Leaf::Scalar(Scalar {
        number,
        ..Scalar::one()
    })
}

const XI: LatentId = LatentId(0);
const THETA: LatentId = LatentId(1);

/// A derivation with one part of one conditional left out is printed without it, and runs without it.
#[test]
fn what_is_left_out_of_a_conditional_is_neither_printed_nor_run() {
    let whole = topics();
    let mut changed = topics();
    let drop = |latent: LatentId, at: usize, derivation: &mut DerivedModel| {
        let update = &mut derivation.updates[latent.0];
        update.conditional.law.parameters[1].remove(at);
        update.posterior.law.parameters[1].remove(at);
    };
    // The exposure of theta in the rate, and what the values of theta add to the rate of xi.
    drop(THETA, 1, &mut changed);
    drop(XI, 1, &mut changed);
    let printed = |derivation: &DerivedModel, latent: LatentId| {
        show::conditional(&derivation.model, &derivation.updates[latent.0])
    };
    assert_eq!(
        printed(&whole, THETA),
        "θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], 2 ξ[d] + Σ_v w[d,v] φ[k,v])"
    );
    assert_eq!(printed(&changed, THETA), "θ[d,k] | − ~ Gamma(a + Σ_v y[d,v,k], 2 ξ[d])");
    assert_eq!(printed(&changed, XI), "ξ[d] | − ~ Gamma(a + Σ_k a, b)");
    let [before, after] = [&whole, &changed].map(emit::source);
    for code in [
        "let exposure = Self::exposure_of_theta(",
        "|[d, k]| [n.theta[[d, k]], exposure[[d, k]]]",
        "2.0 * x.theta.row([d]).iter().sum::<f64>()",
    ] {
        // In the sweep and in the iteration.
        assert_eq!(before.matches(code).count(), 2, "{code}: {before}");
        assert!(!after.contains(code), "{code}: {after}");
    }
}

/// How an update is changed.
type Change = fn(&mut Update);

/// What no generated function computes does not expand.
#[test]
fn other_conditionals_do_not_expand() {
    let changes: [(&str, Change); 4] = [
        ("one function computes a prior", |update| {
            update.posterior.law.parameters[1][0].factors[0] = number(3.0);
        }),
        ("one function computes an exposure", |update| {
            update.posterior.law.parameters[1][1].factors.push(number(0.5));
        }),
        // Exposures are corrected by the operands of the rate: this one is no rest of its term.
        ("no correction computes the exposure", |update| {
            for of in [&mut update.conditional, &mut update.posterior] {
                of.law.parameters[1][1].factors.push(number(2.0));
            }
        }),
        // Counts are handed down by the adjoint of a rate.
        ("no counts are handed down", |update| {
            let counted = &mut update.conditional.law.parameters[0][1].factors[0];
            let Leaf::Allocation { at, .. } = counted else {
                panic!("counts");
            };
            at.swap(0, 2);
        }),
    ];
    for (said, change) in changes {
        let mut changed = topics();
        change(&mut changed.updates[THETA.0]);
        let panic = catch_unwind(|| emit::source(&changed)).expect_err(said);
        let message = panic.downcast_ref::<String>().expect("words");
        assert!(message.contains(said), "{message}");
    }
}

/// What a conditional begins with is printed and handed to the runtime, whatever the declaration says.
#[test]
fn a_changed_prior_is_printed_and_run() {
    let mut changed = topics();
    let update = &mut changed.updates[THETA.0];
    for of in [&mut update.conditional, &mut update.posterior] {
        of.law.parameters[1][0].factors[0] = number(3.0);
    }
    assert!(show::conditional(&changed.model, &changed.updates[THETA.0]).contains("3 ξ[d]"));
    let source = emit::source(&changed);
    assert!(source.contains("move |[d, _]| [x.a, 3.0 * x.xi[[d]]]"), "{source}");
}

/// What is shown says whose update runs, and that the bound relies on it.
#[test]
fn an_update_of_ones_own_is_named() {
    let derivation = derived(
        "pub model Own {
            index docs, words;
            latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
            latent phi[v in words] ~ Gamma(shape = 1.0, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(theta[d] * phi[v]);
            update theta by mine::Slice;
        }",
    );
    let forms = show::printed(&derivation).forms;
    let trusted = forms[3].bound.lines.last();
    assert!(trusted.is_some_and(|line| line.ends_with("if mine::Slice never lowers it")));
    // It has no tokens: nothing integrates over an update of one's own.
    for form in forms.iter().filter(|form| form.form != show::Form::GibbsTokens) {
        let named = |line: &&String| line.contains("updated by mine::Slice");
        assert_eq!(form.latents.lines.iter().filter(named).count(), 1, "{:?}", form.latents);
    }
}
