//! The families of the library obey the laws of `skellam_check::family`, and a family with one wrong method does not.

use skellam::math::streams::Stream;
use skellam::model::family::{FAMILIES, Family, Invalid, Reference};
use skellam_check::family;

fn failed(of: &dyn Family) -> Vec<String> {
    let rows = family(of).into_iter().filter(|row| !row.passed);
    rows.map(|row| row.of).collect()
}

#[test]
fn the_families_obey_their_laws() {
    for known in FAMILIES {
        assert_eq!(failed(known), [""; 0]);
    }
}

/// A family with one thing wrong, by its name.
#[derive(Debug)]
struct Mutant(&'static dyn Family, &'static str);

impl Mutant {
    /// `wrong` if that is what is wrong, else `right`.
    fn if_wrong<T>(&self, what: &str, wrong: T, right: T) -> T {
        if self.1 == what { wrong } else { right }
    }
}

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

    fn invalid(&self, line: &[f64]) -> Option<Invalid> {
        self.0.invalid(line).filter(|_| self.1 != "invalid")
    }

    fn draw(&self, [one, other]: [&mut [f64]; 2], size: usize, x: &mut [f64], rng: &mut Stream) {
        one[0] *= self.if_wrong("draw", 1.06, 1.0);
        self.0.draw([one, other], size, x, rng);
    }

    fn moments(&self, parameters: [&[f64]; 2], size: usize, mean: &mut [f64], geometric: &mut [f64]) {
        self.0.moments(parameters, size, mean, geometric);
        mean[0] *= self.if_wrong("mean", 1.05, 1.0);
        geometric[0] *= self.if_wrong("geometric mean", 1.05, 1.0);
    }

    fn variance(&self, parameters: [&[f64]; 2], size: usize, into: &mut [f64]) {
        self.0.variance(parameters, size, into);
        into[0] *= self.if_wrong("variance", 1.15, 1.0);
    }

    fn overflow(&self, parameters: [&[f64]; 2]) -> Option<(usize, f64)> {
        match (self.1, self.0.overflow(parameters)) {
            ("alarm", None) => Some((0, 1.0)),
            ("place of an overflow", Some((at, mean))) => Some((at + 1, mean)),
            (_, found) => found,
        }
    }

    fn around(&self, mean: &[f64], size: usize, [one, other]: [&mut [f64]; 2], geometric: &mut [f64]) {
        self.0.around(mean, size, [&mut *one, &mut *other], geometric);
        geometric[0] *= self.if_wrong("around", 1.05, 1.0);
        if self.1 == "start" {
            one[0] *= 40.0;
            self.moments([one, other], size, &mut mean.to_vec(), geometric);
        }
    }

    fn level(&self) -> usize {
        // The parameter that says nothing, or one that there is not.
        let wrong = if self.0.has_lines() { 1 } else { 2 };
        self.if_wrong("level", wrong, self.0.level())
    }

    fn divergence(&self, posterior: [&[f64]; 2], prior: Reference<'_>) -> f64 {
        self.if_wrong("divergence", 1.1, 1.0) * self.0.divergence(posterior, prior)
    }

    fn surprise(&self, x: &[f64], prior: Reference<'_>) -> f64 {
        let first = prior.mean[0][0];
        let more = self.if_wrong("surprise", 0.05 * x[0] * x[0] * first, 0.0);
        self.0.surprise(x, prior) + more + self.if_wrong("normaliser", 0.5 * first.ln(), 0.0)
    }

    fn distribution(&self, parameters: [&[f64]; 2], i: usize, x: f64) -> f64 {
        let more = self.if_wrong("distribution", 0.9, 1.0);
        self.0.distribution(parameters, i, more * x)
    }
}

#[test]
fn every_wrong_method_is_seen() {
    for of in FAMILIES {
        for (wrong, law) in [
            ("draw", "draws"),
            ("mean", "moments"),
            ("geometric mean", "moments"),
            ("variance", "moments"),
            ("surprise", "conjugacy"),
            ("normaliser", "density"),
            ("divergence", "divergence"),
            ("distribution", "draws"),
            ("invalid", "valid"),
            ("around", "around"),
            ("start", "start"),
            ("level", "level"),
            ("alarm", "overflow"),
        ] {
            let failed = failed(&Mutant(of, wrong));
            let is_seen = failed.iter().any(|row| row.ends_with(law));
            assert!(is_seen, "{}: {wrong} fails {failed:?}", of.name());
        }
    }
}

/// Among the families of the library only the gamma has means that leave the range of doubles.
#[test]
fn a_wrong_place_of_an_overflow_is_seen() {
    let wrong = Mutant(&skellam::model::family::Gamma, "place of an overflow");
    assert_eq!(failed(&wrong), ["Gamma, overflow"]);
}
