//! Small trees with every channel, and with every place that a line may have: as they are evaluated, and as they run.

use std::sync::Arc;

use super::super::Seen;
use super::value::{Above, Observing, Printed, Solved, Tree};
use crate::channel::{Exact, TruncatedGeometric, TwoSidedGeometric};
use crate::total::{Likelihood, Member, Total, Totals};

/// The largest number of a Poisson count in the sums: at the rates here what is beyond weighs less than 1e-35.
const FAR: usize = 40;
/// A tree with the total of its first line; none of a Poisson count.
pub struct Case {
    pub name: &'static str,
    pub total: Option<usize>,
    pub tree: Tree,
}

impl Case {
    fn above(&self) -> Above {
        self.total.map_or(Above::Nothing, |_| Above::Number)
    }

    pub fn most(&self) -> usize {
        self.total.unwrap_or(FAR)
    }

    pub fn solved(&self, is_gibbs: bool, change: &dyn Fn(&mut Printed)) -> Solved<'_> {
        Solved::up(&self.tree, self.above(), is_gibbs, self.most(), change)
    }
}

fn observed(rates: &[f64], law: Observing, seen: &[i64]) -> Tree {
    Tree {
        observed: Some((law, seen.to_vec())),
        ..hidden(rates, Vec::new())
    }
}

fn hidden(rates: &[f64], below: Vec<Vec<Tree>>) -> Tree {
    Tree {
        rates: rates.to_vec(),
        observed: None,
        below,
    }
}

/// Every channel, and every place of a line in a tree.
pub fn cases() -> Vec<Case> {
    let (geometric, truncated) = (Observing::Geometric(0.6), Observing::Truncated(0.5));
    let of = |name, total, tree| Case { name, total, tree };
    let answers = |seen: [i64; 2]| observed(&[0.3, 0.7], geometric, &seen);
    let kinds = |seen: [i64; 3]| observed(&[0.2, 0.5, 0.3], truncated, &seen);
    let known = |seen: [i64; 2]| observed(&[0.6, 0.4], Observing::Exact, &seen);
    let below = || {
        vec![
            vec![answers([3, -1]), kinds([1, 0, 2])],
            vec![answers([1, 2]), kinds([0, 1, 0])],
        ]
    };
    vec![
        of(
            "exact",
            Some(5),
            observed(&[0.5, 0.2, 0.3], Observing::Exact, &[2, 0, 3]),
        ),
        of("geometric", Some(6), observed(&[0.2, 0.5, 0.3], geometric, &[3, -1, 6])),
        of(
            "truncated",
            Some(5),
            observed(&[0.1, 0.4, 0.2, 0.3], truncated, &[0, 2, 0, 4]),
        ),
        of("two cells", Some(6), observed(&[0.9, 0.1], geometric, &[0, 5])),
        of("hidden above two tables", Some(4), hidden(&[0.35, 0.65], below())),
        of(
            "hidden above an exact table and a noisy one",
            Some(6),
            hidden(
                &[0.5, 0.5],
                vec![
                    vec![known([1, 1]), answers([2, 2])],
                    vec![known([3, 1]), answers([0, 4])],
                ],
            ),
        ),
        of(
            "released above a table",
            Some(4),
            Tree {
                observed: Some((truncated, vec![0, 3])),
                ..hidden(&[0.35, 0.65], vec![vec![answers([3, -1])], vec![kinds([1, 0, 2])]])
            },
        ),
        of(
            "hidden above hidden",
            Some(3),
            hidden(
                &[0.4, 0.6],
                vec![
                    vec![hidden(&[0.8, 0.2], vec![vec![answers([1, 1])], vec![answers([0, 1])]])],
                    vec![hidden(
                        &[0.3, 0.7],
                        vec![vec![answers([0, -1])], vec![kinds([2, 0, 0])]],
                    )],
                ],
            ),
        ),
        of(
            "unknown above a table",
            None,
            hidden(&[1.7], vec![vec![kinds([1, 0, 2])]]),
        ),
        of(
            "released and unknown above two tables",
            None,
            Tree {
                observed: Some((geometric, vec![4])),
                ..hidden(&[1.2], vec![vec![answers([1, 1]), kinds([2, 1, 0])]])
            },
        ),
    ]
}

/// The same tree as it runs, by the number of each line among all, with its rates.
pub struct Running {
    pub totals: Totals,
    pub rates: Vec<Vec<f64>>,
}

impl Running {
    /// `is_concave` is what channels say of themselves: then windows and tails are looked for.
    pub fn new(case: &Case, is_concave: bool) -> Self {
        let total = case.total.map_or(Total::Poisson, |total| Total::Known(total as u64));
        let (mut members, mut rates) = (Vec::new(), Vec::new());
        push(&case.tree, total, is_concave, &mut members, &mut rates);
        Self {
            totals: Totals::new(members),
            rates,
        }
    }
}

fn push(tree: &Tree, total: Total, concave: bool, members: &mut Vec<Member>, rates: &mut Vec<Vec<f64>>) {
    let (number, cells) = (members.len(), tree.rates.len());
    let likelihood = tree.observed.as_ref().map(|(law, values)| -> Arc<dyn Likelihood> {
        let values = values.clone();
        match *law {
            Observing::Exact => Arc::new(Seen {
                law: Exact,
                values,
                concave,
            }),
            Observing::Geometric(alpha) => Arc::new(Seen {
                law: TwoSidedGeometric::new(alpha).unwrap(),
                values,
                concave,
            }),
            Observing::Truncated(alpha) => Arc::new(Seen {
                law: TruncatedGeometric::new(alpha).unwrap(),
                values,
                concave,
            }),
        }
    });
    members.push(Member {
        count: number,
        cells,
        lines: vec![(total, [0, 1, cells])],
        likelihood,
    });
    rates.push(tree.rates.clone());
    for (cell, lines) in tree.below.iter().enumerate() {
        for line in lines {
            push(line, Total::Cell(number, cell), concave, members, rates);
        }
    }
}
