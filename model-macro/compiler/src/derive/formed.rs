//! Rates whose operands are formed where they are read: each side of the root is a product of leaves. That of rows may be summed over
//! indices that it alone has; it is formed once a row.

use crate::resolve::{Count, Index, Indices, Model, Source, Term, VarId};

use super::Occurrence;
use super::layout::{Operand, leaves};
use super::sides::{Sides, Split, sides, splits};
use super::update::Update;

/// Most indices of a cell that is reached by its position.
const MOST_INDICES: usize = 8;

/// How the rate of a count is cut into rows and columns, term by term.
#[derive(Debug, Clone)]
pub struct Formed {
    /// The indices of rows.
    pub rows: Vec<VarId>,
    /// The indices of columns.
    pub cols: Vec<VarId>,
    /// The terms side by side in the inner index.
    pub slots: Vec<FormedSlot>,
    /// The axes of two indices of which only cells with the first below the second belong to the count, where sums over all cells can keep
    /// to these: that is the only clause, and no factor has both indices.
    pub order: Option<[usize; 2]>,
    /// Whether operands of columns read indices of rows: each is formed at a cell.
    pub by_cell: bool,
}

/// The operands of one term.
#[derive(Debug, Clone)]
pub struct FormedSlot {
    /// Which term of the rate.
    pub term: usize,
    /// The indices that the root sums over.
    pub inner: Vec<VarId>,
    /// The indices that are summed over below the root, in the operand of a row.
    pub summed: Vec<VarId>,
    /// All indices that the term sums over: those of the root, then those below it.
    pub sums: Vec<VarId>,
    /// What is multiplied at a row; the product of nothing is one.
    pub left: Vec<Operand>,
    /// What is multiplied at a column.
    pub right: Vec<Operand>,
}

impl FormedSlot {
    /// Whether an operand of one side is a sum of products.
    pub fn is_sum(&self, right: bool) -> bool {
        !right && !self.summed.is_empty()
    }

    /// The operands of one side.
    pub fn side(&self, right: bool) -> &[Operand] {
        if right { &self.right } else { &self.left }
    }
}

/// The rates of all counts, if those of all can be formed at their positions, and every update is made of sums of products that read each
/// array at declared indices.
pub(super) fn formed(model: &Model, updates: &[Update]) -> Option<Vec<Formed>> {
    let counts = model.counts.iter();
    let is_plain = model.shapes.is_empty()
        && counts.clone().all(is_plain_count)
        && model.latents.iter().all(|latent| {
            let prior = &latent.prior;
            is_read_at(&prior.vars, &prior.terms, prior.vars.len())
        })
        && updates
            .iter()
            .all(|update| update.turns.is_none() && (model.uses(update.latent) <= 1 || is_in_line(model, update)));
    if !is_plain {
        return None;
    }
    counts.map(of_count).collect()
}

/// Whether a latent that is several times in a term can be updated line by line: one of its indices is taken value by value, which is an index
/// of the cell wherever it is, and another one at each place in a term.
fn is_in_line(model: &Model, update: &Update) -> bool {
    let &[position] = &update.sequence[..] else {
        return false;
    };
    let places: Vec<Occurrence> = update.occurrences().collect();
    let line = |place: &Occurrence| {
        let term = &model.counts[place.count].terms[place.term];
        term.factors[place.factor].vars[position]
    };
    places.iter().enumerate().all(|(at, place)| {
        let of_term = |other: &&Occurrence| (other.count, other.term) == (place.count, place.term);
        let mut before = places[..at].iter().filter(of_term);
        let count = &model.counts[place.count];
        count.is_free(line(place)) && !looks_up(count) && before.all(|other| line(other) != line(place))
    })
}

/// Whether cells are independent Poisson counts.
fn is_plain_count(count: &Count) -> bool {
    !count.is_difference()
        && count.total.is_none()
        && !count.is_hidden()
        && (1..=MOST_INDICES).contains(&count.free)
        && is_read_at(&count.vars, &count.terms, count.free)
}

/// Whether every entry that is read is told by indices, or by positions at the first `known` of them: nothing is shifted, or read at the first
/// times alone.
fn is_read_at(vars: &[Index], terms: &[Term], known: usize) -> bool {
    let mut factors = terms.iter().flat_map(|term| &term.factors);
    let mut lookups = (0..vars.len()).filter_map(|var| vars.lookup(VarId(var)));
    lookups.all(|lookup| lookup.array().is_some() && lookup.at.iter().all(|at| at.0 < known))
        && factors.all(|factor| factor.start.is_none() && !matches!(factor.of, Source::Hyper(_)))
}

