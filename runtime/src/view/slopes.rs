//! Tables of slopes: what trajectories follow where one law holds everywhere and many cells have the same value.
//!
//! A slope of a noisy channel is a quotient of sums, some hundred cycles; a trajectory asks for it at every visited cell and
//! every step, of few values. As a function of the square root of the rate, on whose scale counts have one spread, a slope is
//! smooth: a cubic for each eighth has four digits or more. Where it has not, the table says so and the law is asked.
//!
//! Trajectories are accepted by the exact likelihood, so that tables change where proposals end, never the posterior.

use std::collections::HashMap;

use super::Cells;
use super::door::{Door, Run};
use super::lanes::{LaneWork, SideWork};
use super::runs::LEAST_RATE;

/// Intervals in one unit of the square root of the rate.
const PER_UNIT: f64 = 8.0;
/// A table begins at most so far below the square root of its value, and ends at least so far above.
const REACH: f64 = 8.0;
/// Intervals of one table.
const INTERVALS: usize = 128;
/// Most tables. Cells without one have this number.
const MOST: usize = 255;
/// A value that fewer cells have is left to the law.
const LEAST_CELLS: usize = 16;
/// Largest relative error of a cubic where it is compared.
const TOLERANCE: f64 = 1e-4;

/// The tables of one count.
#[derive(Debug)]
pub(super) struct Slopes {
    /// For each visited cell, the number of its table.
    of: Vec<u8>,
    /// For each table the interval at which it begins; infinite where there is none.
    first: Vec<f64>,
    /// Coefficients of the cubics, table by table, lowest power first; NaN where a cubic is not good enough.
    cubics: Vec<[f32; 4]>,
}

impl Slopes {
    /// Tables of the most frequent values among `cells` visited cells; `None` where no cell would have one.
    pub fn new(door: &dyn Door, cells: usize) -> Option<Self> {
        if !door.is_uniform() || door.has_cheap_slope() {
            return None;
        }
        let mut cells_of: HashMap<u64, (usize, usize)> = HashMap::new();
        for i in 0..cells {
            let of_value = cells_of.entry(door.number(i).to_bits()).or_insert((0, i));
            of_value.0 += 1;
        }
        let mut values: Vec<(usize, usize)> = cells_of.into_values().filter(|(n, _)| *n >= LEAST_CELLS).collect();
        // The most frequent first; among equally frequent ones, the one seen first.
        values.sort_by_key(|&(n, first)| (std::cmp::Reverse(n), first));
        values.truncate(MOST);
        if values.is_empty() {
            return None;
        }
        let (mut numbers, mut first, mut cubics) = (HashMap::new(), Vec::new(), Vec::new());
        for (number, &(_, i)) in values.iter().enumerate() {
            let value = door.number(i);
            numbers.insert(value.to_bits(), number as u8);
            let begin = ((value.max(0.0).sqrt() - REACH).max(0.0) * PER_UNIT).floor();
            first.push(begin);
            cubics.extend((0..INTERVALS).map(|interval| {
                let begin = begin + interval as f64;
                cubic(|x| {
                    let root = (begin + x) / PER_UNIT;
                    door.slope_of_uniform(i, (root * root).max(LEAST_RATE))
                })
            }));
        }
        first.resize(MOST + 1, f64::INFINITY);
        let number = |i| numbers.get(&door.number(i).to_bits());
        Some(Self {
            of: (0..cells).map(|i| number(i).copied().unwrap_or(MOST as u8)).collect(),
            first,
            cubics,
        })
    }

    /// The slope of visited cell `i` at a rate whose square root is `root`; NaN where the law must be asked.
    #[inline]
    pub fn at(&self, i: usize, root: f64) -> f64 {
        let table = usize::from(self.of[i]);
        let x = root * PER_UNIT - self.first[table];
        if !(0.0..INTERVALS as f64).contains(&x) {
            return f64::NAN;
        }
        let interval = x as usize;
        let t = (x - interval as f64) as f32;
        let [a, b, c, d] = self.cubics[table * INTERVALS + interval];
        f64::from(a + t * (b + t * (c + t * d)))
    }
}

/// The cubic through `f` at thirds of `[0, 1]`, or NaN if it is too far from `f` between them.
fn cubic(f: impl Fn(f64) -> f64) -> [f32; 4] {
    let [p, q, r, s] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0].map(&f);
    let coefficients = [
        p,
        0.5 * (-11.0 * p + 18.0 * q - 9.0 * r + 2.0 * s),
        4.5 * (2.0 * p - 5.0 * q + 4.0 * r - s),
        4.5 * (-p + 3.0 * (q - r) + s),
    ];
    let [a, b, c, d] = coefficients;
    let is_good = [1.0 / 6.0, 0.5, 5.0 / 6.0].into_iter().all(|t| {
        let exact = f(t);
        (a + t * (b + t * (c + t * d)) - exact).abs() <= TOLERANCE * exact.abs()
    });
    if is_good {
        coefficients.map(|c| c as f32)
    } else {
        [f32::NAN; 4]
    }
}

