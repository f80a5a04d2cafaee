//! What the engines make of custom updates, and what those get wrong.

use super::*;
use skellam::error::RunError;

/// A user's own update in the place of a conditional.
pub struct Own<U>(pub U);

impl<U: Update + Send> Change for Own<U> {
    fn update(&self) -> Option<&dyn Update> {
        Some(&self.0)
    }
}

/// An update that gives `value` at entry 4 of gamma latents, and at the first of every simplex if `value` is
/// NaN.
struct Broken(f64);

impl Update for Broken {
    fn draw(&self, _: &[f64], _: &[f64], x: &mut [f64], _: &mut Stream) {
        x.fill(1.0);
        x[4] = self.0;
    }

    fn ascend(&self, shape: &mut [f64], _: &mut [f64]) {
        shape[4] = self.0;
    }
}

/// An update of simplices that forgets to normalise.
struct Unnormalised;

impl Update for Unnormalised {
    fn draw_simplex(&self, _: &[f64], x: &mut [f64], _: &mut Stream) {
        x.fill(1.0);
    }

    fn ascend_simplex(&self, concentration: &mut [f64]) {
        concentration[2] = f64::NAN;
    }
}

/// The conjugate updates by default.
struct Conjugate;

impl Update for Conjugate {}

#[test]
fn what_an_own_update_gets_wrong_ends_the_run() {
    let settings = Cavi {
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    for value in [f64::NAN, 0.0, -1.0, f64::INFINITY] {
        let model = updated_by(Kind::default(), FormKind::Collapsed, Broken(value));
        let errors = [
            gibbs(&model, &quick(GibbsForm::Collapsed), |_, _| {})
                .map(|_| ())
                .unwrap_err(),
            cavi(&model, &settings, |_, _| {}).map(|_| ()).unwrap_err(),
        ];
        for error in errors {
            let Error::Run(RunError::CustomUpdate {
                latent: "theta",
                entry: 4,
                value: found,
            }) = error
            else {
                panic!("{error}")
            };
            assert_eq!(found.to_bits(), value.to_bits());
            assert!(error.to_string().contains("the update of `theta` gave"), "{error}");
        }
    }
    let kind = Kind {
        simplex: true,
        ..Kind::default()
    };
    let model = updated_by(kind, FormKind::Collapsed, Unnormalised);
    let error = gibbs(&model, &quick(GibbsForm::Collapsed), |_, _| {})
        .map(|_| ())
        .unwrap_err();
    assert!(
        matches!(
            error,
            Error::Run(RunError::CustomSimplex {
                latent: "phi",
                line: 0,
                sum: 9.0
            })
        ),
        "{error}"
    );
    let error = cavi(&model, &settings, |_, _| {}).map(|_| ()).unwrap_err();
    assert!(
        matches!(
            error,
            Error::Run(RunError::CustomUpdate {
                latent: "phi",
                entry: 6,
                ..
            })
        ),
        "{error}"
    );
}

/// The defaults of a custom update are the conjugate ones: the same fits bit for bit, the same draws up to the
/// rounding of logarithms.
#[test]
fn an_own_update_is_conjugate_by_default() {
    for simplex in [false, true] {
        let kind = Kind {
            simplex,
            ..Kind::default()
        };
        let plain = &*model(kind, FormKind::Collapsed);
        let own: &dyn Model = &updated_by(kind, FormKind::Collapsed, Conjugate);
        let draws = |model: &dyn Model| {
            let mut chain = Chain::new(model, 7, 0);
            chain.sweep();
            chain.values().clone()
        };
        let (a, b) = (draws(plain), draws(own));
        for (a, b) in a.iter().flatten().zip(b.iter().flatten()) {
            assert!((a - b).abs() <= 1e-12 * a.abs(), "{a} {b}");
        }
        let means = |model: &dyn Model| {
            let mut ascent = Ascent::new(model, CaviForm::Collapsed, CaviStart::Dispersed, 7, 0);
            (0..5).for_each(|_| _ = ascent.iterate(0.0, false));
            ascent.means().clone()
        };
        assert_eq!(means(plain), means(own));
    }
}
