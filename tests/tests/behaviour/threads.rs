//! The same seed gives the same draws on any number of threads, bit by bit.

use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::Mask;
use skellam::infer::{Cavi, CaviForm, CaviStart, Gibbs, LatentDraws, Progress, cavi, gibbs};
use skellam::model::{FormKind, Model};
use skellam::release::Released;
use skellam_tests::everything::everything;
use skellam_tests::families::Matrix;

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

fn same(model: &dyn Model, form: CaviForm) {
    let one = bits(model, form, 1, 7);
    for threads in [2, 3] {
        assert!(one == bits(model, form, threads, 7), "{form:?}, {threads} threads");
    }
    // The comparison is alive: another seed gives other draws.
    assert!(one != bits(model, form, 1, 8), "{form:?}: another seed");
}

/// Several lanes of rows, and a latent of more than one block of draws: many visited cells, and few.
#[test]
fn draws_do_not_depend_on_threads() {
    let law = TwoSidedGeometric::new(0.45).unwrap();
    for every in [3, 40] {
        let value = |cell: usize| if cell.is_multiple_of(every) { 1 + cell % 6 } else { 0 } as i64;
        let values = (0..520 * 30).map(|cell| value(cell) - (cell % 7 / 6) as i64).collect();
        let data = Released::assert_mechanism(vec![520, 30], values, Varying::Uniform(law)).unwrap();
        let mask = Mask::random(&[520, 30], 0.02, 2).unwrap();
        let model = Matrix::new(&data.hold_out(&mask).unwrap()).unwrap().topics(5);
        for form in [CaviForm::Collapsed, CaviForm::Augmented] {
            same(&model.bind(FormKind::from(form)).unwrap(), form);
        }
    }
}

/// Enough rows for several lanes, and slices that are worth sharing.
#[test]
fn draws_of_every_kind_of_update_do_not_depend_on_threads() {
    same(&everything(150, 40), CaviForm::Collapsed);
}
