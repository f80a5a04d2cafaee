//! The complete conditional that a coordinate update is put together from.

use std::sync::Arc;

use super::part::{Asked, Formula, Role};
use super::shape::Tables;
use super::state::{State, add, place};
use super::tree::Seeds;
use super::{Complete, OneSlice, Part, Prior, Slices};
use crate::family::{Custom as CustomUpdate, Family, Update};
use crate::streams::Streams;

/// The complete conditional of one latent, part by part as the derivation has it. Each formula is computed as it is written: by the walks over the tree of a
/// rate if they compute it, else by plain loops.
pub struct Conditional<'s, 'a> {
    state: &'s mut State<'a>,
    latent: usize,
    /// Its prior.
    prior: &'static str,
    /// Positions of the indices whose values are taken one after another.
    sequence: &'static [usize],
    /// Position of the index whose values are taken in turns, and how many turns there are.
    turns: Option<[usize; 2]>,
    /// Position of the index whose values are drawn from the first to the last, each given those before.
    forwards: Option<usize>,
    /// Ways through the trees, by count.
    allocations: Vec<(usize, usize)>,
    exposures: Exposures,
    /// Prior shapes of children, which are added to the counts.
    shapes: Vec<Asked>,
}

/// What is added to the rate.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Exposures {
    /// Ways through the trees, by count.
    pub ways: Vec<(usize, usize)>,
    /// Children, whose values are exposure.
    pub values: Vec<usize>,
    /// What plain loops compute.
    pub others: Vec<Asked>,
}

/// A parameter of a prior, as its statement has it.
fn parameter(latent: usize, prior: &'static str, number: usize) -> Asked {
    Asked {
        latent,
        own: prior,
        role: Role::Parameter(number),
        text: prior,
    }
}

impl Exposures {
    /// But what a count, or table counts, say.
    fn without(&self, count: usize) -> Self {
        Self {
            ways: self.ways.iter().copied().filter(|(of, _)| *of != count).collect(),
            values: self.values.clone(),
            others: self
                .others
                .iter()
                .copied()
                .filter(|asked| !asked.is_exposure_from(count))
                .collect(),
        }
    }

    /// How many formulas say what a count, or table counts, do.
    fn number_from(&self, count: usize) -> usize {
        let walked = self.ways.iter().filter(|(of, _)| *of == count).count();
        walked + self.others.iter().filter(|asked| asked.is_exposure_from(count)).count()
    }
}

impl<'s, 'a> Conditional<'s, 'a> {
    /// The prior of a latent, to which nothing has been added.
    pub(super) fn new(state: &'s mut State<'a>, latent: usize, prior: &'static str) -> Self {
        Self {
            state,
            latent,
            prior,
            sequence: &[],
            turns: None,
            forwards: None,
            allocations: Vec::new(),
            exposures: Exposures::default(),
            shapes: Vec::new(),
        }
    }
}

impl Conditional<'_, '_> {
    /// Entries that differ in the indices at these positions meet in a term of a rate: they are updated one value after another, at
    /// the present values of the others.
    pub fn one_by_one(mut self, positions: &'static [usize]) -> Self {
        self.sequence = positions;
        self
    }

    /// The latent is in the rate of its own prior, where its entries meet. Entries whose indices at `position` differ by a multiple of `number` do not
    /// meet: they are updated at once, at the present values of the others.
    pub fn by_turns(mut self, position: usize, number: usize) -> Self {
        self.turns = Some([position, number]);
        self
    }

    /// The latent is in its own shape, at an earlier value of the index at `position`: its values are drawn from the first to the last.
    pub fn forwards(mut self, position: usize) -> Self {
        self.forwards = Some(position);
        self
    }

    /// Adds the allocations of term number `term` of a count, such as `"Σ_v y[d,v,k]"`.
    ///
    /// # Panics
    ///
    /// If the formula is not the counts that are handed down to the latent.
    pub fn allocation(mut self, count: usize, term: usize, formula: &'static str) -> Self {
        let (_, found) = self.asked(Role::Allocation { count, term }, formula);
        // Of two ways that say the same each is one part.
        let new = found
            .ways
            .iter()
            .find(|&&way| !self.allocations.contains(&(count, way)));
        let Some(&way) = new else {
            panic!("`{}`: `{formula}` is added twice", self.prior)
        };
        self.allocations.push((count, way));
        self
    }

    /// Adds the exposure from term number `term` of a count, such as `"Σ_v w[d,v] φ[k,v]"`.
    pub fn exposure(mut self, count: usize, term: usize, formula: &'static str) -> Self {
        let (asked, formula) = self.asked(Role::Exposure { count, term }, formula);
        let ways = &mut self.exposures.ways;
        let mut walked = formula.ways.iter().filter(|_| !self.state.step.is_by_loops());
        match walked.find(|&&way| !ways.contains(&(count, way))) {
            Some(&way) => ways.push((count, way)),
            None => self.exposures.others.push(asked),
        }
        self
    }

