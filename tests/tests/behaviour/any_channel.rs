//! Lines of a known total through every channel of the prelude, and what is refused.

use skellam::channel::{Channel, ChannelText, LogLinear, Unaugmented, Varying};
use skellam::prelude::*;
use skellam_tests::declared::passes;

/// Declares lines that are observed through a channel.
macro_rules! line {
    ($model:ident, $channel:ident) => {
        skellam::model! {
            /// Lines of counts, and a simplex.
            pub model $model {
                index docs, words;
                total people;
                latent phi[d in docs, v in words] ~ Dirichlet(concentration = 0.8, along = v);
                count y[d in docs, v in words] ~ Multinomial(people, phi[d, v], along = v);
                release y by $channel;
            }
        }
    };
}

line!(ByLaplace, Laplace);
line!(ByContinuous, ContinuousLaplace);
line!(BySkellam, Skellam);
line!(ByAnswer, AtLeastOne);

/// The channels that no other line of these tests has.
#[test]
fn lines_through_any_channel_pass_their_self_tests() {
    passes::<ByLaplace>();
    passes::<ByContinuous>();
    passes::<BySkellam>();
    passes::<ByAnswer>();
}

/// Noise that says what a release is, not how probable it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Silent(TwoSidedGeometric);

impl Channel for Silent {
    type Value = i64;
    type Augmentation = Unaugmented;

    fn ln_marginal(&self, rate: f64, c: i64) -> f64 {
        self.0.ln_marginal(rate, c)
    }

    fn expect(&self, rate: f64, c: i64) -> f64 {
        self.0.expect(rate, c)
    }

    fn impute<R: rand::Rng + ?Sized>(&self, rate: f64, c: i64, rng: &mut R) -> u64 {
        self.0.impute(rate, c, rng)
    }

    fn observe<R: rand::Rng + ?Sized>(&self, y: u64, rng: &mut R) -> i64 {
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
        ChannelText {
            name: "Silent",
            ..TwoSidedGeometric::text()
        }
    }
}

line!(BySilence, Silent);

/// A channel that does not say how probable an observation is given its count cannot tell tables apart.
#[test]
fn a_channel_without_a_likelihood_is_refused() {
    let law = Varying::Uniform(Silent(TwoSidedGeometric::new(0.5).unwrap()));
    let released = Released::assert_mechanism(vec![1, 3], vec![4, -2, 3], law).unwrap();
    let model = BySilence::new(&released).unwrap().people(9);
    let said = model.cavi(&Cavi::default()).map(drop).unwrap_err().to_string();
    assert!(said.contains("has no `ln_likelihood`"), "{said}");
}
