//! Counts with a known total, bound to data: which of them are known exactly, and of which tables are drawn.

use std::sync::Arc;

use crate::counts::{Array, Counts, Mask, index_at};
use crate::error::{Error, MaskError, TotalError};
use crate::special::ln_factorial;
use crate::streams::Streams;
use crate::total::{Member, Total, Totals, Unsummed};
use crate::view::{Auxiliary, View};

use super::{Bound, CountData, CountRate, CountSpec, Observed, Spec, TotalKind, TotalSpec};

/// How a count takes part.
#[derive(Clone, Debug)]
pub(super) enum TotalRole {
    /// Cell by cell: it has no total.
    Cells,
    /// Its true counts and totals are known: it is Poisson, up to a constant.
    Counted {
        /// `ln` of the factor by which the law given the totals is larger.
        constant: f64,
    },
    /// Tables of it are drawn, or it is an unknown Poisson total, drawn with its lines; some cells may be hidden.
    Tables {
        /// The cells that take no part.
        closed: Mask,
    },
}

/// The declaration, and the data of the counts and their totals.
pub(super) struct GivenOfTotals<'a> {
    pub spec: &'static Spec,
    pub hypers: &'a [f64],
    pub arrays: &'a [Array],
    pub counts: &'a [Arc<dyn CountData>],
}

/// Whether every cell is held out.
fn is_all(data: &dyn CountData) -> bool {
    data.mask().len() == data.shape().iter().product::<usize>()
}

/// The lines of an array along an index: the position of the first cell of each, the distance of the next, and how many there are.
pub(super) fn lines(shape: &[usize], along: usize) -> impl Iterator<Item = [usize; 3]> {
    let (size, stride) = (shape[along], shape[along + 1..].iter().product::<usize>());
    let outer: usize = shape[..along].iter().product();
    (0..outer).flat_map(move |outer| (0..stride).map(move |inner| [outer * size * stride + inner, stride, size]))
}

/// The sums of an exact table without held-out cells, as the observation of the count that is its total: so a hidden count above an exact
/// table is known.
///
/// # Errors
/// There is no memory for the sums.
pub(super) fn told(
    spec: &Spec,
    counts: &[Arc<dyn CountData>],
    number: usize,
) -> Result<Option<Arc<dyn CountData>>, Error> {
    let shape = counts[number].shape();
    for (below, data) in spec.counts.iter().zip(counts) {
        let Some(total) = below.total.filter(|total| total.of == TotalKind::Count(number)) else {
            continue;
        };
        let (true, Some(sums)) = (data.mask().is_empty(), data.sums_along(total.along)) else {
            continue;
        };
        let mut values = vec![0; shape.iter().product()];
        for ([first, ..], sum) in lines(data.shape(), total.along).zip(sums) {
            values[position(shape, total.vars, &index_at(data.shape(), first))] = sum as i64;
        }
        let exact = Counts::dense(shape.to_vec(), values)?;
        return Ok(Some(Arc::new(Observed::exact(&exact)?)));
    }
    Ok(None)
}

