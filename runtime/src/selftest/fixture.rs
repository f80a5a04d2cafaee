//! A model written by hand, right or with one thing wrong, on which the laws themselves are tested.
//!
//! ```text
//! xi[d] ~ Gamma(1.5, 1),  theta[d, k] ~ Gamma(2, s * xi[d]),  phi[k, v] ~ Gamma(1.5, s) or Dirichlet(s, along v)
//! y[d, v] ~ Poisson(sum(k) theta[d, k] * phi[k, v])
//! ```

use rand::RngExt;

use crate::channel::{Channel, Exact, TwoSidedGeometric};
use crate::contract::Grid;
use crate::distribution::gamma_draw;
use crate::error::{Error, Formless};
use crate::family::Custom;
use crate::model::{
    Bound, Complete, Constant, CountSpec, Domain, ElboParts, FactorSpec, Factors, FormKind, HyperSpec, LatentSpec,
    Lines, Model, Observed, Part, Prior, PriorSpec, Root, Rules, Scaled, Spec, Step, Symmetry, TermSpec, Update,
    Values, supported,
};
use crate::streams::{Stream, Streams};

use super::{Setting, Testable, TestedMechanism, mechanism};

/// What is special about the model, or wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    /// Gammas, all right.
    Gammas,
    /// A simplex, all right.
    Simplex,
    /// Exact data only, all right.
    Exact,
    /// A user's own draw of theta that is right.
    OwnDraw,
    /// One that takes the rate for a scale.
    OwnScale,
    /// One whose `ascend` is wrong.
    OwnAscend,
    /// An exposure that is a percent too large.
    Exposure,
    /// The parent's conditional without the shapes of its children.
    Childless,
    /// A count that is lost on its way down.
    Lost,
    /// An operand that an update leaves as it was.
    Stale,
    /// A symmetry with a power that is wrong.
    Power,
    /// A prior of theta, as joint moves see it, that lacks the derivative of its logarithm.
    Jacobian,
    /// A user's own draw of phi that is ten thousand times too large: rates run off.
    Astray,
    /// An operand that is made once and that joint moves leave as it was.
    Unmoved,
}

/// The model with data; see the module.
pub(super) struct Twisted<const TWIST: usize> {
    sizes: [usize; 3],
    s: f64,
    bound: Bound,
}

const TWISTS: [Twist; 14] = [
    Twist::Gammas,
    Twist::Simplex,
    Twist::Exact,
    Twist::OwnDraw,
    Twist::OwnScale,
    Twist::OwnAscend,
    Twist::Exposure,
    Twist::Childless,
    Twist::Lost,
    Twist::Stale,
    Twist::Power,
    Twist::Jacobian,
    Twist::Astray,
    Twist::Unmoved,
];

const fn scaled(latent: usize, axis: usize, power: i32) -> Scaled {
    Scaled { latent, axis, power }
}

/// A topic's weights go up as its words go down.
static SYMMETRIES: [Symmetry; 1] = [Symmetry {
    scaled: &[scaled(1, 1, 1), scaled(2, 0, -1)],
    by_index: true,
}];
static WRONG_POWER: [Symmetry; 1] = [Symmetry {
    scaled: &[scaled(1, 1, 1), scaled(2, 0, -2)],
    by_index: true,
}];

/// The declaration; `TWIST` is the number of a [`Twist`].
pub(super) struct Fixture<const TWIST: usize>;

const fn number(number: f64) -> TermSpec {
    TermSpec::number(number, &[])
}

const S: TermSpec = TermSpec {
    hypers: &[0],
    ..number(1.0)
};

const fn latent(number: usize, vars: &'static [usize]) -> FactorSpec {
    FactorSpec::latent(number, vars)
}

const XI: LatentSpec = LatentSpec {
    name: "xi",
    sets: &[0],
    prior: PriorSpec::gamma(number(1.5), number(1.0)),
};
const THETA: LatentSpec = LatentSpec {
    name: "theta",
    sets: &[0, 2],
    prior: PriorSpec::gamma(
        number(2.0),
        TermSpec {
            factors: &[latent(0, &[0])],
            ..S
        },
    ),
};
const PHI: LatentSpec = LatentSpec {
    name: "phi",
    sets: &[2, 1],
    prior: PriorSpec::gamma(number(1.5), S),
};
const SIMPLEX: LatentSpec = LatentSpec {
    prior: PriorSpec::dirichlet(S, 1),
    ..PHI
};
const GAMMAS: Spec = Spec {
    name: "Fixture",
    sets: &["docs", "words", "topics"],
    hypers: &[HyperSpec::new("s", Domain::Positive, Some(0.8))],
    arrays: &[],
    latents: &[XI, THETA, PHI],
    custom_updates: &[],
    counts: &[CountSpec {
        name: "y",
        vars: &[0, 1, 2],
        free: 2,
        guards: &[],
        terms: &[TermSpec {
            factors: &[latent(1, &[0, 2]), latent(2, &[2, 1])],
            summed: &[2],
            ..number(1.0)
        }],
        layouts: 1,
        total: None,
        is_hidden: false,
    }],
};
static ALL_GAMMAS: Spec = GAMMAS;
static WITH_SIMPLEX: Spec = Spec {
    latents: &[XI, THETA, SIMPLEX],
    ..GAMMAS
};

