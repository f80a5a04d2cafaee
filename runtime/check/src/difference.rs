//! A count that is a difference of two Poisson counts: its mechanism, and the steps of a cell against plain sums over both counts.
//!
//! Given `c`, the pair of counts is `(m + max(c, 0), m + max(-c, 0))` for some `m`, and the probability of each `m` is a product of two
//! Poisson probabilities. Sums over `m` give the law of `m`, and what the marginal, the draw and the expectation must be.

use std::any::TypeId;
use std::marker::PhantomData;
use std::sync::Arc;

use rand::SeedableRng;

use skellam::Error;
use skellam::counts::Differences;
use skellam::model::{CountData, FormKind, SeenDifferences};
use skellam::private::view::DifferenceCell;
use skellam_math::special::{ln_poisson_pmf, ln_skellam_pmf};
use skellam_math::streams::Stream;

use super::SelfTest;
use super::mechanism::{ChannelProbe, Probe, TestedMechanism, TestedSteps, drawn};
use super::report::{Check, Row};
use super::setting::{CountSetting, ObservedValues};
use super::statistics::KOLMOGOROV_LIMIT;
use super::worst::Worst;

/// Differences at which a cell is looked at.
const DIFFERENCES: [i64; 9] = [-12, -3, -2, -1, 0, 1, 2, 5, 20];
/// Rates of the two sides.
const RATES: [[f64; 2]; 7] = [
    [0.01, 0.02],
    [0.6, 0.1],
    [0.3, 3.0],
    [2.0, 2.0],
    [7.0, 0.05],
    [12.0, 9.0],
    [60.0, 50.0],
];
/// Draws at each difference and each pair of rates.
const DRAWS: f64 = 4000.0;
/// What is exact agrees to this fraction, or to this where it is below one.
const EXACT: f64 = 1e-9;
/// Terms of a sum over the smaller count: its mean is at most 60 here.
const TERMS: u64 = 400;

/// The mechanism of a difference whose cells take the steps `S`.
pub fn tested_difference<S: DifferenceCell>() -> Box<dyn TestedMechanism> {
    Box::new(DifferenceSteps::<S>(PhantomData))
}

struct DifferenceSteps<S>(PhantomData<fn() -> S>);

impl<S: DifferenceCell> TestedSteps for DifferenceSteps<S> {
    fn draw(&self, c: i64, [plus, minus]: [f64; 2], rng: &mut Stream) -> [u64; 2] {
        S::draw(c, plus, minus, rng)
    }

    fn ascend(&self, c: i64, [plus, minus]: [f64; 2]) -> [f64; 2] {
        S::ascend(c, plus, minus)
    }
}

impl<S: DifferenceCell> TestedMechanism for DifferenceSteps<S> {
    fn name(&self) -> &'static str {
        S::NAME
    }

    fn channel(&self) -> TypeId {
        TypeId::of::<S>()
    }

    fn augmented(&self) -> bool {
        false
    }

    fn data(&self, setting: &CountSetting) -> Result<Arc<dyn CountData>, Error> {
        let data = Differences::dense(setting.shape.clone(), drawn::<i64>(&setting.values).clone())?;
        Ok(SeenDifferences::<S>::new(&data.hold_out(&setting.held_out)?).shared())
    }

    fn observe(&self, y: &[[u64; 2]], _: &mut Stream) -> ObservedValues {
        let difference = |[plus, minus]: &[u64; 2]| *plus as i64 - *minus as i64;
        Arc::new(y.iter().map(difference).collect::<Vec<i64>>())
    }

    fn exactly(&self) -> Box<dyn TestedMechanism> {
        tested_difference::<S>()
    }

    fn exposures(&self, values: &ObservedValues, _: FormKind, _: bool) -> Vec<Option<f64>> {
        vec![None; drawn::<i64>(values).len()]
    }

    fn probe(&self, values: &ObservedValues) -> Box<dyn Probe> {
        Box::new(BesideLaw(Arc::clone(values)))
    }

    fn channel_probe(&self, _: &ObservedValues) -> Option<Box<dyn ChannelProbe>> {
        None
    }

    fn steps(&self) -> Option<&dyn TestedSteps> {
        Some(self)
    }

    fn at_numbers(&self, numbers: &[f64]) -> ObservedValues {
        let whole = numbers.iter().filter(|number| number.fract() == 0.0);
        Arc::new(whole.map(|&number| number as i64).collect::<Vec<i64>>())
    }

    fn augmented_draws(&self, _: f64, _: &[u64], _: usize, _: &mut Stream) -> Option<(ObservedValues, Vec<u64>)> {
        None
    }
}

