//! An iteration of coordinate ascent: means of counts at their cells and on the terms of their rates, then posteriors of latents.

use crate::infer::custom::Fault;
use crate::infer::posteriors::Posteriors;
use crate::infer::settings::CaviForm;
use crate::model::{Complete, CountPart, Factors, Model, Root, Step};
use crate::view::Auxiliary;

/// Means of the cells at `used`, and posteriors.
pub(super) struct Expecting<'a> {
    pub model: &'a dyn Model,
    pub form: CaviForm,
    pub posterior: &'a mut Posteriors,
    /// What latents are in the rates by which counts are divided: geometric means.
    pub used: &'a Factors,
    /// Operands there.
    pub geometric: &'a mut [Root],
    /// For the published form, operands at second moments and at squared means.
    pub moments: &'a [[Root; 2]],
    pub auxiliary: &'a mut [Auxiliary],
    /// Whether the bound is computed.
    pub score: bool,
    /// What the counts add to it.
    pub added: Vec<CountPart>,
}

impl Expecting<'_> {
    /// The mean of every cell of a count: handed down to `counts` by generated functions, else as seeds of its root. `roots` are those at the
    /// means of the latents.
    pub fn pass(&mut self, count: usize, roots: &mut [Root], counts: &mut Factors) {
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
        let (root, auxiliary) = (&mut self.geometric[count], &mut self.auxiliary[count]);
        if self.form == CaviForm::Published {
            let [second, squared] = &self.moments[count];
            return root.publish(view, [&roots[count], second, squared], auxiliary, counts);
        }
        self.added[count].geometric = root.expect(view, auxiliary, self.score, counts);
        if self.score {
            self.added[count].mean = roots[count].level(view);
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

    fn allocate(&mut self, count: usize, _: &Factors, roots: &mut [Root], counts: &mut Factors) {
        self.pass(count, roots, counts);
        if count + 1 < roots.len() {
            return;
        }
        self.model.adjoint(self.used, self.geometric, counts);
        if self.model.bound().is_emitted() {
            // Generated functions have added counts.
            return;
        }
        // An expected count is the entry times the derivative with respect to it.
        for (n, used) in counts.iter_mut().zip(self.used.iter()) {
            n.iter_mut().zip(used).for_each(|(n, x)| *n *= x);
        }
    }

    fn update(&mut self, of: &Complete<'_>, x: &mut [f64]) {
        self.posterior.update(of, x);
    }
}