impl<const TWIST: usize> Testable for Fixture<TWIST> {
    const SPEC: &'static Spec = match TWISTS[TWIST] {
        Twist::Simplex => &WITH_SIMPLEX,
        _ => &ALL_GAMMAS,
    };

    fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
        vec![match TWISTS[TWIST] {
            Twist::Exact => mechanism::<Exact>(),
            _ => mechanism::<TwoSidedGeometric>(),
        }]
    }

    fn assemble(setting: &Setting, form: FormKind, _: Option<usize>) -> Result<Box<dyn Model>, Error> {
        let count = &setting.counts[0];
        match TWISTS[TWIST] {
            _ if count.exact => twisted::<TWIST, _>(setting, form, &Observed::exact(&count.counts()?)?),
            Twist::Exact => twisted::<TWIST, _>(setting, form, &Observed::<Exact>::simulated(count)?),
            _ => twisted::<TWIST, _>(setting, form, &Observed::<TwoSidedGeometric>::simulated(count)?),
        }
    }
}

fn twisted<const TWIST: usize, M: Channel>(
    setting: &Setting,
    form: FormKind,
    observed: &Observed<M>,
) -> Result<Box<dyn Model>, Error> {
    Ok(Box::new(Twisted::<TWIST>::new(setting, form, observed)?))
}

impl<const TWIST: usize> Twisted<TWIST> {
    fn new<M>(setting: &Setting, form: FormKind, observed: &Observed<M>) -> Result<Self, Error>
    where
        M: Channel,
    {
        let [docs, words, topics] = setting.sizes[..] else {
            unreachable!("the declaration has three index sets")
        };
        let grid = Grid::new(&[docs, words], &[], &[0], &[1], &[(topics, false)]);
        let rules = match TWISTS[TWIST] {
            Twist::Simplex => Rules {
                constant: &[Constant {
                    index: "words",
                    axis: 1,
                    latent: "phi",
                    position: 1,
                }],
                ..Rules::default()
            },
            _ => Rules::default(),
        };
        supported(
            form,
            &[(Formless::Channel(observed.channel()), observed.supports(form))],
        )?;
        let view = observed.bind("y", grid, form, &rules)?;
        Ok(Self {
            sizes: [docs, words, topics],
            s: setting.hypers[0],
            bound: Bound::new(Fixture::<TWIST>::SPEC.latents(&setting.sizes), vec![view]),
        })
    }

    /// From (word, topic) to (topic, word), added.
    fn add_transposed(&self, from: &[f64], into: &mut [f64]) {
        let [_, words, topics] = self.sizes;
        for v in 0..words {
            for k in 0..topics {
                into[k * words + v] += from[v * topics + k];
            }
        }
    }

    fn right(&self, phi: &[f64]) -> Vec<f64> {
        let [_, words, topics] = self.sizes;
        (0..words)
            .flat_map(|v| (0..topics).map(move |k| phi[k * words + v]))
            .collect()
    }

    fn lines(&self) -> Lines {
        let [_, words, topics] = self.sizes;
        Lines::new(&[topics, words], 1)
    }

    fn theta_prior(&self, xi: &[f64]) -> Prior {
        let rates = xi.iter().flat_map(|xi| vec![self.s * xi; self.sizes[2]]);
        Prior::gamma(Values::Same(2.0), Values::Each(rates.collect()))
    }
}

fn gamma(shape: f64, rate: f64) -> Prior {
    Prior::gamma(Values::Same(shape), Values::Same(rate))
}

