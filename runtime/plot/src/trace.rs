//! Draws in their order.

use super::axes::Scale;
use super::canvas::{CHAINS, Canvas, GREY, Side};
use super::figure::sealed::Drawn;
use super::quantities::{self, Quantity};
use super::{Figure, Part, Picture};
use skellam::Error;
use skellam::infer::Saved;

const PANEL: i32 = 130;
const TITLE: i32 = 22;
const LEFT: i32 = 64;
const BELOW: i32 = 26;
/// Points of a line at most.
const POINTS: usize = 1000;

/// Quantities draw by draw, a panel for each and a line for each chain.
pub(crate) struct Traces {
    pub(crate) num_chains: usize,
    pub(crate) quantities: Vec<Quantity>,
}

/// The log joint density of a fit, its mean rates, and the rates that mix worst, draw by draw. Chains that agree cover each other;
/// one that lies apart or drifts has not converged. The fit is one of `fit.saved()?`, or of a file.
///
/// # Errors
/// [`Error::Saved`] for a variational fit, which has no chains.
pub fn trace(fit: &Saved) -> Result<Picture, Error> {
    let (num_chains, quantities) = quantities::of(fit)?;
    let draws = quantities[0].draws.len() / num_chains;
    let part = Traces { num_chains, quantities };
    let remark = format!("{draws} draws of each of {num_chains} chains");
    Ok(Figure::new("Traces").remark(&remark).part(part).draw())
}

impl Part for Traces {}

impl Drawn for Traces {
    fn height(&self, _: i32) -> i32 {
        self.quantities.len() as i32 * (TITLE + PANEL + BELOW)
    }

    fn draw(&self, canvas: &Canvas<'_>, [left, top]: [i32; 2], width: i32) {
        for (number, quantity) in (0..).zip(&self.quantities) {
            let top = top + number * (TITLE + PANEL + BELOW);
            canvas.bold(&quantity.name, [left + LEFT, top + TITLE / 2 - 2], 13.0, Side::Left);
            let (x, y) = ([left + LEFT, left + width], [top + TITLE + PANEL, top + TITLE]);
            let draws = quantity.draws.len() / self.num_chains;
            let across = Scale::of([0.0, draws.saturating_sub(1) as f64].into_iter(), x);
            let up = Scale::of(quantity.draws.iter().copied(), y);
            up.left_axis(canvas, x, 4);
            canvas.frame([x[0], y[1]], [x[1] - x[0], PANEL]);
            for (value, text) in across.ticks(8) {
                canvas.text(&text, [across.at(value), y[0] + 12], 11.0, Side::Middle, GREY);
            }
            for (chain, values) in quantity.draws.chunks_exact(draws.max(1)).enumerate() {
                let step = draws.div_ceil(POINTS).max(1);
                let points: Vec<[i32; 2]> = (0..draws)
                    .step_by(step)
                    .filter(|&draw| values[draw].is_finite())
                    .map(|draw| [across.at(draw as f64), up.at(values[draw])])
                    .collect();
                canvas.line(&points, CHAINS[chain % CHAINS.len()], 1);
            }
        }
    }
}
