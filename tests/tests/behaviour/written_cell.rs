//! The steps of a cell that a generated file writes out are those of the library, bit by bit but for means behind noise that falls exponentially, and run where the mechanism is the one that
//! they were written for.

mod summed_out;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::skellam_bessel::{NoiseCounts, NoiseRates};
use skellam::channel::{Augmentation, Channel, RateMoments, SkellamBessel};
use skellam::infer::{Ascent, CaviForm, CaviStart, Chain};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam::selftest::SelfTest;
use skellam::view::GeometricCell;
use skellam::view::GeometricSteps;

skellam::model! {
    /// Topics of documents that were released privately.
    pub model Topics {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

/// Cells: alpha, rate, observation, and two numbers of the noise.
fn cells() -> impl Iterator<Item = (TwoSidedGeometric, f64, i64, [f64; 2])> {
    let alphas = [0.05, 0.5, 0.97].map(|alpha| TwoSidedGeometric::new(alpha).unwrap());
    let rates = [1e-9, 0.3, 4.0, 900.0];
    let releases = [i64::MIN + 1, -70, -1, 0, 1, 5, 300];
    let noises = [[0.01, 3.0], [20.0, 0.5]];
    alphas.into_iter().flat_map(move |channel| {
        let of_rate = move |rate| {
            releases
                .into_iter()
                .flat_map(move |c| noises.map(move |noise| (channel, rate, c, noise)))
        };
        rates.into_iter().flat_map(of_rate)
    })
}

#[test]
fn the_steps_of_the_file_are_those_of_the_library() {
    for (number, (channel, rate, c, [plus, minus])) in cells().enumerate() {
        let alpha = channel.alpha();
        let rng = || Xoshiro256PlusPlus::seed_from_u64(number as u64);
        let (mut ours, mut theirs) = (NoiseRates { plus, minus }, NoiseRates { plus, minus });
        let drawn = TopicsCell::draw_noise(c, rate, alpha, &mut ours, &mut rng());
        assert_eq!(drawn, SkellamBessel::impute(&channel, rate, c, &mut theirs, &mut rng()));
        assert_eq!(ours, theirs, "alpha {alpha}, rate {rate}, release {c}");

        let (mut ours, mut theirs) = (NoiseCounts { plus, minus }, NoiseCounts { plus, minus });
        let slope = TopicsCell::ascend_noise(c, rate, alpha, &mut ours);
        assert_eq!(slope, SkellamBessel::expect(&channel, rate, c, &mut theirs));
        assert_eq!(ours, theirs, "alpha {alpha}, rate {rate}, release {c}");

        let drawn = TopicsCell::draw(c, rate, alpha, &mut rng());
        assert_eq!(
            drawn,
            channel.impute(rate, c, &mut rng()),
            "alpha {alpha}, rate {rate}, release {c}"
        );
        // The mean is one sum there and one quotient here.
        let off = TopicsCell::ascend(c, rate, alpha) / channel.slope(rate, c) - 1.0;
        assert!(off.abs() < 1e-13, "alpha {alpha}, rate {rate}, release {c}: {off:e}");

        let moments = RateMoments {
            mean: rate,
            variance: 0.3 * rate * rate,
        };
        let (mut ours, mut theirs) = (NoiseCounts { plus, minus }, NoiseCounts { plus, minus });
        let y = TopicsCell::publish(c, moments, alpha, &mut ours);
        assert_eq!(y, SkellamBessel::published(&channel, moments, c, &mut theirs));
        assert_eq!(ours, theirs, "alpha {alpha}, rate {rate}, release {c}");
    }
}

/// Where noise is so little that `ρ/α` overflows, the count is what was released: the formula itself would say that its mean is next to nothing.
#[test]
fn as_good_as_no_noise_leaves_what_was_released() {
    let channel = TwoSidedGeometric::new(1e-308).unwrap();
    let (collapsed, _) = GeometricSteps::of::<TopicsCell>().forms();
    for c in [1, 70] {
        let mut slope = [0.0];
        (collapsed.steps.slopes)(&channel, &[1e10], &[c], &mut [()], &mut slope);
        assert_eq!(slope, [c as f64 / 1e10]);
        assert!(TopicsCell::ascend(c, 1e10, channel.alpha()) < 1e-300);
    }
}

fn released<M: Channel>(law: M, value: impl Fn(usize) -> M::Value) -> Released<M> {
    Released::assert_mechanism(vec![6, 5], (0..30).map(value).collect(), law.into()).unwrap()
}

/// What is wrong in a step of [`Altered`].
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mistake {
    Nothing,
    /// The posterior rate of the noise is that of ICML19 as it is printed (eq. 16), instead of `1/α`.
    Noise,
    /// Counts above what was observed are drawn as if there were no noise.
    Draw,
    /// The same in an expectation.
    Mean,
}

thread_local!(static STEPS: std::cell::Cell<[usize; 3]> = const { std::cell::Cell::new([0; 3]) });

/// The steps of the file, of which one may be wrong. They count themselves, on this thread: draws, expectations, draws of the noise.
struct Altered<const MISTAKE: usize>;

impl<const MISTAKE: usize> Altered<MISTAKE> {
    fn is(mistake: Mistake) -> bool {
        MISTAKE == mistake as usize
    }

    fn count(step: usize) {
        let mut steps = STEPS.get();
        steps[step] += 1;
        STEPS.set(steps);
    }

    fn law(c: i64, rate: f64, alpha: f64) -> skellam::private::SplicedPoisson {
        skellam::private::SplicedPoisson::new(rate / alpha, c, rate)
    }
}

impl<const MISTAKE: usize> GeometricCell for Altered<MISTAKE> {
    fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, alpha: f64, rng: &mut R) -> u64 {
        Self::count(0);
        match Self::is(Mistake::Draw) {
            true => Self::law(c, mu, alpha).draw(rng),
            false => TopicsCell::draw(c, mu, alpha, rng),
        }
    }

    fn ascend(c: i64, rho: f64, alpha: f64) -> f64 {
        Self::count(1);
        if Self::is(Mistake::Mean) {
            let q = Self::law(c, rho, alpha).sides();
            return q.below / alpha + q.from;
        }
        TopicsCell::ascend(c, rho, alpha)
    }

    fn draw_noise<R: skellam::private::Rng + ?Sized>(
        c: i64,
        mu: f64,
        alpha: f64,
        lambda: &mut NoiseRates,
        rng: &mut R,
    ) -> u64 {
        Self::count(2);
        let y = TopicsCell::draw_noise(c, mu, alpha, lambda, rng);
        if Self::is(Mistake::Noise) {
            let by = 1.0 / alpha / (alpha / (1.0 - alpha) + 1.0);
            lambda.plus *= by;
            lambda.minus *= by;
        }
        y
    }

    fn ascend_noise(c: i64, rho: f64, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        TopicsCell::ascend_noise(c, rho, alpha, noise)
    }

    fn publish(c: i64, mu: RateMoments, alpha: f64, noise: &mut NoiseCounts) -> f64 {
        TopicsCell::publish(c, mu, alpha, noise)
    }
}

/// Engines call the steps that they are given. In the augmented form that is one for each cell and sweep, in the collapsed form one for each that is
/// positive, and for each iteration.
#[test]
fn both_engines_run_the_steps_of_the_file() {
    use skellam::private::{CountData, Declared, Origin, SeenAs, SeenByCell as _};
    let value = |cell: usize| cell as i64 % 7 - 2;
    let positive = (0..30).filter(|&cell| value(cell) > 0).count();
    let data = released(TwoSidedGeometric::new(0.4).unwrap(), value);
    for (form, visited) in [(FormKind::Augmented, 30), (FormKind::Collapsed, positive)] {
        let seen: std::sync::Arc<dyn CountData> =
            SeenAs::<TwoSidedGeometric, TwoSidedGeometric>::new(&data).by(Altered::<{ Mistake::Nothing as usize }>);
        let mut declared = Declared::<TopicsModel>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
        declared.given().set_size(2, 3);
        let model = declared.bind(form).unwrap();
        let steps = if form == FormKind::Augmented { 2 } else { 0 };
        skellam::infer::pool(1).unwrap().install(|| {
            let mut chain = Chain::new(&model, 1, 0);
            let before = STEPS.get()[steps];
            (0..4).for_each(|_| chain.advance());
            assert_eq!(STEPS.get()[steps] - before, 4 * visited);
            if form == FormKind::Collapsed {
                let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
                let before = STEPS.get()[1];
                (0..4).for_each(|_| {
                    ascent.iterate(0.0, false);
                });
                assert_eq!(STEPS.get()[1] - before, 4 * visited);
            }
        });
    }
}

/// The self-test runs the steps of the file too, and notices each mistake. Without one the same self-test holds, which other tests see.
#[test]
fn the_self_test_sees_a_wrong_step() {
    use skellam::private::{
        Declared, FormKind, Given, Model, Named, Setting, Spec, Testable, TestedByCell as _, TestedMechanism,
    };

    struct Wrong<const MISTAKE: usize>;

    impl<const MISTAKE: usize> Testable for Wrong<MISTAKE> {
        const SPEC: &'static Spec = <Topics as Testable>::SPEC;

        fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
            vec![Named::<TwoSidedGeometric, TwoSidedGeometric>::NAME.by(Altered::<MISTAKE>)]
        }

        fn assemble(setting: &Setting, form: FormKind, layout: Option<usize>) -> Result<Box<dyn Model>, Error> {
            let given = Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
            Ok(Box::new(Declared::<TopicsModel>::from(given).bind_with(form, layout)?))
        }
    }

    let quick = || SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    let reports = [
        quick().run::<Wrong<{ Mistake::Noise as usize }>>(),
        quick().run::<Wrong<{ Mistake::Draw as usize }>>(),
        quick().run::<Wrong<{ Mistake::Mean as usize }>>(),
    ];
    for report in reports {
        assert!(!report.passed(), "{report}");
    }
}