impl GivenOfTotals<'_> {
    /// How every count takes part, and those of which tables are drawn.
    ///
    /// # Errors
    ///
    /// Totals that are not the sums of the counts, channels without `ln_likelihood`, a mask of a count that is a total, and observations that
    /// no table explains.
    pub fn roles(&self) -> Result<(Vec<TotalRole>, Totals), Error> {
        let counts = self.spec.counts.len();
        for (number, count) in self.spec.counts.iter().enumerate() {
            if let Some(total) = count.total {
                self.whole_lines(number, total)?;
            }
        }
        let tables: Vec<usize> = (0..counts).filter(|&count| !self.is_fixed(count)).collect();
        let tables: Vec<usize> = tables
            .into_iter()
            .filter(|&count| self.spec.counts[count].total.is_some() || self.is_total(count))
            .collect();
        let mut roles = Vec::new();
        for count in 0..counts {
            roles.push(match self.spec.counts[count].total {
                Some(total) if self.is_fixed(count) => self.counted(count, total)?,
                _ if tables.contains(&count) => TotalRole::Tables {
                    closed: self.closed(count)?,
                },
                _ => TotalRole::Cells,
            });
        }
        let members = tables.iter().map(|&count| self.member(count, &tables, &roles));
        let totals = Totals::new(members.collect::<Result<_, Error>>()?);
        let instead = "lower the totals: without noise that is log-concave, or below a hidden count, every number up to the total is weighed";
        crate::memory::fits("the weights of lines with known totals", totals.bytes(), instead)?;
        if let Some((member, first, total)) = totals.impossible() {
            let count = tables[member];
            let (name, index) = (
                self.spec.counts[count].name,
                index_at(self.counts[count].shape(), first),
            );
            return Err(match total {
                Some(total) => Error::Total(TotalError::Table {
                    count: name,
                    cell: index,
                    total,
                }),
                None => Error::Total(TotalError::Impossible {
                    count: name,
                    cell: index,
                }),
            });
        }
        Ok((roles, totals))
    }

    /// Refuses a mask that hides a part of a line.
    fn whole_lines(&self, count: usize, total: TotalSpec) -> Result<(), Error> {
        let (spec, data) = self.spec_of(count);
        let (shape, mask) = (data.shape(), data.mask());
        if mask.is_empty() {
            return Ok(());
        }
        for [first, stride, size] in lines(shape, total.along) {
            let hidden = |cell: &usize| mask.is_held_out(*cell);
            let cells = || (0..size).map(|j| first + j * stride);
            if let (Some(cell), true) = (cells().find(hidden), cells().any(|cell| !hidden(&cell))) {
                return Err(Error::Mask(MaskError::PartOfLine {
                    count: spec.name,
                    along: self.spec.sets[spec.vars[total.along]],
                    cell: index_at(shape, cell),
                }));
            }
        }
        Ok(())
    }

    fn spec_of(&self, count: usize) -> (&'static CountSpec, &dyn CountData) {
        (&self.spec.counts[count], &*self.counts[count])
    }

    /// Whether the true counts of a count, and all totals above it, are known.
    fn is_fixed(&self, count: usize) -> bool {
        let (spec, data) = self.spec_of(count);
        data.is_fixed()
            && match spec.total.map(|total| total.of) {
                Some(TotalKind::Count(above)) => self.is_fixed(above),
                _ => true,
            }
    }

    /// The total of the line of a count that begins at a cell, where it is known.
    fn known(&self, total: TotalSpec, index: &[usize]) -> Result<u64, Error> {
        Ok(match total.of {
            TotalKind::Hyper(hyper) => self.hypers[hyper] as u64,
            TotalKind::Array(array) => {
                let array = &self.arrays[array];
                array.as_slice()[position(array.shape(), total.vars, index)] as u64
            }
            TotalKind::Count(number) => {
                let above = &self.counts[number];
                let cell = position(above.shape(), total.vars, index);
                // What is held out is not to be seen through the lines that it is the total of.
                if above.mask().is_held_out(cell) {
                    return Err(Error::Mask(MaskError::PartOfTotal {
                        count: self.spec.counts[number].name,
                    }));
                }
                above.values(&[cell])?.first().map_or(0, |value| *value as u64)
            }
        })
    }

    /// A count whose cells and totals are known.
    fn counted(&self, count: usize, total: TotalSpec) -> Result<TotalRole, Error> {
        let (spec, data) = self.spec_of(count);
        let sums = data.sums_along(total.along);
        let mut constant = 0.0;
        for (line, [first, ..]) in lines(data.shape(), total.along).enumerate() {
            if data.mask().is_held_out(first) {
                continue;
            }
            let index = index_at(data.shape(), first);
            let known = self.known(total, &index)?;
            if let Some(&sum) = sums.as_ref().map(|sums| &sums[line])
                && sum != known
            {
                return Err(Error::Total(TotalError::Sum {
                    count: spec.name,
                    along: self.spec.sets[spec.vars[total.along]],
                    cell: index,
                    sum,
                    total: known,
                }));
            }
            // Rates sum to one along the line: `N! prod r^y / y!` is the Poisson probability of the cells times `N! e`.
            constant += ln_factorial(known) + 1.0;
        }
        Ok(TotalRole::Counted { constant })
    }

    /// The cells of a count that take no part in its tables.
    fn closed(&self, count: usize) -> Result<Mask, Error> {
        let (spec, data) = self.spec_of(count);
        if !self.is_total(count) {
            return Ok(data.mask().clone());
        }
        if !data.mask().is_empty() && !is_all(data) {
            return Err(Error::Mask(MaskError::PartOfTotal { count: spec.name }));
        }
        // A line, or a Poisson count, of which nothing was observed is summed out as if it were held out.
        let (shape, informed) = (data.shape(), self.informed(count));
        let mut closed = Vec::new();
        for [first, stride, size] in self.lines_of(count) {
            let cells = || (0..size).map(|j| first + j * stride);
            if !cells().any(|cell| informed[cell]) {
                closed.extend(cells().map(|cell| index_at(shape, cell)));
            }
        }
        match closed.len() == informed.len() {
            true => Mask::all(shape),
            false => Mask::from_indices(shape, closed),
        }
        .map_err(|error| Error::Counts(error.into()))
    }

    /// The lines of a count; without a total, every cell is a line.
    fn lines_of(&self, count: usize) -> Vec<[usize; 3]> {
        let (spec, data) = self.spec_of(count);
        match spec.total {
            Some(total) => lines(data.shape(), total.along).collect(),
            None => (0..data.shape().iter().product()).map(|cell| [cell, 1, 1]).collect(),
        }
    }

    /// Whether a count is the total of another.
    fn is_total(&self, count: usize) -> bool {
        self.below(count).next().is_some()
    }

    fn below(&self, count: usize) -> impl Iterator<Item = usize> + '_ {
        let counts = self.spec.counts.iter().enumerate();
        let below = counts.filter(move |(_, spec)| spec.total.is_some_and(|total| total.of == TotalKind::Count(count)));
        below.map(|(number, _)| number)
    }

    /// For each cell of a count, whether it was observed, or a line whose total it is.
    fn informed(&self, count: usize) -> Vec<bool> {
        let data = &self.counts[count];
        let (shape, mask) = (data.shape(), data.mask());
        let mut informed = match data.is_hidden() {
            true => vec![false; shape.iter().product()],
            false => (0..shape.iter().product())
                .map(|cell| !mask.is_held_out(cell))
                .collect(),
        };
        for below in self.below(count) {
            let Some(total) = self.spec.counts[below].total else {
                continue;
            };
            let (seen, shape_below) = (self.informed(below), self.counts[below].shape());
            for [first, stride, size] in lines(shape_below, total.along) {
                if (0..size).any(|j| seen[first + j * stride]) {
                    informed[position(shape, total.vars, &index_at(shape_below, first))] = true;
                }
            }
        }
        informed
    }

    fn member(&self, count: usize, tables: &[usize], roles: &[TotalRole]) -> Result<Member, Error> {
        let (spec, data) = self.spec_of(count);
        let TotalRole::Tables { closed } = &roles[count] else {
            unreachable!("only such counts have tables");
        };
        let mut open = Vec::new();
        for line in self
            .lines_of(count)
            .into_iter()
            .filter(|line| !closed.is_held_out(line[0]))
        {
            let Some(total) = spec.total else {
                open.push((Total::Poisson, line));
                continue;
            };
            let index = index_at(data.shape(), line[0]);
            let of = match total.of {
                TotalKind::Count(above) if !self.is_fixed(above) => {
                    let member = tables.iter().position(|other| *other == above).unwrap_or_default();
                    Total::Cell(member, position(self.counts[above].shape(), total.vars, &index))
                }
                _ => Total::Known(self.known(total, &index)?),
            };
            open.push((of, line));
        }
        let is_seen = !data.is_hidden() && !is_all(data);
        Ok(Member {
            count,
            cells: data.shape().iter().product(),
            lines: open,
            likelihood: match is_seen {
                true => data.likelihood(spec.name)?,
                false => None,
            },
        })
    }
}

