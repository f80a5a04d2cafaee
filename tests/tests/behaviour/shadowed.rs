//! A macro sees the name of a law and not its type: a mechanism that has the name of one of the prelude, and is another, runs its own form.

use skellam::channel::Channel;
use skellam::prelude::*;
use skellam::private::view::GeometricSteps;

fn released<M: Channel<Value = i64>>(law: M) -> Released<M> {
    let values = (0..30).map(|cell| cell % 7 - 2).collect();
    Released::assert_mechanism(vec![6, 5], values, law.into()).unwrap()
}

fn quiet(form: GibbsForm) -> Gibbs {
    Gibbs {
        num_tune: 5,
        num_draws: 5,
        progress: Progress::Hidden,
        form,
        ..Gibbs::default()
    }
}

mod known_for_geometric {
    use super::*;

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
    fn there_is_no_augmented_form() {
        let data = released(TwoSidedGeometric::new(2.0).unwrap());
        let model = Shadowed::new(&data).unwrap();
        assert_eq!(model.gibbs(&quiet(GibbsForm::Collapsed)).unwrap().num_draws(), 5);
        let hidden = Cavi {
            progress: Progress::Hidden,
            ..Cavi::default()
        };
        assert!(model.cavi(&hidden).is_ok());
        let error = model.gibbs(&quiet(GibbsForm::Augmented)).unwrap_err().to_string();
        assert!(error.contains("Skellam") && error.contains("collapsed"), "{error}");
    }

    /// Nor are steps printed that do not run.
    #[test]
    fn the_channel_says_what_is_drawn() {
        let said = Shadowed::derivation().to_string();
        assert!(said.contains("by `impute` of the channel Skellam"), "{said}");
        assert!(!said.contains("truncated Poisson"), "{said}");
    }
}

mod geometric_for_known {
    use super::*;

    mod named {
        pub use skellam::prelude::TwoSidedGeometric as Skellam;
    }
    use named::Skellam;

    skellam::model! {
        model Shadowed {
            index docs, words;
            latent theta[d in docs, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(theta[d, v]);
            release y by Skellam;
        }
    }

    #[test]
    fn there_is_an_augmented_form() {
        let data = released(Skellam::new(0.5).unwrap());
        for form in [GibbsForm::Collapsed, GibbsForm::Augmented] {
            assert_eq!(
                Shadowed::new(&data).unwrap().gibbs(&quiet(form)).unwrap().num_draws(),
                5
            );
        }
    }
}

skellam::model! {
    model Topics {
        index docs, words;
        latent theta[d in docs, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(theta[d, v]);
        release y by TwoSidedGeometric;
    }
}

/// Where noise is so little that `ρ/α` overflows, the count is what was released: the formula itself would say that its mean is next to nothing.
#[test]
fn as_good_as_no_noise_leaves_what_was_released() {
    use skellam::private::view::GeometricCell;
    let channel = TwoSidedGeometric::new(1e-308).unwrap();
    let (collapsed, _) = GeometricSteps::of::<TopicsCell>().forms();
    for c in [1, 70] {
        let mut slope = [0.0];
        (collapsed.steps.slopes)(&channel, &[1e10], &[c], &mut [()], &mut slope);
        assert_eq!(slope, [c as f64 / 1e10]);
        assert!(TopicsCell::ascend(c, 1e10, channel.alpha()) < 1e-300);
    }
}