    /// Adds the shapes of a latent whose prior rate this one is in, such as `"Σ_k a"`.
    pub fn shapes(mut self, child: usize, formula: &'static str) -> Self {
        let (asked, _) = self.asked(Role::Shapes(child), formula);
        self.shapes.push(asked);
        self
    }

    /// Adds the exposure from a latent whose prior rate this one is in, such as `"Σ_k θ[d,k]"`.
    pub fn values(mut self, child: usize, formula: &'static str) -> Self {
        let (asked, formula) = self.asked(Role::Values(child), formula);
        match formula.is_declared && !self.state.step.is_by_loops() {
            true => self.exposures.values.push(child),
            false => self.exposures.others.push(asked),
        }
        self
    }

    fn asked(&self, role: Role, text: &'static str) -> (Asked, Arc<Formula>) {
        let asked = Asked {
            latent: self.latent,
            own: self.prior,
            role,
            text,
        };
        let formula = self.state.bound.formula(asked);
        assert!(
            !formula.has_means || self.state.is_ascent(),
            "`{}`: `{text}` has means in a sweep",
            self.prior
        );
        (asked, formula)
    }

    /// Draws the latent from the conditional: its family, with the parameters of the prior and everything that was added.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent, as everything below.
    pub fn draw(self) {
        self.assert_in(false);
        self.hand_over(None);
    }

    /// Draws the latent by a custom update.
    pub fn draw_by(self, update: &dyn Update) {
        self.assert_in(false);
        self.hand_over(Some(update));
    }

    /// Makes the conditional, with means for what it is given, the posterior of the latent.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling, as below.
    pub fn ascend(self) {
        self.assert_in(true);
        self.hand_over(None);
    }

    /// Makes the posterior of the latent by a custom update.
    pub fn ascend_by(self, update: &dyn Update) {
        self.assert_in(true);
        self.hand_over(Some(update));
    }

    fn assert_in(&self, ascent: bool) {
        assert_eq!(
            self.state.is_ascent(),
            ascent,
            "`{}`: a sweep draws, an iteration ascends",
            self.prior
        );
    }

    fn hand_over(self, update: Option<&dyn Update>) {
        let ways = self.ways();
        let prior_of = self.prior_of();
        let Self {
            state,
            latent,
            sequence,
            turns,
            forwards,
            mut exposures,
            shapes,
            ..
        } = self;
        if !state.step.wants(latent) {
            return;
        }
        exposures.ways.sort_unstable();
        let has_own = exposures.values.contains(&latent);
        if turns.is_some() {
            // What the entries say of each other changes with them.
            exposures.values.retain(|&child| child != latent);
        }
        let prior = prior_of(state);
        let in_turn = |&(count, way): &(usize, usize)| !sequence.is_empty() && state.bound.walks[count].repeats(way);
        let (in_turn, at_once): (Vec<_>, Vec<_>) = exposures.ways.into_iter().partition(in_turn);
        // What loops compute is computed at every slice.
        let (looped, others) = match (sequence, turns) {
            ([], None) => (Vec::new(), exposures.others),
            _ => (exposures.others, Vec::new()),
        };
        let constant = Exposures {
            ways: at_once,
            values: exposures.values,
            others,
        };
        let known = state.bound.learned(latent).and_then(|shape| {
            let own = state.bound.views.len() + shape;
            let tables = state.tables[shape].as_mut();
            // What its own table counts add was computed by walks.
            let is_walked = !constant.others.iter().any(|asked| asked.is_exposure_from(own));
            tables.filter(|tables| is_walked && tables.given == constant)
        });
        let mut exposure = match known {
            Some(tables) => std::mem::take(&mut tables.exposure),
            None => state.exposure(latent, &constant),
        };
        let mut counts = state.counted_on(latent);
        for asked in shapes {
            state.add_shapes(asked, counts.to_mut());
        }
        let counts = &counts[..];
        let own = update.map(|update| CustomUpdate {
            family: prior.family,
            update,
        });
        let family = own.as_ref().map_or(prior.family as &dyn Family, |own| own);
        if let Some([position, number]) = turns {
            for slice in OneSlice::turns(&state.bound.latents[latent].shape, position, number) {
                let (prior, mut exposure) = (prior_of(state), exposure.clone());
                if has_own {
                    state.bound.add_values(latent, latent, state.x, &mut exposure);
                }
                for &asked in &looped {
                    add(&state.loops(asked), &mut exposure);
                }
                let complete = Complete {
                    family,
                    ..Complete::new(Part::all(latent), &prior, counts, &exposure)
                };
                slice.update(state.step, &complete, &mut state.x[latent]);
            }
            return state.changed(&ways, false);
        }
        if let Some(position) = forwards {
            for slice in Slices::new(&state.bound.latents[latent].shape, &[position]).iter() {
                // The shape is that of the values before, which have just been drawn.
                let prior = prior_of(state);
                let complete = Complete {
                    family,
                    ..Complete::new(Part::all(latent), &prior, counts, &exposure)
                };
                slice.update(state.step, &complete, &mut state.x[latent]);
            }
            return state.changed(&ways, false);
        }
        if sequence.is_empty() {
            let complete = Complete {
                family,
                ..Complete::new(Part::all(latent), &prior, counts, &exposure)
            };
            state.step.update(&complete, &mut state.x[latent]);
            return state.changed(&ways, false);
        }
        let constant = exposure.clone();
        let mut seeds = vec![Seeds::default(); in_turn.len()];
        for slice in Slices::new(&state.bound.latents[latent].shape, sequence).iter() {
            for &entry in &slice.entries {
                exposure[entry] = constant[entry];
            }
            for (&(count, way), seeds) in in_turn.iter().zip(&mut seeds) {
                let (walks, view, root) = place(state.bound, state.roots, &mut state.tables, count);
                let (at, arrays) = ([sequence, &slice.at[..]], state.bound.arrays());
                walks.exposure_at(way, at, state.x, arrays, root, view, seeds, &mut exposure);
            }
            for &asked in &looped {
                let more = state.loops(asked);
                for &entry in &slice.entries {
                    exposure[entry] += more[entry];
                }
            }
            let complete = Complete {
                family,
                ..Complete::new(Part::all(latent), &prior, counts, &exposure)
            };
            slice.update(state.step, &complete, &mut state.x[latent]);
            state.changed_at(&ways, sequence, &slice);
        }
        state.changed(&ways, true);
    }

