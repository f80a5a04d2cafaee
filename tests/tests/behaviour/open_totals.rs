//! Totals that nobody knows: Poisson counts, hidden or released, above lines.

use skellam::channel::Varying;
use skellam::infer::{Cavi, Progress};
use skellam::prelude::*;
use skellam::{RunError, TotalError};

use super::totals::{DOCS, HiddenLengths, WORDS, gibbs, words};

/// Exact tables that contradict each other have no total: an error that says which, before anything runs.
#[test]
fn exact_tables_that_share_a_hidden_poisson_total_must_agree() {
    skellam::model! {
        /// Two exact tables of the same hidden total.
        model Shared {
            index docs, words, parts;
            latent r[d in docs] ~ Gamma(shape = 2.0, rate = 0.4);
            latent phi[v in words] ~ Dirichlet(concentration = 1.5, along = v);
            latent psi[p in parts] ~ Dirichlet(concentration = 1.5, along = p);
            hidden n[d in docs] ~ Poisson(r[d]);
            count y[d in docs, v in words] ~ Multinomial(n[d], phi[v], along = v);
            count z[d in docs, p in parts] ~ Multinomial(n[d], psi[p], along = p);
        }
    }
    let fit = |z: [i64; 4]| {
        let y = Counts::dense(vec![2, 3], vec![1, 2, 3, 200, 300, 400]).unwrap();
        let z = Counts::dense(vec![2, 2], z.to_vec()).unwrap();
        Shared::new(SharedData { y: &y, z: &z }).unwrap().gibbs(&gibbs(100))
    };
    let y = Counts::dense(vec![2, 3], vec![1, 2, 3, 200, 0, 400]).unwrap();
    let z = Counts::dense(vec![2, 2], vec![4, 2, 300, 300]).unwrap();
    let model = Shared::new(SharedData { y: &y, z: &z }).unwrap();
    // No rate, where there were counts: the first cell of the second word.
    match model.freeze_phi(vec![0.5, 0.0, 0.5]).gibbs(&gibbs(100)) {
        Err(Error::Run(RunError::ImpossibleCell {
            count,
            cell: index,
            value,
        })) => {
            assert_eq!((count, &index[..], &value[..]), ("y", &[0, 1][..], "2"))
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
    let r = fit([4, 2, 450, 450]).unwrap().r.mean().unwrap();
    // Gamma(2 + n, 0.4 + 1), as the totals are known.
    assert!((r[1] / (902.0 / 1.4) - 1.0).abs() < 0.02, "{r}");
    // The first table says what the total is, and the second has another.
    match fit([4, 2, 450, 451]) {
        Err(Error::Total(TotalError::Sum { count, sum, total, .. })) => {
            assert_eq!((count, sum, total), ("z", 901, 900))
        }
        other => panic!("{:?}", other.map(|_| ())),
    }
}

skellam::model! {
    /// Two released tables of one hidden total.
    model Two {
        index docs, words, parts;
        latent r[d in docs] ~ Gamma(shape = 1.0, rate = 0.001);
        latent phi[v in words] ~ Dirichlet(concentration = 1.5, along = v);
        latent psi[p in parts] ~ Dirichlet(concentration = 1.5, along = p);
        hidden n[d in docs] ~ Poisson(r[d]);
        count y[d in docs, v in words] ~ Multinomial(n[d], phi[v], along = v);
        count z[d in docs, p in parts] ~ Multinomial(n[d], psi[p], along = p);
        release y by TwoSidedGeometric;
        release z by TwoSidedGeometric;
    }
}

fn released(shape: Vec<usize>, values: Vec<i64>, alpha: f64) -> Released<TwoSidedGeometric> {
    let law = TwoSidedGeometric::new(alpha).unwrap();
    Released::assert_mechanism(shape, values, Varying::Uniform(law)).unwrap()
}

/// Tables that agree are possible, however far they are from even shares: one word has nearly all of 2,000, and the start of a chain has them even.
/// The rate is then known to a Poisson error and what noise leaves: within five standard deviations of the total.
#[test]
fn tables_that_are_far_from_even_are_possible() {
    let mut y = vec![1; 20];
    y[0] = 1981;
    let (y, z) = (
        released(vec![1, 20], y, 0.37),
        released(vec![1, 2], vec![1200, 800], 0.37),
    );
    let model = Two::new(TwoData { y: &y, z: &z }).unwrap();
    // Each sweep sums over thousands of totals: the start is far away, and few are needed from there.
    let settings = Gibbs {
        num_tune: 100,
        ..gibbs(100)
    };
    let fit = model.gibbs(&settings).unwrap();
    let r = fit.r.mean().unwrap()[0];
    assert!((r - 2000.0).abs() < 5.0 * 2000f64.sqrt(), "{r}");
}

/// Where a whole line is held out nothing is said of its rate: the posterior is the prior, a Gamma of shape 2 and rate 0.4, in both engines.
#[test]
fn a_line_that_is_held_out_says_nothing_of_its_total() {
    let line = Mask::from_indices(&[DOCS, WORDS], (0..WORDS).map(|v| vec![1, v]).collect()).unwrap();
    let y = released(vec![DOCS, WORDS], words().to_vec(), 0.5)
        .hold_out(&line)
        .unwrap();
    let model = HiddenLengths::new(&y).unwrap();
    let fit = model
        .cavi(&Cavi {
            progress: Progress::Hidden,
            ..Cavi::default()
        })
        .unwrap();
    let [mean, variance] = [fit.r.mean().unwrap()[1], fit.r.variance()[1]];
    assert!(
        (mean - 5.0).abs() < 1e-9 && (variance - 12.5).abs() < 1e-9,
        "{mean} {variance}"
    );
    // Independent draws: four standard errors, a false alarm in 16,000 runs.
    let r = model.gibbs(&gibbs(2000)).unwrap().r;
    let mean = (0..2000).map(|draw| r.draw(0, draw).unwrap()[1]).sum::<f64>() / 2000.0;
    assert!((mean - 5.0).abs() < 4.0 * (12.5f64 / 2000.0).sqrt(), "{mean}");
}

/// A law that reaches further than is summed is an error by name, not one that was cut off; so is a count where a frozen rate is zero.
#[test]
fn rates_that_cannot_be_are_named() {
    let y = released(vec![DOCS, WORDS], words().to_vec(), 0.5);
    let mut r = vec![5.0; DOCS];
    r[1] = 1e8;
    let model = HiddenLengths::new(&y).unwrap().freeze_r(r.clone());
    for error in [
        model.gibbs(&gibbs(10)).map(drop),
        model.cavi(&Cavi::default()).map(drop),
    ] {
        match error.unwrap_err() {
            Error::Total(TotalError::NotSummed {
                count,
                cell: index,
                most,
            }) => {
                assert_eq!((count, index, most), ("n", vec![1], 1 << 22))
            }
            other => panic!("{other}"),
        }
    }
    r[1] = 0.0;
    let y = Counts::dense(vec![DOCS, WORDS], words().to_vec()).unwrap();
    match HiddenLengths::exact(&y).unwrap().freeze_r(r).gibbs(&gibbs(10)) {
        Err(Error::Run(RunError::ImpossibleCell { count, cell: index, .. })) => {
            assert_eq!((count, index), ("n", vec![1]))
        }
        other => panic!("{:?}", other.map(drop)),
    }
}
