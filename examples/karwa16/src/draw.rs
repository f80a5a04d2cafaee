//! Parameters from the prior, tables of people, and their release.

use rand::RngExt;
use skellam::math::distribution::{dirichlet_draw, thin};
use skellam::math::streams::Stream;
use skellam::prelude::{Counts, Lplp, Sensitive};

use super::Failure;
use super::model::{Model, Parameters, Released, Tables};

/// Parameters from the prior.
pub fn parameters(model: &Model, rng: &mut Stream) -> Parameters {
    let mut p = vec![0.0; model.classes];
    dirichlet_draw(&vec![model.class_prior; model.classes], &mut p, rng);
    let (law, mut q) = (vec![model.answer_prior; model.answers], vec![0.0; model.cells()]);
    for line in q.chunks_mut(model.answers) {
        dirichlet_draw(&law, line, rng);
    }
    Parameters { p, q }
}

/// True counts of people who follow the parameters.
pub fn tables(model: &Model, parameters: &Parameters, rng: &mut Stream) -> Tables {
    let n = multinomial(model.people, &parameters.p, rng);
    let lines = parameters.q.chunks(model.answers).enumerate();
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
pub fn release(model: &Model, tables: &Tables, epsilon: f64, rng: &mut Stream) -> Result<Released, Failure> {
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
pub fn release_of_people(model: &Model, tables: &Tables, epsilon: f64) -> Result<Released, Failure> {
    let noise = Released::noise(epsilon)?;
    // A record that differs moves one count in a table.
    let budget = Lplp::moving(1, &*epsilon.to_string())?;
    let cells = tables.x.iter().map(|&x| x as i64).collect();
    let counts = Counts::dense(vec![tables.x.len()], cells)?;
    let released = Sensitive::new(counts).release(&budget)?;
    Ok(Released {
        model: *model,
        noise,
        values: released.values()?.to_vec(),
    })
}

/// Counts of `total` people over shares that sum to one.
fn multinomial(total: usize, shares: &[f64], rng: &mut Stream) -> Vec<usize> {
    let mut counts = vec![0; shares.len()];
    let split = thin(total as u64, shares, shares.iter().sum(), rng, |k, n| {
        counts[k] += n as usize
    });
    split.unwrap_or_else(|_| unreachable!("shares of a Dirichlet draw sum to one"));
    counts
}
