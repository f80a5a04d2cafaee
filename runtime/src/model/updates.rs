//! What generated updates read, and what they hand over.

use crate::family::{Custom as CustomUpdate, Family, Update};
use crate::view::CellWeights;

use super::shape::LEAST;
use super::{Complete, Lines, Part, Reading, Slice, Slices, State};

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
        self.step.allocate(count, self.x, self.roots, self.counts);
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
        let is_in_time = self.bound.is_in_own_prior(latent);
        if self.step.starts_at_prior() && !is_in_time {
            if at.iter().all(|(_, value)| *value == 0) {
                self.start_lines(latent, at, family);
            }
            return;
        }
        let entries = entries_at(&of.shape, at);
        let number = (at.iter()).fold(0, |number, &(axis, value)| number * of.shape[axis] + value);
        let mut x: Vec<f64> = entries.iter().map(|&entry| self.x[latent][entry]).collect();
        let [mut first, second] = law;
        if self.bound.learned(latent).is_some() {
            first.iter_mut().for_each(|shape| *shape = shape.max(LEAST));
        }
        if self.step.starts_at_prior() {
            let (prior, nothing) = (self.bound.prior(latent, self.x).pick(&entries), vec![0.0; x.len()]);
            let complete = Complete {
                part: Part {
                    latent,
                    slice: Some(Slice {
                        number,
                        entries: &entries,
                    }),
                },
                family,
                ..Complete::new(Part::all(latent), &prior, &nothing, &nothing)
            };
            self.step.update(&complete, &mut x);
            return self.put(latent, &entries, &x);
        }
        let complete = Complete {
            part: Part {
                latent,
                slice: Some(Slice {
                    number,
                    entries: &entries,
                }),
            },
            family,
            ..Complete::given(latent, of.family, [&first, &second], Lines::apart(entries.len()))
        };
        self.step.update(&complete, &mut x);
        self.put(latent, &entries, &x);
    }

    /// Gives some entries of a latent these values, and rates too.
    fn put(&mut self, latent: usize, entries: &[usize], x: &[f64]) {
        for (&entry, x) in entries.iter().zip(x) {
            self.x[latent][entry] = *x;
        }
        for formed in self.roots.iter_mut().filter_map(|root| root.formed.as_deref_mut()) {
            formed.set_entries(latent, entries, x);
        }
    }

    /// Starts all lines at the prior, one after another: the prior of one does not depend on the others.
    fn start_lines(&mut self, latent: usize, at: &[(usize, usize)], family: &dyn Family) {
        let axes: Vec<usize> = at.iter().map(|(axis, _)| *axis).collect();
        let (prior, nothing) = (self.bound.prior(latent, self.x), vec![0.0; self.x[latent].len()]);
        let complete = Complete {
            family,
            ..Complete::new(Part::all(latent), &prior, &nothing, &nothing)
        };
        for line in Slices::new(&self.bound.latents[latent].shape, &axes).iter() {
            line.update(self.step, &complete, &mut self.x[latent]);
        }
        self.take(latent);
    }

    fn hand_over_law(&mut self, latent: usize, update: Option<&dyn Update>, [mut first, mut second]: [Vec<f64>; 2]) {
        if !self.step.wants(latent) {
            return;
        }
        let of = &self.bound.latents[latent];
        // A family with one parameter has one in the place of the other.
        second.resize(first.len(), 1.0);
        if self.bound.learned(latent).is_some() {
            first.iter_mut().for_each(|shape| *shape = shape.max(LEAST));
        }
        let own = custom(of.family, update);
        let family = own.as_ref().map_or(of.family as &dyn Family, |own| own);
        if self.step.starts_at_prior() {
            let (prior, nothing) = (self.bound.prior(latent, self.x), vec![0.0; first.len()]);
            let complete = Complete {
                family,
                ..Complete::new(Part::all(latent), &prior, &nothing, &nothing)
            };
            self.step.update(&complete, &mut self.x[latent]);
        } else {
            let lines = Lines::of(&of.shape, of.along);
            let complete = Complete {
                family,
                ..Complete::given(latent, of.family, [&first, &second], lines)
            };
            self.step.update(&complete, &mut self.x[latent]);
        }
        self.take(latent);
    }

    /// Rates take the values of a latent.
    fn take(&mut self, latent: usize) {
        for formed in self.roots.iter_mut().filter_map(|root| root.formed.as_deref_mut()) {
            formed.set_latent(latent, &self.x[latent]);
        }
    }
}

/// A family whose draws are those of a custom update, if there is one.
fn custom<'u>(family: &'static dyn Family, update: Option<&'u dyn Update>) -> Option<CustomUpdate<'u>> {
    update.map(|update| CustomUpdate { family, update })
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