/// A mechanism of the user's own that has the name of one of the prelude runs its own form.
mod other {
    use super::released;

    mod named {
        pub use skellam::prelude::Skellam as TwoSidedGeometric;
    }
    use named::TwoSidedGeometric;

    skellam::model! {
        model Shadowed {
            index docs, words;
            latent theta[d in docs, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(theta[d, v]);
            release y by TwoSidedGeometric;
        }
    }

    #[test]
    fn a_name_of_the_prelude_may_be_taken() {
        use skellam::prelude::{Cavi, Gibbs, GibbsForm, Progress};
        let data = released(TwoSidedGeometric::new(2.0).unwrap(), |cell| cell as i64 % 7 - 2);
        let model = Shadowed::new(&data).unwrap();
        let quiet = Gibbs {
            num_tune: 5,
            num_draws: 5,
            progress: Progress::Hidden,
            ..Gibbs::default()
        };
        assert_eq!(model.gibbs(&quiet).unwrap().num_draws(), 5);
        assert!(
            model
                .cavi(&Cavi {
                    progress: Progress::Hidden,
                    ..Cavi::default()
                })
                .is_ok()
        );
        let augmented = Gibbs {
            form: GibbsForm::Augmented,
            ..quiet
        };
        let error = model.gibbs(&augmented).unwrap_err().to_string();
        assert!(error.contains("Skellam") && error.contains("collapsed"), "{error}");
    }
}

/// Noise of a known level: its steps are the collapsed form.
mod known {
    use super::*;
    use skellam::view::SummedOutCell;

