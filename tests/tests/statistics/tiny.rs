//! A tiny model of each family: long runs of the samplers against quadrature, and the bound against the evidence.
//!
//! Means of the rates within 4 standard errors by the means of 100 batches: 1.2e-4 each by Student's law, below 1 %
//! for the some 60 of this file. Seeds are fixed, so that it fails always or never.

use skellam::channel::{Channel, Exact, TwoSidedGeometric, Varying};
use skellam::infer::{Chain, pool};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::data::arrays;
use skellam_tests::statistics::{batch_means, ln_gamma, ln_gamma_density};
use skellam_tests::tiny::{Free, Tiny};

const ALPHA: f64 = 0.5;
const SWEEPS: usize = 100_000;

fn channel() -> TwoSidedGeometric {
    TwoSidedGeometric::new(ALPHA).unwrap()
}

fn released(shape: &[usize], values: &[i64]) -> Released<TwoSidedGeometric> {
    Released::assert_mechanism(shape.to_vec(), values.to_vec(), Varying::Uniform(channel())).unwrap()
}

fn exact(shape: &[usize], values: &[i64]) -> Counts {
    Counts::dense(shape.to_vec(), values.to_vec()).unwrap()
}

fn ln_released(rates: &[f64], values: &[i64]) -> f64 {
    let channel = channel();
    rates
        .iter()
        .zip(values)
        .map(|(r, c)| channel.ln_marginal(r.max(1e-12), *c))
        .sum()
}

fn ln_exact(rates: &[f64], values: &[i64]) -> f64 {
    rates
        .iter()
        .zip(values)
        .map(|(r, c)| Exact.ln_marginal(r.max(1e-12), *c))
        .sum()
}

/// Density of a symmetric Dirichlet over two entries.
fn ln_pair(p: f64, q: f64, a: f64) -> f64 {
    ln_gamma(2.0 * a) - 2.0 * ln_gamma(a) + (a - 1.0) * (p.ln() + q.ln())
}

/// The rates along a run, a list each.
fn run(model: &dyn Model, rates: &(dyn Fn(&[Vec<f64>]) -> Vec<f64> + Sync)) -> Vec<Vec<f64>> {
    let mut runs: Vec<Vec<f64>> = Vec::new();
    let mut chain = Chain::new(model, 3, 0);
    // One thread: there is nothing to share in a model of this size.
    pool(1).unwrap().install(|| {
        for sweep in 0..SWEEPS + 500 {
            chain.sweep();
            if sweep >= 500 {
                let values = rates(&arrays(chain.values()));
                runs.resize_with(values.len(), || Vec::with_capacity(SWEEPS));
                runs.iter_mut().zip(values).for_each(|(run, value)| run.push(value));
            }
        }
    });
    runs
}

/// The largest deviation of a mean along a run, in standard errors.
fn deviation(runs: &[Vec<f64>], means: &[f64]) -> f64 {
    assert_eq!(runs.len(), means.len());
    let z = runs.iter().zip(means).map(|(run, mean)| {
        let (found, squared) = batch_means(run, 100);
        ((found - mean) / squared.sqrt()).abs()
    });
    z.fold(0.0, f64::max)
}

/// Data of a family, and how the samplers and the bound do on them.
struct Case<'a> {
    name: &'static str,
    ln_likelihood: &'a dyn Fn(&[f64]) -> f64,
    /// A long run.
    run: &'a dyn Fn() -> Vec<Vec<f64>>,
    /// What CAVI reached.
    bound: Option<f64>,
}

