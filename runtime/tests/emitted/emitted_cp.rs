//! A tensor whose rates and updates are generated functions.

use std::ops::Range;

use skellam::prelude::*;
use skellam::private as rt;

/// What a sweep reads.
#[derive(Clone, Copy)]
struct Read<'a> {
    rows: usize,
    cols: usize,
    times: usize,
    parts: usize,
    a: rt::Entries<2, &'a [f64]>,
    b: rt::Entries<2, &'a [f64]>,
    c: rt::Entries<2, &'a [f64]>,
}

impl<'a> From<rt::Reading<'a>> for Read<'a> {
    fn from(of: rt::Reading<'a>) -> Self {
        let [rows, cols, times, parts] = of.sizes();
        Self {
            rows,
            cols,
            times,
            parts,
            a: rt::Entries::new([rows, parts], of.latent(CpModel::A)),
            b: rt::Entries::new([cols, parts], of.latent(CpModel::B)),
            c: rt::Entries::new([times, parts], of.latent(CpModel::C)),
        }
    }
}

/// `μ[i,j,t] = Σ_k a[i,k] b[j,k] c[t,k]`: rows `(i,j)`, columns `t`.
struct RateOfY<'a>(Read<'a>);

impl rt::Rate for RateOfY<'_> {
    fn inner(&self) -> usize {
        self.0.parts
    }

    fn left(&self, [i, j, ..]: rt::At, left: &mut [f64]) {
        rt::multiply(left, self.0.a.row([i]), self.0.b.row([j]));
    }

    fn right(&self, [_, _, t, ..]: rt::At, right: &mut [f64]) {
        right.copy_from_slice(self.0.c.row([t]));
    }
}

/// `y[i,j,t,k]`, the parts of `y[i,j,t]`.
struct CountsOfY<'a> {
    a: rt::Entries<2, &'a mut [f64]>,
    b: rt::Entries<2, &'a mut [f64]>,
    c: rt::Entries<2, &'a mut [f64]>,
}

impl rt::Adjoint for CountsOfY<'_> {
    fn left(&mut self, [i, j, ..]: rt::At, k: Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.a.row_mut([i])[k.clone()], n);
        rt::add(&mut self.b.row_mut([j])[k], n);
    }

    fn right(&mut self, [_, _, t, ..]: rt::At, k: Range<usize>, n: &[f64], _: &mut rt::Parts) {
        rt::add(&mut self.c.row_mut([t])[k], n);
    }
}

