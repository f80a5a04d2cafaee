//! The rates of one count while inference runs.

use crate::contract::{Grid, Operands};
use crate::view::{Line, Side, View, Work};

use super::Factors;
use super::formed::Formed;

/// The rates of one count while inference runs. They are generated functions of the latents, or the root of a contraction tree: its inner
/// nodes, the operands at its root, and whatever was last pulled back or counted there.
#[derive(Debug)]
pub struct Root {
    /// The generated functions; where there are some, nothing else is held.
    pub(super) formed: Option<Box<Formed>>,
    /// The two matrices whose product is the rate of every cell.
    pub operands: Operands,
    /// Counts, derivatives or exposures of the operands.
    pub seeds: Operands,
    /// Buffers of the passes.
    pub work: Work,
    /// Whether the exposures in `seeds` are those of the current operands: left, right, weights.
    valid: [bool; 3],
}

impl Root {
    /// A root for `view`, all zero, without nodes so far.
    pub fn new(view: &View) -> Self {
        Self::of_grid(view.grid())
    }

    /// A root for cells of this layout.
    pub(super) fn of_grid(grid: &Grid) -> Self {
        let operands = Operands::zeros(grid);
        Self {
            formed: None,
            seeds: operands.clone(),
            operands,
            work: Work::default(),
            valid: [false; 3],
        }
    }

    /// Rates that are generated functions.
    pub(super) fn of_formed(formed: Formed) -> Self {
        Self {
            formed: Some(Box::new(formed)),
            ..Self::empty()
        }
    }

    /// A root without arrays, to hold the place of one that is lent out.
    pub(crate) fn empty() -> Self {
        let nothing = Operands {
            left: Vec::new(),
            right: Vec::new(),
            weights: Vec::new(),
        };
        Self {
            formed: None,
            seeds: nothing.clone(),
            operands: nothing,
            work: Work::default(),
            valid: [false; 3],
        }
    }

    /// Writes the exposures of the left operand to `seeds.left`, unless they are there already.
    pub fn exposure_left(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[0], true) {
            view.exposure_left(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of the right operand to `seeds.right`, unless they are there already.
    pub fn exposure_right(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[1], true) {
            view.exposure_right(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of the coefficients per cell to `seeds.weights`, unless they are there
    /// already.
    pub fn exposure_weights(&mut self, view: &View) {
        if !std::mem::replace(&mut self.valid[2], true) {
            view.exposure_weights(&self.operands, &mut self.seeds, &mut self.work);
        }
    }

    /// Writes the exposures of those rows of one side whose indices have the values of `fixed` to the seeds,
    /// unless the exposures of the whole side are there already; see [`View::exposure_slice`]. The other rows are not
    /// computed, so the side as a whole does not become valid.
    pub fn exposure_slice(&mut self, side: Side, fixed: &[(usize, usize)], view: &View) {
        let valid = match side {
            Side::Left => self.valid[0],
            Side::Right => self.valid[1],
            Side::Weights => self.valid[2],
        };
        if !valid {
            view.exposure_slice(side, fixed, &self.operands, &mut self.seeds);
        }
    }

    /// The log likelihood of the present rates. Exposures of the left operand are in the seeds afterwards, where there are seeds.
    pub fn ln_likelihood(&mut self, view: &View) -> f64 {
        if let Some(formed) = &self.formed {
            return formed.ln_likelihood(view);
        }
        let visited = view.ln_marginal(&self.operands, &mut self.seeds, &mut self.work);
        self.exposure_left(view);
        let exposed = self.operands.left.iter().zip(&self.seeds.left);
        visited - exposed.map(|(x, exposure)| x * exposure).sum::<f64>()
    }

    /// The log likelihood of the present rates in the cells of each row or column of the grid, up to constants.
    fn ln_likelihoods(&mut self, view: &View, line: Line) -> Vec<f64> {
        if !view.is_dense() {
            match line {
                Line::Row => self.exposure_left(view),
                Line::Column => self.exposure_right(view),
            }
        }
        view.ln_likelihoods(line, &self.operands, &mut self.seeds, &mut self.work)
    }

    /// Adds the log likelihood of the present rates, up to constants, to `into` by the value of one index of the data: `into[i]`
    /// gets that of the cells where the index at `axis` is `i`, visited or not.
    pub fn add_ln_likelihood_by(&mut self, view: &View, axis: usize, into: &mut [f64]) {
        if let Some(formed) = &self.formed {
            let values = formed.ln_likelihoods_by(view, axis);
            return into
                .iter_mut()
                .zip(values)
                .for_each(|(into, of_value)| *into += of_value);
        }
        let (line, values) = match view.grid().along(axis) {
            Ok(values) => (Line::Row, values),
            Err(values) => (Line::Column, values),
        };
        let lines = self.ln_likelihoods(view, line);
        lines
            .iter()
            .zip(values)
            .for_each(|(of_line, value)| into[value] += of_line);
    }

    /// The log likelihood of the present rates up to constants: [`Root::ln_likelihood`] without the product that makes exposures
    /// where blocks are multiplied whole; it rounds differently.
    pub fn ln_likelihood_of_rates(&mut self, view: &View) -> f64 {
        if let Some(formed) = &self.formed {
            return formed.ln_likelihood_of_rates(view);
        }
        self.ln_likelihoods(view, Line::Row).iter().sum()
    }

    /// Returns the log likelihood if it is to be scored, the true counts summed out, and says how it changes. Generated functions add to `into`
    /// the derivative with respect to the logarithm of every entry, but for what cells add by their base weights. Otherwise the
    /// derivative with respect to the operands is in the seeds, and no exposure is left there.
    pub fn pull_likelihood(&mut self, view: &View, score: bool, into: &mut Factors) -> f64 {
        if let Some(formed) = &self.formed {
            return formed.pull_likelihood(view, score, into);
        }
        self.forget_exposures();
        view.pull_likelihood(&self.operands, &mut self.seeds, &mut self.work, score)
    }

    /// The seeds were overwritten by a pass: no exposure in them is valid.
    pub fn forget_exposures(&mut self) {
        self.valid = [false; 3];
    }

    /// The left operand changed: exposures of the right one and of the weights no longer hold.
    pub fn left_changed(&mut self) {
        self.valid = [self.valid[0], false, false];
    }

    /// The right operand changed: exposures of the left one and of the weights no longer hold.
    pub fn right_changed(&mut self) {
        self.valid = [false, self.valid[1], false];
    }

    /// Coefficients per cell changed: exposures of both operands no longer hold. The exposures of coefficients
    /// do: they depend on the operands alone.
    pub fn weights_changed(&mut self) {
        self.valid = [false, false, self.valid[2]];
    }
}
