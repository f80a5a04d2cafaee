//! Noise that falls exponentially on both sides, summed out: `P(y) ∝ μ^y / y! · α^|c − y|`, which is a Poisson law at the rate `μ/α` up to `c` and one at
//! `μ α` above (what equations 13 to 16 of ICML19 leave without the noise). As `(y + 1) q(y + 1)/q(y)` is `ρ/α` below `c` and `ρ α` from there on,
//! the mean is `ρ` times the mean of this ratio.

use skellam_formula::LinearText;

use super::{CellLaw, Step, Takes, steps};

/// A Gibbs step.
pub(super) const DRAW: &[Step] = steps! {
    "c > 0:  P(y) ∝ μ^y / y! · α^|c − y|, two truncated Poisson laws that meet at c,"
    "  of mass α^c e^(μ/α) P(Poisson(μ/α) ≤ c) and α^−c e^(μ α) P(Poisson(μ α) > c)"
    "y | − ~ Poisson(μ/α) up to c, Poisson(μ α) above" => {
        let y = rt::SplicedPoisson::new(mu / alpha, c, mu * alpha).draw(rng);
    }
};

/// A step of CAVI.
pub(super) const ASCEND: &[Step] = steps! {
    "c > 0:  q(y) ∝ ρ^y / y! · α^|c − y|, two truncated Poisson laws that meet at c"
    "q(y) = Poisson(ρ/α) up to c, Poisson(ρ α) above" => {
        let q = rt::SplicedPoisson::new(rho / alpha, c, rho * alpha).sides();
    }
    "E[y]/ρ = q(y < c)/α + α q(y ≥ c)" => {
        let per_rate = q.below / alpha + alpha * q.from;
    }
};

/// The same noise, cut at zero: a positive release has the law above, and a zero is its case `c = 0`.
pub(super) const TRUNCATED: CellLaw = CellLaw {
    name: "TruncatedGeometric",
    takes: Takes::Alone {
        value: "i64",
        parameter: Some(["alpha", "α"]),
    },
    declared: steps! {
        "c = max(0, y + τ),  P(τ) = (1−α)/(1+α) · α^|τ|"
        ["the geometric mechanism of Ghosh, Roughgarden and Sundararajan 2012, cut at zero, which is post-processing"]
    },
    linear: Some(LinearText::TRUNCATED),
    draw: DRAW,
    ascend: ASCEND,
    bound: "",
    noise: None,
};