impl CpModel {
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "ijtk",
        weight: "w",
        trees: &[],
        constant: &[],
    };

    fn exposure_of_a(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (Read::from(of), &w[Self::Y]);
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let mut exposure = rt::Entries::of([x.rows, x.parts], |[i, k]| w.base() * w.at(0, i) * b[[k]] * c[[k]]);
        w.correct_left(&RateOfY(x), &mut exposure, &|[i, j, ..], e, exposure| {
            let b = x.b.row([j]);
            for (k, exposure) in exposure.row_mut([i]).iter_mut().enumerate() {
                *exposure += b[k] * e[k];
            }
        });
        exposure
    }

    fn exposure_of_b(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (Read::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let c = x.c.sum::<1>(0, |t| w.at(2, t));
        let mut exposure = rt::Entries::of([x.cols, x.parts], |[j, k]| w.base() * w.at(1, j) * a[[k]] * c[[k]]);
        w.correct_left(&RateOfY(x), &mut exposure, &|[i, j, ..], e, exposure| {
            let a = x.a.row([i]);
            for (k, exposure) in exposure.row_mut([j]).iter_mut().enumerate() {
                *exposure += a[k] * e[k];
            }
        });
        exposure
    }

    fn exposure_of_c(of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> rt::Entries<2> {
        let (x, w) = (Read::from(of), &w[Self::Y]);
        let a = x.a.sum::<1>(0, |i| w.at(0, i));
        let b = x.b.sum::<1>(0, |j| w.at(1, j));
        let mut exposure = rt::Entries::of([x.times, x.parts], |[t, k]| w.base() * w.at(2, t) * a[[k]] * b[[k]]);
        w.correct_right(&RateOfY(x), &mut exposure, &|[_, _, t, ..], e, exposure| {
            rt::add(exposure.row_mut([t]), e);
        });
        exposure
    }

    fn draw_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.rows, x.parts], |[i, k]| [0.4 + n.a[[i, k]], 1.0 + exposure[[i, k]]]);
        s.draw(Self::A, law);
    }

    fn draw_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.cols, x.parts], |[j, k]| [0.4 + n.b[[j, k]], 1.0 + exposure[[j, k]]]);
        s.draw(Self::B, law);
    }

    fn draw_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.times, x.parts], |[t, k]| [0.4 + n.c[[t, k]], 1.0 + exposure[[t, k]]]);
        s.draw(Self::C, law);
    }

    fn ascend_a(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_a(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.rows, x.parts], |[i, k]| [0.4 + n.a[[i, k]], 1.0 + exposure[[i, k]]]);
        s.ascend(Self::A, law);
    }

    fn ascend_b(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_b(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.cols, x.parts], |[j, k]| [0.4 + n.b[[j, k]], 1.0 + exposure[[j, k]]]);
        s.ascend(Self::B, law);
    }

    fn ascend_c(s: &mut rt::State<'_>) {
        let exposure = Self::exposure_of_c(s.reading(), &s.weights());
        let (x, n) = (Read::from(s.reading()), Read::from(s.counted()));
        let law = rt::gammas([x.times, x.parts], |[t, k]| [0.4 + n.c[[t, k]], 1.0 + exposure[[t, k]]]);
        s.ascend(Self::C, law);
    }

    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate_cells(Self::Y);
    }

    fn expect_y(s: &mut rt::State<'_>) {
        s.expect_cells(Self::Y);
    }

    fn level(_: usize, of: rt::Reading<'_>, by: Option<usize>, w: &rt::CellWeights<'_>) -> Vec<f64> {
        let x = Read::from(of);
        let sums = [(x.a, 0), (x.b, 1), (x.c, 2)].map(|(of, axis)| of.sum::<1>(0, |value| w.at(axis, value)));
        let [a, b, c] = &sums;
        let parts = 0..x.parts;
        match by {
            None => vec![w.base() * parts.map(|k| a[[k]] * b[[k]] * c[[k]]).sum::<f64>()],
            Some(axis) => {
                let (of, size) = [(x.a, x.rows), (x.b, x.cols), (x.c, x.times)][axis];
                let others = |k: usize| {
                    let others = (0..3).filter(|other| *other != axis);
                    others.map(|other| sums[other][[k]]).product::<f64>()
                };
                let values = (0..size).map(|value| {
                    let sum = parts.clone().map(|k| of[[value, k]] * others(k));
                    w.base() * w.at(axis, value) * sum.sum::<f64>()
                });
                values.collect()
            }
        }
    }

    fn rate(_: usize, of: rt::Reading<'_>) -> Box<dyn rt::Rate + '_> {
        Box::new(RateOfY(of.into()))
    }

    fn counts<'a>(_: usize, of: rt::Reading<'a>, n: &'a mut [Vec<f64>]) -> Box<dyn rt::Adjoint + 'a> {
        let x = Read::from(of);
        let [a, b, c] = n else { unreachable!("three latents") };
        Box::new(CountsOfY {
            a: rt::Entries::new([x.rows, x.parts], a),
            b: rt::Entries::new([x.cols, x.parts], b),
            c: rt::Entries::new([x.times, x.parts], c),
        })
    }

    fn exposure(latent: usize, of: rt::Reading<'_>, w: &[rt::CellWeights<'_>]) -> Vec<f64> {
        let exposure = match latent {
            Self::A => Self::exposure_of_a(of, w),
            Self::B => Self::exposure_of_b(of, w),
            _ => Self::exposure_of_c(of, w),
        };
        exposure.into_inner()
    }

    const EMITTED: rt::Emitted = rt::Emitted {
        rate: Self::rate,
        counts: Self::counts,
        exposure: Self::exposure,
        level: Self::level,
        sides: &[rt::Sides {
            rows: &[0, 1],
            cols: &[2],
            inner: &[&[3]],
            below: &[],
            right: &[2],
            is_ordered: false,
        }],
    };

    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_y(s);
        Self::draw_a(s);
        Self::draw_b(s);
        Self::draw_c(s);
    }

    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_y(s);
        Self::ascend_a(s);
        Self::ascend_b(s);
        Self::ascend_c(s);
    }

    /// What an iteration ascends.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::Y]) - of.divergence(&[Self::A, Self::B, Self::C])
    }
}

impl rt::Declaration for CpModel {
    type Gibbs = CpGibbs;
    type Cavi = CpCavi;
    const EMITTED: Option<&'static rt::Emitted> = Some(&Self::EMITTED);
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Cp",
        sets: &["rows", "cols", "times", "parts"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::gamma("a", &[0, 3], rt::Term::number(0.4, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("b", &[1, 3], rt::Term::number(0.4, &[]), rt::Term::number(1.0, &[])),
            rt::LatentSpec::gamma("c", &[2, 3], rt::Term::number(0.4, &[]), rt::Term::number(1.0, &[])),
        ],
        custom_updates: &[],
        counts: &[rt::CountSpec {
            name: "y",
            vars: &[0, 1, 2, 3],
            free: 3,
            guards: &[],
            terms: &[rt::Term::new(
                1.0,
                &[],
                &[
                    rt::Factor::latent(0, &[0, 3]),
                    rt::Factor::latent(1, &[1, 3]),
                    rt::Factor::latent(2, &[2, 3]),
                ],
                &[3],
            )],
            layouts: 1,
            total: None,
            is_hidden: false,
        }],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[],
        counts: &[Self::RATE_OF_Y],
        shapes: &[],
    };
}

rt::user_types! {
    /// A tensor of counts.
    pub model Cp: CpModel, CpSizes, CpGibbs, CpCavi;
    index { 0 ROWS rows, 1 COLS cols, 2 TIMES times, 3 PARTS parts }
    hyper {}
    array {}
    latent {
        0 A a[rows, parts] freeze_a {
            /// Of rows.
            draws,
            /// Of rows.
            posterior
        }
        1 B b[cols, parts] freeze_b {
            /// Of columns.
            draws,
            /// Of columns.
            posterior
        }
        2 C c[times, parts] freeze_c {
            /// Of times.
            draws,
            /// Of times.
            posterior
        }
    }
    count {
        0 Y y[rows, cols, times] {
            /// `y[i,j,t] ~ Poisson(Σ_k a[i,k] b[j,k] c[t,k])`.
            released CpLaw = TwoSidedGeometric
        }
    }
}
