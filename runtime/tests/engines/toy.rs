//! A matrix model written by hand: `y[d, v] ~ Poisson(sum_k theta[d, k] phi[v, k])`, with the variations that
//! engines must know of.

use skellam::contract::Grid;
use skellam::model::{
    DirichletPrior, Factors, GammaPrior, Latent, Lines, Model, Part, Prior, Root, Slices, Step, Update, Values,
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
    pub sizes: [usize; 3],
    pub view: View,
    pub frozen: [Option<Vec<f64>>; 3],
    pub update: Option<Box<dyn Update + Send>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Values3(pub [Vec<f64>; 3]);

impl Factors for Values3 {
    fn arrays(&self) -> Vec<&[f64]> {
        self.0.iter().map(|a| &a[..]).collect()
    }

    fn arrays_mut(&mut self) -> Vec<&mut Vec<f64>> {
        self.0.iter_mut().collect()
    }
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
            kind,
            sizes,
            view,
            frozen: [None, None, None],
            update: None,
        }
    }

    fn gamma(&self, latent: usize, x: &Values3) -> GammaPrior {
        match self.prior(latent, x) {
            Prior::Gamma(prior) => prior,
            Prior::Dirichlet(_) => unreachable!("a gamma latent"),
        }
    }

    fn dirichlet(&self) -> DirichletPrior {
        let [_, words, topics] = self.sizes;
        DirichletPrior {
            concentration: Values::Each((0..words * topics).map(|i| 0.3 + 0.1 * (i % 4) as f64).collect()),
            lines: Lines::new(&[words, topics], 0),
        }
    }
}

impl Model for Toy {
    type Factors = Values3;
    type Buffers = ();

    fn latents(&self) -> Vec<Latent> {
        let [docs, words, topics] = self.sizes;
        let latent = |name, indices, shape, along| Latent {
            name,
            indices,
            shape,
            along,
            uses: 1,
            has_parents: false,
            is_parent: false,
            own_update: false,
            components: &[],
        };
        vec![
            Latent {
                has_parents: self.kind.parents,
                own_update: self.update.is_some(),
                ..latent("theta", &["docs", "topics"], vec![docs, topics], None)
            },
            latent(
                "phi",
                &["words", "topics"],
                vec![words, topics],
                self.kind.simplex.then_some(0),
            ),
            Latent {
                uses: 0,
                is_parent: true,
                ..latent("xi", &["docs"], vec![docs], None)
            },
        ]
    }

    fn frozen(&self, latent: usize) -> Option<&[f64]> {
        self.frozen[latent].as_deref()
    }

    fn prior(&self, latent: usize, x: &Values3) -> Prior {
        let topics = self.sizes[2];
        let same = |[shape, rate]: [f64; 2]| GammaPrior {
            shape: Values::Same(shape),
            rate: Values::Same(rate),
        };
        Prior::Gamma(match latent {
            THETA if self.kind.parents => GammaPrior {
                shape: Values::Same(SHAPE),
                rate: Values::Each(x.0[XI].iter().flat_map(|xi| vec![*xi; topics]).collect()),
            },
            THETA => same([SHAPE, 0.8]),
            PHI if self.kind.simplex => return Prior::Dirichlet(self.dirichlet()),
            PHI => same([0.5, 0.7]),
            _ => same(XI_PRIOR),
        })
    }

    fn factors(&self) -> Values3 {
        let [docs, words, topics] = self.sizes;
        Values3([docs * topics, words * topics, docs].map(|n| vec![0.0; n]))
    }

    fn buffers(&self) {}

    fn views(&self) -> Vec<&View> {
        vec![&self.view]
    }

    fn forward(&self, x: &Values3, roots: &mut [Root], (): &mut ()) {
        roots[0].operands.left.copy_from_slice(&x.0[THETA]);
        roots[0].operands.right.copy_from_slice(&x.0[PHI]);
        roots[0].forget_exposures();
    }

    fn adjoint(&self, _: &Values3, roots: &[Root], (): &(), into: &mut Values3) {
        for (latent, seeds) in [(THETA, &roots[0].seeds.left), (PHI, &roots[0].seeds.right)] {
            into.0[latent].iter_mut().zip(seeds).for_each(|(sum, n)| *sum += n);
        }
    }

    fn thin(&self, x: &Values3, roots: &[Root], buffers: &(), into: &mut Values3, _: &Streams) {
        self.adjoint(x, roots, buffers, into);
    }

    fn update(&self, x: &mut Values3, counts: &Values3, roots: &mut [Root], (): &mut (), step: &mut dyn Step) {
        let (root, view) = (&mut roots[0], &self.view);
        root.forget_exposures();
        let [docs, _, topics] = self.sizes;
        if step.wants(THETA) {
            let prior = self.gamma(THETA, x);
            let theta = &mut x.0[THETA];
            if self.kind.slices {
                for slice in Slices::new(&[docs, topics], &[0]).iter() {
                    root.exposure_slice(skellam::view::Side::Left, &[(0, slice.at[0])], view);
                    slice.gamma(step, THETA, &prior, &counts.0[THETA], &root.seeds.left, theta);
                }
            } else {
                root.exposure_left(view);
                let (part, n, e) = (Part::all(THETA), &counts.0[THETA], &root.seeds.left);
                match &self.update {
                    Some(own) => step.own_gamma(&**own, part, &prior, n, e, theta),
                    None => step.gamma(part, &prior, n, e, theta),
                }
            }
            root.operands.left.copy_from_slice(theta);
            root.left_changed();
        }
        if step.wants(PHI) {
            if self.kind.simplex {
                let (prior, n) = (self.dirichlet(), &counts.0[PHI]);
                match &self.update {
                    Some(own) => step.own_dirichlet(&**own, PHI, &prior, n, &mut x.0[PHI]),
                    None => step.dirichlet(PHI, &prior, n, &mut x.0[PHI]),
                }
            } else {
                root.exposure_right(view);
                let prior = self.gamma(PHI, x);
                step.gamma(Part::all(PHI), &prior, &counts.0[PHI], &root.seeds.right, &mut x.0[PHI]);
            }
            root.operands.right.copy_from_slice(&x.0[PHI]);
            root.right_changed();
        }
        if step.wants(XI) {
            let children = if self.kind.parents { topics } else { 0 };
            let seen = if self.kind.mutant { 0.5 } else { 1.0 };
            let n = vec![SHAPE * children as f64; docs];
            let sum = |d: usize| seen * x.0[THETA][d * topics..][..children].iter().sum::<f64>();
            let exposure: Vec<f64> = (0..docs).map(sum).collect();
            let prior = self.gamma(XI, x);
            step.gamma(Part::all(XI), &prior, &n, &exposure, &mut x.0[XI]);
        }
    }
}
