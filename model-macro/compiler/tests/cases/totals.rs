//! Generated from the declaration of `Votes`.
//!
//! This file compiles against the crate `skellam` alone and makes the same draws as the macro.
//! Gamma is (shape, rate). `| −` is given all else; at a cell, given what stands above.
//! `G[x]` is `exp(E[ln x])`, and `ψ` the derivative of `ln Γ`.

#[allow(unused_imports, reason = "a mechanism named by its full path needs none of them")]
use ::skellam::prelude::*;
use ::skellam::private as rt;

/// Rates.
impl VotesModel {
    /// The rate of `n[i] ~ Multinomial_i(people, p[i])`.
    /// `w_n[i]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known.
    const RATE_OF_N: rt::DerivedCount = rt::DerivedCount {
        letters: "i",
        weight: "w_n",
        trees: &[rt::Tree {
            text: ::core::concat!("rate[i] = left[i] right\n", "  left[i] = p[i]\n", "  right = 1"),
            batch: "",
            rows: "i",
            cols: "",
            slots: &[rt::Slot::new(0, "")],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("i = i", rt::Left(0), rt::latent(Self::P)),
                rt::Contraction::copy(" = ", rt::Right(0), rt::Leaf::One),
            ],
        }],
        constant: &[rt::Constant { index: "classes", axis: 0, latent: "p", position: 0 }],
    };

    /// The rate of `m[k,i,j] ~ Multinomial_j(n[i], q[k,i,j])`.
    /// `w_m[k,i,j]` is the weight of a cell: 0 if it is held out, 1 if its count is drawn, expected or known.
    const RATE_OF_M: rt::DerivedCount = rt::DerivedCount {
        letters: "kij",
        weight: "w_m",
        trees: &[rt::Tree {
            text: ::core::concat!(
                "rate[k,i,j] = weight[k,j,i] left[k,j] right[i]\n",
                "  left[k,j] = 1\n",
                "  right[i] = 1\n",
                "  weight[k,j,i] = q[k,i,j]"
            ),
            batch: "",
            rows: "kj",
            cols: "i",
            slots: &[rt::Slot::new(0, "").weighted()],
            nodes: &[],
            steps: &[
                rt::Contraction::copy("kj = ", rt::Left(0), rt::Leaf::One),
                rt::Contraction::copy("i = ", rt::Right(0), rt::Leaf::One),
                rt::Contraction::copy("kji = kij", rt::Weight(0), rt::latent(Self::Q)),
            ],
        }],
        constant: &[rt::Constant { index: "answers", axis: 2, latent: "q", position: 1 }],
    };
}

/// Conditionals of the latents in
/// - `n[i] ~ Multinomial_i(people, p[i])`
/// - `m[k,i,j] ~ Multinomial_j(n[i], q[k,i,j])`
impl VotesModel {
    /// `n[i]`, drawn line by line.
    ///
    /// A draw of a line (`skellam::total`); `μ[i]` is the rate:
    /// - `w_i(x) = μ[i]^x / x! · Π g(x)`
    /// - `g(x) = x! F(x), one for each line of m whose total it is`
    /// - `F_0 = 1 at 0,  F_i(s) = Σ_x w_i(x) F_{i−1}(s − x);  F is the last of them`
    /// - `backwards from s = people:  P(n[i] = x) ∝ w_i(x) F_{i−1}(s − x),  then s − x takes the place of s`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn allocate_n(s: &mut rt::State<'_>) {
        s.allocate(Self::N, "n[i]", &["p[i]"]);
    }

    /// `m[k,i,j]`, drawn line by line.
    ///
    /// A draw of a line (`skellam::total`); `μ[k,i,j]` is the rate, `c[k,i,j]` what was released:
    /// - `w_j(x) = μ[k,i,j]^x / x! · P(c[k,i,j] | x)`
    /// - `F_0 = 1 at 0,  F_j(s) = Σ_x w_j(x) F_{j−1}(s − x);  F is the last of them`
    /// - `backwards from s = n[i]:  P(m[k,i,j] = x) ∝ w_j(x) F_{j−1}(s − x),  then s − x takes the place of s`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn allocate_m(s: &mut rt::State<'_>) {
        s.allocate(Self::M, "m[k,i,j]", &["q[k,i,j]"]);
    }

    /// `p[i] | − ~ Dirichlet_i(1 + n[i])`
    /// Dirichlet prior, multinomial counts (Bishop 2006, eq. 2.41).
    fn draw_p(s: &mut rt::State<'_>) {
        s.conditional(Self::P, "p[i] ~ Dirichlet_i(1)")
            .allocation(Self::N, 0, "n[i]")
            .draw();
    }

    /// `q[k,i,j] | − ~ Dirichlet_j(1 + m[k,i,j])`
    fn draw_q(s: &mut rt::State<'_>) {
        s.conditional(Self::Q, "q[k,i,j] ~ Dirichlet_j(1)")
            .allocation(Self::M, 0, "m[k,i,j]")
            .draw();
    }

    /// `E[n[i]]`.
    ///
    /// Means of a line (`skellam::total`); `ρ[i]` is the rate at geometric means:
    /// - `w_i(x) = ρ[i]^x / x! · Π g(x)`
    /// - `g(x) = x! F(x), one for each line of m whose total it is`
    /// - `F_0 = 1 at 0,  F_i(s) = Σ_x w_i(x) F_{i−1}(s − x);  F is the last of them`
    /// - `q of a line is this law;  B at its last cell, then backwards:`
    /// - `B_i = 1/F(people) at s = people, 0 elsewhere,  B_{i−1}(s) = Σ_x w_i(x) B_i(s + x)`
    /// - `E[n[i]] = Σ_x x w_i(x) Σ_s F_{i−1}(s) B_i(s + x)`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn expect_n(s: &mut rt::State<'_>) {
        s.expect(Self::N, "n[i]", &["G[p[i]]"]);
    }

    /// `E[m[k,i,j]]`.
    ///
    /// Means of a line (`skellam::total`); `ρ[k,i,j]` is the rate at geometric means, `c[k,i,j]` what was released:
    /// - `w_j(x) = ρ[k,i,j]^x / x! · P(c[k,i,j] | x)`
    /// - `F_0 = 1 at 0,  F_j(s) = Σ_x w_j(x) F_{j−1}(s − x);  F is the last of them`
    /// - `q of a line is this law given n[i], and q(n[i] = x) is the factor of x in E[n[i]];  B at its last cell, then
    ///   backwards:`
    /// - `B_j(s) = q(n[i] = s)/F(s),  B_{j−1}(s) = Σ_x w_j(x) B_j(s + x)`
    /// - `E[m[k,i,j]] = Σ_x x w_j(x) Σ_s F_{j−1}(s) B_j(s + x)`
    /// - `rates sum to one along a line, so that there is no exposure`
    fn expect_m(s: &mut rt::State<'_>) {
        s.expect(Self::M, "m[k,i,j]", &["G[q[k,i,j]]"]);
    }

    /// `q(p[i]) = Dirichlet_i(1 + E[n[i]])`
    fn ascend_p(s: &mut rt::State<'_>) {
        s.conditional(Self::P, "p[i] ~ Dirichlet_i(1)")
            .allocation(Self::N, 0, "E[n[i]]")
            .ascend();
    }

    /// `q(q[k,i,j]) = Dirichlet_j(1 + E[m[k,i,j]])`
    fn ascend_q(s: &mut rt::State<'_>) {
        s.conditional(Self::Q, "q[k,i,j] ~ Dirichlet_j(1)")
            .allocation(Self::M, 0, "E[m[k,i,j]]")
            .ascend();
    }

    /// A sweep of Gibbs sampling.
    fn sweep(s: &mut rt::State<'_>) {
        Self::allocate_n(s);
        Self::allocate_m(s);
        Self::draw_p(s);
        Self::draw_q(s);
    }

    /// An iteration of coordinate ascent.
    fn iterate(s: &mut rt::State<'_>) {
        Self::expect_n(s);
        Self::expect_m(s);
        Self::ascend_p(s);
        Self::ascend_q(s);
    }

    /// What an iteration ascends: `ELBO = L_n − KL(q(p) ‖ p(p)) − KL(q(q) ‖ p(q))`, where `L` is what `derivation()`
    /// prints of a cell.
    fn elbo(of: &rt::ElboParts<'_>) -> f64 {
        of.cells(&[Self::N]) - of.divergence(&[Self::P, Self::Q])
    }
}