    /// The prior as a function of the values of its parents.
    fn prior_of(&self) -> impl Fn(&State<'_>) -> Prior + use<> {
        let (latent, text) = (self.latent, self.prior);
        move |state| {
            let (bound, at) = (state.bound, (&*state.x, &*state.step));
            let law = bound.law(latent, text);
            let parameter = |number: usize| match number < law.parameters {
                true => {
                    let role = Role::Parameter(number);
                    let own = text;
                    bound.parameter(
                        Asked {
                            latent,
                            own,
                            role,
                            text,
                        },
                        at,
                    )
                }
                false => bound.declared_parameter(latent, number, state.x),
            };
            Prior {
                family: law.family,
                parameters: [0, 1].map(parameter),
                lines: law.lines,
            }
        }
    }

    /// Draws the table counts of a shape, numbered `count` after the counts, with the latent integrated out, from the counts and exposures that
    /// were added.
    pub fn tables(self, count: usize) {
        self.draw_tables(count, None);
    }

    /// The same for a latent that is in its own shape, at an earlier value of the index at `position`: drawn from the last value of the index to the
    /// first, each given the table counts after it.
    pub fn tables_backwards(self, count: usize, position: usize) {
        self.draw_tables(count, Some(position));
    }

    fn draw_tables(self, count: usize, backwards: Option<usize>) {
        // Counts are handed down along all of them, and the shape is the rate of a walk.
        self.ways();
        let shape = self.state.bound.formula(parameter(self.latent, self.prior, 0));
        assert!(
            shape.is_declared,
            "`{}`: table counts are those of the declared shape",
            self.prior
        );
        let prior_of = self.prior_of();
        let Self {
            state,
            latent,
            prior,
            mut exposures,
            ..
        } = self;
        exposures.ways.sort_unstable();
        let (bound, shape) = (state.bound, count - state.bound.views.len());
        let mut own = exposures.others.iter().filter(|asked| asked.is_exposure_from(count));
        let is_declared = own.all(|asked| bound.formula(*asked).is_declared)
            && exposures.number_from(count) == bound.walks[count].uses(latent).len();
        assert!(
            is_declared,
            "`{prior}`: the exposure from later table counts is that of the declared shape"
        );
        // What its own table counts say of a latent is not there yet.
        let exposure = state.exposure(latent, &exposures.without(count));
        let counts = state.counted_on(latent);
        let [_, rate] = prior_of(state).parameters;
        // What draws nothing asks for a conditional given any table counts.
        let streams = state.step.streams().unwrap_or(Streams::new(0, 0));
        let Some(tabled) = &mut state.tabled else {
            unreachable!("a model that learns a shape has table counts")
        };
        let given = (&counts[..], exposure);
        let tables = match backwards {
            None => bound.tables(shape, state.x, given, &rate, tabled, &streams),
            Some(position) => bound.tables_backwards((shape, position), state.x, given, &rate, tabled, &streams),
        };
        state.tables[shape] = Some(Tables {
            given: exposures,
            ..tables
        });
    }

    /// The ways of the latent through the tree of each count.
    ///
    /// # Panics
    ///
    /// If counts were handed down along one that is not part of the conditional.
    fn ways(&self) -> Vec<Vec<usize>> {
        let walks = self.state.bound.walks.iter().enumerate();
        let ways = walks.map(|(count, walks)| {
            let ways = walks.uses(self.latent);
            let added = self.allocations.iter().filter(|(of, _)| *of == count).count();
            assert_eq!(added, ways.len(), "`{}`: allocations that are handed down", self.prior);
            ways
        });
        ways.collect()
    }
}