    skellam::model! {
        /// Topics of documents, released with Skellam noise.
        pub model Links {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
            latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by Skellam;
        }
    }

    #[test]
    fn the_steps_of_the_file_are_those_of_the_library() {
        let laws = [0.01, 0.7, 300.0].map(|lambda| Skellam::new(lambda).unwrap());
        let mut number = 0;
        for channel in laws {
            for rate in [1e-9, 0.3, 4.0, 900.0] {
                for c in [-70, -1, 0, 1, 5, 300] {
                    number += 1;
                    let rng = || Xoshiro256PlusPlus::seed_from_u64(number);
                    let drawn = LinksCell::draw(c, rate, channel.lambda(), &mut rng());
                    assert_eq!(drawn, channel.impute(rate, c, &mut rng()), "{channel:?}, {rate}, {c}");
                    let slope = LinksCell::ascend(c, rate, channel.lambda());
                    assert_eq!(slope, channel.slope(rate, c), "{channel:?}, {rate}, {c}");
                }
            }
        }
    }

    mod counted {
        use super::*;
        use std::cell::Cell;

        thread_local!(pub static STEPS: Cell<[usize; 2]> = const { Cell::new([0; 2]) });

        /// The steps of the file, counted.
        pub struct Counted;

        impl SummedOutCell<Skellam> for Counted {
            fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64 {
                let [draws, ascents] = STEPS.get();
                STEPS.set([draws + 1, ascents]);
                LinksCell::draw(c, mu, lambda, rng)
            }

            fn ascend(c: i64, rho: f64, lambda: f64) -> f64 {
                let [draws, ascents] = STEPS.get();
                STEPS.set([draws, ascents + 1]);
                LinksCell::ascend(c, rho, lambda)
            }
        }
    }

