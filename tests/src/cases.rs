//! Observations of every kind for a family: dense and sparse, all laws, held-out cells.

use rand::RngExt;
use skellam::channel::{Augmentation, Channel, SkellamBessel, TwoSidedGeometric, Varying};
use skellam::counts::{Counts, Mask};
use skellam::model::FormKind;
use skellam::release::Released;

use crate::data::{Vary, laws, stream};
use crate::families::HasTwin;
use crate::twin::Twin;

/// Through what the count is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Releases, noise integrated out.
    Collapsed,
    /// Releases, auxiliary variables kept.
    Augmented,
    /// True counts.
    Exact,
    /// Releases taken for counts.
    Naive,
}

/// One way of observing.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Through what.
    pub kind: Kind,
    /// How alpha varies.
    pub vary: Vary,
    /// Whether few cells are positive.
    pub sparse: bool,
    /// Whether some cells are held out.
    pub masked: bool,
}

impl Case {
    /// All cases for counts with `modes` indices.
    pub fn all(modes: usize) -> Vec<Case> {
        let mut all = Vec::new();
        for sparse in [false, true] {
            for masked in [false, true] {
                let vary: Vec<Vary> = (0..modes).map(Vary::Slice).chain([Vary::Scalar, Vary::Cell]).collect();
                for vary in vary {
                    all.push(Case {
                        kind: Kind::Collapsed,
                        vary,
                        sparse,
                        masked,
                    });
                }
                for kind in [Kind::Augmented, Kind::Exact, Kind::Naive] {
                    all.push(Case {
                        kind,
                        vary: Vary::Scalar,
                        sparse,
                        masked,
                    });
                }
            }
        }
        all
    }
}

/// Observations, and what each cell means to inference.
#[derive(Clone, Debug)]
pub struct Observed {
    case: Case,
    values: Vec<i64>,
    laws: Varying<TwoSidedGeometric>,
    mask: Mask,
    shape: Vec<usize>,
}

impl Observed {
    /// Arbitrary values: what passes compute must hold for any.
    pub fn new(case: Case, shape: &[usize], seed: u64) -> Self {
        let mut rng = stream(seed);
        let positive = if case.sparse { 0.03 } else { 0.4 };
        let values = (0..shape.iter().product()).map(|_| match rng.random::<f64>() < positive {
            true => rng.random_range(1..7),
            false if case.kind == Kind::Exact => 0,
            false => rng.random_range(-3..=0),
        });
        let fraction = if case.sparse { 0.02 } else { 0.15 };
        Self {
            case,
            values: values.collect(),
            laws: laws(case.vary, shape),
            mask: if case.masked {
                Mask::random(shape, fraction, seed).unwrap()
            } else {
                Mask::none()
            },
            shape: shape.to_vec(),
        }
    }

    /// Binds a family to them.
    pub fn bind<F: HasTwin<Law = TwoSidedGeometric>>(&self, family: &F, way: Option<usize>) -> F::Bound {
        let released = || {
            let all = Released::assert_mechanism(self.shape.clone(), self.values.clone(), self.laws.clone());
            all.unwrap().hold_out(&self.mask).unwrap()
        };
        match self.case.kind {
            Kind::Collapsed => family.released(&released(), FormKind::Collapsed, way),
            Kind::Augmented => family.released(&released(), FormKind::Augmented, way),
            Kind::Naive => family.naive(&released(), way),
            Kind::Exact => {
                let counts = if self.case.sparse {
                    let stored = self.values.iter().enumerate().filter(|(_, v)| **v > 0);
                    Counts::from_linear(self.shape.clone(), stored.map(|(i, v)| (i as u64, *v)).collect())
                } else {
                    Counts::dense(self.shape.clone(), self.values.clone())
                };
                family.exact(&counts.unwrap().hold_out(&self.mask).unwrap(), way)
            }
        }
    }

    /// The exposure weight of every cell.
    pub fn weights(&self) -> Vec<f64> {
        let weight = |cell: usize| match (self.mask.is_held_out(cell), self.case.kind) {
            (true, _) => 0.0,
            (_, Kind::Collapsed) if self.values[cell] <= 0 => 1.0 - self.laws.at(cell, &self.shape).alpha(),
            _ => 1.0,
        };
        (0..self.values.len()).map(weight).collect()
    }

    /// Whether a cell is visited: its count is not integrated out.
    pub fn visited(&self, cell: usize) -> bool {
        !self.mask.is_held_out(cell) && (self.values[cell] > 0 || self.case.kind == Kind::Augmented)
    }

    /// The law of a cell.
    pub fn law(&self, cell: usize) -> &TwoSidedGeometric {
        self.laws.at(cell, &self.shape)
    }

    /// What was observed at a cell.
    pub fn value(&self, cell: usize) -> i64 {
        self.values[cell]
    }

    /// `E[y] / rate` of every cell, and the part of the bound that does not depend on `E[mu]`.
    pub fn expected(&self, twin: &Twin, x: &[Vec<f64>]) -> (Vec<f64>, f64) {
        let (mut slopes, mut bound) = (vec![0.0; self.values.len()], 0.0);
        for (cell, rate) in twin.rates(x).into_iter().enumerate() {
            let (c, law) = (self.values[cell], self.law(cell));
            let y = c.max(0) as f64;
            if self.mask.is_held_out(cell) {
                continue;
            }
            match self.case.kind {
                Kind::Collapsed if c <= 0 => bound += law.ln_marginal(rate, c) + (1.0 - law.alpha()) * rate,
                Kind::Collapsed => {
                    slopes[cell] = law.expect(rate, c) / rate;
                    bound += law.ln_marginal(rate, c) + rate;
                }
                Kind::Augmented => {
                    let mut factor = SkellamBessel::start_factor(law, c);
                    bound += SkellamBessel::bound(law, rate, c, &factor);
                    slopes[cell] = SkellamBessel::expect(law, rate, c, &mut factor);
                }
                Kind::Exact | Kind::Naive => {
                    slopes[cell] = y / rate;
                    bound += y * rate.ln() - crate::statistics::ln_gamma(y + 1.0);
                }
            }
        }
        (slopes, bound)
    }
}
