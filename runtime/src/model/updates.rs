//! What generated updates read, and what they hand over.

use crate::family::{Custom as CustomUpdate, Family, Update};
use crate::view::CellWeights;

use super::{Complete, Lines, Part, Reading, Slice, State};

impl<'a> State<'a> {
    /// The weights of the cells of every count, in the order of the declaration; then those of table counts, which weigh nothing before they are drawn.
    pub fn weights(&self) -> Vec<CellWeights<'a>> {
        let mut all = self.bound.cell_weights(true);
        let shapes = self.bound.shapes.iter().enumerate();
        all.extend(shapes.map(|(number, shape)| match self.drawn.get(number) {
            Some(drawn) => drawn.cell_weights(true),
            None => shape.undrawn.same_weights(0.0),
        }));
        all
    }
}

impl State<'_> {
    /// What is known, and the present values of the latents; their means in an iteration of coordinate ascent.
    pub fn reading(&self) -> Reading<'_> {
        self.bound.reading(self.x)
    }

    /// What is known, and the counts on the entries of the latents.
    pub fn counted(&self) -> Reading<'_> {
        self.bound.reading(self.counts)
    }

    /// Draws the cells of a count, divides them over the terms of its rate, and adds the parts to the counts on the latents.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent.
    pub fn allocate_cells(&mut self, count: usize) {
        assert!(!self.is_ascent(), "an iteration expects counts, and draws none");
        self.hand_down_cells(count);
    }

    /// Takes the means of the cells of a count and divides these: [`Self::allocate_cells`] in an iteration of coordinate ascent.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling.
    pub fn expect_cells(&mut self, count: usize) {
        assert!(self.is_ascent(), "a sweep draws counts, and expects none");
        self.hand_down_cells(count);
    }

    fn hand_down_cells(&mut self, count: usize) {
        self.step.allocate(count, self.x, self.count_rates, self.counts);
    }

    /// Draws a latent from its complete conditional, whose parameters are `law`.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent.
    pub fn draw(&mut self, latent: usize, law: [Vec<f64>; 2]) {
        assert!(!self.is_ascent(), "an iteration ascends, and draws nothing");
        self.hand_over_law(latent, None, law);
    }

    /// Draws a latent by a custom update from such a conditional.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent.
    pub fn draw_by(&mut self, latent: usize, update: &dyn Update, law: [Vec<f64>; 2]) {
        assert!(!self.is_ascent(), "an iteration ascends, and draws nothing");
        self.hand_over_law(latent, Some(update), law);
    }

    /// Makes the conditional with these parameters the posterior of a latent.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling.
    pub fn ascend(&mut self, latent: usize, law: [Vec<f64>; 2]) {
        assert!(self.is_ascent(), "a sweep draws, and does not ascend");
        self.hand_over_law(latent, None, law);
    }

    /// Makes what a custom update makes of such a conditional the posterior of a latent.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling.
    pub fn ascend_by(&mut self, latent: usize, update: &dyn Update, law: [Vec<f64>; 2]) {
        assert!(self.is_ascent(), "a sweep draws, and does not ascend");
        self.hand_over_law(latent, Some(update), law);
    }

    /// Draws the entries of a latent some of whose indices have these values, `(0, i)` for `i` at the first one, given all others. `law` has
    /// their parameters in the order of the entries.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent.
    pub fn draw_at(&mut self, latent: usize, at: &[(usize, usize)], law: [Vec<f64>; 2]) {
        assert!(!self.is_ascent(), "an iteration ascends, and draws nothing");
        self.hand_over_line(latent, at, None, law);
    }

    /// Draws such entries by a custom update.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent.
    pub fn draw_at_by(&mut self, latent: usize, at: &[(usize, usize)], update: &dyn Update, law: [Vec<f64>; 2]) {
        assert!(!self.is_ascent(), "an iteration ascends, and draws nothing");
        self.hand_over_line(latent, at, Some(update), law);
    }

    /// Makes the conditional with these parameters the posterior of such entries.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling.
    pub fn ascend_at(&mut self, latent: usize, at: &[(usize, usize)], law: [Vec<f64>; 2]) {
        assert!(self.is_ascent(), "a sweep draws, and does not ascend");
        self.hand_over_line(latent, at, None, law);
    }

    /// Makes what a custom update makes of such a conditional the posterior of such entries.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling.
    pub fn ascend_at_by(&mut self, latent: usize, at: &[(usize, usize)], update: &dyn Update, law: [Vec<f64>; 2]) {
        assert!(self.is_ascent(), "a sweep draws, and does not ascend");
        self.hand_over_line(latent, at, Some(update), law);
    }

    fn hand_over_line(
        &mut self,
        latent: usize,
        at: &[(usize, usize)],
        update: Option<&dyn Update>,
        law: [Vec<f64>; 2],
    ) {
        if !self.step.wants(latent) {
            return;
        }
        let of = &self.bound.latents[latent];
        let own = custom(of.family, update);
        let family = own.as_ref().map_or(of.family as &dyn Family, |own| own);
        if !self.step.starts_at_prior() {
            let law = self.bound.parameters_of(latent, law);
            return self.hand_over_entries(latent, at, family, &law);
        }
        if self.bound.is_in_own_prior(latent) {
            // Its prior is that of earlier times, which have their values now.
            let law = self.bound.prior(latent, self.x).at(&entries_at(&of.shape, at));
            return self.hand_over_entries(latent, at, family, &law);
        }
        // The prior of a line does not depend on the other ones: with the first line, all start.
        if at.iter().all(|(_, value)| *value == 0) {
            let prior = self.bound.prior(latent, self.x);
            for at in lines_like(&of.shape, at) {
                self.hand_over_entries(latent, &at, family, &prior.at(&entries_at(&of.shape, &at)));
            }
        }
    }

    /// Hands the entries some of whose indices have these values to the engine.
    fn hand_over_entries(&mut self, latent: usize, at: &[(usize, usize)], family: &dyn Family, law: &[Vec<f64>; 2]) {
        let of = &self.bound.latents[latent];
        let entries = entries_at(&of.shape, at);
        let slice = Slice {
            number: at
                .iter()
                .fold(0, |number, &(axis, value)| number * of.shape[axis] + value),
            entries: &entries,
        };
        let part = Part {
            latent,
            slice: Some(slice),
        };
        let mut x: Vec<f64> = entries.iter().map(|&entry| self.x[latent][entry]).collect();
        let parameters = law.each_ref().map(|of| &of[..]);
        let complete = Complete {
            family,
            ..Complete::new(part, of.family, parameters, Lines::apart(entries.len()))
        };
        self.step.update(&complete, &mut x);
        self.put(latent, &entries, &x);
    }

    /// Gives some entries of a latent these values, and rates too.
    fn put(&mut self, latent: usize, entries: &[usize], x: &[f64]) {
        for (&entry, x) in entries.iter().zip(x) {
            self.x[latent][entry] = *x;
        }
        for rate in &mut *self.count_rates {
            rate.set_entries(latent, entries, x);
        }
    }

    fn hand_over_law(&mut self, latent: usize, update: Option<&dyn Update>, law: [Vec<f64>; 2]) {
        if !self.step.wants(latent) {
            return;
        }
        let of = &self.bound.latents[latent];
        let law = match self.step.starts_at_prior() {
            true => self.bound.prior(latent, self.x).parameters,
            false => self.bound.parameters_of(latent, law),
        };
        let own = custom(of.family, update);
        let family = own.as_ref().map_or(of.family as &dyn Family, |own| own);
        let parameters = law.each_ref().map(|of| &of[..]);
        let complete = Complete {
            family,
            ..Complete::new(Part::all(latent), of.family, parameters, Lines::of(&of.shape, of.along))
        };
        self.step.update(&complete, &mut self.x[latent]);
        self.take(latent);
    }

    /// Rates take the values of a latent.
    fn take(&mut self, latent: usize) {
        for rate in &mut *self.count_rates {
            rate.set_latent(latent, &self.x[latent]);
        }
    }
}

