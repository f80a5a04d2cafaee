//! The families of the library obey their laws, and a family with one wrong method does not.

use super::*;

#[test]
fn the_families_obey_their_laws() {
    for known in FAMILIES {
        let rows = family(known);
        assert!(rows.iter().all(|row| row.passed), "{rows:#?}");
    }
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Wrong {
    Draw,
    Mean,
    Geometric,
    Variance,
    Surprise,
    Normaliser,
    Divergence,
    Distribution,
    Invalid,
    Around,
    Start,
    Level,
    Alarm,
    Place,
}

#[derive(Debug)]
struct Mutant(&'static dyn Family, Wrong);

impl Family for Mutant {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn parameters(&self) -> &'static [&'static str] {
        self.0.parameters()
    }

    fn has_lines(&self) -> bool {
        self.0.has_lines()
    }

    fn invalid(&self, line: &[f64]) -> Option<skellam::model::family::Invalid> {
        self.0.invalid(line).filter(|_| self.1 != Wrong::Invalid)
    }

    fn draw(&self, [one, other]: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream) {
        if self.1 == Wrong::Draw {
            one[0] *= 1.06;
        }
        self.0.draw([one, other], size, x, rng);
    }

    fn moments(&self, parameters: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]) {
        self.0.moments(parameters, size, mean, geometric);
        mean[0] *= if self.1 == Wrong::Mean { 1.05 } else { 1.0 };
        geometric[0] *= if self.1 == Wrong::Geometric { 1.05 } else { 1.0 };
    }

    fn variance(&self, parameters: [&[f64]; 2], size: usize, into: &mut [f64]) {
        self.0.variance(parameters, size, into);
        into[0] *= if self.1 == Wrong::Variance { 1.15 } else { 1.0 };
    }

    fn overflow(&self, parameters: [&[f64]; 2]) -> Option<(usize, f64)> {
        match (self.1, self.0.overflow(parameters)) {
            (Wrong::Alarm, None) => Some((0, 1.0)),
            (Wrong::Place, Some((at, mean))) => Some((at + 1, mean)),
            (_, found) => found,
        }
    }

    fn around(&self, mean: &[f64], size: usize, [one, other]: [&mut [f64]; 2], geometric: &mut [f64]) {
        self.0.around(mean, size, [&mut *one, &mut *other], geometric);
        geometric[0] *= if self.1 == Wrong::Around { 1.05 } else { 1.0 };
        if self.1 == Wrong::Start {
            one[0] *= 40.0;
            self.moments([one, other], size, &mut mean.to_vec(), geometric);
        }
    }

    fn level(&self) -> usize {
        match self.1 {
            // The parameter that says nothing, or one that there is not.
            Wrong::Level if self.0.has_lines() => 1,
            Wrong::Level => 2,
            _ => self.0.level(),
        }
    }

    fn divergence(&self, posterior: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        let right = self.0.divergence(posterior, prior);
        if self.1 == Wrong::Divergence {
            1.1 * right
        } else {
            right
        }
    }

    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        let more = match self.1 {
            Wrong::Surprise => 0.05 * x[0] * x[0] * prior.mean[0][0],
            Wrong::Normaliser => 0.5 * prior.mean[0][0].ln(),
            _ => 0.0,
        };
        self.0.surprise(x, prior) + more
    }

    fn distribution(&self, parameters: [&[f64]; 2], i: usize, x: f64) -> f64 {
        let more = if self.1 == Wrong::Distribution { 0.9 } else { 1.0 };
        self.0.distribution(parameters, i, more * x)
    }
}

#[test]
fn every_wrong_method_is_seen() {
    for of in FAMILIES {
        for (wrong, law) in [
            (Wrong::Draw, "draws"),
            (Wrong::Mean, "moments"),
            (Wrong::Geometric, "moments"),
            (Wrong::Variance, "moments"),
            (Wrong::Surprise, "conjugacy"),
            (Wrong::Normaliser, "density"),
            (Wrong::Divergence, "divergence"),
            (Wrong::Distribution, "draws"),
            (Wrong::Invalid, "valid"),
            (Wrong::Around, "around"),
            (Wrong::Start, "start"),
            (Wrong::Level, "level"),
            (Wrong::Alarm, "overflow"),
        ] {
            let rows = family(&Mutant(of, wrong));
            let failed: Vec<&str> = rows.iter().filter(|row| !row.passed).map(|row| &*row.of).collect();
            assert!(
                failed.iter().any(|row| row.ends_with(law)),
                "{}: {wrong:?} fails {failed:?}",
                of.name()
            );
        }
    }
}

/// Among the families of the library only the gamma has means that leave the range of doubles.
#[test]
fn a_wrong_place_of_an_overflow_is_seen() {
    let rows = family(&Mutant(&skellam::model::family::Gamma, Wrong::Place));
    let failed: Vec<&str> = rows.iter().filter(|row| !row.passed).map(|row| &*row.of).collect();
    assert_eq!(failed, ["Gamma, overflow"]);
}