/// Differences beside their law, which is summed out here and asked of nobody.
struct BesideLaw(ObservedValues);

impl Probe for BesideLaw {
    fn len(&self) -> usize {
        drawn::<i64>(&self.0).len()
    }

    fn number(&self, i: usize) -> f64 {
        drawn::<i64>(&self.0)[i] as f64
    }

    fn ln_marginal(&self, rates: [f64; 2], i: usize) -> f64 {
        Smaller::new(drawn::<i64>(&self.0)[i], rates).ln_total
    }

    fn expect(&self, rates: [f64; 2], i: usize) -> [f64; 2] {
        Smaller::new(drawn::<i64>(&self.0)[i], rates).means()
    }
}

/// The law of the smaller count given the difference, by plain sums.
struct Smaller {
    above: [u64; 2],
    /// `P(m)` from zero on.
    shares: Vec<f64>,
    /// The log probability of the difference.
    ln_total: f64,
}

impl Smaller {
    fn new(c: i64, [plus, minus]: [f64; 2]) -> Self {
        let above = [c.max(0).unsigned_abs(), c.min(0).unsigned_abs()];
        let ln = |m: u64| {
            let of = |count: u64, rate: f64| match (count, rate) {
                // A known array may make a rate zero, where nothing falls.
                (0, 0.0) => 0.0,
                (_, 0.0) => f64::NEG_INFINITY,
                (count, rate) => ln_poisson_pmf(count, rate),
            };
            of(m + above[0], plus) + of(m + above[1], minus)
        };
        // The product of both probabilities is log-concave in m, with its largest term near this one.
        let [a, b] = above.map(|above| above as f64);
        let middle = ((a - b).powi(2) + 4.0 * plus * minus).sqrt() - a - b;
        let last = (middle.max(0.0) as u64) + TERMS;
        let logs: Vec<f64> = (0..last).map(ln).collect();
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if most == f64::NEG_INFINITY {
            return Self {
                above,
                shares: vec![1.0],
                ln_total: most,
            };
        }
        let total: f64 = logs.iter().map(|ln| (ln - most).exp()).sum();
        Self {
            above,
            shares: logs.iter().map(|ln| (ln - most).exp() / total).collect(),
            ln_total: most + total.ln(),
        }
    }

    fn means(&self) -> [f64; 2] {
        let mean: f64 = self.shares.iter().enumerate().map(|(m, share)| m as f64 * share).sum();
        self.above.map(|above| mean + above as f64)
    }
}

/// The rows of the steps of a cell.
pub(super) fn steps(mechanism: &dyn TestedMechanism, steps: &dyn TestedSteps, options: &SelfTest) -> Vec<Row> {
    let mut rng = Stream::seed_from_u64(options.seed ^ 0x0064_6966);
    let draws = (DRAWS * options.effort).max(500.0) as usize;
    let [mut marginal, mut mean, mut law, mut difference] = [(); 4].map(|()| Worst::default());
    for c in DIFFERENCES {
        for rates in RATES {
            let place = || format!("c = {c} at rates {rates:?}");
            let smaller = Smaller::new(c, rates);
            let stated = ln_skellam_pmf(c, rates[0], rates[1]);
            let gap = (stated - smaller.ln_total).abs() / smaller.ln_total.abs().max(1.0);
            marginal.add(gap, place);
            for (found, expected) in steps.ascend(c, rates).into_iter().zip(smaller.means()) {
                mean.add((found - expected).abs() / expected.max(1.0), place);
            }
            let mut seen = vec![0.0; smaller.shares.len()];
            for _ in 0..draws {
                let [plus, minus] = steps.draw(c, rates, &mut rng);
                let off = (plus as f64 - minus as f64 - c as f64).abs();
                difference.add(off, place);
                let m = plus.min(minus) as usize;
                if m < seen.len() {
                    seen[m] += 1.0 / draws as f64;
                }
            }
            law.add(distance(&seen, &smaller.shares) * (draws as f64).sqrt(), place);
        }
    }
    let (name, pairs) = (mechanism.name(), DIFFERENCES.len() * RATES.len());
    let row = |what: &str, found: Worst, limit: f64, note: String| {
        let note = format!("{note}; worst for {}", found.place);
        Row::tried(Check::Channel, format!("{name}, {what}"), found.value, limit, note)
    };
    let enumerated = format!("{pairs} differences and rates, against sums over both counts");
    let drawn = format!("{pairs} differences and rates, {draws} draws each");
    vec![
        row("marginal", marginal, EXACT, enumerated.clone()),
        row("expect", mean, EXACT, enumerated),
        row("draw", law, KOLMOGOROV_LIMIT, drawn.clone()),
        row("difference", difference, 0.0, drawn),
    ]
}

