//! The same seed gives the same draws on any number of threads, bit by bit.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::Counts;
use skellam::infer::{Cavi, CaviForm, Gibbs, Progress, cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::release::Released;
use skellam_tests::cases::{Case, Kind, Observed};
use skellam_tests::data::Vary;
use skellam_tests::families::*;

/// Everything a Gibbs run and a variational run leave behind, as bits.
fn bits(model: &impl Model, form: CaviForm, threads: usize, seed: u64) -> Vec<u64> {
    let settings = Gibbs {
        num_tune: 2,
        num_draws: 4,
        thin: 2,
        num_chains: 2,
        seed,
        num_threads: Some(threads),
        progress: Progress::default(),
        ..Gibbs::default()
    };
    let sampled = gibbs(model, &settings, |_, _| {}).unwrap();
    let settings = Cavi {
        max_iters: 12,
        anneal_iters: 4,
        check_every: 1,
        num_restarts: 2,
        seed,
        form,
        num_threads: Some(threads),
        ..Cavi::default()
    };
    let ascended = cavi(model, &settings, |_, _| {}).unwrap();
    let numbers = [
        sampled.draws,
        sampled.rates,
        ascended.shape,
        ascended.rate,
        ascended.rates,
    ]
    .concat()
    .concat();
    let bounds = ascended.restarts.into_iter().flatten();
    numbers.into_iter().chain(bounds).map(f64::to_bits).collect()
}

fn same<F: Family<Mechanism = TwoSidedGeometric>>(family: &F, name: &str) {
    let shape = family.twin().shape;
    for kind in [Kind::Collapsed, Kind::Augmented, Kind::Exact, Kind::Naive] {
        for sparse in [false, true] {
            let case = Case {
                kind,
                vary: Vary::Scalar,
                sparse,
                masked: true,
            };
            let model = Observed::new(case, &shape, 2).bind(family, None);
            let form = if kind == Kind::Augmented {
                CaviForm::Augmented
            } else {
                CaviForm::Collapsed
            };
            let one = bits(&model, form, 1, 7);
            for threads in [2, 3] {
                assert!(
                    one == bits(&model, form, threads, 7),
                    "{name}, {case:?}: {threads} threads"
                );
            }
            // The comparison is alive: another seed gives other draws.
            assert!(one != bits(&model, form, 1, 8), "{name}, {case:?}: another seed");
        }
    }
}

/// Several lanes of rows, and a latent of more than one block of draws.
#[test]
fn draws_do_not_depend_on_threads() {
    same(&MatrixAt(520, 30, 5), "matrix");
    same(&OffsetAt(260, 30, 3), "offset");
    same(&Cp3At(210, 7, 6, 3), "cp");
    same(&TuckerAt([14, 210, 5], [3, 2, 2]), "tucker");
    same(&BatchAt(40, 11, 12, 3), "batch");
}

skellam::model! {
    /// Several counts with parents, simplices and rows in sequence.
    model Everything {
        index actors, words, groups;
        latent xi[i in actors] ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.5, rate = xi[i]);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[c in groups, v in words] ~ Dirichlet(concentration = 0.1, along = v);
        latent trio[i in actors] ~ Gamma(shape = 1.0, rate = 1.0);
        count mail[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        count meetings[i in actors, j in actors] where i < j ~ Poisson(trio[i] * trio[j]);
        count y[i in actors, v in words] ~ Poisson(sum(c in groups) theta[i, c] * phi[c, v]);
        release mail by TwoSidedGeometric;
    }
}

/// Enough rows for several lanes, and slices that are worth sharing.
#[test]
fn draws_of_every_kind_of_update_do_not_depend_on_threads() {
    let (actors, words) = (150, 40);
    let table = |cols: usize, step: usize| {
        let values = (0..actors * cols).map(|i| (i * step % 7) as i64 - 4);
        values.collect::<Vec<i64>>()
    };
    let law = Varying::Uniform(TwoSidedGeometric::new(0.5).unwrap());
    let mail = Released::assert_mechanism(vec![actors, actors], table(actors, 5), law).unwrap();
    let exact = |cols: usize, step: usize| {
        let values = table(cols, step).into_iter().map(|v| v.max(0)).collect();
        Counts::dense(vec![actors, cols], values).unwrap()
    };
    let (meetings, y) = (exact(actors, 3), exact(words, 11));
    let data = EverythingData {
        mail: &mail,
        meetings: &meetings,
        y: &y,
    };
    let model = Everything::new(data)
        .unwrap()
        .groups(3)
        .bind(FormKind::Collapsed)
        .unwrap();
    let one = bits(&model, CaviForm::Collapsed, 1, 7);
    for threads in [2, 3] {
        assert!(
            one == bits(&model, CaviForm::Collapsed, threads, 7),
            "{threads} threads"
        );
    }
    assert!(one != bits(&model, CaviForm::Collapsed, 1, 8));
}
