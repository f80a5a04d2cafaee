//! Whether a Poisson count is at least one: the Bernoulli–Poisson link (Zhou 2015).

use skellam_formula::LinearText;

use super::{CellLaw, Takes, steps};

pub(super) const LAW: CellLaw = CellLaw {
    name: "AtLeastOne",
    takes: Takes::Alone {
        value: "bool",
        parameter: None,
    },
    declared: steps! {
        "c = 1(y ≥ 1)" ["the Bernoulli–Poisson link: Zhou 2015"]
    },
    linear: Some(LinearText::NOTHING),
    draw: steps! {
        "c = 1:  P(y) ∝ μ^y / y!,  y ≥ 1"
        "y | − ~ Poisson(μ) given y ≥ 1 if c = 1, else 0" => {
            let y = if c { rt::poisson_more_than(mu, 0, rng) } else { 0 };
        }
    },
    // `1 − exp(−ρ)` itself would lose its digits at a small rate.
    ascend: steps! {
        "q(y) = Poisson(ρ) given y ≥ 1 if c = 1, else 0"
        "E[y]/ρ = 1/(1 − exp(−ρ)) if c = 1, else 0" => {
            let per_rate = if c { 1.0 / (-(-rho).exp_m1()) } else { 0.0 };
        }
    },
    bound: "",
    noise: None,
};