    /// One step for each cell and sweep, and one for each cell and iteration.
    #[test]
    fn both_engines_run_the_steps_of_the_file() {
        use skellam::private::{CountData, Declared, Origin, SeenAs, SeenByCell as _};
        let data = released(Skellam::new(0.4).unwrap(), |cell| cell as i64 % 7 - 2);
        let seen: std::sync::Arc<dyn CountData> = SeenAs::<Skellam, Skellam>::new(&data).by(counted::Counted);
        let mut declared = Declared::<LinksModel>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
        declared.given().set_size(2, 3);
        let model = declared.bind(FormKind::Collapsed).unwrap();
        skellam::infer::pool(1).unwrap().install(|| {
            let mut chain = Chain::new(&model, 1, 0);
            let [before, _] = counted::STEPS.get();
            (0..4).for_each(|_| chain.advance());
            assert_eq!(counted::STEPS.get()[0] - before, 4 * 30);
            let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
            let [_, before] = counted::STEPS.get();
            (0..4).for_each(|_| {
                ascent.iterate(0.0, false);
            });
            assert_eq!(counted::STEPS.get()[1] - before, 4 * 30);
        });
    }

    /// The smaller side by the Bessel law of the next order is noticed in a draw, and in an expectation.
    #[test]
    fn the_self_test_sees_a_wrong_step() {
        use skellam::private::{
            Declared, FormKind, Given, Model, Named, Setting, Spec, Testable, TestedByCell as _, TestedMechanism,
        };

        struct NextOrder<const DRAWS: bool>;

        impl<const DRAWS: bool> SummedOutCell<Skellam> for NextOrder<DRAWS> {
            fn draw<R: skellam::private::Rng + ?Sized>(c: i64, mu: f64, lambda: f64, rng: &mut R) -> u64 {
                if !DRAWS {
                    return LinksCell::draw(c, mu, lambda, rng);
                }
                let z = 2.0 * (lambda * (lambda + mu)).sqrt();
                let m = skellam::private::bessel(c.unsigned_abs() + 1, z, rng);
                skellam::private::binomial(m + skellam::private::above(c), mu / (lambda + mu), rng)
            }

            fn ascend(c: i64, rho: f64, lambda: f64) -> f64 {
                if DRAWS {
                    return LinksCell::ascend(c, rho, lambda);
                }
                let s = lambda + rho;
                let mean_m = skellam::private::bessel_mean(c.unsigned_abs() + 1, 2.0 * (lambda * s).sqrt());
                (mean_m + skellam::private::above(c) as f64) / s
            }
        }

        struct Wrong<const DRAWS: bool>;

        impl<const DRAWS: bool> Testable for Wrong<DRAWS> {
            const SPEC: &'static Spec = <Links as Testable>::SPEC;

            fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
                vec![Named::<Skellam, Skellam>::NAME.by(NextOrder::<DRAWS>)]
            }

            fn assemble(setting: &Setting, form: FormKind, layout: Option<usize>) -> Result<Box<dyn Model>, Error> {
                let given = Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
                Ok(Box::new(Declared::<LinksModel>::from(given).bind_with(form, layout)?))
            }
        }

        let quick = || SelfTest {
            stop_at_failure: true,
            ..SelfTest::default()
        };
        let [drawn, expected] = [quick().run::<Wrong<true>>(), quick().run::<Wrong<false>>()];
        assert!(!drawn.passed(), "{drawn}");
        assert!(!expected.passed(), "{expected}");
    }

    mod named {
        pub use skellam::prelude::TwoSidedGeometric as Skellam;
    }

    /// The law of one kind under the name of the other runs its own forms, the augmented one among them.
    mod other {
        use super::super::released;
        use super::named::Skellam;

        skellam::model! {
            model Shadowed {
                index docs, words;
                latent theta[d in docs, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
                count y[d in docs, v in words] ~ Poisson(theta[d, v]);
                release y by Skellam;
            }
        }

        #[test]
        fn a_name_of_the_prelude_may_be_taken() {
            use skellam::prelude::{Gibbs, GibbsForm, Progress};
            let data = released(Skellam::new(0.5).unwrap(), |cell| cell as i64 % 7 - 2);
            for form in [GibbsForm::Collapsed, GibbsForm::Augmented] {
                let quiet = Gibbs {
                    num_tune: 5,
                    num_draws: 5,
                    progress: Progress::Hidden,
                    form,
                    ..Gibbs::default()
                };
                assert_eq!(Shadowed::new(&data).unwrap().gibbs(&quiet).unwrap().num_draws(), 5);
            }
        }
    }
}
