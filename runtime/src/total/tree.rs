//! Trees of lines: draws, means and the evidence of all of them.
//!
//! Own derivation: MATH, *Known totals* and *Sums in pairs*; TOTALS, *Trees*: messages go up, draws and means go down.

use std::sync::Arc;

use crate::parallel::each_of;
use crate::special::ln_factorial as ln_factorial_of;
use crate::streams::{Purpose, Stream, Streams};

use super::Likelihood;
use super::line::LineWeights;
use super::message::{Message, Tails, tilt_to};
use super::open::{Open, Reach, weigh};
use super::tabulated::{ln_factorials, tabulated};
use super::window::Window;

/// Rates below this are raised to it: products of factors underflow.
pub(super) const LEAST_RATE: f64 = 1e-300;
/// Keys of the streams of lines begin here, above those of the blocks of any pass.
const BLOCK: u64 = 1 << 63;

/// Where the total of a line comes from, or what stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// It is known.
    Known(u64),
    /// It is a cell of another member, by its number among the members and its row-major position.
    Cell(usize, usize),
    /// It is unknown: one Poisson count for the line, with its own rate.
    Poisson,
}

/// A count whose lines have totals.
#[derive(Clone)]
pub struct Member {
    /// Its number among the counts of the model.
    pub count: usize,
    /// How many cells it has.
    pub cells: usize,
    /// For each line that is not held out: its total, the position of its first cell, the distance of the next, and how many there are.
    pub lines: Vec<(Total, [usize; 3])>,
    /// What was observed of it; `None` if nothing was.
    pub likelihood: Option<Arc<dyn Likelihood>>,
}

/// All counts of a model whose tables are drawn line by line.
#[derive(Clone, Default)]
pub struct Totals {
    pub(super) members: Vec<Member>,
    /// For each cell of each member, the lines whose total it is, by member and number; nothing for one that is not a total.
    pub(super) below: Vec<Vec<Vec<(usize, usize)>>>,
    /// The lines whose totals are known, and Poisson counts.
    pub(super) roots: Vec<(usize, usize)>,
    /// `ln x!` of the numbers up to the largest total that is known.
    ln_factorials: Vec<f64>,
}

/// A Poisson count whose law nobody could sum: its number among the counts of the model, and its row-major position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unsummed {
    /// The count.
    pub count: usize,
    /// The position.
    pub cell: usize,
}

/// The cells of a line: where its total is known and nothing is below, those counts that are probable.
pub(super) enum LineLaw {
    All(LineWeights),
    Window(Window),
    /// A Poisson count.
    Open(Open),
}

/// A line at some rates, with those whose totals are its cells.
pub(super) struct Node {
    pub(super) at: (usize, usize),
    pub(super) line: LineLaw,
    /// `ln` of the largest probability of what was observed of the line and of all below it, whatever the tables.
    pub(super) ln_largest: f64,
    /// The lines below each cell; nothing if there are none at all.
    pub(super) below: Vec<Vec<Node>>,
}

/// How often the weights of a line are tilted anew, each time to where its sum is to be.
const RETILTS: usize = 4;

/// Relative error of an evidence below which what was cut off changes no digit.
pub(super) const EXACT: f64 = 1e-14;

impl Node {
    /// What the line says of its total, where that is not known.
    pub(super) fn message(&self) -> Option<Message> {
        match &self.line {
            LineLaw::All(line) => Some(line.message()),
            LineLaw::Window(_) | LineLaw::Open(_) => None,
        }
    }

    /// The same, or more.
    pub(super) fn upper(&self, most: usize) -> Option<Message> {
        match &self.line {
            LineLaw::All(line) => Some(line.upper(most, self.ln_largest)),
            LineLaw::Window(_) | LineLaw::Open(_) => None,
        }
    }

    /// `ln` of the evidence of the line at a known total; for a Poisson count, before its mean is subtracted.
    pub(super) fn ln_evidence(&self, total: usize) -> f64 {
        match &self.line {
            LineLaw::All(line) => line.ln_evidence(total),
            LineLaw::Window(window) => window.ln_evidence(),
            LineLaw::Open(open) => open.law.ln_sum(),
        }
    }

    /// Whether what was cut off may be seen in the evidence.
    pub(super) fn is_rough(&self, total: usize) -> bool {
        // Nothing missed of nothing is NaN, which counts as rough.
        let is_exact = self.missed(total) < EXACT;
        !is_exact
    }

    /// What was cut off of the evidence, relative to what is left, at most.
    pub(super) fn missed(&self, total: usize) -> f64 {
        match &self.line {
            LineLaw::All(line) => line.missed(total),
            LineLaw::Window(_) => 0.0,
            LineLaw::Open(open) => open.cut + open.beyond,
        }
    }
}

