//! Generated from the declaration of `Tucker`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.

#[allow(
    unused_imports,
    reason = "a mechanism named by its full path needs none of them"
)]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// [`Tucker`] with its data, sizes and layout: what the engines run on.
pub struct TuckerModel {
    sizes: TuckerSizes,
    __bound: rt::Bound,
}

impl TuckerModel {
    /// The latent `a`, (rows, ps).
    pub const A: usize = 0;

    /// The latent `b`, (cols, qs).
    pub const B: usize = 1;

    /// The latent `c`, (times, rs).
    pub const C: usize = 2;

    /// The latent `core`, (ps, qs, rs).
    pub const CORE: usize = 3;

    /// The count `y`, (rows, cols, times).
    pub const Y: usize = 0;
    const __DERIVED: rt::Derived = rt::Derived {
        symmetries: &[
            rt::Symmetry::new(
                &[rt::Scaled::new(0, 1, 1), rt::Scaled::new(3, 0, -1)],
                true,
            ),
            rt::Symmetry::new(
                &[rt::Scaled::new(1, 1, 1), rt::Scaled::new(3, 1, -1)],
                true,
            ),
            rt::Symmetry::new(
                &[rt::Scaled::new(2, 1, 1), rt::Scaled::new(3, 2, -1)],
                true,
            ),
        ],
        counts: &[
            rt::DerivedCount {
                costs: Self::y_costs,
                grid: Self::y_grid,
                constant: &[],
            },
        ],
    };

    /// Sizes of the index sets.
    pub fn sizes(&self) -> &TuckerSizes {
        &self.sizes
    }

    /// How the cells of `y` are cut in rows and columns.
    fn y_grid(sizes: &[usize], layout: usize) -> rt::Grid {
        let s = TuckerSizes::of(sizes);
        match layout {
            0 => {
                rt::Grid::new(
                    &[s.rows, s.cols, s.times],
                    &[],
                    &[0, 2],
                    &[1],
                    &[(s.qs, false)],
                )
            }
            1 => {
                rt::Grid::new(
                    &[s.rows, s.cols, s.times],
                    &[],
                    &[0],
                    &[1, 2],
                    &[(s.ps, false)],
                )
            }
            _ => {
                rt::Grid::new(
                    &[s.rows, s.cols, s.times],
                    &[],
                    &[0, 1],
                    &[2],
                    &[(s.rs, false)],
                )
            }
        }
    }

    /// The layouts of `y` and what each costs at given sizes.
    fn y_costs(sizes: &[usize]) -> Vec<rt::LayoutCost> {
        let s = TuckerSizes::of(sizes);
        Vec::from([
            rt::LayoutCost {
                tree: "rate[i,j,t] = Σ_q left[i,t,q] right[j,q]\n  node0[p,t,q] = Σ_r c[t,r] core[p,q,r]\n  left[i,t,q] = Σ_p a[i,p] node0[p,t,q]\n  right[j,q] = b[j,q]",
                product: [
                    1.0,
                    (s.rows as f64 * s.times as f64),
                    s.cols as f64,
                    (s.qs as f64),
                ],
                root: 1.0 * s.rows as f64 * s.cols as f64 * s.times as f64 * s.qs as f64,
                below: 4.0 * s.rows as f64 * s.times as f64 * s.ps as f64 * s.qs as f64
                    + 4.0 * s.cols as f64 * s.qs as f64
                    + 4.0 * s.times as f64 * s.ps as f64 * s.qs as f64 * s.rs as f64,
                memory: 1.0 * s.rows as f64 * s.times as f64 * s.qs as f64
                    + 1.0 * s.cols as f64 * s.qs as f64
                    + 1.0 * s.times as f64 * s.ps as f64 * s.qs as f64,
            },
            rt::LayoutCost {
                tree: "rate[i,j,t] = Σ_p left[i,p] right[j,t,p]\n  left[i,p] = a[i,p]\n  node0[j,r,p] = Σ_q b[j,q] core[p,q,r]\n  right[j,t,p] = Σ_r node0[j,r,p] c[t,r]",
                product: [
                    1.0,
                    s.rows as f64,
                    (s.cols as f64 * s.times as f64),
                    (s.ps as f64),
                ],
                root: 1.0 * s.rows as f64 * s.cols as f64 * s.times as f64 * s.ps as f64,
                below: 4.0 * s.rows as f64 * s.ps as f64
                    + 4.0 * s.cols as f64 * s.times as f64 * s.ps as f64 * s.rs as f64
                    + 4.0 * s.cols as f64 * s.ps as f64 * s.qs as f64 * s.rs as f64,
                memory: 1.0 * s.rows as f64 * s.ps as f64
                    + 1.0 * s.cols as f64 * s.times as f64 * s.ps as f64
                    + 1.0 * s.cols as f64 * s.ps as f64 * s.rs as f64,
            },
            rt::LayoutCost {
                tree: "rate[i,j,t] = Σ_r left[i,j,r] right[t,r]\n  node0[i,q,r] = Σ_p a[i,p] core[p,q,r]\n  left[i,j,r] = Σ_q node0[i,q,r] b[j,q]\n  right[t,r] = c[t,r]",
                product: [
                    1.0,
                    (s.rows as f64 * s.cols as f64),
                    s.times as f64,
                    (s.rs as f64),
                ],
                root: 1.0 * s.rows as f64 * s.cols as f64 * s.times as f64 * s.rs as f64,
                below: 4.0 * s.rows as f64 * s.cols as f64 * s.qs as f64 * s.rs as f64
                    + 4.0 * s.rows as f64 * s.ps as f64 * s.qs as f64 * s.rs as f64
                    + 4.0 * s.times as f64 * s.rs as f64,
                memory: 1.0 * s.rows as f64 * s.cols as f64 * s.rs as f64
                    + 1.0 * s.rows as f64 * s.qs as f64 * s.rs as f64
                    + 1.0 * s.times as f64 * s.rs as f64,
            },
        ])
    }

