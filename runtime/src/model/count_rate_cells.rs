//! What engines ask of the rate of one count, cell by cell.

use crate::contract::Handing;
use crate::streams::Streams;
use crate::view::{Auxiliary, View};

use super::count_rate::Total;
use super::{CountRate, Factors};

impl CountRate {
    /// Gibbs: draws the true count of every visited cell, divides it, and adds the parts to `counts`. `unit` tells the random numbers of
    /// counts apart.
    pub fn thin(&self, view: &View, auxiliary: &mut Auxiliary, streams: &Streams, unit: usize, counts: &mut Factors) {
        let (rate, handing) = (self.rate(), self.handing());
        view.thin(&*rate, &handing, auxiliary, streams, unit, counts.arrays_mut());
    }

    /// Gibbs: draws the true count of every visited cell and gives those that are positive, each with its row-major position.
    pub(crate) fn each_count(
        &self,
        view: &View,
        auxiliary: &mut Auxiliary,
        streams: &Streams,
        unit: usize,
        give: &mut dyn FnMut(usize, u64),
    ) {
        view.each_count(&*self.rate(), auxiliary, streams, unit, give);
    }

    /// Coordinate ascent, at geometric means: takes the mean of every visited cell and hands it down as [`CountRate::thin`] does. If
    /// `score`, returns what [`View::expect`] does.
    pub fn expect(&self, view: &View, auxiliary: &mut Auxiliary, score: bool, counts: &mut Factors) -> f64 {
        view.expect(&*self.rate(), &self.handing(), auxiliary, score, counts.arrays_mut())
    }

    /// The published step instead: `moments` are the rates at means, at second moments and at squared means.
    pub fn publish(&self, view: &View, moments: [&Self; 3], auxiliary: &mut Auxiliary, counts: &mut Factors) {
        let moments = moments.map(|of| of.rate());
        let moments = moments.each_ref().map(|rate| &**rate);
        view.publish(&*self.rate(), moments, &self.handing(), auxiliary, counts.arrays_mut());
    }

    /// The sum of all rates by the weights of their cells.
    pub fn weighed_sum(&self, view: &View) -> f64 {
        self.closed_level(view) + view.correction_of_level(&*self.rate())
    }

    /// The expected true counts of all visited cells.
    pub fn expected_total(&self, view: &View, auxiliary: &mut Auxiliary) -> f64 {
        let (mut total, handing) = ([vec![0.0]], Handing { to: &Total, right: &[] });
        view.expect(&*self.rate(), &handing, auxiliary, false, &mut total);
        total[0][0]
    }

    /// Calls `visit` with the rate at each of some cells, by their rows and columns in the grid; for a difference, its mean. It is zero where
    /// the `where` clause of the count has no cell.
    pub fn rates_at(&self, view: &View, cells: impl IntoIterator<Item = (usize, usize)>, mut visit: impl FnMut(f64)) {
        let grid = view.grid();
        let cells = cells.into_iter().map(|(row, col)| grid.cell(row, col));
        self.each(grid, view.guards(), cells, |_, [plus, minus]| visit(plus - minus));
    }

    /// The rates of both sides at some cells of the model: of the plus side, and of the minus side of a difference, else nothing.
    pub fn sides_at(&self, view: &View, cells: &[(usize, u32)], into: &mut [Vec<f64>; 2]) {
        let grid = view.grid();
        into.iter_mut().for_each(Vec::clear);
        let places = cells.iter().map(|&(row, col)| grid.cell(row, col as usize));
        let [into_plus, into_minus] = into;
        self.each(grid, view.guards(), places, |_, [plus, minus]| {
            into_plus.push(plus);
            if view.is_difference() {
                into_minus.push(minus);
            }
        });
    }

    /// Adds the rate of every cell of the model to `into`, row-major in the data; for a difference, its mean.
    pub fn add_rates(&self, view: &View, into: &mut [f64]) {
        view.add_rates(&*self.rate(), into);
    }

    /// The log probability of what was observed at the held-out cells, in their order.
    pub fn score_held_out(&self, view: &View, into: &mut [f64]) {
        view.score_held_out(&*self.rate(), into);
    }

    /// The first cell, row-major in the data, whose observation cannot have arisen because its rate is zero (a known array says so), with
    /// what was observed there.
    pub fn impossible(&self, view: &View) -> Option<(usize, String)> {
        view.impossible(&*self.rate())
    }
}