impl Totals {
    /// Counts with totals. A total that is a cell belongs to one of them.
    pub fn new(mut members: Vec<Member>) -> Self {
        let totals = members.iter().flat_map(|member| &member.lines);
        let known = totals.filter_map(|(total, _)| match total {
            Total::Known(total) => Some(*total),
            Total::Cell(..) | Total::Poisson => None,
        });
        let most = known.max().unwrap_or(0);
        for Member { cells, likelihood, .. } in &mut members {
            *likelihood = likelihood.take().map(|of| tabulated(of, *cells, most));
        }
        let is_total = |of: usize| {
            let mut lines = members.iter().flat_map(|member| &member.lines);
            lines.any(|(total, _)| matches!(total, Total::Cell(member, _) if *member == of))
        };
        let empty = |(of, member): (usize, &Member)| match is_total(of) {
            true => vec![Vec::new(); member.cells],
            false => Vec::new(),
        };
        let mut below: Vec<Vec<Vec<(usize, usize)>>> = members.iter().enumerate().map(empty).collect();
        let mut roots = Vec::new();
        for (of, member) in members.iter().enumerate() {
            for (number, (total, _)) in member.lines.iter().enumerate() {
                match *total {
                    Total::Known(_) | Total::Poisson => roots.push((of, number)),
                    Total::Cell(above, cell) => below[above][cell].push((of, number)),
                }
            }
        }
        Self {
            members,
            below,
            roots,
            ln_factorials: ln_factorials(most),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The numbers of the counts among those of the model.
    pub fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.members.iter().map(|member| member.count)
    }

    /// A draw of every table, given what was observed and the rates of all cells: for each member its cells.
    ///
    /// # Errors
    /// [`Unsummed`].
    pub fn draw(&self, rates: &[Vec<f64>], streams: &Streams) -> Result<Vec<Vec<f64>>, Unsummed> {
        let drawn = self.for_each_root(|&(member, number)| {
            let unit = self.members[member].count;
            let mut rng = streams.open(Purpose::Cells, unit, BLOCK | number as u64);
            let mut drawn = Vec::new();
            let node = self.summed((member, number), rates)?;
            self.draw_below(&node, self.known(member, number), &mut rng, &mut drawn);
            Ok(drawn)
        });
        Ok(self.by_member(drawn.into_iter().collect::<Result<Vec<_>, _>>()?))
    }

    /// The mean of every cell, given what was observed and the rates of all cells; and what the lines at the top of each count say, of which
    /// [`Totals::ln_evidence`] is the sum, without the rates of Poisson counts, which that subtracts.
    ///
    /// # Errors
    /// [`Unsummed`].
    pub fn expect(&self, rates: &[Vec<f64>]) -> Result<(Vec<Vec<f64>>, Vec<f64>), Unsummed> {
        let found = self.for_each_root(|&(member, number)| {
            let mut means = Vec::new();
            let (node, total) = (self.summed((member, number), rates)?, self.known(member, number));
            self.expect_below(&node, &Message::at(total), &mut means);
            Ok((means, node.ln_evidence(total)))
        });
        let found = found.into_iter().collect::<Result<Vec<_>, _>>()?;
        let mut ln_evidence = vec![0.0; self.members.len()];
        for (&(member, _), (_, ln)) in self.roots.iter().zip(&found) {
            ln_evidence[member] += ln;
        }
        Ok((self.by_member(found.into_iter().map(|(means, _)| means)), ln_evidence))
    }

    /// The logarithm of the probability of all that was observed, at some rates.
    pub fn ln_evidence(&self, rates: &[Vec<f64>]) -> f64 {
        self.for_each_root(|&root| self.ln_evidence_of(root, rates))
            .iter()
            .sum()
    }

    /// How many lines of each count there are whose rates add up to one.
    pub fn lines(&self) -> impl Iterator<Item = usize> + '_ {
        let lines = |member: &Member| {
            member
                .lines
                .iter()
                .filter(|(total, _)| *total != Total::Poisson)
                .count()
        };
        self.members.iter().map(lines)
    }

    fn ln_evidence_of(&self, (member, number): (usize, usize), rates: &[Vec<f64>]) -> f64 {
        let mean = match self.members[member].lines[number] {
            (Total::Poisson, [first, ..]) => rates[member][first],
            _ => 0.0,
        };
        let root = self.root((member, number), rates);
        root.ln_evidence(self.known(member, number)) - mean
    }

    /// The total of a root; nothing of a Poisson count, whose law asks for none.
    pub(super) fn known(&self, member: usize, number: usize) -> usize {
        match self.members[member].lines[number].0 {
            Total::Known(total) => total as usize,
            Total::Poisson => 0,
            Total::Cell(..) => unreachable!("the totals of roots are not cells"),
        }
    }

