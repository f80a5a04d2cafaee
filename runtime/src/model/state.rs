//! What a coordinate update reads and writes, and the complete conditional that it builds.

use std::borrow::Cow;

use super::formula::Own;
use super::part::{Asked, Role};
use super::shape::Tables;
use super::tree::{Seeds, Walks};
use super::{Bound, Complete, Factors, OneSlice, Part, Prior, Root, Slices, Step};
use crate::family::{Family, Own as OwnUpdate, Update};
use crate::streams::Streams;
use crate::view::View;

/// The state of a sweep or an iteration while the latents are updated in turn.
pub struct State<'a> {
    bound: &'a Bound,
    x: &'a mut Factors,
    counts: Counts<'a>,
    roots: &'a mut [Root],
    step: &'a mut dyn Step,
    /// Table counts of the learned shapes, once they are drawn.
    tables: Vec<Option<Tables>>,
    /// The counts that these add to the latents in the shapes.
    tabled: Option<Factors>,
}

/// The counts on the entries of the latents.
enum Counts<'a> {
    /// Counts are still allocated.
    Open(&'a mut Factors),
    /// Latents are updated by them.
    Closed(&'a Factors),
}

impl<'a> Counts<'a> {
    fn close(self) -> &'a Factors {
        match self {
            Self::Open(counts) => counts,
            Self::Closed(counts) => counts,
        }
    }
}

/// The walks, cells and root of a count, or of a learned shape, whose number comes after the counts.
fn place<'s>(
    bound: &'s Bound,
    roots: &'s mut [Root],
    tables: &'s mut [Option<Tables>],
    count: usize,
) -> (&'s Walks, &'s View, &'s mut Root) {
    let walks = &bound.walks[count];
    match count.checked_sub(bound.views.len()) {
        None => (walks, bound.view(count), &mut roots[count]),
        Some(shape) => match &mut tables[shape] {
            Some(Tables { root, view, .. }) => (walks, view, root),
            None => panic!("table counts are drawn before what is in a shape"),
        },
    }
}

/// The complete conditional of one latent, part by part as the derivation has it. Each formula is computed as it is written: by the walks over the tree of a
/// rate if they compute it, else by plain loops.
pub struct Conditional<'s, 'a> {
    state: &'s mut State<'a>,
    latent: usize,
    own: Own,
    /// The parameters of the prior.
    prior: &'static [&'static str],
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
#[derive(Default)]
struct Exposures {
    /// Ways through the trees, by count.
    ways: Vec<(usize, usize)>,
    /// Children, whose values are exposure.
    values: Vec<usize>,
    /// What plain loops compute.
    others: Vec<Asked>,
}

impl<'a> State<'a> {
    /// The state before the first update. `counts` receives the counts on the factors, or holds them already.
    pub fn new(
        bound: &'a Bound,
        x: &'a mut Factors,
        counts: &'a mut Factors,
        roots: &'a mut [Root],
        step: &'a mut dyn Step,
    ) -> Self {
        roots.iter_mut().for_each(Root::forget_exposures);
        Self {
            bound,
            x,
            counts: Counts::Open(counts),
            roots,
            step,
            tables: bound.shapes.iter().map(|_| None).collect(),
            tabled: (!bound.shapes.is_empty()).then(|| Factors::zeros(&bound.latents)),
        }
    }

