//! Laws of which nothing is kept: all but the count is summed out, and there is no other form.

use super::*;
use skellam::private::{CountData, Declared, Origin, SeenAs, SeenByCell as _};
use skellam::view::SummedOutCell;

/// What both engines make of the same model by some steps of a cell: where a chain is, and the bounds of an ascent.
fn run<D: skellam::infer::Declaration>(seen: std::sync::Arc<dyn CountData>) -> (u64, String) {
    let mut declared = Declared::<D>::with_data(Origin::new("here", 0, 0), vec![seen]).unwrap();
    declared.given().set_size(2, 3);
    let model = declared.bind(FormKind::Collapsed).unwrap();
    skellam::infer::pool(1).unwrap().install(|| {
        let mut chain = Chain::new(&model, 1, 0);
        (0..4).for_each(|_| chain.advance());
        let mut ascent = Ascent::new(&model, CaviForm::Collapsed, CaviStart::Dispersed, 1, 0);
        let bounds = (0..4).map(|_| ascent.iterate(0.0, true));
        (chain.ln_joint().to_bits(), format!("{:?}", bounds.collect::<Vec<_>>()))
    })
}

/// A model whose counts are observed by a law, its steps against the library's, and steps with a mistake.
macro_rules! observed_by {
    (
        $module:ident, $Law:ident,
        laws: $laws:expr, observations: $observations:expr, released: $value:expr,
        mistaken draw: $draw:expr, mistaken mean: $mean:expr
    ) => {
        mod $module {
            use super::*;
            use skellam::view::WrittenLaw;

            skellam::model! {
                /// Topics of documents, observed by this law.
                pub model Seen {
                    index docs, words, topics;
                    latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
                    latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
                    count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                    release y by $Law;
                }
            }

            type Value = <$Law as Channel>::Value;
            type Noise = <$Law as WrittenLaw>::Noise;

            #[test]
            fn the_steps_of_the_file_are_those_of_the_library() {
                let mut number = 0;
                for channel in $laws {
                    for rate in [1e-9, 0.3, 4.0, 70.0, 900.0] {
                        for c in $observations {
                            number += 1;
                            let rng = || Xoshiro256PlusPlus::seed_from_u64(number);
                            let drawn = SeenCell::draw(c, rate, channel.noise(), &mut rng());
                            assert_eq!(
                                drawn,
                                channel.impute(rate, c, &mut rng()),
                                "{channel:?}, {rate}, {c}"
                            );
                            let slope = SeenCell::ascend(c, rate, channel.noise());
                            let of_library = channel.slope(rate, c);
                            assert!(
                                (slope - of_library).abs() <= 1e-12 * of_library,
                                "{channel:?}, {rate}, {c}: {slope} and {of_library}"
                            );
                        }
                    }
                }
            }

            /// With one mistake in a draw, or in an expectation.
            pub struct Altered<const DRAWS: bool>;

            impl<const DRAWS: bool> SummedOutCell<$Law> for Altered<DRAWS> {
                fn draw<R: skellam::private::Rng + ?Sized>(c: Value, mu: f64, noise: Noise, rng: &mut R) -> u64 {
                    if !DRAWS {
                        return SeenCell::draw(c, mu, noise, rng);
                    }
                    let draw: fn(Value, f64, Noise, &mut Xoshiro256PlusPlus) -> u64 = $draw;
                    draw(
                        c,
                        mu,
                        noise,
                        &mut Xoshiro256PlusPlus::seed_from_u64(rng.next_u64()),
                    )
                }

                fn ascend(c: Value, rho: f64, noise: Noise) -> f64 {
                    let mean: fn(Value, f64, Noise) -> f64 = $mean;
                    if DRAWS {
                        SeenCell::ascend(c, rho, noise)
                    } else {
                        mean(c, rho, noise)
                    }
                }
            }

            struct Wrong<const DRAWS: bool>;

            impl<const DRAWS: bool> skellam::private::Testable for Wrong<DRAWS> {
                const SPEC: &'static skellam::private::Spec = <Seen as skellam::private::Testable>::SPEC;

                fn mechanisms() -> Vec<Box<dyn skellam::private::TestedMechanism>> {
                    use skellam::private::TestedByCell as _;
                    vec![skellam::private::Named::<$Law, $Law>::NAME.by(Altered::<DRAWS>)]
                }

                fn assemble(
                    setting: &skellam::private::Setting,
                    form: FormKind,
                    layout: Option<usize>,
                ) -> Result<Box<dyn skellam::private::Model>, Error> {
                    let given = skellam::private::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
                    Ok(Box::new(
                        Declared::<SeenModel>::from(given).bind_with(form, layout)?,
                    ))
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
                let law = $laws.into_iter().next().unwrap();
                let data = released(law, $value);
                let seen = || SeenAs::<$Law, $Law>::new(&data);
                let (drawn, bounds) = run::<SeenModel>(seen().by(SeenCell));
                assert_eq!((drawn, bounds.clone()), run::<SeenModel>(seen().by(SeenCell)));
                assert_ne!(drawn, run::<SeenModel>(seen().by(Altered::<true>)).0);
                assert_ne!(bounds, run::<SeenModel>(seen().by(Altered::<false>)).1);
                // Where the law of the release is another than the steps are for, its own form is run.
                let other = SeenAs::<Exact, $Law>::new(&data);
                assert_eq!(drawn, run::<SeenModel>(other.by(Altered::<true>)).0);
            }
        }
    };
}

observed_by!(
    truncated, TruncatedGeometric,
    laws: [0.5, 0.05, 0.97].map(|alpha| TruncatedGeometric::new(alpha).unwrap()),
    observations: [0, 1, 5, 300],
    released: |cell| cell as i64 % 4,
    mistaken draw: |c, mu, alpha, rng| skellam::private::SplicedPoisson::new(mu / alpha, c, mu).draw(rng),
    mistaken mean: |c, rho, alpha| {
        let q = skellam::private::SplicedPoisson::new(rho / alpha, c, rho * alpha).sides();
        q.below / alpha + q.from
    }
);

observed_by!(
    laplace, Laplace,
    laws: [2.0, 0.3, 40.0].map(|scale| Laplace::new(scale, 2).unwrap()),
    observations: [-70.25, -0.5, 0.0, 0.25, 0.75, 1.0, 5.5, 300.25],
    released: |cell| cell as f64 * 0.5 % 4.0 - 0.5,
    // As if the two laws met at the whole part of what was observed.
    mistaken draw: |c, mu, alpha, rng| {
        let high = mu * alpha;
        skellam::private::BrokenPoisson::new(mu / alpha, c.floor() as i64, high, high).draw(rng)
    },
    mistaken mean: |c, rho, alpha| {
        let ratio = rho * alpha.powf(1.0 - 2.0 * (c - c.floor()));
        let q = skellam::private::BrokenPoisson::new(rho / alpha, c.floor() as i64, ratio, rho * alpha).sides();
        q.below / alpha + alpha * q.at + alpha * q.above
    }
);

observed_by!(
    continuous, ContinuousLaplace,
    laws: [2.0, 0.3, 40.0, 1e6].map(|scale| ContinuousLaplace::new(scale).unwrap()),
    observations: [-70.1, -0.5, 0.0, 0.3, 0.999, 1.0, 5.5, 300.01],
    released: |cell| cell as f64 * 0.7 % 4.0 - 0.5,
    mistaken draw: |c, mu, alpha, rng| {
        let high = mu * alpha;
        skellam::private::BrokenPoisson::new(mu / alpha, c.floor() as i64, high, high).draw(rng)
    },
    mistaken mean: |c, rho, alpha| {
        let ratio = rho * alpha.powf(1.0 - 2.0 * (c - c.floor()));
        let q = skellam::private::BrokenPoisson::new(rho / alpha, c.floor() as i64, ratio, rho * alpha).sides();
        q.below / alpha + alpha * q.at + alpha * q.above
    }
);

observed_by!(
    at_least_one, AtLeastOne,
    laws: [AtLeastOne],
    observations: [false, true],
    released: |cell| cell % 3 != 0,
    // One exactly, and as if nothing had been seen.
    mistaken draw: |c, _, (), _| u64::from(c),
    mistaken mean: |c, _, ()| f64::from(u8::from(c))
);

/// As good as no noise: `ρ/α` leaves the range of doubles, and the channel's own slope takes the place of the line.
#[test]
fn where_numbers_overflow_the_library_steps_in() {
    let law = Laplace::new(1.0 / 699.0, 2).unwrap();
    let steps = skellam::view::Steps::<Laplace>::of::<laplace::SeenCell>();
    let (rates, values, mut slopes) = ([1e10, 1e10, 0.3], [7.0, 2.25, 2.0], [0.0; 3]);
    (steps.slopes)(&law, &rates, &values, &mut [(); 3], &mut slopes);
    for (slope, (rate, c)) in slopes.iter().zip(rates.iter().zip(values)) {
        let right = law.slope(*rate, c);
        assert!((slope / right - 1.0).abs() < 1e-12, "{rate}, {c}: {slope} and {right}");
    }
}

/// At the ends of what a channel must bear: rates from 1e-300 to 1e12, observations of any size, noise of next to no width and of a great one.
#[test]
fn the_steps_are_those_of_the_library_at_the_ends() {
    let mut number = 0;
    for scale in [1.0 / 700.0, 0.01, 1.0, 1e6, 1e9] {
        let law = ContinuousLaplace::new(scale).unwrap();
        let steps = skellam::view::Steps::<ContinuousLaplace>::of::<continuous::SeenCell>();
        for rate in [1e-300, 1e-20, 1.0, 1e6, 1e12] {
            for c in [-1e300, -1.0, -0.0, 0.0, 1e-3, 0.5, 2.25, 1e6 + 0.5, 2147483647.0] {
                number += 1;
                let mut slope = [0.0];
                (steps.slopes)(&law, &[rate], &[c], &mut [()], &mut slope);
                let right = law.slope(rate, c);
                let off = (slope[0] / right - 1.0).abs();
                assert!(off < 1e-9, "{scale}, {rate}, {c}: {} and {right}", slope[0]);
                let rng = || Xoshiro256PlusPlus::seed_from_u64(number);
                let drawn = continuous::SeenCell::draw(c, rate, law.alpha(), &mut rng());
                assert_eq!(drawn, law.impute(rate, c, &mut rng()), "{scale}, {rate}, {c}");
            }
        }
    }
}

/// Beside a count that has a published step, the means of these cells are taken at the mean rate, by the same lines.
#[test]
fn the_published_form_runs_the_lines_too() {
    let law = Laplace::new(2.0, 2).unwrap();
    let steps = skellam::view::Steps::<Laplace>::of::<laplace::SeenCell>();
    let rate = RateMoments {
        mean: 3.0,
        variance: 0.5,
    };
    let mut means = [0.0];
    (steps.publish)(&law, &[rate], &[2.25], &mut [()], &mut means);
    assert_eq!(means[0], 3.0 * laplace::SeenCell::ascend(2.25, 3.0, law.alpha()));
    let other = skellam::view::Steps::<Laplace>::of::<laplace::Altered<false>>();
    (other.publish)(&law, &[rate], &[2.25], &mut [()], &mut means);
    assert_ne!(means[0], 3.0 * laplace::SeenCell::ascend(2.25, 3.0, law.alpha()));
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
