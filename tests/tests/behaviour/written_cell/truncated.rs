//! Noise of which what is negative was set to zero: summed out, and in no other form.

use super::*;
use skellam::channel::TruncatedCell;

skellam::model! {
    /// Topics of documents, released with zeros for what came out negative.
    pub model Cut {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TruncatedGeometric;
    }
}

#[test]
fn the_steps_of_the_file_are_those_of_the_library() {
    let laws = [0.05, 0.5, 0.97].map(|alpha| TruncatedGeometric::new(alpha).unwrap());
    let mut number = 0;
    for channel in laws {
        for rate in [1e-9, 0.3, 4.0, 900.0] {
            for c in [0, 1, 5, 300] {
                number += 1;
                let rng = || Xoshiro256PlusPlus::seed_from_u64(number);
                let drawn = CutCell::draw(c, rate, channel.alpha(), &mut rng());
                assert_eq!(drawn, channel.impute(rate, c, &mut rng()), "{channel:?}, {rate}, {c}");
                let slope = CutCell::ascend(c, rate, channel.alpha());
                let of_library = channel.slope(rate, c);
                assert!(
                    (slope / of_library - 1.0).abs() < 1e-12,
                    "{channel:?}, {rate}, {c}: {slope} and {of_library}"
                );
            }
        }
    }
}

/// With one mistake in a draw, or in an expectation: counts above what was observed are those without noise.
struct Altered<const DRAWS: bool>;

impl<const DRAWS: bool> TruncatedCell for Altered<DRAWS> {
    fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        let high = if DRAWS { mu } else { mu * alpha };
        skellam::private::SplicedPoisson::new(mu / alpha, c, high).draw(rng)
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        let q = skellam::private::SplicedPoisson::new(rho / alpha, c, rho * alpha).sides();
        q.below / alpha + if DRAWS { alpha } else { 1.0 } * q.from
    }
}

struct Wrong<const DRAWS: bool>;

impl<const DRAWS: bool> skellam::private::Testable for Wrong<DRAWS> {
    const SPEC: &'static skellam::private::Spec = <Cut as skellam::private::Testable>::SPEC;

    fn mechanisms() -> Vec<Box<dyn skellam::private::TestedMechanism>> {
        use skellam::private::TestedTruncated as _;
        vec![skellam::private::Named::<TruncatedGeometric>::NAME.tested_by(Altered::<DRAWS>)]
    }

    fn assemble(
        setting: &skellam::private::Setting,
        form: FormKind,
        layout: Option<usize>,
    ) -> Result<Box<dyn skellam::private::Model>, Error> {
        let given = skellam::private::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        let declared = skellam::private::Declared::<CutModel>::from(given);
        Ok(Box::new(declared.bind_with(form, layout)?))
    }
}

#[test]
fn the_self_test_sees_a_wrong_step() {
    let quick = || SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    let [drawn, expected] = [quick().run::<Wrong<true>>(), quick().run::<Wrong<false>>()];
    assert!(!drawn.passed(), "{drawn}");
    assert!(!expected.passed(), "{expected}");
}

/// Both engines run the steps of the file: those of another file give other draws, and another bound.
#[test]
fn both_engines_run_the_steps_of_the_file() {
    use skellam::private::{CountData, Declared, Origin, SeenTruncated as _};
    let data = released(TruncatedGeometric::new(0.5).unwrap(), |cell| cell as i64 % 4);
    let run = |seen: std::sync::Arc<dyn CountData>| {
        let mut declared = Declared::<CutModel>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
        declared.given().set_size(2, 3);
        let model = declared.bind(FormKind::Collapsed).unwrap();
        skellam::infer::pool(1).unwrap().install(|| {
            let mut chain = Chain::new(&model, 1, 0);
            (0..4).for_each(|_| chain.advance());
            let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
            let bounds = (0..4).map(|_| ascent.iterate(0.0, true));
            (chain.ln_joint().to_bits(), format!("{:?}", bounds.collect::<Vec<_>>()))
        })
    };
    let (drawn, bounds) = run((&data).seen_by(CutCell));
    assert_eq!((drawn, bounds.clone()), run((&data).seen_by(CutCell)));
    assert_ne!(drawn, run((&data).seen_by(Altered::<true>)).0);
    assert_ne!(bounds, run((&data).seen_by(Altered::<false>)).1);
}

mod named {
    pub use skellam::prelude::Skellam as TruncatedGeometric;
}

/// Another law under this name runs its own form.
mod other {
    use super::super::released;
    use super::named::TruncatedGeometric;

    skellam::model! {
        model Shadowed {
            index docs, words;
            latent theta[d in docs, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(theta[d, v]);
            release y by TruncatedGeometric;
        }
    }

    #[test]
    fn a_name_of_the_prelude_may_be_taken() {
        use skellam::prelude::{Gibbs, Progress};
        let data = released(TruncatedGeometric::new(0.5).unwrap(), |cell| cell as i64 % 7 - 2);
        let quiet = Gibbs {
            num_tune: 5,
            num_draws: 5,
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        assert_eq!(Shadowed::new(&data).unwrap().gibbs(&quiet).unwrap().num_draws(), 5);
    }
}
