//! The same seed gives the same draws on any number of threads, bit by bit.

use skellam::channel::TwoSidedGeometric;
use skellam::infer::{Cavi, CaviForm, CaviStart, Gibbs, LatentDraws, Progress, cavi, gibbs};
use skellam::model::Model;
use skellam_tests::cases::{Case, Kind, Observed};
use skellam_tests::data::Vary;
use skellam_tests::everything::everything;
use skellam_tests::families::*;

/// Everything a Gibbs run and a variational run leave behind, as bits.
fn bits(model: &dyn Model, form: CaviForm, threads: usize, seed: u64) -> Vec<u64> {
    let settings = Gibbs {
        num_tune: 2,
        num_draws: 2,
        thin: Some(2),
        num_chains: Some(2),
        seed,
        num_threads: Some(threads),
        progress: Progress::default(),
        ..Gibbs::default()
    };
    let sampled = gibbs(model, &settings, |_, _| {}).unwrap();
    // Both kinds of starts, the chain of one of them shorter than by default: its sweeps are those of the run above.
    let ascended = [CaviStart::Dispersed, CaviStart::Sampled { sweeps: 8 }].map(|start| {
        let settings = Cavi {
            max_iters: 12,
            anneal_iters: 4,
            check_every: 1,
            num_restarts: 2,
            start,
            seed,
            form,
            num_threads: Some(threads),
            ..Cavi::default()
        };
        cavi(model, &settings, |_, _| {}).unwrap()
    });
    let draws = sampled.latents.into_iter().map(|(_, kept)| match kept {
        LatentDraws::Draws(draws) => draws.to_vec().unwrap().into_owned(),
        other => panic!("{other:?}"),
    });
    let rates = sampled
        .rates
        .iter()
        .chain(ascended.iter().flat_map(|ascended| &ascended.rates))
        .map(|rates| rates.to_vec().unwrap());
    let monitored = sampled
        .monitored
        .into_iter()
        .map(|monitored| monitored.rates.to_vec().unwrap().into_owned());
    let numbers = draws
        .chain(rates)
        .chain(monitored)
        .chain([sampled.ln_joint])
        .chain(
            ascended
                .iter()
                .flat_map(|ascended| ascended.shape.iter().chain(&ascended.rate).cloned()),
        )
        .collect::<Vec<_>>()
        .concat();
    let bounds = ascended.into_iter().flat_map(|ascended| ascended.restarts).flatten();
    numbers.into_iter().chain(bounds).map(f64::to_bits).collect()
}

fn same<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
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
            assert!(one == bits(&model, form, 3, 7), "{name}, {case:?}: three threads");
            // The comparison is alive: another seed gives other draws.
            if kind == Kind::Collapsed {
                assert!(one != bits(&model, form, 1, 8), "{name}, {case:?}: another seed");
            }
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

/// Enough rows for several lanes, and slices that are worth sharing.
#[test]
fn draws_of_every_kind_of_update_do_not_depend_on_threads() {
    let model = everything(150, 40);
    let one = bits(&model, CaviForm::Collapsed, 1, 7);
    for threads in [2, 3] {
        assert!(
            one == bits(&model, CaviForm::Collapsed, threads, 7),
            "{threads} threads"
        );
    }
    assert!(one != bits(&model, CaviForm::Collapsed, 1, 8));
}
