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

use super::law::Check;
use super::mechanism::{Probe, TestedMechanism, drawn};
use super::report::Row;
use super::setting::{CountSetting, ObservedValues};
use super::statistics::KOLMOGOROV_LIMIT;
use super::worst::Table;

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
/// Terms of a sum over the smaller count, beyond its mean.
const TERMS: u64 = 400;

/// The mechanism of a difference whose cells take the steps `S`.
pub fn tested_difference<S: DifferenceCell>() -> Box<dyn TestedMechanism> {
    Box::new(DifferenceSteps::<S>(PhantomData))
}

struct DifferenceSteps<S>(PhantomData<fn() -> S>);

impl<S: DifferenceCell> TestedMechanism for DifferenceSteps<S> {
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
        Box::new(drawn::<i64>(values).clone())
    }

    /// The steps of a cell against plain sums.
    fn laws(&self, seed: u64, effort: f64) -> Vec<Row> {
        let mut rng = Stream::seed_from_u64(seed ^ 0x0064_6966);
        let draws = (DRAWS * effort).max(500.0) as usize;
        let drawn = format!("{draws} draws at each difference and rates");
        let mut found = Table::new(&[
            ("marginal", EXACT, "against sums over both counts"),
            ("expect", EXACT, "against sums over both counts"),
            ("draw", KOLMOGOROV_LIMIT, &drawn),
            ("difference", 0.0, &drawn),
        ]);
        for (c, [plus, minus]) in DIFFERENCES.into_iter().flat_map(|c| RATES.map(|rates| (c, rates))) {
            let place = || format!("c = {c} at rates {plus} and {minus}");
            let smaller = Smaller::new(c, [plus, minus]);
            let marginal = ln_skellam_pmf(c, plus, minus);
            found.at("marginal").compare(marginal, smaller.ln_total, place);
            for (ascended, expected) in S::ascend(c, plus, minus).into_iter().zip(smaller.means()) {
                found.at("expect").compare(ascended, expected, place);
            }
            let mut seen = vec![0.0; smaller.shares.len()];
            for _ in 0..draws {
                let [plus, minus] = S::draw(c, plus, minus, &mut rng);
                let off = (plus as f64 - minus as f64 - c as f64).abs();
                found.at("difference").add(off, place);
                if let Some(seen) = seen.get_mut(plus.min(minus) as usize) {
                    *seen += 1.0 / draws as f64;
                }
            }
            // The Kolmogorov-Smirnov statistic of the smaller count.
            let mut gap = 0.0;
            for (seen, share) in seen.iter().zip(&smaller.shares) {
                gap += seen - share;
                found.at("draw").add(f64::abs(gap) * (draws as f64).sqrt(), place);
            }
        }
        found.rows(Check::Channel, S::NAME)
    }
}

/// Differences beside their law, which is summed out here and asked of nobody.
impl Probe for Vec<i64> {
    fn number(&self, i: usize) -> f64 {
        self[i] as f64
    }

    fn ln_marginal(&self, rates: [f64; 2], i: usize) -> f64 {
        Smaller::new(self[i], rates).ln_total
    }

    fn ln_likelihood(&self, _: u64, _: usize) -> f64 {
        f64::NEG_INFINITY
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
        let ln = |m: u64| ln_poisson_pmf(m + above[0], plus) + ln_poisson_pmf(m + above[1], minus);
        // Its mean is below the root.
        let logs: Vec<f64> = (0..(plus * minus).sqrt() as u64 + TERMS).map(ln).collect();
        let most = logs.iter().copied().fold(f64::MIN, f64::max);
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
