//! Which kinds of cells an instance has.

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

    /// The least share of the cells of a count with which a kind counts as tried; the report names a kind with less. Cells outside of `where`
    /// are seen by whatever they would add.
    pub fn least_share(self) -> f64 {
        match self {
            Self::Outside => 0.0,
            _ => 0.01,
        }
    }
}

/// How often a kind of cell occurred in the sampler's data.
#[derive(Clone, Debug, PartialEq)]
pub struct Exercised {
    /// The count.
    pub count: &'static str,
    /// The kind of its cells.
    pub kind: CellKind,
    /// Their share of the cells of the count; of those outside of `where`, their share of the whole array.
    pub cells: f64,
}

impl Exercised {
    /// Whether there are such cells, [`CellKind::least_share`] or more.
    pub fn is_tried(&self) -> bool {
        self.cells > 0.0 && self.cells >= self.kind.least_share()
    }
}

/// The shares of every kind of cell of every count, over data drawn from the prior. Cells of a line with a known total are not
/// independent: they have no kind of their own.
pub(super) fn exercised(instance: &Instance, seed: u64) -> Vec<Exercised> {
    let twin = &instance.twin;
    let counts: Vec<usize> = (0..twin.counts.len()).filter(|&count| !twin.in_lines(count)).collect();
    let mut rng = Stream::seed_from_u64(seed ^ 0x0063_656c);
    let mut shares = vec![[0.0f64; CellKind::ALL.len()]; twin.counts.len()];
    for _ in 0..DRAWS {
        let values = instance.observe(&twin.draw(&mut rng), false, &mut rng);
        let exposures = instance.exposures(&values, false, FormKind::Collapsed);
        for &number in &counts {
            let probe = instance.mechanisms(false)[number].probe(&values[number]);
            let (mask, rates) = (instance.mask(number, HeldOut::Some), &twin.counts[number].rates);
            let inside = rates.iter().flatten().count();
            for (cell, (monomials, exposure)) in rates.iter().zip(&exposures[number]).enumerate() {
                let kind = match (monomials, exposure) {
                    (None, _) => CellKind::Outside,
                    _ if mask.is_held_out(cell) => CellKind::HeldOut,
                    (_, Some(_)) => CellKind::Exposure,
                    _ if probe.number(cell).abs() <= 1.0 => CellKind::AtMostOne,
                    _ => CellKind::More,
                };
                let cells = if monomials.is_some() { inside } else { rates.len() };
                shares[number][kind as usize] += 1.0 / (DRAWS * cells) as f64;
            }
        }
    }
    let of_count = |number: usize| {
        CellKind::ALL.map(|kind| Exercised {
            count: twin.spec.counts[number].name,
            kind,
            cells: shares[number][kind as usize],
        })
    };
    counts.into_iter().flat_map(of_count).collect()
}