/// The position in an array of `shape` of the entry whose indices are those of `index` at `vars`.
pub(super) fn position(shape: &[usize], vars: &[usize], index: &[usize]) -> usize {
    let axes = shape.iter().zip(vars);
    axes.fold(0, |at, (size, &var)| at * size + index[var])
}

impl Bound {
    /// Whether the cells of a count are drawn line by line, or it is a total that is drawn with its lines.
    pub(crate) fn draws_tables_of(&self, count: usize) -> bool {
        self.totals.counts().any(|of| of == count)
    }

    /// Rates of every cell of the counts of which tables are drawn.
    fn rates_of_tables(&self, count_rates: &[CountRate]) -> Vec<Vec<f64>> {
        let rates = self.totals.counts().map(|count| {
            let grid = self.views[count].grid();
            let mut rates = vec![0.0; grid.cells()];
            count_rates[count].add_rates(&self.views[count], &mut rates);
            rates
        });
        rates.collect()
    }

    fn put_tables(&self, tables: &[Vec<f64>], auxiliary: &mut [Auxiliary]) {
        for (count, table) in self.totals.counts().zip(tables) {
            self.views[count].put_table(table, &mut auxiliary[count]);
        }
    }

    /// Draws a table of every count that has one, and puts it where the passes find it.
    ///
    /// # Errors
    /// [`Unsummed`]: the tables are left as they were.
    pub(crate) fn draw_tables(
        &self,
        count_rates: &[CountRate],
        auxiliary: &mut [Auxiliary],
        streams: &Streams,
    ) -> Result<(), Unsummed> {
        if !self.totals.is_empty() {
            let tables = self.totals.draw(&self.rates_of_tables(count_rates), streams)?;
            self.put_tables(&tables, auxiliary);
        }
        Ok(())
    }

