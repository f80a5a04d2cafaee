//! The moments that a derivation prints are those that run.

use skellam_formula::{Expr, Moments, Part, Quantity};

use super::{Dirichlet, Family, Gamma};
use crate::special::value::Bindings;

fn both() -> [(&'static dyn Family, Moments); 2] {
    [(&Gamma, Moments::gamma()), (&Dirichlet, Moments::dirichlet())]
}

const SIZE: usize = 3;
/// Parameters of two lines of three entries.
const FIRST: [f64; 6] = [0.3, 2.0, 11.0, 0.05, 0.7, 40.0];
const SECOND: [f64; 6] = [1.0, 0.2, 5.0, 3.0, 1.0, 0.5];

/// The largest relative distance of mean, geometric mean and second moment of every entry from the formulas.
fn off(family: &dyn Family, said: &Moments) -> f64 {
    let parameters = [&FIRST[..], &SECOND[..]];
    let [mut mean, mut geometric, mut variance] = [[0.0; 6]; 3];
    family.moments(parameters, SIZE, &mut mean, &mut geometric);
    family.variance(parameters, SIZE, &mut variance);
    let mut worst = 0.0f64;
    for entry in 0..FIRST.len() {
        let line = entry / SIZE * SIZE;
        let values = Bindings::default()
            .with(Quantity::First, FIRST[entry])
            .with(Quantity::FirstInAll, FIRST[line..line + SIZE].iter().sum())
            .with(Quantity::Second, SECOND[entry]);
        let second = variance[entry] + mean[entry] * mean[entry];
        for (runs, formula) in [
            (mean[entry], &said.mean),
            (geometric[entry], &said.geometric),
            (second, &said.second),
        ] {
            let right = values.of(formula, Part::Plus);
            worst = worst.max(((runs - right) / right).abs());
        }
    }
    worst
}

#[test]
fn what_is_printed_of_moments_is_what_runs() {
    for (family, said) in both() {
        let worst = off(family, &said);
        assert!(worst < 1e-12, "{}: {worst:e}", family.name());
    }
}

/// A mean over the rate of another family, a geometric mean that is the mean, a variance for a second moment.
#[test]
fn other_moments_are_seen() {
    for (family, said) in both() {
        let variance = said.second.clone() - said.mean.clone().square();
        for wrong in [
            Moments {
                mean: said.mean.clone() + Expr::from(1),
                ..said.clone()
            },
            Moments {
                geometric: said.mean.clone(),
                ..said.clone()
            },
            Moments {
                second: variance,
                ..said.clone()
            },
        ] {
            let worst = off(family, &wrong);
            assert!(worst > 1e-3, "{}: {worst:e}", family.name());
        }
    }
}
