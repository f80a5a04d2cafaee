//! A count that is a difference of two Poisson counts: Skellam (1946). Given it the smaller of the two is a Bessel variable (Yuan and Kalbfleisch 2000), and both
//! are known with it.

use super::{CellLaw, Takes, steps};

/// `c = c⁺ − c⁻`.
pub const DIFFERENCE: CellLaw = CellLaw {
    name: "",
    takes: Takes::Difference,
    declared: steps! {
        "c = c⁺ − c⁻"
        "c± ~ Poisson(μ±)" ["Skellam 1946"]
    },
    linear: None,
    draw: steps! {
        "m | − ~ Bessel(|c|, 2 √(μ⁺ μ⁻))" ["Yuan and Kalbfleisch 2000"] => {
            let m = rt::bessel(c.unsigned_abs(), 2.0 * (mu_plus * mu_minus).sqrt(), rng);
        }
        "c⁺ = m + max(c, 0)" => {
            let c_plus = m + rt::above(c);
        }
        "c⁻ = m + max(−c, 0)" => {
            let c_minus = m + rt::below(c);
        }
    },
    ascend: steps! {
        "z = 2 √(ρ⁺ ρ⁻)" => {
            let z = 2.0 * (rho_plus * rho_minus).sqrt();
        }
        "q(m) = Bessel(|c|, z)"
        "E[m] = z I(|c| + 1, z)/(2 I(|c|, z))" ["Yuan and Kalbfleisch 2000"] => {
            let mean_m = rt::bessel_mean(c.unsigned_abs(), z);
        }
        "E[c⁺] = E[m] + max(c, 0)" => {
            let mean_c_plus = mean_m + rt::above(c) as f64;
        }
        "E[c⁻] = E[m] + max(−c, 0)" => {
            let mean_c_minus = mean_m + rt::below(c) as f64;
        }
    },
    bound: "L = ln I(|c|, z) + c ln (ρ⁺/ρ⁻)/2 − E[μ⁺] − E[μ⁻]",
    noise: None,
};
