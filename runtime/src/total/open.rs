//! Totals that nobody knows: Poisson counts, which have no largest number.
//!
//! With `w(x) = r^x / x! P(c | x)` times what every line below says of `x`, the evidence of such a count is `e^-r` times the sum of all
//! `w(x)`. It is summed up to a number beyond which, whatever was observed, a Poisson count of rate `r` hardly ever is.
//!
//! Own derivation: MATH, *Known totals* (the evidence) and *Sums in pairs* (the tail); TOTALS, *Totals that nobody knows*.

use crate::special::ln_factorial;

use super::message::{Message, Tails};
use super::search::{Search, SearchVerdict, Shown};
use super::tree::{EXACT, LEAST_RATE, LineLaw, Node, Totals};
use super::window::mode;

/// Numbers up to which the law of a Poisson count is summed at first, in standard deviations above what is expected, and besides.
const DEVIATIONS: f64 = 10.0;
const BESIDES: f64 = 20.0;
/// Where the largest probability of an observation is looked for: no true count is larger.
const ANY: usize = 1 << 40;

/// How far totals go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The largest that is summed.
    pub most: usize,
    /// What it is about.
    pub expected: f64,
    /// Whether it may be larger than `most`.
    pub is_open: bool,
    /// Whether what lines say of totals far from what is expected is bounded, which takes as long as the lines themselves.
    pub is_bounded: bool,
}

impl Reach {
    /// Of a total that is known, or of a cell below one.
    pub fn closed(most: usize, expected: f64) -> Self {
        Self {
            most,
            expected,
            is_open: false,
            is_bounded: false,
        }
    }

    /// Of a Poisson count, or of a cell below one.
    pub fn open(most: usize, expected: f64, is_bounded: bool) -> Self {
        Self {
            most,
            expected,
            is_open: true,
            is_bounded,
        }
    }

    /// The largest of the probabilities `ln` of an observation, whatever its true count; `is_concave` is whether they are.
    pub fn largest(&self, is_concave: bool, ln: impl Fn(usize) -> f64) -> f64 {
        let most = if self.is_open { ANY } else { self.most };
        let top = is_concave.then(|| ln(mode(self.expected as usize, most, &ln)));
        // A cell that admits few counts shows no slope by which they could be found.
        top.filter(|top| *top > f64::NEG_INFINITY).unwrap_or_else(|| {
            let near = (0..=self.most).map(&ln).fold(f64::NEG_INFINITY, f64::max);
            // What is observed at larger counts has a probability, which is one at most.
            if self.is_open { near.max(0.0) } else { near }
        })
    }
}

/// The law of a Poisson count given what was observed of it and of the lines whose total it is.
#[derive(Debug)]
pub(super) struct Open {
    /// `ln w(x)`.
    pub law: Message,
    /// What messages from below have lost to cut tails, relative to all weights, at most.
    pub cut: f64,
    /// The weights of larger numbers, relative to those of the law, at most.
    pub beyond: f64,
    /// Whether nothing was cut off.
    pub is_whole: bool,
    /// How much larger the largest probability of what was observed is than all weights of the law, in logarithms.
    ln_above: f64,
}

/// `ln` of `sum_{x > most} r^x / x!`, or more: that is at most `r^(m+1) / (m+1)!` times `(m + 2) / (m + 2 - r)` (MATH, *Sums in pairs*).
fn ln_tail(rate: f64, most: usize) -> f64 {
    let next = most as f64 + 2.0;
    match next > rate {
        true => (next - 1.0) * rate.ln() - ln_factorial(most as u64 + 1) + (next / (next - rate)).ln(),
        false => f64::INFINITY,
    }
}

impl Open {
    /// The law up to `most`, at a rate; no observation, of it and below, is more probable than `ln_largest` whatever the counts are.
    fn new(law: Message, cut: f64, rate: f64, most: usize, ln_largest: f64) -> Self {
        let ln_above = ln_largest - law.ln_sum();
        let beyond = (ln_tail(rate, most) + ln_above).exp();
        Self {
            law,
            cut,
            beyond,
            is_whole: false,
            ln_above,
        }
    }