    /// node0[p,t,q] = Σ_r c[t,r] core[p,q,r]
    fn y0_step0(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.ps, s.times * s.qs, 0, s.qs * s.rs),
                rt::Axis::new(s.times, s.qs, s.rs, 0),
                rt::Axis::new(s.qs, 1, 0, s.rs),
                rt::Axis::new(s.rs, 0, 1, 1),
            ],
        )
    }

    /// left[i,t,q] = Σ_p a[i,p] node0[p,t,q]
    fn y0_step1(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.rows, s.times * s.qs, s.ps, 0),
                rt::Axis::new(s.times, s.qs, 0, s.qs),
                rt::Axis::new(s.qs, 1, 0, 1),
                rt::Axis::new(s.ps, 0, 1, s.times * s.qs),
            ],
        )
    }

    /// right[j,q] = b[j,q]
    fn y0_step2(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[rt::Axis::new(s.cols, s.qs, s.qs, 0), rt::Axis::new(s.qs, 1, 1, 0)],
        )
    }

    /// left[i,p] = a[i,p]
    fn y1_step0(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[rt::Axis::new(s.rows, s.ps, s.ps, 0), rt::Axis::new(s.ps, 1, 1, 0)],
        )
    }

    /// node0[j,r,p] = Σ_q b[j,q] core[p,q,r]
    fn y1_step1(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.cols, s.rs * s.ps, s.qs, 0),
                rt::Axis::new(s.rs, s.ps, 0, 1),
                rt::Axis::new(s.ps, 1, 0, s.qs * s.rs),
                rt::Axis::new(s.qs, 0, 1, s.rs),
            ],
        )
    }

    /// right[j,t,p] = Σ_r node0[j,r,p] c[t,r]
    fn y1_step2(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.cols, s.times * s.ps, s.rs * s.ps, 0),
                rt::Axis::new(s.times, s.ps, 0, s.rs),
                rt::Axis::new(s.ps, 1, 1, 0),
                rt::Axis::new(s.rs, 0, s.ps, 1),
            ],
        )
    }

    /// node0[i,q,r] = Σ_p a[i,p] core[p,q,r]
    fn y2_step0(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.rows, s.qs * s.rs, s.ps, 0),
                rt::Axis::new(s.qs, s.rs, 0, s.rs),
                rt::Axis::new(s.rs, 1, 0, 1),
                rt::Axis::new(s.ps, 0, 1, s.qs * s.rs),
            ],
        )
    }

    /// left[i,j,r] = Σ_q node0[i,q,r] b[j,q]
    fn y2_step1(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[
                rt::Axis::new(s.rows, s.cols * s.rs, s.qs * s.rs, 0),
                rt::Axis::new(s.cols, s.rs, 0, s.qs),
                rt::Axis::new(s.rs, 1, 1, 0),
                rt::Axis::new(s.qs, 0, s.rs, 1),
            ],
        )
    }

    /// right[t,r] = c[t,r]
    fn y2_step2(&self) -> rt::Pair {
        let s = &self.sizes;
        rt::Pair::new(
            &[rt::Axis::new(s.times, s.rs, s.rs, 0), rt::Axis::new(s.rs, 1, 1, 0)],
        )
    }

    /// Forward walk of `y`: inner nodes and both sides of the product from the factors. Rule: a rate is multilinear, so its sums may be taken in any order.
    fn y_forward(&self, x: &rt::Factors, root: &mut rt::Root) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let s = &self.sizes;
                root.nodes.resize(&[s.ps * s.times * s.qs]);
                let mut node = root.nodes.take(0);
                self.y0_step0().forward(&mut node, &x[Self::C], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y0_step1()
                    .forward(&mut root.operands.left[..], &x[Self::A], &root.nodes[0]);
                self.y0_step2()
                    .forward(&mut root.operands.right[..], &x[Self::B], rt::ONE);
            }
            1 => {
                let s = &self.sizes;
                root.nodes.resize(&[s.cols * s.rs * s.ps]);
                self.y1_step0()
                    .forward(&mut root.operands.left[..], &x[Self::A], rt::ONE);
                let mut node = root.nodes.take(0);
                self.y1_step1().forward(&mut node, &x[Self::B], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y1_step2()
                    .forward(&mut root.operands.right[..], &root.nodes[0], &x[Self::C]);
            }
            _ => {
                let s = &self.sizes;
                root.nodes.resize(&[s.rows * s.qs * s.rs]);
                let mut node = root.nodes.take(0);
                self.y2_step0().forward(&mut node, &x[Self::A], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y2_step1()
                    .forward(&mut root.operands.left[..], &root.nodes[0], &x[Self::B]);
                self.y2_step2()
                    .forward(&mut root.operands.right[..], &x[Self::C], rt::ONE);
            }
        }
    }

    /// Adjoint walk of `y`: derivatives with respect to the sides, handed down to the factors. Rule: the expected count on an entry is the entry times the derivative with respect to it.
    fn y_adjoint(&self, x: &rt::Factors, root: &rt::Root, into: &mut rt::Factors) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let mut y0_node0 = vec![0.0; root.nodes[0].len()];
                self.y0_step2()
                    .adjoint_left(&mut into[Self::B], &root.seeds.right[..], rt::ONE);
                self.y0_step1()
                    .adjoint_left(
                        &mut into[Self::A],
                        &root.seeds.left[..],
                        &root.nodes[0],
                    );
                self.y0_step1()
                    .adjoint_right(&mut y0_node0, &x[Self::A], &root.seeds.left[..]);
                self.y0_step0()
                    .adjoint_left(&mut into[Self::C], &y0_node0[..], &x[Self::CORE]);
                self.y0_step0()
                    .adjoint_right(&mut into[Self::CORE], &x[Self::C], &y0_node0[..]);
            }
            1 => {
                let mut y1_node0 = vec![0.0; root.nodes[0].len()];
                self.y1_step2()
                    .adjoint_left(&mut y1_node0, &root.seeds.right[..], &x[Self::C]);
                self.y1_step2()
                    .adjoint_right(
                        &mut into[Self::C],
                        &root.nodes[0],
                        &root.seeds.right[..],
                    );
                self.y1_step1()
                    .adjoint_left(&mut into[Self::B], &y1_node0[..], &x[Self::CORE]);
                self.y1_step1()
                    .adjoint_right(&mut into[Self::CORE], &x[Self::B], &y1_node0[..]);
                self.y1_step0()
                    .adjoint_left(&mut into[Self::A], &root.seeds.left[..], rt::ONE);
            }
            _ => {
                let mut y2_node0 = vec![0.0; root.nodes[0].len()];
                self.y2_step2()
                    .adjoint_left(&mut into[Self::C], &root.seeds.right[..], rt::ONE);
                self.y2_step1()
                    .adjoint_left(&mut y2_node0, &root.seeds.left[..], &x[Self::B]);
                self.y2_step1()
                    .adjoint_right(
                        &mut into[Self::B],
                        &root.nodes[0],
                        &root.seeds.left[..],
                    );
                self.y2_step0()
                    .adjoint_left(&mut into[Self::A], &y2_node0[..], &x[Self::CORE]);
                self.y2_step0()
                    .adjoint_right(&mut into[Self::CORE], &x[Self::A], &y2_node0[..]);
            }
        }
    }

    /// Thin walk of `y`: counts on the sides, handed down to the factors. Rule: given their total, Poisson counts are multinomial.
    fn y_thin(
        &self,
        x: &rt::Factors,
        root: &rt::Root,
        into: &mut rt::Factors,
        streams: &rt::Streams,
        unit: usize,
    ) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let mut y0_node0 = vec![0.0; root.nodes[0].len()];
                let mut rng = streams.open(rt::Purpose::Thin, unit, 2);
                self.y0_step2()
                    .thin(
                        &root.seeds.right[..],
                        &x[Self::B],
                        rt::ONE,
                        Some(&mut into[Self::B]),
                        None,
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 1);
                self.y0_step1()
                    .thin(
                        &root.seeds.left[..],
                        &x[Self::A],
                        &root.nodes[0],
                        Some(&mut into[Self::A]),
                        Some(&mut y0_node0),
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 0);
                let [left, right] = into.two_mut(Self::C, Self::CORE);
                self.y0_step0()
                    .thin(
                        &y0_node0[..],
                        &x[Self::C],
                        &x[Self::CORE],
                        Some(left),
                        Some(right),
                        &mut rng,
                    );
            }
            1 => {
                let mut y1_node0 = vec![0.0; root.nodes[0].len()];
                let mut rng = streams.open(rt::Purpose::Thin, unit, 2);
                self.y1_step2()
                    .thin(
                        &root.seeds.right[..],
                        &root.nodes[0],
                        &x[Self::C],
                        Some(&mut y1_node0),
                        Some(&mut into[Self::C]),
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 1);
                let [left, right] = into.two_mut(Self::B, Self::CORE);
                self.y1_step1()
                    .thin(
                        &y1_node0[..],
                        &x[Self::B],
                        &x[Self::CORE],
                        Some(left),
                        Some(right),
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 0);
                self.y1_step0()
                    .thin(
                        &root.seeds.left[..],
                        &x[Self::A],
                        rt::ONE,
                        Some(&mut into[Self::A]),
                        None,
                        &mut rng,
                    );
            }
            _ => {
                let mut y2_node0 = vec![0.0; root.nodes[0].len()];
                let mut rng = streams.open(rt::Purpose::Thin, unit, 2);
                self.y2_step2()
                    .thin(
                        &root.seeds.right[..],
                        &x[Self::C],
                        rt::ONE,
                        Some(&mut into[Self::C]),
                        None,
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 1);
                self.y2_step1()
                    .thin(
                        &root.seeds.left[..],
                        &root.nodes[0],
                        &x[Self::B],
                        Some(&mut y2_node0),
                        Some(&mut into[Self::B]),
                        &mut rng,
                    );
                let mut rng = streams.open(rt::Purpose::Thin, unit, 0);
                let [left, right] = into.two_mut(Self::A, Self::CORE);
                self.y2_step0()
                    .thin(
                        &y2_node0[..],
                        &x[Self::A],
                        &x[Self::CORE],
                        Some(left),
                        Some(right),
                        &mut rng,
                    );
            }
        }
    }

    /// Adds the exposure of every entry of `a` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`
    fn y_exposure_a(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let _ = x;
                root.exposure_left(self.__bound.view(Self::Y));
                self.y0_step1().adjoint_left(into, &root.seeds.left[..], &root.nodes[0]);
            }
            1 => {
                let _ = x;
                root.exposure_left(self.__bound.view(Self::Y));
                self.y1_step0().adjoint_left(into, &root.seeds.left[..], rt::ONE);
            }
            _ => {
                root.exposure_left(self.__bound.view(Self::Y));
                let mut y2_node0 = vec![0.0; root.nodes[0].len()];
                self.y2_step1()
                    .adjoint_left(&mut y2_node0, &root.seeds.left[..], &x[Self::B]);
                self.y2_step0().adjoint_left(into, &y2_node0[..], &x[Self::CORE]);
            }
        }
    }

    /// Forward along the paths from `a` to the root of `y`.
    fn y_changed_a(&self, x: &rt::Factors, root: &mut rt::Root) {
        match self.__bound.layout(Self::Y) {
            0 => {
                self.y0_step1()
                    .forward(&mut root.operands.left[..], &x[Self::A], &root.nodes[0]);
                root.left_changed();
            }
            1 => {
                self.y1_step0()
                    .forward(&mut root.operands.left[..], &x[Self::A], rt::ONE);
                root.left_changed();
            }
            _ => {
                let mut node = root.nodes.take(0);
                self.y2_step0().forward(&mut node, &x[Self::A], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y2_step1()
                    .forward(&mut root.operands.left[..], &root.nodes[0], &x[Self::B]);
                root.left_changed();
            }
        }
    }

    /// Adds the exposure of every entry of `b` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`
    fn y_exposure_b(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let _ = x;
                root.exposure_right(self.__bound.view(Self::Y));
                self.y0_step2().adjoint_left(into, &root.seeds.right[..], rt::ONE);
            }
            1 => {
                root.exposure_right(self.__bound.view(Self::Y));
                let mut y1_node0 = vec![0.0; root.nodes[0].len()];
                self.y1_step2()
                    .adjoint_left(&mut y1_node0, &root.seeds.right[..], &x[Self::C]);
                self.y1_step1().adjoint_left(into, &y1_node0[..], &x[Self::CORE]);
            }
            _ => {
                let _ = x;
                root.exposure_left(self.__bound.view(Self::Y));
                self.y2_step1()
                    .adjoint_right(into, &root.nodes[0], &root.seeds.left[..]);
            }
        }
    }

    /// Forward along the paths from `b` to the root of `y`.
    fn y_changed_b(&self, x: &rt::Factors, root: &mut rt::Root) {
        match self.__bound.layout(Self::Y) {
            0 => {
                self.y0_step2()
                    .forward(&mut root.operands.right[..], &x[Self::B], rt::ONE);
                root.right_changed();
            }
            1 => {
                let mut node = root.nodes.take(0);
                self.y1_step1().forward(&mut node, &x[Self::B], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y1_step2()
                    .forward(&mut root.operands.right[..], &root.nodes[0], &x[Self::C]);
                root.right_changed();
            }
            _ => {
                self.y2_step1()
                    .forward(&mut root.operands.left[..], &root.nodes[0], &x[Self::B]);
                root.left_changed();
            }
        }
    }

    /// Adds the exposure of every entry of `c` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`
    fn y_exposure_c(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        match self.__bound.layout(Self::Y) {
            0 => {
                root.exposure_left(self.__bound.view(Self::Y));
                let mut y0_node0 = vec![0.0; root.nodes[0].len()];
                self.y0_step1()
                    .adjoint_right(&mut y0_node0, &x[Self::A], &root.seeds.left[..]);
                self.y0_step0().adjoint_left(into, &y0_node0[..], &x[Self::CORE]);
            }
            1 => {
                let _ = x;
                root.exposure_right(self.__bound.view(Self::Y));
                self.y1_step2()
                    .adjoint_right(into, &root.nodes[0], &root.seeds.right[..]);
            }
            _ => {
                let _ = x;
                root.exposure_right(self.__bound.view(Self::Y));
                self.y2_step2().adjoint_left(into, &root.seeds.right[..], rt::ONE);
            }
        }
    }

    /// Forward along the paths from `c` to the root of `y`.
    fn y_changed_c(&self, x: &rt::Factors, root: &mut rt::Root) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let mut node = root.nodes.take(0);
                self.y0_step0().forward(&mut node, &x[Self::C], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y0_step1()
                    .forward(&mut root.operands.left[..], &x[Self::A], &root.nodes[0]);
                root.left_changed();
            }
            1 => {
                self.y1_step2()
                    .forward(&mut root.operands.right[..], &root.nodes[0], &x[Self::C]);
                root.right_changed();
            }
            _ => {
                self.y2_step2()
                    .forward(&mut root.operands.right[..], &x[Self::C], rt::ONE);
                root.right_changed();
            }
        }
    }

    /// Adds the exposure of every entry of `core` to `into`: the adjoint of the rates of `y` at the weights of its cells.
    ///
    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`
    fn y_exposure_core(&self, x: &rt::Factors, root: &mut rt::Root, into: &mut [f64]) {
        match self.__bound.layout(Self::Y) {
            0 => {
                root.exposure_left(self.__bound.view(Self::Y));
                let mut y0_node0 = vec![0.0; root.nodes[0].len()];
                self.y0_step1()
                    .adjoint_right(&mut y0_node0, &x[Self::A], &root.seeds.left[..]);
                self.y0_step0().adjoint_right(into, &x[Self::C], &y0_node0[..]);
            }
            1 => {
                root.exposure_right(self.__bound.view(Self::Y));
                let mut y1_node0 = vec![0.0; root.nodes[0].len()];
                self.y1_step2()
                    .adjoint_left(&mut y1_node0, &root.seeds.right[..], &x[Self::C]);
                self.y1_step1().adjoint_right(into, &x[Self::B], &y1_node0[..]);
            }
            _ => {
                root.exposure_left(self.__bound.view(Self::Y));
                let mut y2_node0 = vec![0.0; root.nodes[0].len()];
                self.y2_step1()
                    .adjoint_left(&mut y2_node0, &root.seeds.left[..], &x[Self::B]);
                self.y2_step0().adjoint_right(into, &x[Self::A], &y2_node0[..]);
            }
        }
    }

    /// Forward along the paths from `core` to the root of `y`.
    fn y_changed_core(&self, x: &rt::Factors, root: &mut rt::Root) {
        match self.__bound.layout(Self::Y) {
            0 => {
                let mut node = root.nodes.take(0);
                self.y0_step0().forward(&mut node, &x[Self::C], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y0_step1()
                    .forward(&mut root.operands.left[..], &x[Self::A], &root.nodes[0]);
                root.left_changed();
            }
            1 => {
                let mut node = root.nodes.take(0);
                self.y1_step1().forward(&mut node, &x[Self::B], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y1_step2()
                    .forward(&mut root.operands.right[..], &root.nodes[0], &x[Self::C]);
                root.right_changed();
            }
            _ => {
                let mut node = root.nodes.take(0);
                self.y2_step0().forward(&mut node, &x[Self::A], &x[Self::CORE]);
                root.nodes.put(0, node);
                self.y2_step1()
                    .forward(&mut root.operands.left[..], &root.nodes[0], &x[Self::B]);
                root.left_changed();
            }
        }
    }
}

impl TuckerModel {
    /// The prior of `a` at values `x` of the latents in it.
    fn prior_a(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(0.1),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`
    fn update_a(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::A) {
            return;
        }
        let prior = self.prior_a(x);
        let counts = &counts[Self::A];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_a(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(rt::Part::all(Self::A), &prior, counts, &exposure, &mut x[Self::A]);
        self.y_changed_a(x, &mut roots[Self::Y]);
    }

    /// The prior of `b` at values `x` of the latents in it.
    fn prior_b(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(0.1),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`
    fn update_b(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::B) {
            return;
        }
        let prior = self.prior_b(x);
        let counts = &counts[Self::B];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_b(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(rt::Part::all(Self::B), &prior, counts, &exposure, &mut x[Self::B]);
        self.y_changed_b(x, &mut roots[Self::Y]);
    }

    /// The prior of `c` at values `x` of the latents in it.
    fn prior_c(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(0.1),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`
    fn update_c(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::C) {
            return;
        }
        let prior = self.prior_c(x);
        let counts = &counts[Self::C];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_c(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(rt::Part::all(Self::C), &prior, counts, &exposure, &mut x[Self::C]);
        self.y_changed_c(x, &mut roots[Self::Y]);
    }

    /// The prior of `core` at values `x` of the latents in it.
    fn prior_core(&self, x: &rt::Factors) -> rt::GammaPrior {
        let _ = x;
        rt::GammaPrior {
            shape: rt::Values::Same(0.1),
            rate: rt::Values::Same(1.0),
        }
    }

    /// Rule: gamma prior, Poisson allocations (Cemgil 2009; Zhou, Hannah, Dunson and Carin 2012).
    ///
    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`
    fn update_core(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        if !step.wants(Self::CORE) {
            return;
        }
        let prior = self.prior_core(x);
        let counts = &counts[Self::CORE];
        let mut exposure = vec![0.0; counts.len()];
        self.y_exposure_core(x, &mut roots[Self::Y], &mut exposure);
        step.gamma(
            rt::Part::all(Self::CORE),
            &prior,
            counts,
            &exposure,
            &mut x[Self::CORE],
        );
        self.y_changed_core(x, &mut roots[Self::Y]);
    }
}

impl rt::Model for TuckerModel {
    fn bound(&self) -> &rt::Bound {
        &self.__bound
    }

    fn prior(&self, latent: usize, x: &rt::Factors) -> rt::Prior {
        match latent {
            Self::A => rt::Prior::Gamma(self.prior_a(x)),
            Self::B => rt::Prior::Gamma(self.prior_b(x)),
            Self::C => rt::Prior::Gamma(self.prior_c(x)),
            _ => rt::Prior::Gamma(self.prior_core(x)),
        }
    }

    fn forward(&self, x: &rt::Factors, roots: &mut [rt::Root]) {
        self.y_forward(x, &mut roots[Self::Y]);
    }

    fn adjoint(&self, x: &rt::Factors, roots: &[rt::Root], into: &mut rt::Factors) {
        self.y_adjoint(x, &roots[Self::Y], into);
    }

    fn thin(
        &self,
        x: &rt::Factors,
        roots: &[rt::Root],
        into: &mut rt::Factors,
        streams: &rt::Streams,
    ) {
        self.y_thin(x, &roots[Self::Y], into, streams, Self::Y);
    }

    fn update(
        &self,
        x: &mut rt::Factors,
        counts: &rt::Factors,
        roots: &mut [rt::Root],
        step: &mut dyn rt::Step,
    ) {
        roots.iter_mut().for_each(rt::Root::forget_exposures);
        self.update_a(x, counts, roots, step);
        self.update_b(x, counts, roots, step);
        self.update_c(x, counts, roots, step);
        self.update_core(x, counts, roots, step);
    }
}

/// Sizes of the index sets of [`Tucker`].
#[derive(
    ::core::clone::Clone,
    ::core::marker::Copy,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::core::cmp::Eq
)]

pub struct TuckerSizes {
    /// Size of `rows`.
    pub rows: usize,
    /// Size of `cols`.
    pub cols: usize,
    /// Size of `times`.
    pub times: usize,
    /// Size of `ps`.
    pub ps: usize,
    /// Size of `qs`.
    pub qs: usize,
    /// Size of `rs`.
    pub rs: usize,
}

impl TuckerSizes {
    fn of(sizes: &[usize]) -> Self {
        Self {
            rows: sizes[0],
            cols: sizes[1],
            times: sizes[2],
            ps: sizes[3],
            qs: sizes[4],
            rs: sizes[5],
        }
    }
}

/// The mechanism that `y` is observed through.
pub type TuckerMechanism = TwoSidedGeometric;

#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct Tucker {
    __given: rt::Given,
}

impl Tucker {
    const __DECLARED: rt::Origin = rt::Origin::new(
        ::core::concat!(::core::module_path!(), "::", ::core::stringify!(Tucker)),
        ::core::line!(),
        ::core::column!(),
    );

    /// The index set `rows`, to be labelled.
    pub const ROWS: rt::Index = rt::Index::new(Self::__DECLARED, "rows", 0);

    /// The index set `cols`, to be labelled.
    pub const COLS: rt::Index = rt::Index::new(Self::__DECLARED, "cols", 1);

    /// The index set `times`, to be labelled.
    pub const TIMES: rt::Index = rt::Index::new(Self::__DECLARED, "times", 2);

    /// The index set `ps`, to be labelled.
    pub const PS: rt::Index = rt::Index::new(Self::__DECLARED, "ps", 3);

    /// The index set `qs`, to be labelled.
    pub const QS: rt::Index = rt::Index::new(Self::__DECLARED, "qs", 4);

    /// The index set `rs`, to be labelled.
    pub const RS: rt::Index = rt::Index::new(Self::__DECLARED, "rs", 5);

    /// The model of counts released by the declared mechanism, and by no other.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn new(data: impl rt::ReleasedBy<TuckerMechanism>) -> Result<Self, rt::Error> {
        let data = data.released();
        Self::with_data([rt::Observed::<TuckerMechanism>::released(data).shared()])
    }

    /// The non-private fit of the same declaration: true counts, observed exactly.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn exact(counts: &rt::Counts) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<TuckerMechanism>::exact(counts)?.shared()])
    }

    /// The naive fit of the same declaration: releases are taken for counts, negative ones for
    /// zero. The reference of ICML19, not a model of the data.
    ///
    /// # Errors
    ///
    /// If the data have another number of indices than the declaration, or two sizes for one index set.
    pub fn naive(data: &rt::Released<TuckerMechanism>) -> Result<Self, rt::Error> {
        Self::with_data([rt::Observed::<TuckerMechanism>::naive(data)?.shared()])
    }

    fn with_data(
        counts: [::std::sync::Arc<dyn rt::CountData>; 1],
    ) -> Result<Self, rt::Error> {
        let __given = rt::Given::new(
            <Self as rt::Testable>::SPEC,
            Self::__DECLARED,
            counts.into(),
        )?;
        Ok(Self { __given })
    }

    /// Sets the size of `rows`. A size that contradicts the data is an error when the model is bound.
    pub fn rows(mut self, size: usize) -> Self {
        self.__given.set_size(0, size);
        self
    }

    /// Sets the size of `cols`. A size that contradicts the data is an error when the model is bound.
    pub fn cols(mut self, size: usize) -> Self {
        self.__given.set_size(1, size);
        self
    }

    /// Sets the size of `times`. A size that contradicts the data is an error when the model is bound.
    pub fn times(mut self, size: usize) -> Self {
        self.__given.set_size(2, size);
        self
    }

    /// Sets the size of `ps`. A size that contradicts the data is an error when the model is bound.
    pub fn ps(mut self, size: usize) -> Self {
        self.__given.set_size(3, size);
        self
    }

    /// Sets the size of `qs`. A size that contradicts the data is an error when the model is bound.
    pub fn qs(mut self, size: usize) -> Self {
        self.__given.set_size(4, size);
        self
    }

    /// Sets the size of `rs`. A size that contradicts the data is an error when the model is bound.
    pub fn rs(mut self, size: usize) -> Self {
        self.__given.set_size(5, size);
        self
    }

    /// Fixes `a`, (rows, ps), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_a(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(0, values.into());
        self
    }

    /// Fixes `b`, (cols, qs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_b(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(1, values.into());
        self
    }

    /// Fixes `c`, (times, rs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_c(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(2, values.into());
        self
    }

    /// Fixes `core`, (ps, qs, rs), at these values: it is not inferred, and comes out of a fit bit by bit as it is given here. New rows are projected on fixed factors in this way.
    pub fn freeze_core(mut self, values: impl Into<rt::Array>) -> Self {
        self.__given.freeze(3, values.into());
        self
    }

    /// Names the values of an index set. Fits hand the labels on, and what draws or saves a fit can write them.
    ///
    /// # Errors
    ///
    /// If `index` is a constant of another model, whatever its name. Their number is compared with the size when the model
    /// is bound.
    pub fn labels(
        mut self,
        index: rt::Index,
        labels: &[impl ::core::convert::AsRef<str>],
    ) -> Result<Self, rt::Error> {
        self.__given.label(index, labels)?;
        Ok(self)
    }
}

impl Tucker {
    /// Binds the data: settles sizes, checks every value, chooses a layout for each count and sorts its
    /// cells. `gibbs` and `cavi` do this themselves; it is public for those who advance a chain
    /// sweep by sweep.
    ///
    /// # Errors
    ///
    /// Whatever is missing, contradictory or outside its domain, with the offending value.
    pub fn bind(&self, form: rt::FormKind) -> Result<TuckerModel, rt::Error> {
        self.bind_with(form, None)
    }

    /// `bind` with a layout of one's own choice (the last one of a count that has fewer): a way for tests
    /// to reach every layout at any size.
    ///
    /// # Errors
    ///
    /// Those of `bind`.
    #[doc(hidden)]
    pub fn bind_with(
        &self,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<TuckerModel, rt::Error> {
        let __bound = self.__given.bind(form, layout, &TuckerModel::__DERIVED)?;
        Ok(TuckerModel {
            sizes: TuckerSizes::of(__bound.sizes()),
            __bound,
        })
    }

    /// Samples the posterior.
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn gibbs(&self, settings: &rt::Gibbs) -> Result<TuckerGibbs, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::gibbs(&model, settings, |_, _| {})?;
        Ok(TuckerGibbs::new(&model, run, self.__given.labels().clone()))
    }

    /// Samples the posterior, and makes the checks of [`Self::predictive_check`] while the chains run: nothing of a draw need be kept.
    ///
    /// # Errors
    ///
    /// Those of `gibbs` and of `predictive_check`.
    pub fn gibbs_with_checks(
        &self,
        settings: &rt::Gibbs,
        predictive: &rt::Predictive,
    ) -> Result<(TuckerGibbs, ::std::vec::Vec<rt::PredictiveCheck>), rt::Error> {
        let model = self.bind(settings.form.into())?;
        let (run, checks) = rt::checked(
            &model,
            settings,
            &self.__given.targets(),
            predictive,
        )?;
        Ok((TuckerGibbs::new(&model, run, self.__given.labels().clone()), checks))
    }

    /// Compares each count with replicas of it, data drawn at the kept draws of `fit` through the count's channel.
    ///
    /// # Errors
    ///
    /// Those of `bind`; draws that were not kept; a fit of other sizes; releases that are known by their sums alone.
    pub fn predictive_check(
        &self,
        fit: &TuckerGibbs,
        predictive: &rt::Predictive,
    ) -> Result<::std::vec::Vec<rt::PredictiveCheck>, rt::Error> {
        let model = self.bind(::core::default::Default::default())?;
        rt::from_draws(&model, fit, &self.__given.targets(), predictive)
    }

    /// Draws of what might be observed at some cells of a count, through its channel: (draw, cell), chain by chain.
    ///
    /// # Errors
    ///
    /// Those of `predictive_check`; an unknown count; a cell that it does not have.
    pub fn predictive_draws(
        &self,
        fit: &TuckerGibbs,
        count: &str,
        cells: &[impl ::core::convert::AsRef<[usize]>],
        seed: u64,
    ) -> Result<::std::vec::Vec<::std::vec::Vec<f64>>, rt::Error> {
        let model = self.bind(::core::default::Default::default())?;
        rt::draws_at(&model, fit, &self.__given.targets(), count, cells, seed)
    }

    /// Approximates the posterior by independent gammas (and Dirichlets, for simplex factors).
    ///
    /// # Errors
    ///
    /// Those of `bind`; settings that make no sense; a run that does not fit in memory.
    pub fn cavi(&self, settings: &rt::Cavi) -> Result<TuckerCavi, rt::Error> {
        let model = self.bind(settings.form.into())?;
        let run = rt::cavi(&model, settings, |_, _| {})?;
        Ok(TuckerCavi::new(&model, run, self.__given.labels().clone()))
    }
}

/// A Gibbs fit of [`Tucker`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct TuckerGibbs {
    /// Kept draws of `a`, (rows, ps), each from its complete conditional
    /// `a[i,p] | − ~ Gamma(0.1 + Σ_{j,t,q,r} y[i,j,t,p,q,r], 1 + Σ_{j,t,q,r} w[i,j,t] b[j,q] c[t,r] core[p,q,r])`.
    pub a: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `b`, (cols, qs), each from its complete conditional
    /// `b[j,q] | − ~ Gamma(0.1 + Σ_{i,t,p,r} y[i,j,t,p,q,r], 1 + Σ_{i,t,p,r} w[i,j,t] a[i,p] c[t,r] core[p,q,r])`.
    pub b: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `c`, (times, rs), each from its complete conditional
    /// `c[t,r] | − ~ Gamma(0.1 + Σ_{i,j,p,q} y[i,j,t,p,q,r], 1 + Σ_{i,j,p,q} w[i,j,t] a[i,p] b[j,q] core[p,q,r])`.
    pub c: rt::Draws<rt::DMatrix<f64>>,
    /// Kept draws of `core`, (ps, qs, rs), each from its complete conditional
    /// `core[p,q,r] | − ~ Gamma(0.1 + Σ_{i,j,t} y[i,j,t,p,q,r], 1 + Σ_{i,j,t} w[i,j,t] a[i,p] b[j,q] c[t,r])`.
    pub core: rt::Draws<rt::Array>,
    __fit: rt::GibbsFit,
}

impl TuckerGibbs {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::GibbsRun, labels: rt::Labels) -> Self {
        let __fit = rt::GibbsFit::new(model, run, labels);
        Self {
            a: __fit.draws(0),
            b: __fit.draws(1),
            c: __fit.draws(2),
            core: __fit.draws(3),
            __fit,
        }
    }

    /// The same fit with the components, which the index set `components` numbers, of all chains and draws in one
    /// order: means of components over several chains are means of this one.
    ///
    /// # Errors
    ///
    /// An index set that no latent has; a latent of which neither draws nor moments were kept.
    pub fn aligned(&self, components: &str) -> Result<Self, rt::Error> {
        let __fit = self.__fit.aligned(components)?;
        Ok(Self {
            a: __fit.draws(0),
            b: __fit.draws(1),
            c: __fit.draws(2),
            core: __fit.draws(3),
            __fit,
        })
    }

    /// The same fit with the latents of one chain, such as that of `most_probable`: what to read where chains have found
    /// different modes. Rates, diagnostics and files stay those of all chains.
    ///
    /// # Errors
    ///
    /// A chain that there is not.
    pub fn of_chain(&self, chain: usize) -> Result<Self, rt::Error> {
        Ok(Self {
            a: self.a.of_chain(chain)?,
            b: self.b.of_chain(chain)?,
            c: self.c.of_chain(chain)?,
            core: self.core.of_chain(chain)?,
            __fit: self.__fit.clone(),
        })
    }

    /// Posterior mean of the rate of every cell of `y`, (rows, cols, times): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::Array, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl ::core::ops::Deref for TuckerGibbs {
    type Target = rt::GibbsFit;

    fn deref(&self) -> &rt::GibbsFit {
        &self.__fit
    }
}

/// A variational fit of [`Tucker`].
#[derive(::core::clone::Clone, ::core::fmt::Debug)]
pub struct TuckerCavi {
    /// Posterior of `a`, (rows, ps), independent entry by entry:
    /// `q(a[i,p]) = Gamma(0.1 + Σ_{j,t,q,r} E[y[i,j,t,p,q,r]], 1 + Σ_{j,t,q,r} w[i,j,t] E[b[j,q] c[t,r] core[p,q,r]])`.
    pub a: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `b`, (cols, qs), independent entry by entry:
    /// `q(b[j,q]) = Gamma(0.1 + Σ_{i,t,p,r} E[y[i,j,t,p,q,r]], 1 + Σ_{i,t,p,r} w[i,j,t] E[a[i,p] c[t,r] core[p,q,r]])`.
    pub b: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `c`, (times, rs), independent entry by entry:
    /// `q(c[t,r]) = Gamma(0.1 + Σ_{i,j,p,q} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,p,q} w[i,j,t] E[a[i,p] b[j,q] core[p,q,r]])`.
    pub c: rt::Posterior<rt::DMatrix<f64>>,
    /// Posterior of `core`, (ps, qs, rs), independent entry by entry:
    /// `q(core[p,q,r]) = Gamma(0.1 + Σ_{i,j,t} E[y[i,j,t,p,q,r]], 1 + Σ_{i,j,t} w[i,j,t] E[a[i,p] b[j,q] c[t,r]])`.
    pub core: rt::Posterior<rt::Array>,
    __fit: rt::CaviFit,
}

impl TuckerCavi {
    /// Names what a run left behind.
    pub fn new(model: &dyn rt::Model, run: rt::CaviRun, labels: rt::Labels) -> Self {
        let __fit = rt::CaviFit::new(model, run, labels);
        Self {
            a: __fit.posterior(0),
            b: __fit.posterior(1),
            c: __fit.posterior(2),
            core: __fit.posterior(3),
            __fit,
        }
    }

    /// Posterior mean of the rate of every cell of `y`, (rows, cols, times): the mean of the rate, not the rate of the means.
    ///
    /// # Errors
    ///
    /// If the rates of all cells were not kept, or do not fit in memory; the error says what to ask for instead.
    pub fn rate(&self) -> Result<rt::Array, rt::Error> {
        self.__fit.rate_array(0)
    }
}

impl ::core::ops::Deref for TuckerCavi {
    type Target = rt::CaviFit;

    fn deref(&self) -> &rt::CaviFit {
        &self.__fit
    }
}

impl Tucker {
    /// Checks everything that was derived, on a tiny instance of this model with simulated data:
    /// conditionals against the joint density, both samplers by the test of Geweke (2004), the laws of
    /// the variational bound, and that data that say nothing leave the prior. Takes some seconds in a
    /// release build.
    pub fn self_test() -> rt::Report {
        rt::self_test::<Self>()
    }
}

impl rt::Testable for Tucker {
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Tucker",
        sets: &["rows", "cols", "times", "ps", "qs", "rs"],
        hypers: &[],
        arrays: &[],
        latents: &[
            rt::LatentSpec::new(
                "a",
                &[0, 3],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(0.1, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "b",
                &[1, 4],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(0.1, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "c",
                &[2, 5],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(0.1, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
            rt::LatentSpec::new(
                "core",
                &[3, 4, 5],
                rt::PriorSpec::Gamma {
                    shape: rt::TermSpec::new(0.1, &[], &[], &[]),
                    rate: rt::TermSpec::new(1.0, &[], &[], &[]),
                },
            ),
        ],
        own_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "y",
                vars: &[0, 1, 2, 3, 4, 5],
                free: 3,
                guards: &[],
                terms: &[
                    rt::TermSpec::new(
                        1.0,
                        &[],
                        &[
                            rt::FactorSpec::new(rt::FactorKind::Latent(0), &[0, 3]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(1), &[1, 4]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(2), &[2, 5]),
                            rt::FactorSpec::new(rt::FactorKind::Latent(3), &[3, 4, 5]),
                        ],
                        &[3, 4, 5],
                    ),
                ],
                layouts: 3,
            },
        ],
    };

    fn mechanisms() -> Vec<Box<dyn rt::Mechanism>> {
        Vec::from([rt::mechanism::<TuckerMechanism>()])
    }

    fn assemble(
        setting: &rt::Setting,
        form: rt::FormKind,
        layout: Option<usize>,
    ) -> Result<Box<dyn rt::Model>, rt::Error> {
        let __given = rt::Given::simulated(Self::SPEC, &Self::mechanisms(), setting)?;
        Ok(Box::new(Self { __given }.bind_with(form, layout)?))
    }
}
