//! Two-sided geometric noise, right and wrong in one place.

use std::fmt::Debug;
use std::marker::PhantomData;

use rand::Rng;
use skellam::channel::skellam_bessel::{NoiseCounts, NoiseRates, gibbs_step};
use skellam::channel::{Augmentation, Channel, ChannelText, LogLinear, RateMoments, SkellamBessel, TwoSidedGeometric};

/// Laws of one parameter.
pub trait FromAlpha: Channel<Value = i64> {
    /// The law at `alpha`.
    fn at(alpha: f64) -> Self;
}

impl FromAlpha for TwoSidedGeometric {
    fn at(alpha: f64) -> Self {
        Self::new(alpha).unwrap()
    }
}

/// What is wrong in an [`Altered`] channel.
pub trait Alteration: Clone + Debug + Send + Sync + 'static {
    /// Rate of the gamma conditional of the noise rates.
    fn posterior_rate(alpha: f64) -> f64 {
        1.0 / alpha
    }
}

/// The posterior rate of ICML19, eq. 16, as printed: the mean of the exponential law read as its rate.
#[derive(Clone, Debug)]
pub struct AsPrinted;

impl Alteration for AsPrinted {
    fn posterior_rate(alpha: f64) -> f64 {
        alpha / (1.0 - alpha) + 1.0
    }
}

/// The misprinted channel.
pub type Misprinted = Altered<AsPrinted>;

/// [`TwoSidedGeometric`] with one thing wrong.
#[derive(Clone, Debug)]
pub struct Altered<A>(TwoSidedGeometric, PhantomData<A>);

impl<A: Alteration> FromAlpha for Altered<A> {
    fn at(alpha: f64) -> Self {
        Self(TwoSidedGeometric::at(alpha), PhantomData)
    }
}

impl<A: Alteration> Channel for Altered<A> {
    type Value = i64;
    type Augmentation = AlteredStep;

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
        Self(TwoSidedGeometric::typical(), PhantomData)
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

/// [`SkellamBessel`] with the posterior rate of an [`Alteration`].
#[derive(Clone, Debug)]
pub struct AlteredStep;

impl<A: Alteration> Augmentation<Altered<A>> for AlteredStep {
    type State = NoiseRates;
    type Factor = NoiseCounts;

    const SUPPORTED: bool = true;

    fn visits(_: &Altered<A>, _: i64) -> bool {
        true
    }

    fn start<R: Rng + ?Sized>(channel: &Altered<A>, c: i64, rng: &mut R) -> NoiseRates {
        SkellamBessel::start(&channel.0, c, rng)
    }

    fn impute<R: Rng + ?Sized>(channel: &Altered<A>, rate: f64, c: i64, state: &mut NoiseRates, rng: &mut R) -> u64 {
        gibbs_step(rate, c, state, A::posterior_rate(channel.0.alpha()), rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &Altered<A>, y: u64, state: &NoiseRates, rng: &mut R) -> i64 {
        SkellamBessel::observe(&channel.0, y, state, rng)
    }

    fn start_factor(channel: &Altered<A>, c: i64) -> NoiseCounts {
        SkellamBessel::start_factor(&channel.0, c)
    }

    fn expect(channel: &Altered<A>, g: f64, c: i64, factor: &mut NoiseCounts) -> f64 {
        SkellamBessel::expect(&channel.0, g, c, factor)
    }

    fn bound(channel: &Altered<A>, g: f64, c: i64, factor: &NoiseCounts) -> f64 {
        SkellamBessel::bound(&channel.0, g, c, factor)
    }

    fn published(channel: &Altered<A>, rate: RateMoments, c: i64, factor: &mut NoiseCounts) -> f64 {
        SkellamBessel::published(&channel.0, rate, c, factor)
    }
}