/// Holds one family against quadrature.
fn holds(
    name: &str,
    free: &[Free],
    lengths: &[usize],
    ln_prior: &dyn Fn(&[Vec<f64>]) -> f64,
    rates: &(dyn Fn(&[Vec<f64>]) -> Vec<f64> + Sync),
    cases: &[Case<'_>],
) {
    for case in cases {
        let at = |ln_prior: &dyn Fn(&[Vec<f64>]) -> f64| {
            let ln_likelihood = case.ln_likelihood;
            Tiny {
                free,
                lengths,
                ln_prior,
                rates,
                ln_likelihood,
            }
            .posterior()
        };
        let (evidence, means) = at(ln_prior);
        let run = (case.run)();
        let (z, bound) = (deviation(&run, &means), case.bound.unwrap());
        let case_name = case.name;
        println!("{name}, {case_name}: z = {z:.2}; bound {bound:.3}, evidence {evidence:.3}");
        assert!(z < 4.0, "{name}, {case_name}: z = {z} from {means:?}");
        assert!(
            bound < evidence && bound > evidence - 3.0,
            "{name}, {case_name}: {bound} and {evidence}"
        );
        // The comparison is alive: gammas whose rates are one higher have a posterior that lies elsewhere.
        let (_, moved) = at(&|x| ln_prior(x) - x.iter().flatten().sum::<f64>());
        assert!(
            deviation(&run, &moved) > 6.0,
            "{name}, {case_name}: {moved:?} is not told from {means:?}"
        );
    }
}

/// Three cases of a model of one count: both forms on released data, and exact data. `cells` are those that the
/// model has, in the order of `rates`.
macro_rules! one_count {
    (
        $test:ident, $model:ident, set: $set:expr, shape: $shape:expr, released: $c:expr, exact: $y:expr, cells: $cells:expr,
        free: $free:expr, lengths: $lengths:expr, prior: $prior:expr, rates: $rates:expr
    ) => {
        #[test]
        fn $test() {
            let set: fn($model) -> $model = $set;
            let rates: &(dyn Fn(&[Vec<f64>]) -> Vec<f64> + Sync) = &$rates;
            let noisy = set($model::new(&released(&$shape, &$c)).unwrap());
            let plain = set($model::exact(&exact(&$shape, &$y)).unwrap());
            let bind = |form: FormKind| noisy.bind(form).unwrap();
            let (collapsed, augmented) = (bind(FormKind::Collapsed), bind(FormKind::Augmented));
            let truth = plain.bind(FormKind::Collapsed).unwrap();
            let pick = |values: &[i64]| -> Vec<i64> { $cells.iter().map(|&cell: &usize| values[cell]).collect() };
            let (c, y) = (pick(&$c), pick(&$y));
            holds(
                stringify!($test),
                &$free,
                &$lengths,
                &$prior,
                rates,
                &[
                    Case {
                        name: "collapsed",
                        ln_likelihood: &|rates| ln_released(rates, &c),
                        run: &|| run(&collapsed, rates),
                        bound: noisy.cavi(&cavi(CaviForm::Collapsed)).unwrap().elbo,
                    },
                    Case {
                        name: "augmented",
                        ln_likelihood: &|rates| ln_released(rates, &c),
                        run: &|| run(&augmented, rates),
                        bound: noisy.cavi(&cavi(CaviForm::Augmented)).unwrap().elbo,
                    },
                    Case {
                        name: "exact",
                        ln_likelihood: &|rates| ln_exact(rates, &y),
                        run: &|| run(&truth, rates),
                        bound: plain.cavi(&cavi(CaviForm::Collapsed)).unwrap().elbo,
                    },
                ],
            );
        }
    };
}

fn cavi(form: CaviForm) -> Cavi {
    Cavi {
        form,
        max_iters: 2000,
        ..Cavi::default()
    }
}

skellam::model! {
    model Hierarchical {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 3.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 2.0, rate = 1.5);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    hierarchical, Hierarchical, set: |m| m.topics(1), shape: [1, 2], released: [4, -1], exact: [3, 1], cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Entry(1, 0), Free::Entry(2, 0), Free::Entry(2, 1)], lengths: [1, 1, 2],
    prior: |x| ln_gamma_density(x[0][0], 3.0, 2.0)
        + ln_gamma_density(x[1][0], 2.0, x[0][0])
        + ln_gamma_density(x[2][0], 2.0, 1.5)
        + ln_gamma_density(x[2][1], 2.0, 1.5),
    rates: |x| vec![x[1][0] * x[2][0], x[1][0] * x[2][1]]
);

skellam::model! {
    model Block {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 2.0, rate = 1.5);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 2.0, rate = 2.0);
        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    block, Block, set: |m| m.groups(1), shape: [2, 2], released: [7, 3, -2, 5], exact: [0, 2, 1, 0], cells: [1, 2],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Entry(1, 0)], lengths: [2, 1],
    prior: |x| x[0].iter().map(|t| ln_gamma_density(*t, 2.0, 1.5)).sum::<f64>() + ln_gamma_density(x[1][0], 2.0, 2.0),
    rates: |x| vec![x[0][0] * x[0][1] * x[1][0]; 2]
);

