//! Data, settings and what comes out of a fit.

use skellam::counts::{ReadOptions, read_differences_from};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam::{MaskError, QueryError};
use skellam_tests::statistics::batch_means;

use super::{Both, BothData, Flows, Net, Noisy, NoisySizes};

fn values() -> Vec<i64> {
    (0..30).map(|i| (i * 7 % 11) as i64 - 4).collect()
}

fn data() -> Differences {
    Differences::dense(vec![5, 6], values()).unwrap()
}

fn noisy(data: &Differences) -> Noisy {
    Noisy::new(data).unwrap().topics(2)
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 100,
        num_draws: 200,
        thin: Some(1),
        num_chains: Some(2),
        progress: Progress::Hidden,
        keep: Keep::default().latent("plus", Kept::Draws).latent("minus", Kept::Draws),
        ..Gibbs::default()
    }
}

/// A sparse table holds one cell of 10^12, all of which would be visited by a model whose factors are small.
#[test]
fn too_many_cells_are_refused_before_they_are_read() {
    let table = Differences::sparse(vec![1_000_000, 1_000_000], &[([3, 5], -2)]).unwrap();
    let error = Flows::new(&table).unwrap_err();
    assert!(matches!(error, Error::TooLarge(_)), "{error}");
    assert!(error.to_string().contains("the visited cells"), "{error}");
}

#[test]
fn files_state_every_cell() {
    let read = |text: &str| read_differences_from(format!("i,j,value\n{text}").into_bytes(), &ReadOptions::default());
    let table = read("0,0,-3\n0,1,2\n1,0,0\n1,1,-7\n").unwrap();
    assert_eq!(table, Differences::from_rows(&[[-3, 2], [0, -7]]).unwrap());
    let missing = read("0,0,-3\n1,1,-7\n").unwrap_err().to_string();
    assert!(
        missing.contains("differences have every cell, zeros included"),
        "{missing}"
    );
    let fraction = read("0,0,-3.5\n").unwrap_err().to_string();
    assert!(
        fraction.contains("is not a difference of counts: a whole number from -2^31 to 2^31"),
        "{fraction}"
    );
    // A NumPy array of 32 bits, row-major.
    let header = "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }";
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend([-3i32, 2, 0, -7].iter().flat_map(|value| value.to_le_bytes()));
    assert_eq!(read_differences_from(bytes, &ReadOptions::default()).unwrap(), table);
}

#[test]
fn data_are_held_against_the_declaration() {
    let flat = Differences::dense(vec![4], vec![1, -1, 0, 2]).unwrap();
    let modes = Noisy::new(&flat).unwrap_err().to_string();
    assert!(modes.contains("`c` is declared with"), "{modes}");
    let all = Mask::from_indices(&[5, 6], (0..30).map(|cell| vec![cell / 6, cell % 6]).collect()).unwrap();
    let hidden = noisy(&data().hold_out(&all).unwrap()).bind(FormKind::Collapsed);
    assert!(matches!(
        hidden,
        Err(Error::Mask(MaskError::NothingObserved { count: "c" }))
    ));
    // A known array of zeros says that nothing can be on the plus side, and something is.
    let net = Net::new(&data())
        .unwrap()
        .topics(2)
        .shown(Array::new(vec![5, 6], vec![0.0; 30]).unwrap());
    let net = net.more(Array::new(vec![5, 6], vec![1.0; 30]).unwrap());
    assert!(net.bind(FormKind::Collapsed).is_ok());
}

#[test]
fn forms_that_do_not_exist_are_refused() {
    let refused = noisy(&data()).bind(FormKind::Augmented).err().unwrap().to_string();
    assert_eq!(
        refused,
        "Skellam counts are observed as they are, so they have no augmented form: use the collapsed one"
    );
    let published = Cavi {
        form: CaviForm::Published,
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    assert!(noisy(&data()).cavi(&published).is_err());
    assert!(Noisy::derivation().to_string().contains(&refused));
    // Beside a count that has one, a difference goes on as it is.
    let counts: Vec<i64> = values().iter().map(|value| value.abs()).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let y = Released::assert_mechanism(vec![5, 6], counts, law).unwrap();
    let both = Both::new(BothData { y: &y, net: &data() }).unwrap().topics(2);
    for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
        let settings = Cavi {
            form,
            ..published.clone()
        };
        let fit = both.cavi(&settings).unwrap();
        assert!(fit.rate().unwrap().net.iter().all(|rate| rate.is_finite()), "{form:?}");
    }
    let augmented = Gibbs {
        form: GibbsForm::Augmented,
        keep: Keep::default(),
        ..settings()
    };
    assert!(both.gibbs(&augmented).is_ok());
}

