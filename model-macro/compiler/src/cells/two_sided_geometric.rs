//! Noise of the geometric mechanism: a difference of two Poisson counts whose rates are exponential. Summed out it is a [pair of truncated Poisson
//! laws](super::collapsed); kept, the smaller of `y + g⁺` and `g⁻` is a Bessel variable (Yuan and Kalbfleisch 2000), and the larger is known with it.
//!
//! ICML19 is Schein, Wu, Schofield, Zhou and Wallach (2019), VI18 is Schofield, Schein, Wu and Wallach (2018).

use skellam_formula::LinearText;

use super::{CellLaw, NoiseSteps, Takes, collapsed, steps};

pub(super) const LAW: CellLaw = CellLaw {
    name: "TwoSidedGeometric",
    takes: Takes::Geometric,
    declared: steps! {
        "c = y + g⁺ − g⁻" ["ICML19, eq. 10"]
        "g± ~ Poisson(λ±)"
        "λ± ~ Exponential(rate (1 − α)/α)" ["ICML19, eq. 9, where the mean is printed as the rate"]
    },
    linear: Some(LinearText::TWO_SIDED),
    draw: collapsed::DRAW,
    ascend: collapsed::ASCEND,
    bound: "",
    noise: Some(NoiseSteps {
        draw: steps! {
            "m | − ~ Bessel(|c|, 2 √(λ⁻ (λ⁺ + μ)))" ["ICML19, eq. 13; VI18, eq. 4"] => {
                let m = rt::bessel(c.unsigned_abs(), 2.0 * (lambda_minus * (lambda_plus + mu)).sqrt(), rng);
            }
            "y | − ~ Binomial(m + max(c, 0), μ/(λ⁺ + μ))" ["ICML19, eq. 15"] => {
                let y = rt::binomial(m + rt::above(c), mu / (lambda_plus + mu), rng);
            }
            "g⁺ = m + max(c, 0) − y" ["ICML19, eq. 14; VI18, eq. 5"] => {
                let g_plus = m + rt::above(c) - y;
            }
            "g⁻ = m + max(−c, 0)" ["ICML19, eq. 14"] => {
                let g_minus = m + rt::below(c);
            }
            "λ± | − ~ Gamma(1 + g±, 1/α)" ["ICML19, eq. 16, whose rate α/(1−α) + 1 is a slip"] => {
                let lambda_plus = rt::gamma(1.0 + g_plus as f64, 1.0 / alpha, rng);
                let lambda_minus = rt::gamma(1.0 + g_minus as f64, 1.0 / alpha, rng);
            }
        },
        ascend: steps! {
            "q(λ±) = Gamma(1 + E[g±], 1/α)" ["ICML19, eq. 16, in expectation"]
            "G[λ±] = α exp(ψ(1 + E[g±]))" => {
                let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
                let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();
            }
            "S = G[λ⁺] + ρ" => {
                let s = geometric_lambda_plus + rho;
            }
            "z = 2 √(G[λ⁻] S)" => {
                let z = 2.0 * (geometric_lambda_minus * s).sqrt();
            }
            "q(m) = Bessel(|c|, z)" ["VI18, eq. 6, with S for the geometric mean of the sum"]
            "E[m] = z I(|c| + 1, z)/(2 I(|c|, z))" ["Yuan and Kalbfleisch 2000"] => {
                let mean_m = rt::bessel_mean(c.unsigned_abs(), z);
            }
            "q(y | m) = Binomial(m + max(c, 0), ρ/S)" ["VI18, eq. 8, given m"]
            "E[y]/ρ = (E[m] + max(c, 0))/S" => {
                let per_rate = (mean_m + rt::above(c) as f64) / s;
            }
            "E[g⁺] = G[λ⁺] (E[m] + max(c, 0))/S" => {
                let mean_g_plus = geometric_lambda_plus * ((mean_m + rt::above(c) as f64) / s);
            }
            "E[g⁻] = E[m] + max(−c, 0)" => {
                let mean_g_minus = mean_m + rt::below(c) as f64;
            }
        },
        // The share of `E[y]` is not that of eq. 8, which has the sum of the geometric means of the components.
        publish: steps! {
            "q(λ±) = Gamma(1 + E[g±], 1/α)" ["ICML19, eq. 16, in expectation"]
            "G[λ±] = α exp(ψ(1 + E[g±]))" => {
                let geometric_lambda_plus = alpha * rt::digamma(1.0 + mean_g_plus).exp();
                let geometric_lambda_minus = alpha * rt::digamma(1.0 + mean_g_minus).exp();
            }
            "D[x] = E[x] exp(−V[x]/(2 E[x]²))" ["VI18, eq. 30–33: the delta method for G[x]"] => {
                let delta_mu = rt::delta_method(mu.mean, mu.variance);
            }
            "E[λ⁺ + μ] = α (1 + E[g⁺]) + E[μ]" => {
                let mean_sum = alpha * (1.0 + mean_g_plus) + mu.mean;
            }
            "V[λ⁺ + μ] = α² (1 + E[g⁺]) + V[μ]" => {
                let variance_sum = alpha * alpha * (1.0 + mean_g_plus) + mu.variance;
            }
            "z = 2 √(G[λ⁻] D[λ⁺ + μ])" ["VI18, eq. 6"] => {
                let z = 2.0 * (geometric_lambda_minus * rt::delta_method(mean_sum, variance_sum)).sqrt();
            }
            "q(m) = point mass at ⌊(√(z² + c²) − |c|)/2⌋" ["VI18, eq. 7: the mode"] => {
                let m = rt::bessel_mode(c.unsigned_abs(), z) as f64;
            }
            "E[y] = (m + max(c, 0)) D[μ]/(D[μ] + G[λ⁺])" ["VI18, eq. 27"] => {
                let mean_y = (m + rt::above(c) as f64) * (delta_mu / (delta_mu + geometric_lambda_plus));
            }
            "E[g⁺] = m + max(c, 0) − E[y]" ["VI18, eq. 27"] => {
                let mean_g_plus = m + rt::above(c) as f64 - mean_y;
            }
            "E[g⁻] = m + max(−c, 0)" => {
                let mean_g_minus = m + rt::below(c) as f64;
            }
        },
        bound: "L = ln I(|c|, z) + c ln (S/G[λ⁻])/2 − E[μ] − E[λ⁺] − KL(q(λ⁺) ‖ p(λ⁺)) − E[λ⁻] − KL(q(λ⁻) ‖ p(λ⁻))",
    }),
};