skellam::model! {
    model Undirected {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 2.0, rate = 1.5);
        count y[i in actors, j in actors] where i < j ~ Poisson(1.5 * sum(c in groups) theta[i, c] * theta[j, c]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    undirected, Undirected, set: |m| m.groups(1), shape: [3, 3], released: [9, 3, -1, 9, 9, 2, 9, 9, 9],
    exact: [0, 2, 0, 0, 0, 3, 0, 0, 0], cells: [1, 2, 5],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Entry(0, 2)], lengths: [3],
    prior: |x| x[0].iter().map(|t| ln_gamma_density(*t, 2.0, 1.5)).sum::<f64>(),
    rates: |x| vec![1.5 * x[0][0] * x[0][1], 1.5 * x[0][0] * x[0][2], 1.5 * x[0][1] * x[0][2]]
);

skellam::model! {
    model ThreeWay {
        index actors, groups;
        latent u[i in actors, c in groups] ~ Gamma(shape = 2.0, rate = 1.5);
        count y[i in actors, j in actors, k in actors] where i < j, j < k ~ Poisson(sum(c in groups) u[i, c] * u[j, c] * u[k, c]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    three_way, ThreeWay, set: |m| m.groups(1), shape: [3, 3, 3],
    released: std::array::from_fn::<i64, 27, _>(|i| if i == 5 { 4 } else { -1 }),
    exact: std::array::from_fn::<i64, 27, _>(|i| if i == 5 { 3 } else { 0 }), cells: [5],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Entry(0, 2)], lengths: [3],
    prior: |x| x[0].iter().map(|t| ln_gamma_density(*t, 2.0, 1.5)).sum::<f64>(),
    rates: |x| vec![x[0].iter().product()]
);

skellam::model! {
    model Simplex {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 0.8);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.5, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    simplex, Simplex, set: |m| m.topics(2), shape: [1, 2], released: [4, -1], exact: [5, 1], cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Pair(1, 0, 1), Free::Pair(1, 2, 3)], lengths: [2, 4],
    prior: |x| x[0].iter().map(|t| ln_gamma_density(*t, 2.0, 0.8)).sum::<f64>()
        + ln_pair(x[1][0], x[1][1], 1.5)
        + ln_pair(x[1][2], x[1][3], 1.5),
    rates: |x| (0..2).map(|v| x[0][0] * x[1][v] + x[0][1] * x[1][2 + v]).collect()
);

skellam::model! {
    model Lda {
        index docs, words, topics;
        latent n[d in docs] ~ Gamma(shape = 2.0, rate = 0.4);
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 1.5, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.5, along = v);
        count y[d in docs, v in words] ~ Poisson(n[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    simplices, Lda, set: |m| m.topics(2), shape: [1, 2], released: [6, 0], exact: [5, 1], cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Pair(1, 0, 1), Free::Pair(2, 0, 1), Free::Pair(2, 2, 3)], lengths: [1, 2, 4],
    prior: |x| ln_gamma_density(x[0][0], 2.0, 0.4)
        + ln_pair(x[1][0], x[1][1], 1.5)
        + ln_pair(x[2][0], x[2][1], 1.5)
        + ln_pair(x[2][2], x[2][3], 1.5),
    rates: |x| (0..2).map(|v| x[0][0] * (x[1][0] * x[2][v] + x[1][1] * x[2][2 + v])).collect()
);

skellam::model! {
    model Cp {
        index rows, cols, times, parts;
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 2.0, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    cp, Cp, set: |m| m.parts(1), shape: [2, 1, 1], released: [5, -1], exact: [4, 1], cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Entry(1, 0), Free::Entry(2, 0)], lengths: [2, 1, 1],
    prior: |x| ln_gamma_density(x[0][0], 2.0, 1.5)
        + ln_gamma_density(x[0][1], 2.0, 1.5)
        + ln_gamma_density(x[1][0], 2.0, 1.0)
        + ln_gamma_density(x[2][0], 3.0, 2.0),
    rates: |x| (0..2).map(|i| x[0][i] * x[1][0] * x[2][0]).collect()
);

skellam::model! {
    model Tucker {
        index rows, cols, p, q;
        latent a[i in rows, e in p] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, f in q] ~ Gamma(shape = 2.0, rate = 1.0);
        latent core[e in p, f in q] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols] ~ Poisson(sum(e in p, f in q) a[i, e] * b[j, f] * core[e, f]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    tucker, Tucker, set: |m| m.p(1).q(1), shape: [2, 1], released: [5, -1], exact: [4, 1], cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Entry(0, 1), Free::Entry(1, 0), Free::Entry(2, 0)], lengths: [2, 1, 1],
    prior: |x| ln_gamma_density(x[0][0], 2.0, 1.5)
        + ln_gamma_density(x[0][1], 2.0, 1.5)
        + ln_gamma_density(x[1][0], 2.0, 1.0)
        + ln_gamma_density(x[2][0], 3.0, 2.0),
    rates: |x| (0..2).map(|i| x[0][i] * x[1][0] * x[2][0]).collect()
);

