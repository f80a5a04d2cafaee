//! What engines ask of the rates of one count, cell by cell.

use crate::streams::Streams;
use crate::view::{Auxiliary, View};

use super::formed::Total;
use super::{Factors, Root};

impl Root {
    /// Gibbs: draws the true count of every visited cell and divides it. Generated functions add the parts to `counts`; otherwise they are
    /// counts of the operands, in the seeds. `unit` tells the random numbers of counts apart.
    pub fn thin(
        &mut self,
        view: &View,
        auxiliary: &mut Auxiliary,
        streams: &Streams,
        unit: usize,
        counts: &mut Factors,
    ) {
        match &self.formed {
            Some(formed) => view.thin_formed(
                &*formed.rate(),
                &formed.handing(),
                auxiliary,
                streams,
                unit,
                counts.arrays_mut(),
            ),
            None => {
                view.thin(
                    &self.operands,
                    auxiliary,
                    &mut self.seeds,
                    &mut self.work,
                    streams,
                    unit,
                );
            }
        }
    }

    /// Coordinate ascent, at geometric means: the mean of every visited cell, handed down as by [`Root::thin`], where seeds are derivatives.
    /// If `score`, returns what [`View::expect`] does.
    pub fn expect(&mut self, view: &View, auxiliary: &mut Auxiliary, score: bool, counts: &mut Factors) -> f64 {
        match &self.formed {
            Some(formed) => view.expect_formed(
                &*formed.rate(),
                &formed.handing(),
                auxiliary,
                score,
                counts.arrays_mut(),
            ),
            None => view.expect(&self.operands, auxiliary, &mut self.seeds, &mut self.work, score),
        }
    }

    /// The published step instead: `moments` are the rates at means, at second moments and at squared means.
    pub fn publish(&mut self, view: &View, moments: [&Self; 3], auxiliary: &mut Auxiliary, counts: &mut Factors) {
        if let Some(formed) = &self.formed
            && let [Some(mean), Some(second), Some(squared)] = moments.map(|root| root.formed.as_deref())
        {
            let moments = [mean, second, squared].map(|formed| formed.rate());
            let moments = moments.each_ref().map(|rate| &**rate);
            let (rate, handing) = (formed.rate(), formed.handing());
            return view.publish_formed(&*rate, moments, &handing, auxiliary, counts.arrays_mut());
        }
        let moments = moments.map(|root| &root.operands);
        view.publish(&self.operands, moments, auxiliary, &mut self.seeds, &mut self.work);
    }

    /// The sum of all rates by the weights of their cells.
    pub fn level(&mut self, view: &View) -> f64 {
        if let Some(formed) = &self.formed {
            return formed.closed_level(view) + view.correction_of_level(&*formed.rate());
        }
        self.exposure_left(view);
        let products = self.operands.left.iter().zip(&self.seeds.left);
        products.map(|(x, exposure)| x * exposure).sum()
    }

    /// Multiplies every rate by a number, until the values of the latents are walked forward again.
    pub fn raise(&mut self, by: f64) {
        match &mut self.formed {
            Some(formed) => formed.raise(by),
            None => self.operands.left.iter_mut().for_each(|x| *x *= by),
        }
    }

    /// The expected true counts of all visited cells at the present rates.
    pub fn expected_total(&mut self, view: &View, auxiliary: &mut Auxiliary) -> f64 {
        if let Some(formed) = &self.formed {
            let mut total = [vec![0.0]];
            let handing = crate::contract::Handing { to: &Total, right: &[] };
            view.expect_formed(&*formed.rate(), &handing, auxiliary, false, &mut total);
            return total[0][0];
        }
        view.expect(&self.operands, auxiliary, &mut self.seeds, &mut self.work, false);
        let products = self.operands.left.iter().zip(&self.seeds.left);
        products.map(|(x, n)| x * n).sum()
    }

    /// Mean rate over the cells of the model, as [`View::mean_rate`].
    pub fn mean_rate(&self, view: &View) -> f64 {
        match &self.formed {
            Some(formed) => formed.mean_rate(view),
            None => view.mean_rate(&self.operands),
        }
    }