impl rt::Declaration for VotesModel {
    type Gibbs = VotesGibbs;
    type Cavi = VotesCavi;
    const SPEC: &'static rt::Spec = &rt::Spec {
        name: "Votes",
        sets: &["classes", "features", "answers"],
        hypers: &[rt::HyperSpec::new("people", rt::Domain::Whole, None)],
        arrays: &[],
        latents: &[
            rt::LatentSpec::dirichlet("p", &[0], rt::Term::number(1.0, &[]), 0),
            rt::LatentSpec::dirichlet("q", &[1, 0, 2], rt::Term::number(1.0, &[]), 2),
        ],
        custom_updates: &[],
        counts: &[
            rt::CountSpec {
                name: "n",
                vars: &[0],
                free: 1,
                guards: &[],
                terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(0, &[0])], &[])],
                layouts: 1,
                total: Some(rt::TotalSpec { of: rt::TotalKind::Hyper(0), vars: &[], along: 0 }),
                is_hidden: true,
            },
            rt::CountSpec {
                name: "m",
                vars: &[1, 0, 2],
                free: 3,
                guards: &[],
                terms: &[rt::Term::new(1.0, &[], &[rt::Factor::latent(1, &[0, 1, 2])], &[])],
                layouts: 1,
                total: Some(rt::TotalSpec { of: rt::TotalKind::Count(0), vars: &[1], along: 2 }),
                is_hidden: false,
            },
        ],
    };
    const DERIVED: rt::Derived = rt::Derived {
        symmetries: &[],
        counts: &[Self::RATE_OF_N, Self::RATE_OF_M],
        shapes: &[],
    };
}

rt::user_types! {
    /// Classes and answers of persons, of whom the answers were released.
    pub model Votes: VotesModel, VotesSizes, VotesGibbs, VotesCavi;
    index { 0 CLASSES classes, 1 FEATURES features, 2 ANSWERS answers }
    hyper { 0 people: whole }
    array {}
    latent {
        0 P p[classes] freeze_p {
            /// `p[i] | − ~ Dirichlet_i(1 + n[i])`.
            draws,
            /// `q(p[i]) = Dirichlet_i(1 + E[n[i]])`.
            simplex
        }
        1 Q q[features, classes, answers] freeze_q {
            /// `q[k,i,j] | − ~ Dirichlet_j(1 + m[k,i,j])`.
            draws,
            /// `q(q[k,i,j]) = Dirichlet_j(1 + E[m[k,i,j]])`.
            simplex
        }
    }
    count {
        1 M m[features, classes, answers] {
            /// `m[k,i,j] ~ Multinomial_j(n[i], q[k,i,j])`.
            released VotesMLaw = TwoSidedGeometric
        }
    }
    hidden {
        0 N n[classes] {
            /// `n[i] ~ Multinomial_i(people, p[i])`.
            hidden VotesNLaw
        }
    }
}
