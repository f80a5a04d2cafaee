//! A tensor whose rates are walks over a tree.

use skellam::prelude::*;
use skellam::private as rt;

/// Rates.
impl CpModel {
    const RATE_OF_Y: rt::DerivedCount = rt::DerivedCount {
        letters: "ijtk",
        weight: "w",
        trees: &[rt::Tree {
            text: "rate[i,j,t] = Σ_k left[i,j,k] right[t,k]",
            batch: "",
            rows: "ij",
            cols: "t",
            slots: &[rt::Slot::new(0, "k")],
            nodes: &[],
            steps: &[
                rt::Contraction::new("ijk = ik, jk", rt::Left(0), rt::latent(Self::A), rt::latent(Self::B)),
                rt::Contraction::copy("tk = tk", rt::Right(0), rt::latent(Self::C)),
            ],
        }],
        constant: &[],
    };
}

/// Conditionals of the latents.
impl CpModel {
    fn allocate_y(s: &mut rt::State<'_>) {
        s.allocate(Self::Y, "y[i,j,t]", &["Σ_k a[i,k] b[j,k] c[t,k]"]);
    }

    fn expect_y(s: &mut rt::State<'_>) {
        s.expect(Self::Y, "y[i,j,t]", &["Σ_k G[a[i,k]] G[b[j,k]] G[c[t,k]]"]);
    }

    fn draw_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{j,t} y[i,j,t,k]")
            .exposure(Self::Y, 0, "Σ_{j,t} w[i,j,t] b[j,k] c[t,k]")
            .draw();
    }

    fn draw_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{i,t} y[i,j,t,k]")
            .exposure(Self::Y, 0, "Σ_{i,t} w[i,j,t] a[i,k] c[t,k]")
            .draw();
    }

    fn draw_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j} y[i,j,t,k]")
            .exposure(Self::Y, 0, "Σ_{i,j} w[i,j,t] a[i,k] b[j,k]")
            .draw();
    }

    fn ascend_a(s: &mut rt::State<'_>) {
        s.conditional(Self::A, "a[i,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{j,t} E[y[i,j,t,k]]")
            .exposure(Self::Y, 0, "Σ_{j,t} w[i,j,t] E[b[j,k] c[t,k]]")
            .ascend();
    }

    fn ascend_b(s: &mut rt::State<'_>) {
        s.conditional(Self::B, "b[j,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{i,t} E[y[i,j,t,k]]")
            .exposure(Self::Y, 0, "Σ_{i,t} w[i,j,t] E[a[i,k] c[t,k]]")
            .ascend();
    }

    fn ascend_c(s: &mut rt::State<'_>) {
        s.conditional(Self::C, "c[t,k] ~ Gamma(0.4, 1)")
            .allocation(Self::Y, 0, "Σ_{i,j} E[y[i,j,t,k]]")
            .exposure(Self::Y, 0, "Σ_{i,j} w[i,j,t] E[a[i,k] b[j,k]]")
            .ascend();
    }

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
        symmetries: &[
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::B, 1, -1)], true),
            rt::Symmetry::new(&[rt::Scaled::new(Self::A, 1, 1), rt::Scaled::new(Self::C, 1, -1)], true),
        ],
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
