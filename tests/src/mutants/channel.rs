//! Two-sided geometric noise with the present mistake.

use rand::Rng;
use skellam::channel::skellam_bessel::{NoiseCounts, NoiseRates, gibbs_step};
use skellam::channel::{
    Augmentation, Channel, ChannelText, LinearText, LogLinear, RateMoments, SkellamBessel, TwoSidedGeometric,
};

use super::Mistake;

/// [`TwoSidedGeometric`], wrong in the way that was [present](Mistake::during) when it was made.
#[derive(Clone, Debug)]
pub struct Mutable {
    right: TwoSidedGeometric,
    noise: TwoSidedGeometric,
    mistake: Mistake,
}

impl Mutable {
    fn has(&self, mistake: Mistake) -> bool {
        self.mistake == mistake
    }

    fn times(&self, mistake: Mistake) -> f64 {
        if self.has(mistake) { 1.05 } else { 1.0 }
    }
}

impl Channel for Mutable {
    type Value = i64;
    type Augmentation = MutableStep;

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        if c <= 0 {
            return self.right.ln_marginal(rate, c);
        }
        let constant = if self.has(Mistake::MarginalConstant) { 0.05 } else { 0.0 };
        self.right.ln_marginal(rate * self.times(Mistake::MarginalRate), c) + constant
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.right.expect(rate, c) * self.times(Mistake::ExpectOff)
    }

    fn slope(&self, rate: f64, c: i64) -> f64 {
        self.right.slope(rate, c) * self.times(Mistake::SlopeOff)
    }

    fn slopes(&self, rates: &[f64], values: &[i64], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(&mut *into);
        cells.for_each(|((&rate, &c), into)| *into = self.slope(rate, c));
        if let (true, [.., before, last]) = (self.has(Mistake::RunSlopes), into) {
            *last = *before;
        }
    }

    fn ln_marginals(&self, rates: &[f64], values: &[i64], into: &mut [f64]) {
        let cells = rates.iter().zip(values).zip(&mut *into);
        cells.for_each(|((&rate, &c), into)| *into = self.ln_marginal(rate, c));
        if let (true, [.., before, last]) = (self.has(Mistake::RunMarginals), into) {
            *last = *before;
        }
    }

    fn ln_likelihood(&self, y: u64, c: i64) -> Option<f64> {
        self.right.ln_likelihood(y, c)
    }

    fn impute<R: Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        let c = c + i64::from(self.has(Mistake::ImputeOrder));
        let y = self.right.impute(rate * self.times(Mistake::ImputeRate), c, rng);
        y + u64::from(self.has(Mistake::ImputeMore))
    }

    /// All counts first, then each given away.
    fn imputes<R: Rng + ?Sized>(
        &self,
        rates: &[f64],
        values: &[i64],
        rng: &mut R,
        mut give: impl FnMut(usize, u64, &mut R),
    ) {
        let cells = rates.iter().zip(values);
        let mut counts: Vec<u64> = cells.map(|(&rate, &c)| self.impute(rate, c, rng)).collect();
        if self.has(Mistake::RunImputes) {
            counts.rotate_right(1);
        }
        let counts = counts.into_iter().enumerate();
        counts.filter(|(_, y)| *y > 0).for_each(|(i, y)| give(i, y, rng));
    }

    fn observe<R: Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
        self.noise.observe(y, rng)
    }

    fn typical() -> Self {
        let mistake = Mistake::present();
        let right = TwoSidedGeometric::typical();
        let noise = match mistake {
            Mistake::NoiseOff => TwoSidedGeometric::new(0.95 * right.alpha()).unwrap(),
            _ => right,
        };
        Self { right, noise, mistake }
    }

    fn log_linear(&self, c: i64) -> Option<LogLinear> {
        let LogLinear { weight, constant } = self.right.log_linear(c)?;
        Some(LogLinear {
            weight: match self.mistake {
                Mistake::WholeWeight => 1.0,
                Mistake::WeightOff => 1.05 * weight,
                _ => weight,
            },
            constant: constant + if self.has(Mistake::LinearConstant) { 0.05 } else { 0.0 },
        })
    }

    fn zero_bound(&self, c: i64) -> Option<f64> {
        let bound = self.right.zero_bound(c)?;
        Some(if self.has(Mistake::ZeroBoundOff) {
            0.95 * bound
        } else {
            bound
        })
    }

    fn text() -> ChannelText {
        let text = TwoSidedGeometric::text();
        let at = |right| match Mistake::present() {
            Mistake::TextMore => "{c} ≤ 1",
            _ => right,
        };
        ChannelText {
            linear: text.linear.map(|linear| LinearText {
                at: at(linear.at),
                ..linear
            }),
            ..text
        }
    }
}

/// [`SkellamBessel`] with the mistake of its channel.
#[derive(Clone, Debug)]
pub struct MutableStep;

impl Augmentation<Mutable> for MutableStep {
    type State = NoiseRates;
    type Factor = NoiseCounts;

    const SUPPORTED: bool = true;

    fn visits(_: &Mutable, _: i64) -> bool {
        true
    }

    fn start<R: Rng + ?Sized>(channel: &Mutable, c: i64, rng: &mut R) -> NoiseRates {
        SkellamBessel::start(&channel.noise, c, rng)
    }

    fn impute<R: Rng + ?Sized>(channel: &Mutable, rate: f64, c: i64, state: &mut NoiseRates, rng: &mut R) -> u64 {
        let alpha = channel.right.alpha();
        let posterior_rate = match channel.mistake {
            Mistake::PosteriorRate => alpha / (1.0 - alpha) + 1.0,
            _ => 1.0 / alpha,
        };
        let c = c + i64::from(channel.has(Mistake::AugmentedOrder));
        gibbs_step(rate, c, state, posterior_rate, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &Mutable, y: u64, state: &NoiseRates, rng: &mut R) -> i64 {
        SkellamBessel::observe(&channel.right, y, state, rng)
    }

    fn start_factor(channel: &Mutable, c: i64) -> NoiseCounts {
        SkellamBessel::start_factor(&channel.right, c)
    }

    fn expect(channel: &Mutable, g: f64, c: i64, factor: &mut NoiseCounts) -> f64 {
        SkellamBessel::expect(&channel.right, g, c, factor)
    }

    fn bound(channel: &Mutable, g: f64, c: i64, factor: &NoiseCounts) -> f64 {
        SkellamBessel::bound(&channel.right, g, c, factor)
    }

    fn published(channel: &Mutable, rate: RateMoments, c: i64, factor: &mut NoiseCounts) -> f64 {
        SkellamBessel::published(&channel.right, rate, c, factor)
    }
}
