//! What a coordinate update reads and writes.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::conditional::{Conditional, Exposures};
use super::part::{Asked, Role};
use super::shape::Tables;
use super::step::OneSlice;
use super::tree::Walks;
use super::{Bound, Factors, Root, Step};
use crate::view::View;

/// The state of a sweep or an iteration while the latents are updated in turn.
pub struct State<'a> {
    pub(super) bound: &'a Bound,
    pub(super) x: &'a mut Factors,
    pub(super) counts: Counts<'a>,
    pub(super) roots: &'a mut [Root],
    pub(super) step: &'a mut dyn Step,
    /// Table counts of the learned shapes, once they are drawn.
    pub(super) tables: Vec<Option<Tables>>,
    /// The counts that these add to the latents in the shapes.
    pub(super) tabled: Option<Factors>,
    /// The cells of the table counts of generated rates, once they are drawn.
    pub(super) drawn: &'a DrawnTables,
    /// The weights of those of a latent in its own shape, of which some times are drawn.
    pub(super) weights_so_far: Vec<f64>,
}

/// The cells of the table counts of one sweep, those of each shape once they are drawn. They outlive the state, so that weights do.
#[derive(Default)]
pub struct DrawnTables(Vec<OnceLock<View>>);

impl DrawnTables {
    /// None are drawn.
    pub(super) fn of(shapes: usize) -> Self {
        Self(std::iter::repeat_with(OnceLock::new).take(shapes).collect())
    }

    pub(super) fn get(&self, shape: usize) -> Option<&View> {
        self.0[shape].get()
    }

    /// Table counts are drawn once a sweep.
    pub(super) fn set(&self, shape: usize, view: View) {
        let _ = self.0[shape].set(view);
    }
}

/// The counts on the entries of the latents.
pub(super) enum Counts<'a> {
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

    pub(super) fn read(&self) -> &Factors {
        match self {
            Self::Open(counts) => counts,
            Self::Closed(counts) => counts,
        }
    }
}

/// The walks, cells and root of a count, or of a learned shape, whose number comes after the counts.
pub(super) fn place<'s>(
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

impl<'a> State<'a> {
    /// The state before the first update. `counts` receives the counts on the factors, or holds them already.
    pub fn new(
        bound: &'a Bound,
        x: &'a mut Factors,
        counts: &'a mut Factors,
        roots: &'a mut [Root],
        step: &'a mut dyn Step,
        drawn: &'a DrawnTables,
    ) -> Self {
        roots.iter_mut().for_each(Root::forget_exposures);
        Self {
            bound,
            x,
            counts: Counts::Open(counts),
            roots,
            step,
            tables: bound.shapes.iter().map(|_| None).collect(),
            tabled: (!bound.shapes.is_empty() && bound.emitted.is_none()).then(|| Factors::zeros(&bound.latents)),
            drawn,
            weights_so_far: Vec::new(),
        }
    }

    /// The counts on the entries of a latent, those of tables among them.
    pub(super) fn counted_on(&mut self, latent: usize) -> Cow<'a, [f64]> {
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

    /// Draws the cells of a count and divides them over the terms of its rate. A cell is written `own`, such as `"y[d,v]"`. `shares` are
    /// the terms, such as `"Σ_k θ[d,k] φ[k,v]"`: a cell is divided in proportion to their summands.
    ///
    /// # Panics
    ///
    /// In an iteration of coordinate ascent; if `shares` are not the terms of its rate, or if a latent has been updated by the counts.
    pub fn allocate(&mut self, count: usize, own: &'static str, shares: &'static [&'static str]) {
        self.hand_down(count, own, shares, false);
    }

    /// Takes the means of the cells of a count and divides these: [`Self::allocate`] in an iteration of coordinate ascent.
    ///
    /// # Panics
    ///
    /// In a sweep of Gibbs sampling, and as that.
    pub fn expect(&mut self, count: usize, own: &'static str, shares: &'static [&'static str]) {
        self.hand_down(count, own, shares, true);
    }

    fn hand_down(&mut self, count: usize, own: &'static str, shares: &'static [&'static str], ascent: bool) {
        assert_eq!(
            self.is_ascent(),
            ascent,
            "{own}: a sweep draws counts, an iteration expects them"
        );
        self.bound.assert_shares(count, own, shares, ascent);
        match &mut self.counts {
            Counts::Open(counts) => self.step.allocate(count, self.x, self.roots, counts),
            Counts::Closed(_) => panic!("{own}: counts are allocated before latents are updated"),
        }
    }

    /// The complete conditional of a latent, which is its prior before anything is added: `"θ[d,k] ~ Gamma(a, b)"`. Formulas write the latent as
    /// its prior does.
    ///
    /// # Panics
    ///
    /// If `prior` is not the law of the latent with its parameters.
    pub fn conditional(&mut self, latent: usize, prior: &'static str) -> Conditional<'_, 'a> {
        Conditional::new(self, latent, prior)
    }
}

pub(super) fn add(more: &[f64], into: &mut [f64]) {
    into.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

impl State<'_> {
    /// The exposure of every entry of a latent.
    pub(super) fn exposure(&mut self, latent: usize, of: &Exposures) -> Vec<f64> {
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
    pub(super) fn add_shapes(&mut self, asked: Asked, counts: &mut [f64]) {
        let is_walked = self.bound.formula(asked).is_declared && !self.step.is_by_loops();
        match (asked.role, is_walked) {
            (Role::Shapes(child), true) => self.bound.add_shapes(child, asked.latent, self.x, counts),
            _ => add(&self.loops(asked), counts),
        }
    }

    /// A formula by plain loops.
    pub(super) fn loops(&mut self, asked: Asked) -> Vec<f64> {
        let view = match asked.role {
            Role::Exposure { count, .. } => {
                let (_, view, _) = place(self.bound, self.roots, &mut self.tables, count);
                Some(view)
            }
            _ => None,
        };
        self.bound
            .loops(asked, &self.bound.formula(asked), (self.x, &*self.step), view)
    }

    /// Whether a count has a root now: table counts have one once they are drawn.
    fn is_there(&self, count: usize) -> bool {
        let shape = count.checked_sub(self.bound.views.len());
        shape.is_none_or(|shape| self.tables[shape].is_some())
    }

    /// Walks forward from a latent that has changed; if `in_turn`, without the ways that were followed slice by slice.
    pub(super) fn changed(&mut self, ways: &[Vec<usize>], in_turn: bool) {
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
    pub(super) fn changed_at(&mut self, ways: &[Vec<usize>], sequence: &[usize], slice: &OneSlice) {
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
