//! Laplace noise, on a lattice or not. What is observed need not be whole, so that the two laws of [`collapsed`](super::collapsed) are cut at its whole part and need not meet
//! there: the ratio at the cut says how they are joined. From `⌊c⌋` to the count after it `|c − y|` goes from `c − ⌊c⌋` to `1 − (c − ⌊c⌋)`.

use skellam_formula::LinearText;

use super::{CellLaw, Step, Takes, steps};

const LAW: CellLaw = CellLaw {
    name: "",
    takes: Takes::Alone {
        value: "f64",
        parameter: Some(["alpha", "α"]),
    },
    declared: &[],
    linear: Some(LinearText::TWO_SIDED),
    draw: steps! {
        "c > 0:  P(y) ∝ μ^y / y! · α^|c − y|, two truncated Poisson laws, cut at ⌊c⌋,"
        "  of mass α^c e^(μ/α) P(Poisson(μ/α) ≤ ⌊c⌋) and α^−c e^(μ α) P(Poisson(μ α) > ⌊c⌋)"
        "(⌊c⌋ + 1) P(⌊c⌋ + 1)/P(⌊c⌋) = μ α^(1 − 2 (c − ⌊c⌋))" => {
            let ratio = mu * alpha.powf(1.0 - 2.0 * (c - c.floor()));
        }
        "y | − ~ Poisson(μ/α) up to ⌊c⌋, Poisson(μ α) above" => {
            let y = rt::BrokenPoisson::new(mu / alpha, c.floor() as i64, ratio, mu * alpha).draw(rng);
        }
    },
    ascend: steps! {
        "c > 0:  q(y) ∝ ρ^y / y! · α^|c − y|, two truncated Poisson laws, cut at ⌊c⌋"
        "(⌊c⌋ + 1) q(⌊c⌋ + 1)/q(⌊c⌋) = ρ α^(1 − 2 (c − ⌊c⌋))" => {
            let ratio = rho * alpha.powf(1.0 - 2.0 * (c - c.floor()));
        }
        "q(y) = Poisson(ρ/α) up to ⌊c⌋, Poisson(ρ α) above" => {
            let q = rt::BrokenPoisson::new(rho / alpha, c.floor() as i64, ratio, rho * alpha).sides();
        }
        "E[y]/ρ = q(y < ⌊c⌋)/α + α^(1 − 2 (c − ⌊c⌋)) q(y = ⌊c⌋) + α q(y > ⌊c⌋)" => {
            let per_rate = q.below / alpha + alpha.powf(1.0 - 2.0 * (c - c.floor())) * q.at + alpha * q.above;
        }
    },
    bound: "",
    noise: None,
};

const LATTICE: &[Step] = steps! {
    "c = y + z/2ˢ,  P(z) ∝ e^(−|z|/(2ˢ b)):  scale b, s bits;  α = e^(−1/b)"
    ["the discrete Laplace sampler of Canonne, Kamath and Steinke 2020, scaled"]
};

const DENSITY: &[Step] = steps! {
    "c − y ~ Laplace(b),  density e^(−|x|/b)/(2b),  α = e^(−1/b)"
    ["the Laplace mechanism of Dwork, McSherry, Nissim and Smith 2006"]
};

pub(super) const ON_A_LATTICE: CellLaw = CellLaw {
    name: "Laplace",
    declared: LATTICE,
    ..LAW
};

pub(super) const CONTINUOUS: CellLaw = CellLaw {
    name: "ContinuousLaplace",
    declared: DENSITY,
    ..LAW
};
