//! Which kinds of cells an instance has, and how much each says about the rates.
//!
//! What an observation says about the logarithm of its rate `r` is the square of the score, `(E[y | r, c] - r)^2`: its mean
//! over observations is the Fisher information. A kind of cell that holds hardly any of it is not tested, however often it
//! occurs.

use rand::SeedableRng;

use skellam::model::FormKind;
use skellam_math::streams::Stream;

use super::held_out::HeldOut;
use super::instance::Instance;

/// Draws from the prior over which shares are taken.
const DRAWS: usize = 120;

/// A kind of cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// The log marginal is linear in the rate: the cell is exposure alone and never visited.
    Exposure,
    /// Visited, with an observation of at most one, or a difference of that size.
    AtMostOne,
    /// Visited, with an observation above one.
    More,
    /// Held out.
    HeldOut,
    /// Left out by a `where` clause.
    Outside,
}

impl CellKind {
    /// All kinds, in the order of the report.
    pub const ALL: [Self; 5] = [
        Self::Exposure,
        Self::AtMostOne,
        Self::More,
        Self::HeldOut,
        Self::Outside,
    ];

    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Exposure => "exposure alone",
            Self::AtMostOne => "visited, at most 1",
            Self::More => "visited, above 1",
            Self::HeldOut => "held out",
            Self::Outside => "outside `where`",
        }
    }

    /// The least share of the information with which a kind counts as tried; the report names a kind with less. Instances aim at more,
    /// and small shapes or latent rates leave less to be had. Cells outside of `where` say nothing, and are seen by whatever they would add.
    pub fn least_share(self) -> f64 {
        match self {
            Self::Exposure | Self::HeldOut => 0.05,
            Self::AtMostOne => 0.01,
            Self::More => 0.2,
            Self::Outside => 0.0,
        }
    }
}

/// How often a kind of cell occurred in the sampler's data, and what it said.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercised {
    /// The count.
    pub count: &'static str,
    /// The kind of its cells.
    pub kind: CellKind,
    /// Their share of all cells.
    pub cells: f64,
    /// Their share of the information about rates that all cells hold, held-out cells included.
    pub information: f64,
}

impl Exercised {
    /// Whether there are such cells, with [`CellKind::least_share`] of the information or more.
    pub fn is_tried(&self) -> bool {
        self.cells > 0.0 && self.information >= self.kind.least_share()
    }
}

/// The shares of every kind of cell of every count, over data drawn from the prior. Cells of a line with a known total are not
/// independent: they have no kind of their own.
pub(super) fn exercised(instance: &Instance, seed: u64) -> Vec<Exercised> {
    let twin = &instance.twin;
    let counts: Vec<usize> = (0..twin.counts.len()).filter(|&count| !twin.in_lines(count)).collect();
    let mut rng = Stream::seed_from_u64(seed ^ 0x0063_656c);
    // For each kind of cell how many there are, and how much they say.
    let mut sums = vec![[[0.0f64; 2]; CellKind::ALL.len()]; twin.counts.len()];
    for _ in 0..DRAWS {
        let x = twin.draw(&mut rng);
        let values = instance.observe(&x, false, &mut rng);
        let (rates, exposures) = (twin.sides(&x), instance.exposures(&values, false, FormKind::Collapsed));
        for &number in &counts {
            let (probe, mask) = (
                instance.mechanisms(false)[number].probe(&values[number]),
                instance.mask(number, HeldOut::Some),
            );
            for (cell, monomials) in twin.counts[number].rates.iter().enumerate() {
                let rates = rates[number][cell];
                let kind = match (monomials, exposures[number][cell]) {
                    (None, _) => CellKind::Outside,
                    _ if mask.is_held_out(cell) => CellKind::HeldOut,
                    (_, Some(_)) => CellKind::Exposure,
                    _ if probe.number(cell).abs() <= 1.0 => CellKind::AtMostOne,
                    _ => CellKind::More,
                };
                let into = &mut sums[number][kind as usize];
                into[0] += 1.0;
                if rates[0] + rates[1] > 0.0 {
                    let expected = probe.expect(rates, cell).into_iter().zip(rates);
                    into[1] += expected.map(|(y, rate)| (y - rate).powi(2)).sum::<f64>();
                }
            }
        }
    }
    let of_count = |number: usize| {
        let totals = [0, 1].map(|of| sums[number].iter().map(|sum| sum[of]).sum::<f64>());
        CellKind::ALL.map(|kind| {
            let sum = sums[number][kind as usize];
            let share = |of: usize| if totals[of] > 0.0 { sum[of] / totals[of] } else { 0.0 };
            Exercised {
                count: twin.spec.counts[number].name,
                kind,
                cells: share(0),
                information: share(1),
            }
        })
    };
    counts.into_iter().flat_map(of_count).collect()
}
