//! Every channel of the library holds, and mistakes of a channel are seen.

use rand::Rng;

use super::super::mechanism::mechanism;
use super::*;
use skellam::channel::{
    AtLeastOne, Channel, ChannelText, ContinuousLaplace, Exact, Laplace, LinearText, LogLinear, Skellam,
    TruncatedGeometric, TwoSidedGeometric, Unaugmented,
};

fn rows<C: Channel>() -> Vec<Row> {
    let rows = of_channel(&*mechanism::<C>(), &SelfTest::default());
    for row in &rows {
        println!("{:<34} {:9.1e} {:9.1e} {}", row.of, row.statistic, row.limit, row.note);
    }
    rows
}

#[test]
fn every_channel_of_this_crate_holds() {
    let all = [
        rows::<TwoSidedGeometric>(),
        rows::<TruncatedGeometric>(),
        rows::<Skellam>(),
        rows::<Laplace>(),
        rows::<ContinuousLaplace>(),
        rows::<AtLeastOne>(),
        rows::<Exact>(),
    ];
    let failing: Vec<&Row> = all.iter().flatten().filter(|row| !row.passed).collect();
    assert!(failing.is_empty(), "{failing:?}");
}

/// A channel whose text has other cells that are never visited than itself: with `MORE` one more observation, without it one less.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Mistold<const MORE: bool>(TruncatedGeometric);

impl<const MORE: bool> Channel for Mistold<MORE> {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        self.0.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.0.expect(rate, c)
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        self.0.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        self.0.observe(y, rng)
    }

    fn typical() -> Self {
        Self(TruncatedGeometric::typical())
    }

    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        self.0.log_linear(c)
    }

    fn zero_bound(&self, c: i64) -> Option<f64> {
        self.0.zero_bound(c)
    }

    fn text() -> ChannelText {
        let text = TruncatedGeometric::text();
        let at = if MORE { "{c} ≤ 1" } else { "{c} ≤ -1" };
        ChannelText {
            linear: text.linear.map(|linear| LinearText { at, ..linear }),
            ..text
        }
    }
}

#[test]
fn a_text_with_other_cells_that_are_not_visited_is_seen() {
    for rows in [rows::<Mistold<true>>(), rows::<Mistold<false>>()] {
        let failing: Vec<&str> = rows.iter().filter(|row| !row.passed).map(|row| &row.of[..]).collect();
        assert_eq!(failing, ["TruncatedGeometric, log_linear"]);
    }
}

/// A channel that is right at a cell and, where `WRONG` is its number, wrong in a function of a run: the last cell has what the one before has.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Lagging<const WRONG: usize>(TwoSidedGeometric);

impl<const WRONG: usize> Channel for Lagging<WRONG> {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        self.0.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.0.expect(rate, c)
    }

    fn slopes(&self, rates: &[f64], values: &[i64], into: &mut [f64]) {
        self.0.slopes(rates, values, into);
        if let (1, [.., before, last]) = (WRONG, into) {
            *last = *before;
        }
    }

    fn ln_marginals(&self, rates: &[f64], values: &[i64], into: &mut [f64]) {
        self.0.ln_marginals(rates, values, into);
        if let (2, [.., before, last]) = (WRONG, into) {
            *last = *before;
        }
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        self.0.impute(rate, c, rng)
    }

    /// All counts first, then each given away; shifted by one cell if wrong.
    fn imputes<R: Rng + ?Sized>(
        &self,
        rates: &[f64],
        values: &[i64],
        rng: &mut R,
        mut give: impl FnMut(usize, u64, &mut R),
    ) {
        let cells = rates.iter().zip(values);
        let mut counts: Vec<u64> = cells.map(|(&rate, &c)| self.0.impute(rate, c, rng)).collect();
        if WRONG == 3 {
            counts.rotate_right(1);
        }
        let counts = counts.into_iter().enumerate();
        counts.filter(|(_, y)| *y > 0).for_each(|(i, y)| give(i, y, rng));
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        self.0.observe(y, rng)
    }

    fn typical() -> Self {
        Self(TwoSidedGeometric::typical())
    }

    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        self.0.log_linear(c)
    }

    fn zero_bound(&self, c: i64) -> Option<f64> {
        self.0.zero_bound(c)
    }

    fn text() -> ChannelText {
        TwoSidedGeometric::text()
    }
}

#[test]
fn a_run_that_is_not_its_cells_is_seen() {
    let failing = |rows: Vec<Row>| -> Vec<String> {
        let failing = rows.into_iter().filter(|row| !row.passed);
        failing.map(|row| row.of).collect()
    };
    assert_eq!(failing(rows::<Lagging<0>>()), [""; 0]);
    let runs = "TwoSidedGeometric, runs of cells";
    assert_eq!(failing(rows::<Lagging<1>>()), [runs]);
    assert_eq!(failing(rows::<Lagging<2>>()), [runs]);
    assert_eq!(failing(rows::<Lagging<3>>()), ["TwoSidedGeometric, impute"]);
}

#[test]
fn numbers_are_thinned_without_losing_the_ends() {
    let many: Vec<f64> = (0..1000).map(f64::from).chain([7.0, 7.0]).collect();
    let some = some_of(many);
    assert!(some.len() <= VALUES && some[0] == 0.0, "{some:?}");
    assert_eq!(some_of(vec![2.0, 1.0, 2.0]), [1.0, 2.0]);
}
