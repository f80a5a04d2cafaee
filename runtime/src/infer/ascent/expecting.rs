//! An iteration of coordinate ascent: means of counts at their cells and on the terms of their rates, then posteriors of latents.

use crate::infer::custom::Fault;
use crate::infer::posteriors::Posteriors;
use crate::infer::settings::CaviForm;
use crate::model::{Complete, CountPart, CountRate, Factors, Model, Step};
use crate::view::Auxiliary;

/// Means of the cells, and posteriors.
pub(super) struct Expecting<'a> {
    pub model: &'a dyn Model,
    pub form: CaviForm,
    pub posterior: &'a mut Posteriors,
    /// The rates by which counts are divided: those at geometric means.
    pub geometric: &'a mut [CountRate],
    /// For the published form, the rates at second moments and at squared means.
    pub moments: &'a [[CountRate; 2]],
    pub auxiliary: &'a mut [Auxiliary],
    /// Whether the bound is computed.
    pub score: bool,
    /// What the counts add to it.
    pub added: Vec<CountPart>,
}

impl Expecting<'_> {
    /// The mean of every cell of a count, handed down to `counts`. `count_rates` are those at the means of the latents.
    pub fn pass(&mut self, count: usize, count_rates: &mut [CountRate], counts: &mut Factors) {
        if count == 0 {
            counts.fill(0.0);
        }
        let bound = self.model.bound();
        let view = bound.view(count);
        if self.form != CaviForm::Published && count == 0 {
            match bound.expect_tables(self.geometric, self.auxiliary) {
                Ok(lines) => lines.into_iter().for_each(|(count, ln)| self.added[count].lines = ln),
                Err(total) => {
                    self.posterior.fault.get_or_insert(Fault::Total(total));
                    self.added[count].lines = f64::NAN;
                }
            }
        }
        let (count_rate, auxiliary) = (&mut self.geometric[count], &mut self.auxiliary[count]);
        if self.form == CaviForm::Published {
            let [second, squared] = &self.moments[count];
            return count_rate.publish(view, [&count_rates[count], second, squared], auxiliary, counts);
        }
        self.added[count].geometric = count_rate.expect(view, auxiliary, self.score, counts);
        if self.score {
            self.added[count].mean = count_rates[count].weighed_sum(view);
        }
    }
}

impl Step for Expecting<'_> {
    fn is_ascent(&self) -> bool {
        self.posterior.is_ascent()
    }

    fn wants(&self, latent: usize) -> bool {
        self.posterior.wants(latent)
    }

    fn allocate(&mut self, count: usize, _: &Factors, count_rates: &mut [CountRate], counts: &mut Factors) {
        self.pass(count, count_rates, counts);
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        self.posterior.update(of, x);
    }
}
