//! The absence of an augmented form.

use rand::Rng;

use super::{Augmentation, Channel, RateMoments};

/// For channels without auxiliary variables. Every method is that of the collapsed form; engines look at
/// [`SUPPORTED`](Augmentation::SUPPORTED) and refuse the augmented variants by name.
#[derive(Clone, Copy, Debug)]
pub struct Unaugmented;

impl<C: Channel> Augmentation<C> for Unaugmented {
    type State = ();
    type Factor = ();

    const SUPPORTED: bool = false;

    fn visits(channel: &C, c: C::Value) -> bool {
        channel.log_linear(c).is_none()
    }

    fn start<R: Rng + ?Sized>(_: &C, _: C::Value, _: &mut R) {}

    fn impute<R: Rng + ?Sized>(channel: &C, rate: f64, c: C::Value, _: &mut (), rng: &mut R) -> u64 {
        channel.impute(rate, c, rng)
    }

    fn observe<R: Rng + ?Sized>(channel: &C, y: u64, _: &(), rng: &mut R) -> C::Value {
        channel.observe(y, rng)
    }

    fn start_factor(_: &C, _: C::Value) {}

    fn expect(channel: &C, g: f64, c: C::Value, _: &mut ()) -> f64 {
        channel.slope(g, c)
    }

    fn bound(channel: &C, g: f64, c: C::Value, _: &()) -> f64 {
        channel.ln_marginal(g, c) + g
    }

    fn published(channel: &C, rate: RateMoments, c: C::Value, _: &mut ()) -> f64 {
        channel.expect(rate.mean, c)
    }
}