    /// Something of every tree, in order.
    fn for_each_root<T: Send>(&self, of: impl Fn(&(usize, usize)) -> T + Sync) -> Vec<T> {
        each_of(&self.roots, of)
    }

    /// Cells with a number each, from every tree, as arrays.
    fn by_member(&self, found: impl IntoIterator<Item = Vec<(usize, usize, f64)>>) -> Vec<Vec<f64>> {
        let mut all: Vec<Vec<f64>> = self.members.iter().map(|member| vec![0.0; member.cells]).collect();
        for (member, cell, value) in found.into_iter().flatten() {
            all[member][cell] = value;
        }
        all
    }

    /// A root, with all below it, whose law has been summed.
    fn summed(&self, at: (usize, usize), rates: &[Vec<f64>]) -> Result<Node, Unsummed> {
        let node = self.root(at, rates);
        match &node.line {
            LineLaw::Open(open) if open.is_beyond() => {
                let Member { count, lines, .. } = &self.members[at.0];
                let (_, [cell, ..]) = lines[at.1];
                Err(Unsummed { count: *count, cell })
            }
            _ => Ok(node),
        }
    }

    /// A root, with all below it.
    pub(super) fn root(&self, at: (usize, usize), rates: &[Vec<f64>]) -> Node {
        if self.members[at.0].lines[at.1].0 == Total::Poisson {
            return self.open(at, rates);
        }
        let total = self.known(at.0, at.1);
        let whole = |tails| self.node(at, Reach::closed(total, total as f64), tails, rates);
        let mut cut = [Tails::NEAR, Tails::FAR].into_iter().map(whole);
        cut.find(|node| !node.is_rough(total))
            .unwrap_or_else(|| whole(Tails::ALL))
    }