    /// Puts the mean of every such table where the passes find it. Returns what the lines of each such count add to the bound.
    ///
    /// # Errors
    /// [`Unsummed`]: the means are left as they were.
    pub(crate) fn expect_tables(
        &self,
        count_rates: &[CountRate],
        auxiliary: &mut [Auxiliary],
    ) -> Result<Vec<(usize, f64)>, Unsummed> {
        if self.totals.is_empty() {
            return Ok(Vec::new());
        }
        let rates = self.rates_of_tables(count_rates);
        let (means, ln_evidence) = self.totals.expect(&rates)?;
        self.put_tables(&means, auxiliary);
        // Passes take the mean rate of every cell off the bound: that of Poisson counts, and one for each line.
        let lines = ln_evidence
            .iter()
            .zip(self.totals.lines())
            .map(|(ln, lines)| ln + lines as f64);
        Ok(self.totals.counts().zip(lines).collect())
    }

    /// The log probability of what was observed of such counts.
    pub(crate) fn ln_evidence_of_tables(&self, count_rates: &[CountRate]) -> f64 {
        match self.totals.is_empty() {
            true => 0.0,
            false => self.totals.ln_evidence(&self.rates_of_tables(count_rates)),
        }
    }
}

impl View {
    /// The view of a count that takes part as `role` says.
    pub(super) fn in_role(self, role: &TotalRole) -> Self {
        match role {
            TotalRole::Counted { constant } => self.with_total(*constant),
            TotalRole::Cells | TotalRole::Tables { .. } => self,
        }
    }
}
