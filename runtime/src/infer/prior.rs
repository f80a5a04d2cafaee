//! The log density of latents under their priors.

use crate::model::{DirichletPrior, Factors, Latent, Model, Prior};
use crate::special::ln_gamma;

use super::gammas::{Reference, sum_of_blocks};

/// `ln p(x)` summed over the latents that are learned, and over frozen ones whose prior has latents in it.
pub(super) fn ln_prior(model: &dyn Model, latents: &[Latent], x: &Factors) -> f64 {
    let mut total = 0.0;
    for ((i, latent), values) in latents.iter().enumerate().zip(x.iter()) {
        let fixed = model.frozen(i).is_some();
        if fixed && !latent.has_parents {
            continue;
        }
        total += match model.prior(i, x) {
            Prior::Gamma(prior) => -Reference {
                mean: &prior,
                geometric: &prior,
            }
            .surprise(values),
            // A concentration has no latents in it: where the simplex is fixed, so is its density.
            Prior::Dirichlet(_) if fixed => 0.0,
            Prior::Dirichlet(prior) => ln_dirichlet(&prior, values),
        };
    }
    total
}

fn ln_dirichlet(prior: &DirichletPrior, x: &[f64]) -> f64 {
    sum_of_blocks(prior.lines.len(), |line| {
        let (mut total, mut sum) = (0.0, 0.0);
        for entry in prior.lines.entries(line) {
            let a = prior.concentration.at(entry);
            total += a;
            sum += (a - 1.0) * x[entry].max(f64::MIN_POSITIVE).ln() - ln_gamma(a);
        }
        sum + ln_gamma(total)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Lines, Values};

    /// Dirichlet(2, 3) at (0.25, 0.75) is a beta density: 12 x (1 - x)^2.
    #[test]
    fn a_dirichlet_of_two_is_a_beta() {
        let prior = DirichletPrior {
            concentration: Values::Each(vec![2.0, 3.0]),
            lines: Lines::new(&[2], 0),
        };
        let expected = (12.0f64 * 0.25 * 0.75 * 0.75).ln();
        assert!((ln_dirichlet(&prior, &[0.25, 0.75]) - expected).abs() < 1e-12);
    }
}