impl<const TWIST: usize> Model for Twisted<TWIST> {
    fn bound(&self) -> &Bound {
        &self.bound
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        of.all()
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        match (latent, TWISTS[TWIST]) {
            (0, _) => gamma(1.5, 1.0),
            (1, Twist::Jacobian) => Prior::gamma(Values::Same(1.0), self.theta_prior(&x[0]).rate().clone()),
            (1, _) => self.theta_prior(&x[0]),
            (_, Twist::Simplex) => Prior::dirichlet(Values::Same(self.s), self.lines()),
            _ => gamma(1.5, self.s),
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        match TWISTS[TWIST] {
            Twist::Simplex => &[],
            Twist::Power => &WRONG_POWER,
            _ => &SYMMETRIES,
        }
    }

    fn forward(&self, x: &Factors, roots: &mut [Root]) {
        roots[0].operands.left.copy_from_slice(&x[1]);
        let right = &mut roots[0].operands.right;
        if TWISTS[TWIST] != Twist::Unmoved || right.iter().all(|r| *r == 0.0) {
            *right = self.right(&x[2]);
        }
    }

    fn adjoint(&self, _: &Factors, roots: &[Root], into: &mut Factors) {
        let [theta, phi] = into.two_mut(1, 2);
        theta.iter_mut().zip(&roots[0].seeds.left).for_each(|(t, s)| *t += s);
        self.add_transposed(&roots[0].seeds.right, phi);
    }

    fn thin(&self, x: &Factors, roots: &[Root], into: &mut Factors, _: &Streams) {
        self.adjoint(x, roots, into);
        if TWISTS[TWIST] == Twist::Lost {
            into[1][0] = (into[1][0] - 1.0).max(0.0);
        }
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, roots: &mut [Root], step: &mut dyn Step) {
        step.allocate(0, x, roots, counts);
        let (root, view, twist) = (&mut roots[0], self.bound.view(0), TWISTS[TWIST]);
        let [docs, _, topics] = self.sizes;
        root.forget_exposures();

        let shapes = if twist == Twist::Childless { 0.0 } else { 2.0 };
        let exposure: Vec<f64> = x[1].chunks(topics).map(|t| self.s * t.iter().sum::<f64>()).collect();
        let shapes = vec![shapes * topics as f64; docs];
        let prior = gamma(1.5, 1.0);
        step.update(&Complete::new(Part::all(0), &prior, &shapes, &exposure), &mut x[0]);

        root.exposure_left(view);
        let prior = self.theta_prior(&x[0]);
        let off = if twist == Twist::Exposure { 1.01 } else { 1.0 };
        let exposure: Vec<f64> = root.seeds.left.iter().map(|e| e * off).collect();
        let own = matches!(twist, Twist::OwnDraw | Twist::OwnScale | Twist::OwnAscend);
        updated(
            step,
            own.then_some(twist),
            Complete::new(Part::all(1), &prior, &counts[1], &exposure),
            &mut x[1],
        );
        root.operands.left.copy_from_slice(&x[1]);
        root.left_changed();

        root.exposure_right(view);
        let mut exposure = vec![0.0; x[2].len()];
        self.add_transposed(&root.seeds.right, &mut exposure);
        let prior = self.prior(2, x);
        if prior.family.has_lines() {
            exposure.fill(0.0);
        }
        let own = (twist == Twist::Astray).then_some(twist);
        updated(
            step,
            own,
            Complete::new(Part::all(2), &prior, &counts[2], &exposure),
            &mut x[2],
        );
        if twist != Twist::Stale {
            root.operands.right = self.right(&x[2]);
            root.right_changed();
        }
    }
}

/// Hands a conditional to `step`, with a custom update if there is one.
fn updated(step: &mut dyn Step, twist: Option<Twist>, complete: Complete<'_>, x: &mut [f64]) {
    let Some(twist) = twist else {
        return step.update(&complete, x);
    };
    let own = Custom {
        family: complete.family,
        update: &Mine(twist),
    };
    step.update(
        &Complete {
            family: &own,
            ..complete
        },
        x,
    );
}

/// Updates of theta, or of phi, as a user might write them.
struct Mine(Twist);

impl Update for Mine {
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for (i, x) in x.iter_mut().enumerate() {
            if self.0 == Twist::OwnScale {
                *x = gamma_draw(shape[i], rng) * rate[i];
                continue;
            }
            if self.0 == Twist::Astray {
                *x = 1e4 * gamma_draw(shape[i], rng) / rate[i];
                continue;
            }
            // Metropolis on the logarithm.
            for _ in 0..5 {
                let there = *x * (2.0 * (rng.random::<f64>() - 0.5)).exp();
                if rng.random::<f64>().ln() < shape[i] * (there / *x).ln() - rate[i] * (there - *x) {
                    *x = there;
                }
            }
        }
    }

    fn ascend(&self, shape: &mut [f64], rate: &mut [f64]) {
        if self.0 == Twist::OwnAscend {
            shape.iter_mut().for_each(|s| *s += 0.3);
            rate[0] *= 0.9;
        }
    }
}
