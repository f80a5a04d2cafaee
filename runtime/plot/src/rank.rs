//! Histograms of ranks (Vehtari, Gelman, Simpson, Carpenter and Bürkner 2021, section 5).

use super::axes::Scale;
use super::canvas::{CHAINS, Canvas, FAINT, GREY, INK, Side};
use super::figure::sealed::Drawn;
use super::quantities::{self, Quantity};
use super::{Figure, Part, Picture};
use skellam::Error;
use skellam::infer::Saved;

const PANEL: i32 = 90;
const TITLE: i32 = 24;
const BELOW: i32 = 26;
const GAP: i32 = 14;
const BINS: usize = 20;
/// Chains side by side.
const ACROSS: i32 = 4;

/// For each quantity and chain a histogram of the ranks of its draws among those of all chains.
pub(crate) struct Ranks {
    pub(crate) num_chains: usize,
    pub(crate) quantities: Vec<Quantity>,
}

impl Ranks {
    fn lines(&self) -> i32 {
        (self.num_chains as i32 + ACROSS - 1) / ACROSS
    }
}

/// Histograms of ranks of the quantities that [`trace`](super::trace) draws. Where chains have converged all of them are flat, up to
/// the band in which a bin lies with a probability of 95 % if draws are independent.
///
/// # Errors
/// Those of [`trace`](super::trace).
pub fn rank(fit: &Saved) -> Result<Picture, Error> {
    let (num_chains, quantities) = quantities::of(fit)?;
    let draws = quantities[0].draws.len() / num_chains;
    let part = Ranks { num_chains, quantities };
    let remark = format!(
        "ranks of {draws} draws of each of {num_chains} chains among all; flat within the band where chains agree"
    );
    Ok(Figure::new("Ranks").remark(&remark).part(part).draw())
}

impl Part for Ranks {}

impl Drawn for Ranks {
    fn height(&self, _: i32) -> i32 {
        self.quantities.len() as i32 * (TITLE + self.lines() * (PANEL + BELOW))
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        let panel = (width + GAP) / ACROSS - GAP;
        for (number, quantity) in (0..).zip(&self.quantities) {
            let top = top + number * (TITLE + self.lines() * (PANEL + BELOW));
            canvas.bold(&quantity.name, [left, top + TITLE / 2 - 2], 13.0, Side::Left);
            let bins = histograms(&quantity.draws, self.num_chains);
            let draws = quantity.draws.len() / self.num_chains;
            let expected = draws as f64 / BINS as f64;
            let spread = 1.96 * (expected * (1.0 - 1.0 / BINS as f64)).sqrt();
            let most = bins
                .iter()
                .flatten()
                .map(|&n| n as f64)
                .fold(expected + spread, f64::max);
            for (chain, counts) in (0..).zip(&bins) {
                let x = left + chain % ACROSS * (panel + GAP);
                let y = top + TITLE + chain / ACROSS * (PANEL + BELOW);
                let up = Scale::from_zero(most, [y + PANEL, y]);
                let (high, low) = (up.at(expected + spread), up.at((expected - spread).max(0.0)));
                canvas.rect([x, high], [panel, low - high], FAINT);
                let color = CHAINS[chain as usize % CHAINS.len()];
                for (bin, &count) in (0..).zip(counts) {
                    let (from, to) = (bin * panel / BINS as i32, (bin + 1) * panel / BINS as i32);
                    let at = up.at(count as f64);
                    canvas.rect([x + from, at], [(to - from - 1).max(1), y + PANEL - at], color);
                }
                canvas.line(&[[x, up.at(expected)], [x + panel, up.at(expected)]], INK, 1);
                canvas.text(
                    &format!("chain {}", chain + 1),
                    [x + 2, y + PANEL + 8],
                    11.0,
                    Side::Left,
                    GREY,
                );
            }
        }
    }
}

/// How many draws of each chain have their ranks in each part of all ranks. Equal values share their ranks in the order of chains
/// in turn, so that none of them gets the lower ones.
pub(crate) fn histograms(draws: &[f64], num_chains: usize) -> Vec<Vec<usize>> {
    let per_chain = draws.len() / num_chains.max(1);
    let mut order: Vec<usize> = (0..per_chain * num_chains).collect();
    order.sort_by(|&a, &b| {
        draws[a]
            .total_cmp(&draws[b])
            .then((a % per_chain.max(1)).cmp(&(b % per_chain.max(1))))
    });
    let mut bins = vec![vec![0; BINS]; num_chains];
    for (rank, &at) in order.iter().enumerate() {
        bins[at / per_chain][rank * BINS / order.len()] += 1;
    }
    bins
}
