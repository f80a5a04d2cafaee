//! Trees of lines: draws, means and the evidence of all of them.

use std::sync::Arc;

use rayon::prelude::*;

use crate::special::ln_factorial;
use crate::streams::{Purpose, Stream, Streams};

use super::Likelihood;
use super::line::Line;
use super::message::{Message, Tails, tilt_to};
use super::window::{Window, mode};

/// Rates below this are raised to it: products of factors underflow.
const LEAST_RATE: f64 = 1e-300;
/// Keys of the streams of lines begin here, above those of the blocks of any pass.
const BLOCK: u64 = 1 << 63;

/// Where the total of a line comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Total {
    /// It is known.
    Known(u64),
    /// It is a cell of another member, by its number among the members and its row-major position.
    Cell(usize, usize),
}

/// A count whose lines have totals.
#[derive(Clone)]
pub struct Member {
    /// Its number among the counts of the model.
    pub count: usize,
    /// How many cells it has.
    pub cells: usize,
    /// Of each line that is not held out the total, the position of its first cell, the distance of the next, and how many there are.
    pub lines: Vec<(Total, [usize; 3])>,
    /// What was observed of it; `None` if nothing was.
    pub likelihood: Option<Arc<dyn Likelihood>>,
}

/// All counts of a model whose tables are drawn line by line.
#[derive(Clone, Default)]
pub struct Totals {
    members: Vec<Member>,
    /// Of each member the lines whose total each of its cells is, by member and number; nothing for one that is no total.
    below: Vec<Vec<Vec<(usize, usize)>>>,
    /// The lines whose totals are known.
    roots: Vec<(usize, usize)>,
}

/// The cells of a line: where its total is known and nothing is below, those counts that are probable.
enum Cells {
    All(Line),
    Window(Window),
}

/// A line at some rates, with those whose totals are its cells.
pub(super) struct Node {
    at: (usize, usize),
    line: Cells,
    /// `ln` of the largest probability of what was observed of the line and of all below it, whatever the tables.
    ln_largest: f64,
    /// The lines below each cell; nothing if there are none at all.
    below: Vec<Vec<Node>>,
}

/// Relative error of an evidence below which what was cut off changes no digit.
const EXACT: f64 = 1e-14;

impl Node {
    /// What the line says of its total, where that is not known.
    fn message(&self) -> Option<Message> {
        match &self.line {
            Cells::All(line) => Some(line.message()),
            Cells::Window(_) => None,
        }
    }

    /// The same, or more.
    fn upper(&self, most: usize) -> Option<Message> {
        match &self.line {
            Cells::All(line) => Some(line.upper(most, self.ln_largest)),
            Cells::Window(_) => None,
        }
    }

    /// `ln` of the evidence of the line at a known total.
    pub(super) fn ln_evidence(&self, total: usize) -> f64 {
        match &self.line {
            Cells::All(line) => line.ln_evidence(total),
            Cells::Window(window) => window.ln_evidence(),
        }
    }

    /// Whether what was cut off may be seen in the evidence.
    pub(super) fn is_rough(&self, total: usize) -> bool {
        // Nothing missed of nothing is no number, and rough.
        let is_exact = self.missed(total) < EXACT;
        !is_exact
    }

    /// What was cut off of the evidence, relative to what is left, at most.
    pub(super) fn missed(&self, total: usize) -> f64 {
        match &self.line {
            Cells::All(line) => line.missed(total),
            Cells::Window(_) => 0.0,
        }
    }
}

