//! Chains of latents in time that go on beyond the data.

use crate::diagnose::Doubt;
use crate::model::Lines;

use super::Ascent;

impl Ascent<'_> {
    /// The first latent that follows from earlier times and has no observations at the last of them.
    pub(in crate::infer) fn beyond(&mut self) -> Option<Doubt> {
        (0..self.latents.len()).find_map(|latent| self.beyond_of(latent))
    }

    fn beyond_of(&mut self, latent: usize) -> Option<Doubt> {
        let bound = self.model.bound();
        let spec = bound.spec();
        let axis = spec.chain(latent).filter(|_| !self.posterior.is_frozen(latent))?;
        let mut count = None;
        let mut exposure = vec![0.0; self.mean[latent].len()];
        for number in 0..self.count_rates.len() {
            if spec.uses(number, latent) {
                // Of a known total the rates are shares, at all times.
                bound.view(number).has_level().then_some(())?;
                count.get_or_insert(bound.view(number).name());
                bound.add_exposure(number, latent, &self.mean, &mut exposure);
            }
        }
        // What is held out may be taken off a sum.
        let least = 1e-12 * exposure.iter().copied().fold(0.0, f64::max);
        let lines = Lines::new(&self.latents[latent].shape, axis);
        let at_end =
            |line| (lines.entries(line)).fold(0, |times, entry| if exposure[entry] > least { 0 } else { times + 1 });
        let times = (0..lines.number()).map(at_end).max().filter(|times| *times > 0)?;
        Some(Doubt::Beyond {
            latent: self.latents[latent].name,
            count: count?,
            times,
        })
    }
}
