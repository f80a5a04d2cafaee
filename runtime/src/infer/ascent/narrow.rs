//! What a variational posterior does not know that it does not know.

use crate::diagnose::Doubt;
use crate::infer::settings::CaviForm;

use super::Ascent;

/// By how much the logarithms of rates are raised to see how many counts follow.
const RAISED: f64 = 1e-3;

impl Ascent<'_> {
    /// How much of the level the noise hides, as a doubt whose factor may be small; `None` where no latent has one, and in other forms than the collapsed one.
    pub(in crate::infer) fn narrow(&mut self) -> Option<Doubt> {
        let with_level = (0..self.latents.len()).filter(|&latent| self.has_level(latent));
        let informed = with_level.map(|latent| {
            let prior = self.model.prior(latent, &self.mean);
            let entries = 0..self.posterior.shape[latent].len();
            entries.map(|entry| prior.shape()[entry]).sum()
        });
        let informed = informed.fold(f64::INFINITY, f64::min);
        if self.form != CaviForm::Collapsed || informed.is_infinite() {
            return None;
        }
        let (counts, raised) = (self.expected_counts(0.0), self.expected_counts(RAISED));
        let (mut all, mut missing) = (0.0, 0.0);
        for (n, raised) in counts.iter().zip(raised).filter(|(n, _)| **n > 0.0) {
            all += n;
            missing += n * ((raised / n).ln() / RAISED).clamp(0.0, 1.0);
        }
        (all > 0.0).then(|| Doubt::Narrow {
            missing: missing / all,
            factor: ((informed + all) / (informed + all - missing)).sqrt(),
        })
    }

    /// The expected true counts of all visited cells of each count, at `e^u` times the geometric means of the rates.
    fn expected_counts(&mut self, u: f64) -> Vec<f64> {
        self.set_used(0.0);
        self.model.set_rates(&self.used, &mut self.geometric);
        self.geometric
            .iter_mut()
            .for_each(|count_rate| count_rate.raise(u.exp()));
        // Lines of a known total are what they were: their rates are shares.
        let tables = self.model.bound();
        // Where they cannot be found at these rates, they are those of before.
        let _ = tables.expect_tables(&self.geometric, &mut self.auxiliary);
        let counts = self.geometric.iter_mut().zip(&mut self.auxiliary);
        let of_views = self
            .model
            .views()
            .into_iter()
            .zip(counts)
            // With a known total there is no level that noise could hide.
            .filter(|(view, _)| view.has_level())
            .map(|(view, (count_rate, auxiliary))| count_rate.expected_total(view, auxiliary));
        of_views.collect()
    }
}
