//! What is timed does the same work: iterations agree with the generated ones, and so do means of long chains.

use skellam::math::special::digamma;

use super::*;
use crate::flags::Yardstick;
use clap::Parser;

/// Flags of a small measurement.
fn flags(of: &[&str]) -> Handwritten {
    let line = ["yardstick", "handwritten"].iter().chain(of);
    match Yardstick::try_parse_from(line).unwrap().command {
        crate::flags::Command::Handwritten(flags) => flags,
        _ => unreachable!("the measurement is named above"),
    }
}

/// Topics generated, and by hand at this alpha. Blocks have 64 documents and groups 8 topics: there are more of both.
fn both_topics(sizes: &[&str], alpha: f64) -> (impl Model + use<>, topics::Topics) {
    let flags = flags(sizes);
    let data = Data::of(&flags.common()).unwrap();
    let hyper = [flags.shape, alpha];
    let by_hand = topics::Topics::new(&data.released, data.cols, flags.k, hyper, 5, flags.threads);
    (bind(&flags.common(), &data).unwrap(), by_hand)
}

/// CP generated, and by hand with priors of this shape.
fn both_cp(sizes: &[&str], shape: f64) -> (impl Model + use<>, cp::Cp) {
    let flags = flags(sizes);
    let sizes = [flags.rows, flags.cols, flags.times];
    let entries = clusters::draw(&sizes, flags.nnz, 3, "").unwrap();
    let by_hand = cp::Cp::new(&entries, sizes, flags.k, shape, 5, flags.threads);
    let counts = Counts::from_linear(sizes.to_vec(), entries).unwrap();
    let model = tensor::Cp::exact(&counts)
        .unwrap()
        .components(flags.k)
        .shape(flags.shape);
    (model.bind(FormKind::Collapsed).unwrap(), by_hand)
}

/// Largest relative difference of the means after five iterations of both from one posterior.
fn difference(model: &dyn Model, by_hand: &mut dyn ByHand) -> f64 {
    let mut ascent = Ascent::new(model, CaviForm::Collapsed, CaviStart::Dispersed, 2, 0);
    ascent.iterate(0.0, false);
    let posterior = ascent.shapes().iter().zip(ascent.rates());
    let geometric: Vec<Vec<f64>> = posterior
        .map(|(shape, rate)| {
            let entries = shape.iter().zip(rate);
            entries.map(|(shape, rate)| digamma(*shape).exp() / rate).collect()
        })
        .collect();
    by_hand.set(&arrays(ascent.means()), &geometric);
    for _ in 0..5 {
        ascent.iterate(0.0, false);
        by_hand.iterate();
    }
    let by_hand = by_hand.values();
    let pairs = ascent.means().iter().flatten().zip(by_hand.iter().flatten());
    pairs.map(|(x, y)| (x - y).abs() / x.abs()).fold(0.0, f64::max)
}

const TOPICS: [&str; 6] = [
    "--rows=150",
    "--cols=31",
    "--k=11",
    "--shape=0.3",
    "--alpha=0.5",
    "--threads=2",
];
const CP: [&str; 7] = [
    "--model=cp",
    "--rows=13",
    "--cols=12",
    "--times=11",
    "--nnz=400",
    "--k=11",
    "--threads=2",
];

/// Rounding differs; the mutants have another alpha, and another prior.
#[test]
fn iterations_agree() {
    let (model, mut by_hand) = both_topics(&TOPICS, 0.5);
    let found = difference(&model, &mut by_hand);
    assert!(found < 1e-9, "topics: {found}");
    let (model, mut mutant) = both_topics(&TOPICS, 0.501);
    assert!(difference(&model, &mut mutant) > 1e-6);

    let (model, mut by_hand) = both_cp(&CP, 0.1);
    let found = difference(&model, &mut by_hand);
    assert!(found < 1e-9, "CP: {found}");
    let (model, mut mutant) = both_cp(&CP, 0.101);
    assert!(difference(&model, &mut mutant) > 1e-6);
}

/// The total rate of the first row.
fn level(values: &[Vec<f64>], components: usize) -> f64 {
    let [first, rest @ ..] = values else {
        unreachable!("a model has two latents or more");
    };
    let row = first[..components].iter().enumerate();
    row.map(|(k, x)| {
        let sum = |values: &Vec<f64>| -> f64 {
            // Of topics, components come first.
            match rest.len() {
                1 => values.chunks(values.len() / components).nth(k).unwrap().iter().sum(),
                _ => values.iter().skip(k).step_by(components).sum(),
            }
        };
        x * rest.iter().map(sum).product::<f64>()
    })
    .sum()
}

/// By how many standard errors the mean total rates of the first row differ between the chains, by means of 25 batches of 400 sweeps.
fn distance(model: &dyn Model, by_hand: &mut dyn ByHand, components: usize) -> f64 {
    let mut chain = Chain::new(model, 4, 0);
    let start = arrays(chain.values());
    by_hand.set(&start, &start);
    let mut batches = [[0.0; 25]; 2];
    for batch in 0..26 {
        for _ in 0..400 {
            chain.sweep();
            by_hand.sweep();
            let [drawn, handed_down] = by_hand.units();
            assert_eq!(drawn, handed_down);
            // The first batch leaves the start.
            if batch > 0 {
                batches[0][batch - 1] += level(&arrays(chain.values()), components) / 400.0;
                batches[1][batch - 1] += level(&by_hand.values(), components) / 400.0;
            }
        }
    }
    let [generated, by_hand] = batches.map(|means| {
        let mean = means.iter().sum::<f64>() / 25.0;
        let variance = means.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / 24.0;
        (mean, variance / 25.0)
    });
    (generated.0 - by_hand.0).abs() / (generated.1 + by_hand.1).sqrt()
}

/// Every unit that is drawn comes to an entry of each latent, and the means of chains agree within 5.5 standard errors: false positives
/// 2e-6, at 48 degrees of freedom. The mutants have another alpha, and another prior.
#[test]
fn chains_agree() {
    let topics = ["--rows=12", "--cols=9", "--k=3", "--shape=1", "--alpha=0.5"];
    let (model, mut by_hand) = both_topics(&topics, 0.5);
    let found = distance(&model, &mut by_hand, 3);
    assert!(found < 5.5, "topics: {found}");
    let (model, mut mutant) = both_topics(&topics, 0.7);
    assert!(distance(&model, &mut mutant, 3) > 5.5);

    let cp = [
        "--model=cp",
        "--rows=5",
        "--cols=4",
        "--times=4",
        "--nnz=30",
        "--k=3",
        "--shape=1",
    ];
    let (model, mut by_hand) = both_cp(&cp, 1.0);
    let found = distance(&model, &mut by_hand, 3);
    assert!(found < 5.5, "CP: {found}");
    let (model, mut mutant) = both_cp(&cp, 2.0);
    assert!(distance(&model, &mut mutant, 3) > 5.5);
}