/// Largest distance of two distribution functions.
fn distance(seen: &[f64], expected: &[f64]) -> f64 {
    let (mut gap, mut largest) = (0.0f64, 0.0f64);
    for (seen, expected) in seen.iter().zip(expected) {
        gap += seen - expected;
        largest = if gap.is_nan() { gap } else { largest.max(gap.abs()) };
    }
    largest
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::*;
    use skellam::private::view::PlainDifference;

    fn failing<S: DifferenceCell>() -> Vec<String> {
        let mechanism = tested_difference::<S>();
        let rows = steps(&*mechanism, mechanism.steps().unwrap(), &SelfTest::default());
        for row in &rows {
            println!("{:<34} {:9.1e} {:9.1e} {}", row.of, row.statistic, row.limit, row.note);
        }
        rows.into_iter().filter(|row| !row.passed).map(|row| row.of).collect()
    }

    #[test]
    fn the_steps_of_a_cell_hold() {
        assert_eq!(failing::<PlainDifference>(), [""; 0]);
    }

    macro_rules! mistaken {
        ($name:ident, $c:ident, $plus:ident, $minus:ident, $rng:ident, $draw:expr, $ascend:expr) => {
            struct $name;
            impl DifferenceCell for $name {
                fn draw<R: Rng + ?Sized>($c: i64, $plus: f64, $minus: f64, $rng: &mut R) -> [u64; 2] {
                    $draw
                }
                fn ascend($c: i64, $plus: f64, $minus: f64) -> [f64; 2] {
                    $ascend
                }
            }
        };
    }

    mistaken!(
        OrderUp,
        c,
        plus,
        minus,
        rng,
        {
            let m = skellam_math::distribution::bessel_draw(c.unsigned_abs() + 1, 2.0 * (plus * minus).sqrt(), rng);
            [m + c.max(0).unsigned_abs(), m + c.min(0).unsigned_abs()]
        },
        {
            let m = skellam_math::special::bessel_mean(c.unsigned_abs() + 1, 2.0 * (plus * minus).sqrt());
            [m + c.max(0) as f64, m + (-c).max(0) as f64]
        }
    );
    mistaken!(
        Swapped,
        c,
        plus,
        minus,
        rng,
        {
            let [a, b] = PlainDifference::draw(c, plus, minus, rng);
            [b, a]
        },
        {
            let [a, b] = PlainDifference::ascend(c, plus, minus);
            [b, a]
        }
    );
    mistaken!(
        WithoutAbove,
        c,
        plus,
        minus,
        rng,
        PlainDifference::draw(c, plus, minus, rng),
        {
            let m = skellam_math::special::bessel_mean(c.unsigned_abs(), 2.0 * (plus * minus).sqrt());
            [m + c.max(0) as f64, m]
        }
    );

    /// A Bessel law of order `|c| + 1`, counts that have changed sides, an expectation without `max(-c, 0)`: each is seen, and nothing
    /// else beside it.
    #[test]
    fn mistakes_in_the_steps_are_seen() {
        let law = |what: &str| format!("Skellam count, {what}");
        assert_eq!(failing::<OrderUp>(), [law("expect"), law("draw")]);
        assert_eq!(failing::<Swapped>(), [law("expect"), law("difference")]);
        assert_eq!(failing::<WithoutAbove>(), [law("expect")]);
    }
}
