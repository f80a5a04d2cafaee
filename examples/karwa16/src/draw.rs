//! Parameters from the prior, tables of people, and their release.

use rand::{Rng, RngExt};
use skellam::math::distribution::{dirichlet_draw, thin};
use skellam::prelude::{Counts, Lplp, Sensitive};

use super::error::NaiveBayesError;
use super::model::{Model, Parameters, Released, Tables};

/// Parameters from the prior.
pub fn parameters<R: Rng + ?Sized>(model: &Model, rng: &mut R) -> Parameters {
    let mut p = vec![0.0; model.classes()];
    dirichlet_draw(&vec![model.class_prior(); model.classes()], &mut p, rng);
    let (law, mut q) = (vec![model.answer_prior(); model.answers()], vec![0.0; model.cells()]);
    for line in q.chunks_mut(model.answers()) {
        dirichlet_draw(&law, line, rng);
    }
    Parameters { p, q }
}

/// True counts of people who follow the parameters.
pub fn tables<R: Rng + ?Sized>(model: &Model, parameters: &Parameters, rng: &mut R) -> Tables {
    let n = multinomial(model.people(), &parameters.p, rng);
    let lines = parameters.q.chunks(model.answers()).enumerate();
    let x = lines
        .flat_map(|(line, q)| multinomial(n[model.class_of(line)], q, rng))
        .collect();
    Tables { n, x }
}

/// The tables with noise in every cell, as a release of them has it, each table `epsilon`-private.
///
/// This is a simulation: whoever knows the seed can take the noise off again. Tables of people who exist go through [`release_of_people`].
///
/// # Errors
///
/// An epsilon that makes no sense.
pub fn release<R: Rng + ?Sized>(
    model: &Model,
    tables: &Tables,
    epsilon: f64,
    rng: &mut R,
) -> Result<Released, NaiveBayesError> {
    let noise = Released::noise(epsilon)?;
    let noisy = |&x: &usize| (x as i64).saturating_add(rng.sample(noise));
    Ok(Released {
        model: *model,
        noise,
        values: tables.x.iter().map(noisy).collect(),
    })
}

/// The same for tables of people who exist: the noise is drawn exactly, by the operating system.
///
/// # Errors
///
/// An epsilon that makes no sense.
pub fn release_of_people(model: &Model, tables: &Tables, epsilon: f64) -> Result<Released, NaiveBayesError> {
    let noise = Released::noise(epsilon)?;
    // A record that differs moves one count in a table.
    let budget = Lplp::moving(1, &*epsilon.to_string()).map_err(|_| NaiveBayesError::Epsilon(epsilon))?;
    let cells = tables.x.iter().map(|&x| x as i64).collect();
    let counts = Counts::dense(vec![tables.x.len()], cells).map_err(skellam::Error::from)?;
    let released = Sensitive::new(counts).release(&budget)?;
    Ok(Released {
        model: *model,
        noise,
        values: released.values()?.to_vec(),
    })
}

/// Counts of `total` people over shares that sum to one.
fn multinomial<R: Rng + ?Sized>(total: usize, shares: &[f64], rng: &mut R) -> Vec<usize> {
    let mut counts = vec![0; shares.len()];
    let split = thin(total as u64, shares, shares.iter().sum(), rng, |k, n| {
        counts[k] += n as usize
    });
    split.unwrap_or_else(|_| unreachable!("shares of a Dirichlet draw sum to one"));
    counts
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use skellam::math::streams::Stream;

    use super::*;

    /// Every table counts the same people.
    #[test]
    fn tables_agree_on_the_classes() {
        let model = Model::new(73, [3, 4, 2]).unwrap();
        let mut rng = Stream::seed_from_u64(1);
        let truth = parameters(&model, &mut rng);
        let tables = tables(&model, &truth, &mut rng);
        assert_eq!(tables.n.iter().sum::<usize>(), 73);
        for (line, x) in tables.x.chunks(2).enumerate() {
            assert_eq!(x.iter().sum::<usize>(), tables.n[model.class_of(line)]);
        }
    }

    /// Standard deviation of the noise against that of the law, at a budget where it is large and one where there is
    /// next to none. 4,000 draws; a relative error of a tenth is four standard errors and more.
    #[test]
    fn noise_follows_the_budget() {
        let model = Model::new(10, [2, 1000, 2]).unwrap();
        let mut rng = Stream::seed_from_u64(2);
        let truth = parameters(&model, &mut rng);
        let tables = tables(&model, &truth, &mut rng);
        for epsilon in [1e-4, 1.0] {
            let released = release(&model, &tables, epsilon, &mut rng).unwrap();
            let noise = released
                .values
                .iter()
                .zip(&tables.x)
                .map(|(m, &x)| (m - x as i64) as f64);
            let variance = noise.map(|e| e * e).sum::<f64>() / model.cells() as f64;
            let law = released.noise.variance();
            assert!((variance / law - 1.0).abs() < 0.25, "{epsilon}: {variance} for {law}");
            // Laplace noise of scale 2 / epsilon has a variance of 8 / epsilon^2: the geometric law is its rounding.
            assert!(epsilon > 0.1 || (law * epsilon * epsilon / 8.0 - 1.0).abs() < 1e-6);
        }
        for epsilon in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-13, 1e4] {
            assert!(release(&model, &tables, epsilon, &mut rng).is_err(), "{epsilon}");
        }
    }
}