/// A family whose draws are those of a custom update, if there is one.
fn custom<'u>(family: &'static dyn Family, update: Option<&'u dyn Update>) -> Option<CustomUpdate<'u>> {
    update.map(|update| CustomUpdate { family, update })
}

/// All values of the indices that `at` names, in the order of the entries.
fn lines_like(shape: &[usize], at: &[(usize, usize)]) -> Vec<Vec<(usize, usize)>> {
    at.iter().fold(vec![Vec::new()], |lines, &(axis, _)| {
        let longer = |line: &Vec<(usize, usize)>| -> Vec<Vec<(usize, usize)>> {
            let values = 0..shape[axis];
            values.map(|value| [&line[..], &[(axis, value)]].concat()).collect()
        };
        lines.iter().flat_map(longer).collect()
    })
}

/// The entries of an array of `shape` some of whose indices have values, ascending.
pub(super) fn entries_at(shape: &[usize], at: &[(usize, usize)]) -> Vec<usize> {
    let mut entries = vec![0];
    for (axis, &size) in shape.iter().enumerate() {
        let value = at.iter().find(|(fixed, _)| *fixed == axis);
        let values = value.map_or(0..size, |(_, value)| *value..value + 1);
        let longer = entries
            .iter()
            .flat_map(|entry| values.clone().map(move |value| entry * size + value));
        entries = longer.collect();
    }
    entries
}