/// Writes the slopes of a run of cells, whose rates are in `work`, to `said`: by their tables where there are some. `root` is the square
/// root of a rate, by its place in the run.
pub(super) fn say_slopes(
    cells: &Cells,
    slopes: Option<&Slopes>,
    run: Run<'_>,
    work: &mut LaneWork,
    root: impl Fn(usize, f64) -> f64,
) {
    let [SideWork { rates, said, .. }, _] = &mut work.sides;
    said.clear();
    match slopes {
        None => said.resize(run.cols.len(), f64::NAN),
        Some(slopes) => {
            let places = rates.iter().enumerate();
            said.extend(places.map(|(at, &rate)| slopes.at(run.first + at, root(at, rate))));
        }
    }
    cells.door.one().rough_slopes(run, rates, said);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Channel, Exact, Skellam, TwoSidedGeometric};
    use crate::view::form::Form;
    use crate::view::seen::{Laws, Seen};

    fn door<C: Channel<Value = i64>>(law: C, values: impl Iterator<Item = i64>) -> (Box<dyn Door>, usize) {
        let mut packed = <i64 as crate::counts::Observation>::Packed::default();
        values.for_each(|value| crate::counts::Packed::push(&mut packed, value, "", "").unwrap());
        let cells = crate::counts::Packed::len(&packed);
        let door = Seen::behind_door(Form::collapsed(), std::sync::Arc::new(packed), Laws::Uniform(law));
        (door, cells)
    }

    /// Thirty cells of each of some values, under one law.
    fn tables<C: Channel<Value = i64>>(law: C, values: &[i64]) -> Option<Slopes> {
        let (door, cells) = door(law, values.iter().flat_map(|&value| [value; 30]));
        Slopes::new(&*door, cells)
    }

    /// Largest relative error where a table answers, and the share of rates at which it does.
    fn errors<C: Channel<Value = i64>>(law: &C, values: &[i64]) -> (f64, f64) {
        let slopes = tables(law.clone(), values).unwrap();
        let (mut worst, mut answered, mut asked) = (0.0f64, 0.0, 0.0);
        for (i, &value) in values.iter().enumerate() {
            for step in 0..2000 {
                // Square roots from two below that of the value to two above, and all small ones.
                let middle = (value as f64).sqrt();
                let root = (middle - 2.0).max(0.0) + f64::from(step) * 0.002;
                let exact = law.slope((root * root).max(LEAST_RATE), value);
                let found = slopes.at(30 * i, root);
                asked += 1.0;
                if !found.is_nan() {
                    answered += 1.0;
                    worst = worst.max((found / exact - 1.0).abs());
                }
            }
        }
        (worst, answered / asked)
    }

    #[test]
    fn tables_are_near_the_slopes_or_silent() {
        for alpha in [0.01, 0.37, 0.9, 0.999] {
            let (worst, share) = errors(&TwoSidedGeometric::new(alpha).unwrap(), &[1, 2, 7, 40, 400]);
            println!("alpha {alpha}: {worst:.1e}, {share:.3}");
            assert!(worst < 3e-4, "alpha {alpha}: {worst:e}");
            // At hardly any noise the slope is c / rate, which no cubic follows near zero.
            assert!(share > if alpha < 0.1 { 0.6 } else { 0.99 }, "alpha {alpha}: {share}");
        }
        let (worst, share) = errors(&Skellam::new(2.0).unwrap(), &[1, 5, 30]);
        assert!(worst < 3e-4 && share > 0.99, "{worst:e} {share}");
    }

    #[test]
    fn rates_beyond_a_table_and_rare_values_are_left_to_the_law() {
        let law = TwoSidedGeometric::new(0.5).unwrap();
        let slopes = tables(law, &[3]).unwrap();
        assert!(slopes.at(0, 1.7).is_finite() && slopes.at(0, 40.0).is_nan());
        assert!(slopes.at(0, f64::NAN).is_nan());
        let (few, cells) = door(law, (0..60).map(|i| if i < 50 { 3 } else { 4 + i }));
        let slopes = Slopes::new(&*few, cells).unwrap();
        assert!(slopes.at(10, 1.7).is_finite() && slopes.at(55, 1.7).is_nan());
    }

    #[test]
    fn a_cheap_slope_has_no_table() {
        assert!(tables(Exact, &[3]).is_none());
    }
}