/// The mean of the difference, and draws of both rates, from one fit.
#[test]
fn rates_are_those_of_both_sides() {
    let model = noisy(&data());
    let fit = model.gibbs(&settings()).unwrap();
    let (rate, cells) = (fit.rate().unwrap(), [[0, 0], [3, 5]]);
    let draws = model.rate_draws(&fit, "c", &cells).unwrap();
    assert_eq!(draws.len(), 400);
    for (at, [d, v]) in cells.into_iter().enumerate() {
        assert!(draws.iter().all(|draw| draw[at].iter().all(|rate| *rate > 0.0)));
        let mean = draws.iter().map(|draw| draw[at][0] - draw[at][1]).sum::<f64>() / 400.0;
        assert!((mean - rate[(d, v)]).abs() < 1e-9, "{mean} {}", rate[(d, v)]);
        let minus = draws.iter().map(|draw| draw[at][1]).sum::<f64>() / 400.0;
        assert!((minus - fit.minus.mean().unwrap()[(d, v)]).abs() < 1e-9);
    }
    let ascent = model.cavi(&Cavi::default()).unwrap();
    let (rate, plus) = (ascent.rate().unwrap(), ascent.plus.mean().unwrap());
    let topics = ascent.theta.mean().unwrap().dot(&ascent.phi.mean().unwrap());
    let expected = plus + topics - ascent.minus.mean().unwrap();
    assert!((rate - expected).iter().all(|x| x.abs() < 1e-9));
    let kept = model.gibbs(&Gibbs {
        keep: Keep::default().latent("plus", Kept::Moments),
        ..settings()
    });
    assert!(matches!(
        model.rate_draws(&kept.unwrap(), "c", &cells),
        Err(Error::Query(QueryError::NotKept { .. }))
    ));
}

/// Held-out cells are scored by the law of the difference, checks draw both counts, and what is held out is not seen.
#[test]
fn predictions_are_those_of_a_difference() {
    let mask = Mask::from_indices(&[5, 6], vec![vec![0, 1], vec![4, 2]]).unwrap();
    let held = data().hold_out(&mask).unwrap();
    let model = noisy(&held);
    let (fit, checks) = model.gibbs_with_checks(&settings(), &Predictive::default()).unwrap();
    let score = fit.held_out_score("c").unwrap();
    assert!(score.is_some_and(|score| score < 0.0 && score > -10.0), "{score:?}");
    assert!(!checks.is_empty());
    let draws = model.predictive_draws(&fit, "c", &[[0, 1]], 3).unwrap();
    let drawn: Vec<f64> = draws.iter().map(|draw| draw[0]).collect();
    assert!(drawn.iter().any(|c| *c < 0.0) && drawn.iter().any(|c| *c > 0.0) && drawn.iter().all(|c| c.fract() == 0.0));
    let (mean, variance) = batch_means(&drawn, 20);
    let expected = fit.rate().unwrap()[(0, 1)];
    assert!(
        (mean - expected).abs() < 5.0 * (variance + 0.01).sqrt(),
        "{mean} {expected}"
    );
    // What is held out may be anything.
    let mut other = values();
    other[1] = 40;
    let other = Differences::dense(vec![5, 6], other).unwrap().hold_out(&mask).unwrap();
    let same = noisy(&other).gibbs(&settings()).unwrap();
    assert_eq!(same.theta.as_slice().unwrap(), fit.theta.as_slice().unwrap());
}

#[test]
fn a_plan_counts_what_lies_at_every_cell() {
    let sizes = |docs| NoisySizes {
        docs,
        words: 50,
        topics: 4,
    };
    let plan = Noisy::plan(sizes(100)).to_string();
    // Four topics, and a latent at every cell for either side.
    assert!(plan.contains("rows docs, columns words, 6 products a cell"), "{plan}");
    assert!(plan.contains("operands are formed at each, and not held"), "{plan}");
    let [small, large] = [100, 200].map(|docs| Noisy::plan(sizes(docs)).counts[0].cells);
    assert_eq!((small, large), (5000.0, 10000.0));
}