impl Totals {
    /// Counts with totals. A total that is a cell belongs to one of them.
    pub fn new(members: Vec<Member>) -> Self {
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
                    Total::Known(_) => roots.push((of, number)),
                    Total::Cell(above, cell) => below[above][cell].push((of, number)),
                }
            }
        }
        Self { members, below, roots }
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
    pub fn draw(&self, rates: &[Vec<f64>], streams: &Streams) -> Vec<Vec<f64>> {
        let drawn = self.for_each_root(|&(member, number)| {
            let unit = self.members[member].count;
            let mut rng = streams.open(Purpose::Cells, unit, BLOCK | number as u64);
            let mut drawn = Vec::new();
            let node = self.root((member, number), rates);
            self.draw_below(&node, self.known(member, number), &mut rng, &mut drawn);
            drawn
        });
        self.by_member(drawn)
    }

    /// The mean of every cell, given what was observed and the rates of all cells, with [`Totals::ln_evidence`].
    pub fn expect(&self, rates: &[Vec<f64>]) -> (Vec<Vec<f64>>, f64) {
        let found = self.for_each_root(|&(member, number)| {
            let mut means = Vec::new();
            let (node, total) = (self.root((member, number), rates), self.known(member, number));
            self.expect_below(&node, &Message::at(total), &mut means);
            (means, node.ln_evidence(total))
        });
        let ln_evidence = found.iter().map(|(_, ln)| ln).sum();
        (self.by_member(found.into_iter().map(|(means, _)| means)), ln_evidence)
    }

    /// The logarithm of the probability of all that was observed, at some rates.
    pub fn ln_evidence(&self, rates: &[Vec<f64>]) -> f64 {
        self.for_each_root(|&root| self.ln_evidence_of(root, rates))
            .iter()
            .sum()
    }

    /// The first line whose total is known and that what was observed makes impossible, at any rates: the number of its member, the
    /// position of its first cell, and its total.
    pub fn impossible(&self) -> Option<(usize, usize, u64)> {
        let even = |member: &Member| {
            let mut rates = vec![1.0; member.cells];
            for &(_, [first, stride, size]) in &member.lines {
                (0..size).for_each(|j| rates[first + j * stride] = 1.0 / size as f64);
            }
            rates
        };
        let rates: Vec<Vec<f64>> = self.members.iter().map(even).collect();
        let found = self
            .roots
            .par_iter()
            .find_first(|&&root| self.ln_evidence_of(root, &rates) == f64::NEG_INFINITY);
        found.map(|&(member, number)| {
            let (_, [first, ..]) = self.members[member].lines[number];
            (member, first, self.known(member, number) as u64)
        })
    }

    /// Bytes of the weights of the largest tree, as far as its lines are not cut to windows.
    pub fn bytes(&self) -> f64 {
        let each = self.roots.iter().map(|&(member, number)| {
            let is_window = self.below[member].is_empty()
                && (self.members[member].likelihood.as_ref()).is_none_or(|of| of.is_log_concave());
            match is_window {
                true => 0.0,
                false => 16.0 * self.cells_below(member, number) * (self.known(member, number) as f64 + 1.0),
            }
        });
        each.fold(0.0, f64::max)
    }

    /// Cells of a line and of all below it.
    fn cells_below(&self, member: usize, number: usize) -> f64 {
        let (_, [first, stride, size]) = self.members[member].lines[number];
        let cells = (0..size).filter_map(|j| self.below[member].get(first + j * stride));
        let below = cells
            .flatten()
            .map(|&(member, number)| self.cells_below(member, number));
        size as f64 + below.sum::<f64>()
    }

    /// How many lines there are: the rates of each add up to one.
    pub fn lines(&self) -> usize {
        self.members.iter().map(|member| member.lines.len()).sum()
    }

    fn ln_evidence_of(&self, (member, number): (usize, usize), rates: &[Vec<f64>]) -> f64 {
        self.root((member, number), rates)
            .ln_evidence(self.known(member, number))
    }

    fn known(&self, member: usize, number: usize) -> usize {
        match self.members[member].lines[number].0 {
            Total::Known(total) => total as usize,
            Total::Cell(..) => unreachable!("the totals of roots are known"),
        }
    }

    /// Something of every tree, in order.
    fn for_each_root<T: Send>(&self, of: impl Fn(&(usize, usize)) -> T + Sync + Send) -> Vec<T> {
        self.roots.par_iter().map(of).collect()
    }

    /// Cells with a number each, from every tree, as arrays.
    fn by_member(&self, found: impl IntoIterator<Item = Vec<(usize, usize, f64)>>) -> Vec<Vec<f64>> {
        let mut all: Vec<Vec<f64>> = self.members.iter().map(|member| vec![0.0; member.cells]).collect();
        for (member, cell, value) in found.into_iter().flatten() {
            all[member][cell] = value;
        }
        all
    }

    /// A line whose total is known, with all below it.
    fn root(&self, at: (usize, usize), rates: &[Vec<f64>]) -> Node {
        let total = self.known(at.0, at.1);
        let whole = |tails| self.node(at, (total, total as f64), tails, rates);
        let mut cut = [Tails::NEAR, Tails::FAR].into_iter().map(whole);
        cut.find(|node| !node.is_rough(total))
            .unwrap_or_else(|| whole(Tails::ALL))
    }

    /// A line with all below it, whose total is at most `most` and expected to be about `expected`.
    pub(super) fn node(
        &self,
        at: (usize, usize),
        (most, expected): (usize, f64),
        tails: Tails,
        rates: &[Vec<f64>],
    ) -> Node {
        let (of, number) = at;
        let member = &self.members[of];
        let (total, [first, stride, size]) = member.lines[number];
        let cell = |j: usize| first + j * stride;
        let observed = |j: usize, x: usize| {
            let likelihood = member.likelihood.as_ref();
            likelihood.map_or(0.0, |likelihood| likelihood.ln_likelihood(cell(j), x as u64))
        };
        let ln_rates: Vec<f64> = (0..size).map(|j| rates[of][cell(j)].max(LEAST_RATE).ln()).collect();
        let weight = |j: usize, x: usize| x as f64 * ln_rates[j] - ln_factorial(x as u64) + observed(j, x);
        let is_leaf = self.below[of].is_empty();
        let is_concave = member.likelihood.as_ref().is_none_or(|of| of.is_log_concave());
        if let (Total::Known(total), true) = (total, is_leaf) {
            let total = total as usize;
            let window = is_concave.then(|| Window::new(size, total, &weight)).flatten();
            if let Some(window) = window {
                return Node {
                    at,
                    line: Cells::Window(window),
                    ln_largest: 0.0,
                    below: Vec::new(),
                };
            }
        }
        let is_known = matches!(total, Total::Known(_));
        let largest = |j: usize| match (&member.likelihood, is_concave) {
            (None, _) => 0.0,
            (Some(_), concave) => {
                let top = concave.then(|| observed(j, mode(expected as usize, most, |x| observed(j, x))));
                // A cell that admits few counts shows no slope by which they could be found.
                top.filter(|top| *top > f64::NEG_INFINITY)
                    .unwrap_or_else(|| (0..=most).map(|x| observed(j, x)).fold(f64::NEG_INFINITY, f64::max))
            }
        };
        let ln_largest: f64 = match tails == Tails::ALL || is_known {
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
            let cell = |j: usize| match is_concave {
                true => {
                    let near = expected * rates[of][cell(j)].min(1.0);
                    Message::around(near as usize, most, tails, |x| tilted(j, x))
                }
                false => Message::over(0..=most, |x| tilted(j, x)).within(tails),
            };
            let lost = size as f64 * tails.largest_loss(most);
            let cells = (0..size).map(cell).collect();
            return Node {
                at,
                line: Cells::All(Line::new(cells, lost, most, is_known, tilt, tails)),
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
                .map(|&line| self.node(line, (most, expected), tails, rates))
                .collect();
            let with = |said: Vec<Message>| {
                let low = said.iter().map(|of| of.low).max().unwrap_or(0);
                let end = said
                    .iter()
                    .map(|of| of.range().end)
                    .min()
                    .unwrap_or(most + 1)
                    .min(most + 1);
                let all = |x: usize| tilted(j, x) + said.iter().map(|of| of.get(x)).sum::<f64>();
                match low < end {
                    true => Message::over(low..=end - 1, all),
                    false => Message { low: 0, ln: Vec::new() },
                }
            };
            cells.push(with(nodes.iter().filter_map(Node::message).collect()));
            if tails != Tails::ALL {
                upper.push(with(nodes.iter().filter_map(|node| node.upper(most)).collect()));
            }
            below.push(nodes);
        }
        // Where a total is known any tilt gives the same law; at this one the total is near the most probable sum.
        let more = if is_known { tilt_to(&cells, most) } else { 0.0 };
        cells.iter_mut().chain(&mut upper).for_each(|cell| cell.tilt(more));
        let lost = cells.iter().zip(&upper).map(|(cell, upper)| cell.excess(upper)).sum();
        let below_it: f64 = below.iter().flatten().map(|node: &Node| node.ln_largest).sum();
        Node {
            at,
            line: Cells::All(Line::new(cells, lost, most, is_known, tilt + more, tails)),
            ln_largest: ln_largest + below_it,
            below,
        }
    }

    fn draw_below(&self, node: &Node, total: usize, rng: &mut Stream, into: &mut Vec<(usize, usize, f64)>) {
        let (of, number) = node.at;
        let (_, [first, stride, _]) = self.members[of].lines[number];
        let drawn = match &node.line {
            Cells::All(line) => line.draw(total, rng),
            Cells::Window(window) => window.draw(rng),
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
            Cells::All(line) => line.marginals(of_total),
            Cells::Window(window) => {
                let means = window.means().into_iter().enumerate();
                into.extend(means.map(|(j, mean)| (of, first + j * stride, mean)));
                return;
            }
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
