//! A matrix model written by hand: `y[d, v] ~ Poisson(sum_k theta[d, k] phi[v, k])`, with the variations that
//! engines must know of.

use skellam::contract::Grid;
use skellam::family::{Custom, Dirichlet, Gamma};
use skellam::model::{
    Bound, Complete, ElboParts, Factors, Latent, Lines, Model, Part, Prior, Root, Slices, Step, Update, Values,
};
use skellam::streams::Streams;
use skellam::view::View;

/// Which variation.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kind {
    /// `theta[d, k] ~ Gamma(a, xi[d])`, `xi[d] ~ Gamma(2, 1.5)`; else its rate is a number.
    pub parents: bool,
    /// `phi[., k] ~ Dirichlet(eta)`; else gamma.
    pub simplex: bool,
    /// `theta` is updated document by document.
    pub slices: bool,
    /// A mistake: the parent sees half of its children.
    pub mutant: bool,
}

pub struct Toy {
    pub kind: Kind,
    sizes: [usize; 3],
    bound: Bound,
    update: Option<Box<dyn Update + Send>>,
}

const THETA: usize = 0;
const PHI: usize = 1;
const XI: usize = 2;
const SHAPE: f64 = 0.6;
const XI_PRIOR: [f64; 2] = [2.0, 1.5];

/// The layout of the count.
pub fn grid([docs, words, topics]: [usize; 3]) -> Grid {
    Grid::new(&[docs, words], &[], &[0], &[1], &[(topics, false)])
}

impl Toy {
    pub fn new(kind: Kind, sizes: [usize; 3], view: View) -> Self {
        Self {
            bound: Bound::new(latents(kind, sizes, false), vec![view]),
            kind,
            sizes,
            update: None,
        }
    }

    /// The same with a custom update of `theta`, or of a simplex `phi`.
    pub fn updated_by(kind: Kind, sizes: [usize; 3], view: View, update: impl Update + Send + 'static) -> Self {
        Self {
            bound: Bound::new(latents(kind, sizes, true), vec![view]),
            kind,
            sizes,
            update: Some(Box::new(update)),
        }
    }

    /// Freezes a latent.
    pub fn freeze(&mut self, latent: usize, values: Vec<f64>) {
        self.bound.freeze(latent, values);
    }

    pub fn view(&self) -> &View {
        self.bound.view(0)
    }

    fn dirichlet(&self) -> Prior {
        let [_, words, topics] = self.sizes;
        let concentration = (0..words * topics).map(|i| 0.3 + 0.1 * (i % 4) as f64);
        Prior::dirichlet(Values::Each(concentration.collect()), Lines::new(&[words, topics], 0))
    }

    /// Hands a conditional to `step`, with the custom update if there is one.
    fn updated(&self, step: &mut dyn Step, complete: Complete<'_>, x: &mut [f64]) {
        let Some(own) = &self.update else {
            return step.update(&complete, x);
        };
        let own = Custom {
            family: complete.family,
            update: &**own,
        };
        step.update(
            &Complete {
                family: &own,
                ..complete
            },
            x,
        );
    }
}

fn latents(kind: Kind, [docs, words, topics]: [usize; 3], custom_update: bool) -> Vec<Latent> {
    let latent = |name, indices: &[&'static str], shape, along| Latent {
        name,
        indices: indices.to_vec(),
        shape,
        family: match along {
            Some(_) => &Dirichlet,
            None => &Gamma,
        },
        along,
        uses: 1,
        has_parents: false,
        is_parent: false,
        custom_update: false,
        in_open_total: false,
        components: Vec::new(),
    };
    vec![
        Latent {
            has_parents: kind.parents,
            custom_update,
            ..latent("theta", &["docs", "topics"], vec![docs, topics], None)
        },
        latent(
            "phi",
            &["words", "topics"],
            vec![words, topics],
            kind.simplex.then_some(0),
        ),
        Latent {
            uses: 0,
            is_parent: true,
            ..latent("xi", &["docs"], vec![docs], None)
        },
    ]
}

impl Model for Toy {
    fn bound(&self) -> &Bound {
        &self.bound
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        of.all()
    }

    fn prior(&self, latent: usize, x: &Factors) -> Prior {
        let topics = self.sizes[2];
        let same = |[shape, rate]: [f64; 2]| Prior::gamma(Values::Same(shape), Values::Same(rate));
        match latent {
            THETA if self.kind.parents => Prior::gamma(
                Values::Same(SHAPE),
                Values::Each(x[XI].iter().flat_map(|xi| vec![*xi; topics]).collect()),
            ),
            THETA => same([SHAPE, 0.8]),
            PHI if self.kind.simplex => self.dirichlet(),
            PHI => same([0.5, 0.7]),
            _ => same(XI_PRIOR),
        }
    }

    fn forward(&self, x: &Factors, roots: &mut [Root]) {
        roots[0].operands.left.copy_from_slice(&x[THETA]);
        roots[0].operands.right.copy_from_slice(&x[PHI]);
        roots[0].forget_exposures();
    }

    fn adjoint(&self, _: &Factors, roots: &[Root], into: &mut Factors) {
        for (latent, seeds) in [(THETA, &roots[0].seeds.left), (PHI, &roots[0].seeds.right)] {
            into[latent].iter_mut().zip(seeds).for_each(|(sum, n)| *sum += n);
        }
    }

    fn thin(&self, x: &Factors, roots: &[Root], into: &mut Factors, _: &Streams) {
        self.adjoint(x, roots, into);
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, roots: &mut [Root], step: &mut dyn Step) {
        step.allocate(0, x, roots, counts);
        let (root, view) = (&mut roots[0], self.bound.view(0));
        root.forget_exposures();
        let [docs, _, topics] = self.sizes;
        if step.wants(THETA) {
            let prior = self.prior(THETA, x);
            let theta = &mut x[THETA];
            if self.kind.slices {
                for slice in Slices::new(&[docs, topics], &[0]).iter() {
                    root.exposure_slice(skellam::view::Side::Left, &[(0, slice.at[0])], view);
                    let of = Complete::new(Part::all(THETA), &prior, &counts[THETA], &root.seeds.left);
                    slice.update(step, &of, theta);
                }
            } else {
                root.exposure_left(view);
                let (part, n, e) = (Part::all(THETA), &counts[THETA], &root.seeds.left);
                self.updated(step, Complete::new(part, &prior, n, e), theta);
            }
            root.operands.left.copy_from_slice(theta);
            root.left_changed();
        }
        if step.wants(PHI) {
            if self.kind.simplex {
                let (prior, n) = (self.dirichlet(), &counts[PHI]);
                let nothing = vec![0.0; n.len()];
                self.updated(step, Complete::new(Part::all(PHI), &prior, n, &nothing), &mut x[PHI]);
            } else {
                root.exposure_right(view);
                let prior = self.prior(PHI, x);
                step.update(
                    &Complete::new(Part::all(PHI), &prior, &counts[PHI], &root.seeds.right),
                    &mut x[PHI],
                );
            }
            root.operands.right.copy_from_slice(&x[PHI]);
            root.right_changed();
        }
        if step.wants(XI) {
            let children = if self.kind.parents { topics } else { 0 };
            let seen = if self.kind.mutant { 0.5 } else { 1.0 };
            let n = vec![SHAPE * children as f64; docs];
            let sum = |d: usize| seen * x[THETA][d * topics..][..children].iter().sum::<f64>();
            let exposure: Vec<f64> = (0..docs).map(sum).collect();
            let prior = self.prior(XI, x);
            step.update(&Complete::new(Part::all(XI), &prior, &n, &exposure), &mut x[XI]);
        }
    }
}
