//! What a variational run asks of a family before it starts and where it must end, held against the moments.

use super::{FamilyLaw, OneLine, WorstOfLaws};

/// By which factor, here 3, the mean of a start may differ from the one that was asked for, its logarithm: a start says as much as one count does, so that a
/// family with bounds cannot have every mean.
pub(super) const LN_FACTOR: f64 = 1.098_612_288_668_109_8;
/// A mean that moves by less stays as it is.
const MOVES: f64 = 1e-6;

impl OneLine<'_> {
    /// Parameters around a mean, and the parameter that is shaken so that entries differ.
    pub(super) fn starts(&self, here: &[Vec<f64>; 2], mean: &[f64], found: &mut WorstOfLaws) {
        let (family, size) = (self.family, self.size());
        let (mut one, mut other, mut geometric) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        family.around(mean, size, [&mut one, &mut other], &mut geometric);
        let [of_start, geometric_of_start] = self.moments(&[one, other]);
        for i in 0..size {
            found.raise(FamilyLaw::Around, (geometric[i] / geometric_of_start[i] - 1.0).abs());
            found.raise(FamilyLaw::Start, (of_start[i] / mean[i]).ln().abs());
        }

        let mut shaken = here.clone();
        let stays = match shaken.get_mut(family.level()) {
            Some(parameter) => {
                parameter[0] *= 1.1;
                let [moved, _] = self.moments(&shaken);
                (moved[0] / mean[0] - 1.0).abs() < MOVES
            }
            None => true,
        };
        found.refuse(FamilyLaw::Level, stays);
    }

    /// A finite mean did not overflow; one that is not finite is reported at its own place.
    pub(super) fn ends(&self, here: &[Vec<f64>; 2], found: &mut WorstOfLaws) {
        let [one, other] = here;
        found.refuse(FamilyLaw::Overflow, self.family.overflow([one, other]).is_some());
        if self.family.has_lines() {
            return;
        }
        // Three lines, of which one has a mean that is too large for a double, or too small.
        for [first, second] in [[f64::MAX, f64::MIN_POSITIVE], [f64::MIN_POSITIVE, f64::MAX]] {
            let (one, other) = ([one[0], first, one[0]], [other[0], second, other[0]]);
            let told = self.family.overflow([&one, &other]);
            let wrong = told.is_some_and(|(at, mean)| at != 1 || mean.is_normal());
            found.refuse(FamilyLaw::Overflow, wrong);
        }
    }
}