    /// `ln w_j(x)` of the cells of a line: `r_j^x / x!` times the probability of what was observed (MATH, *Known totals*).
    pub(super) fn weight(
        &self,
        (of, number): (usize, usize),
        rates: &[Vec<f64>],
    ) -> impl Fn(usize, usize) -> f64 + use<'_> {
        let member = &self.members[of];
        let (_, [first, stride, size]) = member.lines[number];
        let cell = move |j: usize| first + j * stride;
        let ln_rates: Vec<f64> = (0..size).map(|j| rates[of][cell(j)].max(LEAST_RATE).ln()).collect();
        move |j, x| {
            let likelihood = member.likelihood.as_ref();
            let observed = likelihood.map_or(0.0, |likelihood| likelihood.ln_likelihood(cell(j), x as u64));
            let ln_factorial = self.ln_factorials.get(x).copied();
            x as f64 * ln_rates[j] - ln_factorial.unwrap_or_else(|| ln_factorial_of(x as u64)) + observed
        }
    }

    /// A line with all below it, whose total is as far as `reach` says.
    pub(super) fn node(&self, at: (usize, usize), reach: Reach, tails: Tails, rates: &[Vec<f64>]) -> Node {
        let Reach { most, expected, .. } = reach;
        let (of, number) = at;
        let member = &self.members[of];
        let (total, [first, stride, size]) = member.lines[number];
        let cell = |j: usize| first + j * stride;
        let weight = self.weight(at, rates);
        let is_leaf = self.below[of].is_empty();
        let is_concave = member.likelihood.as_ref().is_none_or(|of| of.is_log_concave());
        if let (Total::Known(total), true) = (total, is_leaf) {
            let total = total as usize;
            let window = is_concave.then(|| Window::new(size, total, &weight)).flatten();
            if let Some(window) = window {
                return Node {
                    at,
                    line: LineLaw::Window(window),
                    ln_largest: 0.0,
                    below: Vec::new(),
                };
            }
        }
        let is_known = matches!(total, Total::Known(_));
        let largest = |j: usize| match &member.likelihood {
            None => 0.0,
            Some(of) => reach.largest(is_concave, |x| of.ln_likelihood(cell(j), x as u64)),
        };
        let ln_largest: f64 = match is_known || tails == Tails::ALL && !reach.is_open {
            // Nobody asks.
            true => 0.0,
            false => (0..size).map(largest).sum(),
        };
        // Rates that sum to one are tilted to those of Poisson counts that add up to the total.
        let tilt = expected.max(1.0).ln();
        let tilted = |j: usize, x: usize| weight(j, x) + tilt * x as f64;
        if is_leaf {
            // Nothing above it could tell that too much was cut off.
            let tails = if is_known { Tails::ALL } else { tails };
            let cells_at = |tilt: f64| -> Vec<Message> {
                let tilted = |j: usize, x: usize| weight(j, x) + tilt * x as f64;
                let cell = |j: usize| match is_concave {
                    true => {
                        let near = expected * rates[of][cell(j)].min(1.0);
                        Message::around(near as usize, most, tails, |x| tilted(j, x))
                    }
                    false => Message::over(0..=most, |x| tilted(j, x)).within(tails),
                };
                (0..size).map(cell).collect()
            };
            let (mut tilt, mut cells) = (tilt, cells_at(tilt));
            // What was observed shifts the sum away from where rates alone would have it.
            for _ in 0..RETILTS {
                let more = if is_known {
                    0.0
                } else {
                    tilt_to(&cells, expected as usize)
                };
                if more == 0.0 {
                    break;
                }
                tilt += more;
                cells = cells_at(tilt);
            }
            let lost = size as f64 * tails.largest_loss(most);
            let mut line = LineWeights::new(cells, lost, most, is_known, tilt, tails);
            if reach.is_bounded && is_concave {
                line = line.bounded(expected, most, |more| {
                    let sum = |j: usize| {
                        let near = expected * rates[of][cell(j)].min(1.0) * more.exp();
                        let weight = |x: usize| weight(j, x) + (tilt + more) * x as f64;
                        Message::around(near as usize, most, Tails::BULK, weight).ln_sum_with_tails(most, Tails::BULK)
                    };
                    (0..size).map(sum).sum()
                });
            }
            return Node {
                at,
                line: LineLaw::All(line),
                ln_largest,
                below: Vec::new(),
            };
        }
        let mut below = Vec::with_capacity(size);
        let (mut cells, mut upper) = (Vec::with_capacity(size), Vec::with_capacity(size));
        for j in 0..size {
            let expected = expected * rates[of][cell(j)].min(1.0);
            let lines = self.below[of][cell(j)].iter();
            let nodes: Vec<Node> = lines
                .map(|&line| self.node(line, Reach { expected, ..reach }, tails, rates))
                .collect();
            let weight = |x: usize| tilted(j, x);
            cells.push(weigh(nodes.iter().filter_map(Node::message).collect(), most, weight));
            if tails != Tails::ALL {
                let above = nodes.iter().filter_map(|node| node.upper(most)).collect();
                upper.push(weigh(above, most, weight));
            }
            below.push(nodes);
        }
        // Where a total is known any tilt gives the same law; at this one the total is near the most probable sum.
        let more = if is_known { tilt_to(&cells, most) } else { 0.0 };
        cells.iter_mut().chain(&mut upper).for_each(|cell| cell.tilt(more));
        let lost = cells.iter().zip(&upper).map(|(cell, upper)| cell.excess(upper)).sum();
        let mut line = LineWeights::new(cells, lost, most, is_known, tilt + more, tails);
        if reach.is_bounded {
            line = line.bounded(expected, most, |more| {
                let tilted = |cell: &Message| {
                    let mut cell = cell.clone();
                    cell.tilt(more);
                    cell.ln_sum()
                };
                upper.iter().map(tilted).sum()
            });
        }
        let below_it: f64 = below.iter().flatten().map(|node: &Node| node.ln_largest).sum();
        Node {
            at,
            line: LineLaw::All(line),
            ln_largest: ln_largest + below_it,
            below,
        }
    }

    fn draw_below(&self, node: &Node, total: usize, rng: &mut Stream, into: &mut Vec<(usize, usize, f64)>) {
        let (of, number) = node.at;
        let (_, [first, stride, _]) = self.members[of].lines[number];
        let drawn = match &node.line {
            LineLaw::All(line) => line.draw(total, rng),
            LineLaw::Window(window) => window.draw(rng),
            LineLaw::Open(open) => vec![open.law.draw(rng)],
        };
        for (j, x) in drawn.into_iter().enumerate() {
            into.push((of, first + j * stride, x as f64));
            for below in node.below.get(j).into_iter().flatten() {
                self.draw_below(below, x, rng, into);
            }
        }
    }

    fn expect_below(&self, node: &Node, of_total: &Message, into: &mut Vec<(usize, usize, f64)>) {
        let (of, number) = node.at;
        let (_, [first, stride, _]) = self.members[of].lines[number];
        let laws = match &node.line {
            LineLaw::All(line) => line.marginals(of_total),
            LineLaw::Window(window) => {
                let means = window.means().into_iter().enumerate();
                into.extend(means.map(|(j, mean)| (of, first + j * stride, mean)));
                return;
            }
            LineLaw::Open(open) => vec![open.law.clone()],
        };
        for (j, mut law) in laws.into_iter().enumerate() {
            into.push((of, first + j * stride, law.mean()));
            let whole = law.ln_sum();
            law.ln.iter_mut().for_each(|ln| *ln -= whole);
            for below in node.below.get(j).into_iter().flatten() {
                self.expect_below(below, &law, into);
            }
        }
    }
}