skellam::model! {
    model Background {
        index docs, words, topics;
        data length[d in docs]: positive;
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 1.5);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(base[v] + length[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

one_count!(
    background, Background, set: |m| m.topics(1).length(vec![0.5, 2.0]), shape: [2, 1], released: [2, 7], exact: [1, 6],
    cells: [0, 1],
    free: [Free::Entry(0, 0), Free::Entry(1, 0), Free::Entry(1, 1), Free::Entry(2, 0)], lengths: [1, 2, 1],
    prior: |x| ln_gamma_density(x[0][0], 2.0, 1.5)
        + ln_gamma_density(x[1][0], 2.0, 1.5)
        + ln_gamma_density(x[1][1], 2.0, 1.5)
        + ln_gamma_density(x[2][0], 2.0, 1.0),
    rates: |x| vec![x[0][0] + 0.5 * x[1][0] * x[2][0], x[0][0] + 2.0 * x[1][1] * x[2][0]]
);

skellam::model! {
    model Views {
        index docs, words, readers, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        latent taste[k in topics, r in readers] ~ Gamma(shape = 3.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count marks[d in docs, r in readers] ~ Poisson(sum(k in topics) theta[d, k] * taste[k, r]);
        release y by TwoSidedGeometric;
    }
}

/// Each view through its own channel.
#[test]
fn views() {
    let (c, marks) = ([5, -1], [3]);
    let (released, exact) = (released(&[1, 2], &c), exact(&[1, 1], &marks));
    let model = Views::new(ViewsData {
        y: &released,
        marks: &exact,
    });
    let model = model.unwrap().topics(1);
    let bind = |form: FormKind| model.bind(form).unwrap();
    let (collapsed, augmented) = (bind(FormKind::Collapsed), bind(FormKind::Augmented));
    let rates = |x: &[Vec<f64>]| vec![x[0][0] * x[1][0], x[0][0] * x[1][1], x[0][0] * x[2][0]];
    let ln_likelihood = |rates: &[f64]| ln_released(&rates[..2], &c) + ln_exact(&rates[2..], &marks);
    let case = |name, form: CaviForm, run| Case {
        name,
        ln_likelihood: &ln_likelihood,
        run,
        bound: model.cavi(&cavi(form)).unwrap().elbo,
    };
    holds(
        "views",
        &[
            Free::Entry(0, 0),
            Free::Entry(1, 0),
            Free::Entry(1, 1),
            Free::Entry(2, 0),
        ],
        &[1, 2, 1],
        &|x| {
            ln_gamma_density(x[0][0], 2.0, 1.5)
                + ln_gamma_density(x[1][0], 2.0, 1.0)
                + ln_gamma_density(x[1][1], 2.0, 1.0)
                + ln_gamma_density(x[2][0], 3.0, 1.0)
        },
        &rates,
        &[
            case("collapsed", CaviForm::Collapsed, &|| run(&collapsed, &rates)),
            case("augmented", CaviForm::Augmented, &|| run(&augmented, &rates)),
        ],
    );
}