    /// The counts on the entries of a latent, those of tables among them.
    fn counted(&mut self, latent: usize) -> Cow<'a, [f64]> {
        let given = match &self.counts {
            Counts::Closed(counts) => *counts,
            Counts::Open(_) => {
                let nothing = Counts::Closed(const { &Factors::none() });
                let counts = std::mem::replace(&mut self.counts, nothing).close();
                self.counts = Counts::Closed(counts);
                counts
            }
        };
        match &self.tabled {
            None => Cow::Borrowed(&given[latent]),
            Some(tabled) => {
                let all = given[latent].iter().zip(&tabled[latent]);
                Cow::Owned(all.map(|(n, tables)| n + tables).collect())
            }
        }
    }

    /// Whether this is an iteration of coordinate ascent, and not a sweep of Gibbs sampling.
    pub fn is_ascent(&self) -> bool {
        self.step.is_ascent()
    }

    /// Draws the cells of a count and divides them over the terms of its rate, or takes their means. A cell is written `own`, such as `"y[d,v]"`. `shares` are
    /// the terms, such as `"Σ_k θ[d,k] φ[k,v]"`: a cell is divided in proportion to their summands.
    ///
    /// # Panics
    ///
    /// If `shares` are not the terms of its rate, or if a latent has been updated by the counts.
    pub fn allocate(&mut self, count: usize, own: &'static str, shares: &'static [&'static str]) {
        self.bound.assert_shares(count, Own(own), shares, self.is_ascent());
        match &mut self.counts {
            Counts::Open(counts) => self.step.allocate(count, self.x, self.roots, counts),
            Counts::Closed(_) => panic!("{own}: counts are allocated before latents are updated"),
        }
    }

    /// The complete conditional of a latent, which is its prior before anything is added. Formulas write the latent as `own`, such as `"θ[d,k]"`, and
    /// `prior` has one for each parameter, such as `["a", "b"]`.
    pub fn conditional(
        &mut self,
        latent: usize,
        own: &'static str,
        prior: &'static [&'static str],
    ) -> Conditional<'_, 'a> {
        Conditional {
            state: self,
            latent,
            own: Own(own),
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
        let ways = &self
            .state
            .bound
            .formula(self.asked(Role::Allocation { count, term }, formula))
            .ways;
        // Of two ways that say the same each is one part.
        let new = ways.iter().find(|&&way| !self.allocations.contains(&(count, way)));
        let Some(&way) = new else {
            panic!("{}: `{formula}` is added twice", self.own.0)
        };
        self.allocations.push((count, way));
        self
    }

    /// Adds the exposure from term number `term` of a count, such as `"Σ_v w[d,v] φ[k,v]"`.
    pub fn exposure(mut self, count: usize, term: usize, formula: &'static str) -> Self {
        let asked = self.asked(Role::Exposure { count, term }, formula);
        let formula = self.state.bound.formula(asked);
        let ways = &mut self.exposures.ways;
        match formula.ways.iter().find(|&&way| !ways.contains(&(count, way))) {
            Some(&way) => ways.push((count, way)),
            None => self.exposures.others.push(asked),
        }
        self
    }

    /// Adds the shapes of a latent whose prior rate this one is in, such as `"Σ_k a"`.
    pub fn shapes(mut self, child: usize, formula: &'static str) -> Self {
        self.shapes.push(self.asked(Role::Shapes(child), formula));
        self
    }

    /// Adds the exposure from a latent whose prior rate this one is in, such as `"Σ_k θ[d,k]"`.
    pub fn values(mut self, child: usize, formula: &'static str) -> Self {
        let asked = self.asked(Role::Values(child), formula);
        match self.state.bound.formula(asked).is_declared {
            true => self.exposures.values.push(child),
            false => self.exposures.others.push(asked),
        }
        self
    }

    fn asked(&self, role: Role, text: &'static str) -> Asked {
        let asked = Asked {
            latent: self.latent,
            own: self.own,
            role,
            text,
        };
        let has_means = self.state.bound.formula(asked).has_means;
        assert!(
            !has_means || self.state.is_ascent(),
            "{}: `{text}` has means in a sweep",
            self.own.0
        );
        asked
    }

    /// Hands the conditional to the engine: the parameters of the prior, of whatever family it is, and everything that was added.
    pub fn update(self) {
        self.hand_over(None);
    }

    /// Hands the conditional to a custom update.
    pub fn update_by(self, update: &dyn Update) {
        self.hand_over(Some(update));
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
        if turns.is_some() {
            // What the entries say of each other changes with them.
            exposures.values.retain(|&child| child != latent);
        }
        let prior = prior_of(state.bound, state.x);
        let in_turn = |&(count, way): &(usize, usize)| !sequence.is_empty() && state.bound.walks[count].repeats(way);
        let (in_turn, at_once): (Vec<_>, Vec<_>) = exposures.ways.into_iter().partition(in_turn);
        // What loops compute is computed at every slice.
        let (looped, others) = match sequence {
            [] => (Vec::new(), exposures.others),
            _ => (exposures.others, Vec::new()),
        };
        let constant = Exposures {
            ways: at_once,
            values: exposures.values,
            others,
        };
        let known = state
            .bound
            .learned(latent)
            .and_then(|shape| state.tables[shape].as_mut());
        let mut exposure = match known {
            Some(tables) => std::mem::take(&mut tables.exposure),
            None => state.exposure(latent, &constant),
        };
        let mut counts = state.counted(latent);
        for asked in shapes {
            state.add_shapes(asked, counts.to_mut());
        }
        let counts = &counts[..];
        let own = update.map(|update| OwnUpdate {
            family: prior.family,
            update,
        });
        let family = own.as_ref().map_or(prior.family as &dyn Family, |own| own);
        if let Some([position, number]) = turns {
            for slice in OneSlice::turns(&state.bound.latents[latent].shape, position, number) {
                let (prior, mut exposure) = (prior_of(state.bound, state.x), exposure.clone());
                state.bound.add_values(latent, latent, state.x, &mut exposure);
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
                let prior = prior_of(state.bound, state.x);
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
    fn prior_of(&self) -> impl Fn(&Bound, &Factors) -> Prior + use<> {
        let (latent, own, texts) = (self.latent, self.own, self.prior);
        move |bound, x| {
            let parameter = |at: usize| match texts.get(at) {
                Some(&text) => {
                    let role = Role::Parameter(at);
                    bound.parameter(
                        Asked {
                            latent,
                            own,
                            role,
                            text,
                        },
                        x,
                    )
                }
                None => bound.declared_parameter(latent, at, x),
            };
            bound.prior_with(latent, [0, 1].map(parameter))
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
        let prior_of = self.prior_of();
        let Self {
            state,
            latent,
            mut exposures,
            ..
        } = self;
        let (bound, shape) = (state.bound, count - state.bound.views.len());
        // What its own table counts say of a latent is not there yet.
        exposures.ways.retain(|(of, _)| *of != count);
        let exposure = state.exposure(latent, &exposures);
        let counts = state.counted(latent);
        let [_, rate] = prior_of(bound, state.x).parameters;
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
        state.tables[shape] = Some(tables);
    }

    /// The ways of the latent through the tree of each count.
    ///
    /// # Panics
    ///
    /// If counts were handed down along one that is no part of the conditional.
    fn ways(&self) -> Vec<Vec<usize>> {
        let walks = self.state.bound.walks.iter().enumerate();
        let ways = walks.map(|(count, walks)| {
            let ways = walks.uses(self.latent);
            let added = self.allocations.iter().filter(|(of, _)| *of == count).count();
            assert_eq!(added, ways.len(), "{}: allocations that are handed down", self.own.0);
            ways
        });
        ways.collect()
    }
}

fn add(more: &[f64], into: &mut [f64]) {
    into.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

impl State<'_> {
    /// The exposure of every entry of a latent.
    fn exposure(&mut self, latent: usize, of: &Exposures) -> Vec<f64> {
        let mut exposure = vec![0.0; self.x[latent].len()];
        for &(count, way) in &of.ways {
            let (walks, view, root) = place(self.bound, self.roots, &mut self.tables, count);
            walks.exposure(way, self.x, self.bound.arrays(), root, view, &mut exposure);
        }
        for &child in &of.values {
            self.bound.add_values(child, latent, self.x, &mut exposure);
        }
        for &asked in &of.others {
            add(&self.loops(asked), &mut exposure);
        }
        exposure
    }

    /// Adds the shapes of a child to the counts on a latent.
    fn add_shapes(&mut self, asked: Asked, counts: &mut [f64]) {
        match (asked.role, self.bound.formula(asked).is_declared) {
            (Role::Shapes(child), true) => self.bound.add_shapes(child, asked.latent, self.x, counts),
            _ => add(&self.loops(asked), counts),
        }
    }

    /// A formula by plain loops.
    fn loops(&mut self, asked: Asked) -> Vec<f64> {
        let view = match asked.role {
            Role::Exposure { count, .. } => {
                let (_, view, _) = place(self.bound, self.roots, &mut self.tables, count);
                Some(view)
            }
            _ => None,
        };
        self.bound.loops(asked, &self.bound.formula(asked), self.x, view)
    }

    /// Whether a count has a root now: table counts have one once they are drawn.
    fn is_there(&self, count: usize) -> bool {
        let shape = count.checked_sub(self.bound.views.len());
        shape.is_none_or(|shape| self.tables[shape].is_some())
    }

    /// Walks forward from a latent that has changed; if `in_turn`, without the ways that were followed slice by slice.
    fn changed(&mut self, ways: &[Vec<usize>], in_turn: bool) {
        for (count, ways) in ways.iter().enumerate() {
            if !self.is_there(count) {
                continue;
            }
            let walks = &self.bound.walks[count];
            let ways: Vec<usize> = ways
                .iter()
                .copied()
                .filter(|&way| !(in_turn && walks.repeats(way)))
                .collect();
            let (walks, _, root) = place(self.bound, self.roots, &mut self.tables, count);
            walks.changed(&ways, self.x, self.bound.arrays(), root);
        }
    }

    /// Walks forward from the entries of a slice, along the ways through terms that use the latent more than once.
    fn changed_at(&mut self, ways: &[Vec<usize>], sequence: &[usize], slice: &OneSlice) {
        for (count, ways) in ways.iter().enumerate() {
            let walks = &self.bound.walks[count];
            let ways: Vec<usize> = ways.iter().copied().filter(|&way| walks.repeats(way)).collect();
            if ways.is_empty() {
                continue;
            }
            let at = [sequence, &slice.at[..]];
            let (walks, _, root) = place(self.bound, self.roots, &mut self.tables, count);
            walks.changed_at(&ways, at, self.x, self.bound.arrays(), root);
        }
    }
}
