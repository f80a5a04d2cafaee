//! Counts that fell on every monomial of every visited cell, and the joint density given them. Counts may be any, so they are drawn here by
//! plain loops; what a cell weighs is asked of its channel.

use skellam::model::FormKind;
use skellam::private::view::tried_by;
use skellam_math::distribution::poisson;
use skellam_math::streams::Stream;

use super::held_out::HeldOut;
use super::instance::Instance;
use super::setting::ObservedValues;
use super::twin::Twin;

/// What every cell of every count weighs, and the counts that fell on the monomials of those that are visited.
pub(super) struct Weighed<'a> {
    twin: &'a Twin,
    cells: Vec<Vec<(f64, Vec<u64>)>>,
}

impl<'a> Weighed<'a> {
    /// Observations `values` in a form; where they are weighed `along` an index, exposures are multiplied by numbers that vary with it.
    pub fn new(
        instance: &'a Instance,
        values: &[ObservedValues],
        (form, exact): (FormKind, bool),
        (held_out, along): (HeldOut, Option<usize>),
        x: &[Vec<f64>],
        rng: &mut Stream,
    ) -> Self {
        let mut cells = Vec::new();
        let counts = instance.twin.counts.iter().zip(instance.exposures(values, exact, form));
        for (number, (count, exposures)) in counts.enumerate() {
            let mask = instance.mask(number, held_out);
            let by = |cell: usize| along.map_or(1.0, |axis| tried_by(count.value_at(cell, axis % count.shape.len())));
            let weighed = count.rates.iter().zip(exposures).enumerate();
            let weighed = weighed.map(|(cell, (monomials, exposure))| match (monomials, exposure) {
                (Some(monomials), None) if !mask.is_held_out(cell) => {
                    (1.0, monomials.iter().map(|m| poisson(m.at(x), rng)).collect())
                }
                (Some(monomials), Some(weight)) if !mask.is_held_out(cell) => {
                    (weight * by(cell), vec![0; monomials.len()])
                }
                _ => (0.0, Vec::new()),
            });
            cells.push(weighed.collect());
        }
        Self {
            twin: &instance.twin,
            cells,
        }
    }

    /// The counts on every entry of every latent.
    pub fn on_entries(&self) -> Vec<Vec<f64>> {
        let mut counts = self.twin.zeros();
        for (count, weighed) in self.twin.counts.iter().zip(&self.cells) {
            for (monomials, (_, parts)) in count.rates.iter().zip(weighed) {
                for (monomial, &n) in monomials.iter().flatten().zip(parts) {
                    monomial.factors.iter().for_each(|&(l, e)| counts[l][e] += n as f64);
                }
            }
        }
        counts
    }

    /// `ln p(x, counts, observations)` up to a constant, cells that are not visited integrated out.
    pub fn ln_joint(&self, x: &[Vec<f64>]) -> f64 {
        let mut total = self.twin.ln_prior(x);
        for (count, weighed) in self.twin.counts.iter().zip(&self.cells) {
            for (monomials, (weight, parts)) in count.rates.iter().zip(weighed) {
                for (monomial, &n) in monomials.iter().flatten().zip(parts) {
                    let rate = monomial.at(x);
                    total -= weight * rate;
                    // A known array may make a rate zero, where nothing falls.
                    if n > 0 {
                        total += n as f64 * rate.ln();
                    }
                }
            }
        }
        total
    }
}

/// Along how many indices of a count cells that are exposure alone are weighed, one index after another: what is the factor of an index in a
/// closed form is seen by this alone. None where a simplex needs cells of equal weight.
pub(super) fn weighed_axes(instance: &Instance) -> usize {
    let counts = &instance.twin.counts;
    match counts.iter().any(|count| count.simplex) {
        true => 0,
        false => counts.iter().map(|count| count.shape.len()).max().unwrap_or(0),
    }
}
