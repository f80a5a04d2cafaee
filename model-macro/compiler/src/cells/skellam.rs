//! Skellam noise of a known level: a difference of two Poisson counts (Skellam 1946). The smaller of `y + g⁺` and `g⁻` is a Bessel variable, and nothing is kept.

use super::{CellLaw, Takes, steps};

pub(super) const LAW: CellLaw = CellLaw {
    name: "Skellam",
    takes: Takes::Alone {
        value: "i64",
        parameter: Some(["lambda", "λ"]),
    },
    declared: steps! {
        "c = y + g⁺ − g⁻" ["Skellam 1946"]
        "g± ~ Poisson(λ)"
    },
    linear: None,
    draw: steps! {
        "m | − ~ Bessel(|c|, 2 √(λ (λ + μ)))" ["Yuan and Kalbfleisch 2000"] => {
            let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda * (lambda + mu)).sqrt(), rng);
        }
        "y | − ~ Binomial(m + max(c, 0), μ/(λ + μ))" => {
            let y = rt::binomial(m + rt::above(c), mu / (lambda + mu), rng);
        }
    },
    ascend: steps! {
        "S = λ + ρ" => {
            let s = lambda + rho;
        }
        "z = 2 √(λ S)" => {
            let z = 2.0 * (lambda * s).sqrt();
        }
        "q(m) = Bessel(|c|, z)"
        "E[m] = z I(|c| + 1, z)/(2 I(|c|, z))" ["Yuan and Kalbfleisch 2000"] => {
            let mean_m = rt::bessel_mean(c.unsigned_abs(), z);
        }
        "q(y | m) = Binomial(m + max(c, 0), ρ/S)"
        "E[y]/ρ = (E[m] + max(c, 0))/S" => {
            let per_rate = (mean_m + rt::above(c) as f64) / s;
        }
    },
    bound: "",
    noise: None,
};