/// Whether something is looked up in a rate.
fn looks_up(count: &Count) -> bool {
    (0..count.vars.len()).any(|var| count.vars.lookup(VarId(var)).is_some())
}

/// Which ways to cut the indices of a count will do.
#[derive(Clone, Copy)]
struct Wanted {
    /// Whether operands of rows may be sums over an index.
    sums: bool,
    /// Whether the root may sum over several indices of a term.
    several: bool,
    /// Whether operands of columns may read indices of rows.
    by_cell: bool,
}

/// The first way to cut the indices of a count that lets every term be a product at the root. A row has one index where possible: an operand
/// of rows is formed once a row, one of columns at every cell. Operands that are sums are taken where they leave the root one index.
fn of_count(count: &Count) -> Option<Formed> {
    let free: Vec<VarId> = count.free_vars().collect();
    let alone = free.iter().filter(|_| free.len() > 1).map(|row| Split {
        batch: Vec::new(),
        rows: vec![*row],
        cols: free.iter().copied().filter(|col| col != row).collect(),
    });
    let all: Vec<Split> = alone.chain(splits(count, &[])).collect();
    let is_repeated = count.terms.iter().any(|term| {
        let latents = term.factors.iter().enumerate();
        let mut latents = latents.filter(|(_, factor)| matches!(factor.of, Source::Latent(_)));
        latents.any(|(at, factor)| term.factors[..at].iter().any(|earlier| earlier.of == factor.of))
    });
    let [plain, sums] = [false, true].map(|sums| Wanted {
        sums,
        several: !sums && !is_repeated,
        by_cell: false,
    });
    let by_cell = Wanted { by_cell: true, ..plain };
    let mut wanted = [plain, sums, by_cell].into_iter();
    wanted.find_map(|wanted| all.iter().find_map(|split| cut(count, split, wanted)))
}

fn cut(count: &Count, split: &Split, wanted: Wanted) -> Option<Formed> {
    let slots = count.terms.iter().enumerate();
    let slots = slots.map(|(number, term)| slot(count, split, (number, term), wanted));
    let slots: Vec<FormedSlot> = slots.collect::<Option<_>>()?;
    // Second moments of sums are sums of second moments, where no number is to be squared.
    let has_sums = slots.iter().any(|slot| slot.is_sum(false));
    let is_squared = !has_sums || count.terms.iter().all(|term| term.coefficient.is_one());
    is_squared.then(|| Formed {
        rows: split.rows.clone(),
        cols: split.cols.clone(),
        slots,
        order: order(count),
        by_cell: wanted.by_cell,
    })
}

fn order(count: &Count) -> Option<[usize; 2]> {
    let [guard] = &count.guards[..] else { return None };
    let order = [guard.left, guard.right];
    let mut factors = count.terms.iter().flat_map(|term| &term.factors);
    let is_apart = factors.all(|factor| !order.iter().all(|var| factor.vars.contains(var)));
    (guard.less && is_apart && !looks_up(count)).then(|| order.map(|var| var.0))
}

fn slot(count: &Count, split: &Split, (number, term): (usize, &Term), wanted: Wanted) -> Option<FormedSlot> {
    let fits = |sides: &Sides| {
        let below: Vec<VarId> = below(term, sides).collect();
        let is_of_rows = |var: &VarId| sides.left.iter().any(|(_, vars)| vars.contains(var));
        sides.weight.is_empty()
            && (wanted.sums && below.len() == 1 && below.iter().all(is_of_rows) || below.is_empty())
            && (wanted.several || sides.inner.len() <= 1)
    };
    let sides = sides(count, term, split, wanted.by_cell).into_iter().find(fits)?;
    let summed: Vec<VarId> = below(term, &sides).collect();
    // As the term is written.
    let order = leaves(count, term);
    let in_order = |mut side: Vec<(Operand, Vec<VarId>)>| {
        side.sort_by_key(|leaf| order.iter().position(|other| other == leaf));
        side.into_iter().map(|(operand, _)| operand).collect()
    };
    let [left, right] = [sides.left, sides.right].map(in_order);
    Some(FormedSlot {
        term: number,
        sums: sides.inner.iter().chain(&summed).copied().collect(),
        inner: sides.inner,
        summed,
        left,
        right,
    })
}

/// The indices that a term sums over, but not at the root.
fn below<'a>(term: &'a Term, sides: &'a Sides) -> impl Iterator<Item = VarId> + 'a {
    let summed = term.summed.iter().copied();
    summed.filter(|var| !sides.inner.contains(var))
}