    /// Mean over the cells of the model of the rates of both sides of a difference, added up.
    pub fn mean_total_rate(&self, view: &View) -> f64 {
        match &self.formed {
            Some(formed) => formed.mean_total_rate(view),
            None => view.mean_total_rate(&self.operands),
        }
    }

    /// Calls `visit` with the rate at each of some cells, by their rows and columns in the grid; for a difference, its mean. It is zero where
    /// the `where` clause of the count has no cell.
    pub fn rates_at(&self, view: &View, cells: impl IntoIterator<Item = (usize, usize)>, mut visit: impl FnMut(f64)) {
        let (grid, guards) = (view.grid(), view.guards());
        let cells = cells.into_iter();
        match &self.formed {
            Some(formed) => {
                let cells = cells.map(|(row, col)| grid.cell(row, col));
                formed.each(grid, guards, cells, |_, [plus, minus]| visit(plus - minus));
            }
            None => cells.for_each(|(row, col)| {
                visit(match guards.holds(row, col) {
                    true => self.operands.rate(grid, row, col),
                    false => 0.0,
                });
            }),
        }
    }

    /// The rates of both sides at some cells of the model: of the plus side, and of the minus side of a difference, else nothing.
    pub fn sides_at(&self, view: &View, cells: &[(usize, u32)], into: &mut [Vec<f64>; 2]) {
        let grid = view.grid();
        into.iter_mut().for_each(Vec::clear);
        if let Some(formed) = &self.formed {
            let places = cells.iter().map(|&(row, col)| grid.cell(row, col as usize));
            let [into_plus, into_minus] = into;
            return formed.each(grid, view.guards(), places, |_, [plus, minus]| {
                into_plus.push(plus);
                if view.is_difference() {
                    into_minus.push(minus);
                }
            });
        }
        for (into, groups) in into.iter_mut().zip(grid.sides()) {
            if !groups.is_empty() {
                let rate = |&(row, col): &(usize, u32)| self.operands.rate_of(grid, groups.clone(), row, col as usize);
                into.extend(cells.iter().map(rate));
            }
        }
    }

    /// Adds the rate of every cell of the model to `into`, as [`View::add_rates`].
    pub fn add_rates(&mut self, view: &View, into: &mut [f64]) {
        match &self.formed {
            Some(formed) => view.add_rates_formed(&*formed.rate(), into),
            None => view.add_rates(&self.operands, into, &mut self.work),
        }
    }

    /// The log probability of what was observed at the held-out cells, in their order.
    pub fn score_held_out(&self, view: &View, into: &mut [f64]) {
        match &self.formed {
            Some(formed) => view.score_held_out_formed(&*formed.rate(), into),
            None => view.score_held_out(&self.operands, into),
        }
    }

    /// The first cell whose observation cannot have arisen, as [`View::impossible`].
    pub fn impossible(&self, view: &View) -> Option<(usize, String)> {
        match &self.formed {
            Some(formed) => view.impossible_formed(&*formed.rate()),
            None => view.impossible(&self.operands),
        }
    }

    /// By how much what is kept is off from what is kept by another root of the same count, relative to the largest value of each array; not
    /// a number if one is.
    pub fn off(&self, other: &Self) -> f64 {
        if let (Some(own), Some(other)) = (&self.formed, &other.formed) {
            return own.off(other);
        }
        let (kept, anew) = (&self.operands, &other.operands);
        let weights = kept.weights.iter().zip(&anew.weights);
        let sides = [(&kept.left, &anew.left), (&kept.right, &anew.right)];
        let mut largest = 0.0;
        for (kept, anew) in sides.into_iter().chain(weights) {
            let size = anew.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
            for (kept, anew) in kept.iter().zip(anew) {
                let gap = (kept - anew).abs() / size;
                // `max` would drop what is not a number.
                if gap > largest || gap.is_nan() {
                    largest = gap;
                }
            }
        }
        largest
    }
}