    /// A number beyond which no larger one adds to the evidence, at this rate, as far as this law tells; above `most`.
    fn further(&self, rate: f64, most: usize) -> usize {
        if self.ln_above == f64::INFINITY {
            // No number is possible so far.
            return (most + most / 2).min(Totals::MOST);
        }
        let is_far = |most: usize| ln_tail(rate, most) + self.ln_above < EXACT.ln() - 1.0;
        let (mut low, mut high) = (most, most + most / 2);
        while high < Totals::MOST && !is_far(high) {
            (low, high) = (high, 2 * high);
        }
        while high - low > 1 + low / 16 {
            let middle = low.midpoint(high);
            match is_far(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        high.min(Totals::MOST)
    }

    /// Up to which number the law of a count that is about `expected` is summed at first.
    pub fn most(expected: f64) -> usize {
        let most = expected + DEVIATIONS * expected.sqrt() + BESIDES;
        (most as usize).min(Totals::MOST)
    }

    /// Whether larger numbers may add to the evidence, or nobody could tell.
    pub fn is_beyond(&self) -> bool {
        let is_far = self.beyond < EXACT;
        !is_far
    }
}

/// The weights `ln` up to `most`, each times what lines say of it.
pub(super) fn weigh(said: Vec<Message>, most: usize, ln: impl Fn(usize) -> f64) -> Message {
    let low = said.iter().map(|of| of.low).max().unwrap_or(0);
    let end = said.iter().map(|of| of.range().end).min().unwrap_or(most + 1);
    let end = end.min(most + 1);
    match low < end {
        true => Message::over(low..=end - 1, |x| ln(x) + said.iter().map(|of| of.get(x)).sum::<f64>()),
        false => Message { low: 0, ln: Vec::new() },
    }
}

impl Totals {
    /// The largest number that a Poisson count may have that is a total and that nobody knows.
    pub const MOST: usize = 1 << 22;

    /// A Poisson count, with all below it: summed far enough that no number beyond adds to its evidence.
    pub(super) fn open(&self, at: (usize, usize), rates: &[Vec<f64>]) -> Node {
        let (_, [cell, ..]) = self.members[at.0].lines[at.1];
        let rate = rates[at.0][cell].max(LEAST_RATE);
        let cells = self.cells_below(at.0, at.1);
        let guess = self.guess(at.0, cell);
        let mut search = Search::new(cells, guess, rate, || self.settled(at, rate, rates));
        loop {
            let reach = search.reach();
            let (mut open, below) = self.poisson(at, &reach, search.tails(), rates);
            open.is_whole = search.is_whole();
            let is_seen = open.law.ln_sum() > f64::NEG_INFINITY;
            let verdict = search.judge(Shown {
                moments: is_seen.then(|| open.law.moments(0.0)),
                is_exact: open.cut < EXACT || open.is_whole,
                further: open.is_beyond().then(|| open.further(rate, reach.most)),
            });
            if verdict == SearchVerdict::Again {
                continue;
            }
            if verdict == SearchVerdict::Unsummed {
                open.beyond = f64::INFINITY;
            }
            return Node {
                at,
                line: LineLaw::Open(open),
                ln_largest: 0.0,
                below: vec![below],
            };
        }
    }

    /// The law of a Poisson count as far as `reach` goes, and the lines whose total it is.
    fn poisson(
        &self,
        (of, number): (usize, usize),
        reach: &Reach,
        tails: Tails,
        rates: &[Vec<f64>],
    ) -> (Open, Vec<Node>) {
        let member = &self.members[of];
        let (_, [cell, ..]) = member.lines[number];
        let rate = rates[of][cell].max(LEAST_RATE);
        let observed = |x: usize| (member.likelihood.as_ref()).map_or(0.0, |of| of.ln_likelihood(cell, x as u64));
        let weight = |x: usize| x as f64 * rate.ln() - ln_factorial(x as u64) + observed(x);
        let lines = self.below[of].get(cell).into_iter().flatten();
        let nodes: Vec<Node> = lines.map(|&line| self.node(line, *reach, tails, rates)).collect();
        let law = weigh(nodes.iter().filter_map(Node::message).collect(), reach.most, weight);
        let cut = match tails == Tails::ALL {
            true => 0.0,
            false => {
                let upper = nodes.iter().filter_map(|node| node.upper(reach.most)).collect();
                law.excess(&weigh(upper, reach.most, weight))
            }
        };
        let is_concave = member.likelihood.as_ref().is_none_or(|of| of.is_log_concave());
        let own = member
            .likelihood
            .as_ref()
            .map_or(0.0, |_| reach.largest(is_concave, observed));
        let ln_largest = own + nodes.iter().map(|node| node.ln_largest).sum::<f64>();
        (Open::new(law, cut, rate, reach.most, ln_largest), nodes)
    }
}
