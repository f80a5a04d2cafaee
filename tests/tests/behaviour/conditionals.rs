//! Complete conditionals against the joint density, and counts handed down against their law.

use rand::RngExt;
use skellam::channel::{Channel, TwoSidedGeometric};
use skellam::distribution::gamma_draw;
use skellam::infer::Chain;
use skellam::model::Model;
use skellam_tests::capture::{Capture, Conditional};
use skellam_tests::cases::{Case, Kind, Observed};
use skellam_tests::data::{Stream, Vary, arrays, factors, prior_draw, stream};
use skellam_tests::families::*;
use skellam_tests::statistics::ln_gamma_density;
use skellam_tests::twin::Twin;

/// True counts of visited cells split over the monomials of their rates, drawn by plain loops.
fn allocate(twin: &Twin, observed: &Observed, x: &[Vec<f64>], rng: &mut Stream) -> Vec<Vec<u64>> {
    let cells = twin.cells.iter().zip(twin.rates(x)).enumerate();
    cells
        .map(|(cell, (monomials, rate))| {
            let mut parts = vec![0; monomials.len()];
            if observed.visited(cell) {
                let y = observed.law(cell).impute(rate, observed.value(cell), rng);
                for _ in 0..y {
                    let mut at = rng.random::<f64>() * rate;
                    let part = monomials.iter().position(|m| {
                        at -= m.at(x);
                        at < 0.0
                    });
                    parts[part.unwrap_or(monomials.len() - 1)] += 1;
                }
            }
            parts
        })
        .collect()
}

/// `ln p(x, allocations, observations)` up to a constant, log-linear cells integrated out.
fn ln_joint(twin: &Twin, weights: &[f64], allocated: &[Vec<u64>], x: &[Vec<f64>]) -> f64 {
    let mut total = 0.0;
    for (leaf, x) in twin.leaves.iter().zip(x) {
        total += x
            .iter()
            .map(|&x| ln_gamma_density(x, leaf.prior_shape, leaf.prior_rate))
            .sum::<f64>();
    }
    for ((monomials, parts), weight) in twin.cells.iter().zip(allocated).zip(weights) {
        for (monomial, &n) in monomials.iter().zip(parts) {
            let rate = monomial.at(x);
            total += n as f64 * rate.ln() - weight * rate;
        }
    }
    total
}

/// At every entry: ratio of conditionals = ratio of joints, to 1e-10 of the larger of one and the size of
/// the sums that are subtracted.
fn ratios<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) {
    let twin = family.twin();
    for way in 0..2 {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            if matches!(case.kind, Kind::Exact | Kind::Naive) {
                continue;
            }
            let observed = Observed::new(case, &twin.shape, seed);
            let model = observed.bind(family, Some(way));
            let mut rng = stream(seed);
            let x = prior_draw(&twin, &mut rng);
            let allocated = allocate(&twin, &observed, &x, &mut rng);
            let mut counts = twin.zeros();
            for (monomials, parts) in twin.cells.iter().zip(&allocated) {
                for (monomial, n) in monomials.iter().zip(parts) {
                    monomial.factors.iter().for_each(|&(l, e)| counts[l][e] += *n as f64);
                }
            }
            let mut draws = stream(seed);
            let mut step = Capture::new(|shape, rate| gamma_draw(shape, &mut draws) / rate);
            let mut values = factors(&model, &x);
            let mut count_rates = model.count_rates();
            model.set_rates(&values, &mut count_rates);
            model.update(&mut values, &mut factors(&model, &counts), &mut count_rates, &mut step);

            let (after, mut at) = (arrays(&values), x);
            for Conditional { latent, shape, rate } in step.seen {
                for entry in [0, shape.len() / 2, shape.len() - 1] {
                    let ln_conditional = |x| ln_gamma_density(x, shape[entry], rate[entry]);
                    let here = at[latent][entry];
                    let there = here * rng.random_range(0.2..3.0);
                    let mut moved = at.clone();
                    moved[latent][entry] = there;
                    let weights = observed.weights();
                    let [before, after] = [&at, &moved].map(|x| ln_joint(&twin, &weights, &allocated, x));
                    let gap = ln_conditional(there) - ln_conditional(here) - (after - before);
                    assert!(
                        gap.abs() < 1e-10 * before.abs().max(1.0),
                        "{name}, way {way}, {case:?}: latent {latent}, entry {entry}: {gap:e}"
                    );
                }
                at[latent].clone_from(&after[latent]);
            }
        }
    }
}

#[test]
fn ratios_of_conditionals_are_ratios_of_joints() {
    ratios(&MatrixAt(7, 5, 3), "matrix");
    ratios(&Cp3At(5, 4, 6, 2), "cp of three modes");
    ratios(&Cp4At(4, 3, 5, 2, 2), "cp of four modes");
    ratios(&TuckerAt([4, 5, 3], [2, 3, 2]), "tucker");
    ratios(&BackgroundAt(6, 7, 2), "background");
    ratios(&OffsetAt(6, 7, 2), "offset");
    ratios(&BatchAt(5, 4, 3, 2), "batch");
    ratios(&MixedAt(6, 7, 2), "mixed");
    ratios(&PairsAt(5, 4, 3, 2), "pairs");
}

/// Sums of counts over everything but the index sets `kept` of a latent.
fn marginal(twin: &Twin, latent: usize, counts: &[f64], kept: &[&str]) -> Vec<f64> {
    let leaf = &twin.leaves[latent];
    let size = |set: &str| leaf.shape[leaf.sets.iter().position(|s| *s == set).unwrap()];
    let mut sums = vec![0.0; kept.iter().map(|s| size(s)).product()];
    for (entry, count) in counts.iter().enumerate() {
        let mut rest = entry;
        let mut index = vec![0; leaf.shape.len()];
        for (i, size) in index.iter_mut().zip(&leaf.shape).rev() {
            *i = rest % size;
            rest /= size;
        }
        let at = kept.iter().fold(0, |at, set| {
            at * size(set) + index[leaf.sets.iter().position(|s| s == set).unwrap()]
        });
        sums[at] += count;
    }
    sums
}

/// Counts on the factors of one term agree on every index that two of them share; per cell of the data,
/// the terms together hold what was observed.
fn coherent<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, terms: &[&[usize]], name: &str) {
    let twin = family.twin();
    for way in 0..2 {
        for (seed, case) in (1..).zip(Case::all(twin.shape.len())) {
            let observed = Observed::new(case, &twin.shape, seed);
            let model = observed.bind(family, Some(way));
            let x = prior_draw(&twin, &mut stream(seed));
            let mut chain = Chain::starting_at(&model, factors(&model, &x), seed, 0);
            chain.settle(2);
            let counts = arrays(chain.counts());
            let tag = format!("{name}, way {way}, {case:?}");
            for term in terms {
                for (i, &one) in term.iter().enumerate() {
                    for &other in &term[i + 1..] {
                        let shared = |s: &&&str| twin.leaves[other].sets.contains(s);
                        let kept: Vec<&str> = twin.leaves[one].sets.iter().filter(shared).copied().collect();
                        let [a, b] = [one, other].map(|l| marginal(&twin, l, &counts[l], &kept));
                        assert_eq!(a, b, "{tag}: latents {one} and {other} over {kept:?}");
                    }
                }
            }
            if matches!(case.kind, Kind::Exact | Kind::Naive) {
                let total: i64 = (0..twin.cells.len())
                    .filter(|&i| observed.visited(i))
                    .map(|i| observed.value(i))
                    .sum();
                let thinned: f64 = terms.iter().map(|t| counts[t[0]].iter().sum::<f64>()).sum();
                assert_eq!(thinned, total as f64, "{tag}: total");
            }
            assert!(counts.iter().flatten().all(|n| *n >= 0.0 && n.fract() == 0.0), "{tag}");
        }
    }
}

#[test]
fn counts_are_coherent() {
    coherent(&MatrixAt(130, 20, 3), &[&[0, 1]], "matrix");
    coherent(&Cp3At(12, 9, 14, 3), &[&[0, 1, 2]], "cp of three modes");
    coherent(&Cp4At(6, 7, 5, 4, 3), &[&[0, 1, 2, 3]], "cp of four modes");
    coherent(&TuckerAt([8, 9, 7], [2, 3, 4]), &[&[0, 1, 2, 3]], "tucker");
    coherent(&BackgroundAt(20, 30, 3), &[&[0], &[1, 2]], "background");
    coherent(&OffsetAt(20, 30, 3), &[&[0, 1], &[2]], "offset");
    coherent(&BatchAt(12, 9, 10, 3), &[&[0, 1]], "batch");
    coherent(&MixedAt(20, 30, 3), &[&[0, 2, 3], &[4], &[1]], "mixed");
    coherent(&PairsAt(8, 9, 7, 3), &[&[0, 1, 2, 3]], "pairs");
}

/// Given exact counts, the mean count on an entry is the entry times the derivative at `y / rate`. Means
/// of 400 rounds within 6.5 standard errors, bounded by the Poisson variance: 8e-11 an entry, below 1e-6 for
/// all of them together.
fn mean_counts<F: HasTwin<Law = TwoSidedGeometric>>(family: &F, name: &str) -> f64 {
    let twin = family.twin();
    let mut largest = 0.0f64;
    for way in 0..2 {
        let case = Case {
            kind: Kind::Exact,
            vary: Vary::Scalar,
            sparse: false,
            masked: true,
        };
        let observed = Observed::new(case, &twin.shape, 5);
        let model = observed.bind(family, Some(way));
        let x = prior_draw(&twin, &mut stream(5));
        let (slopes, _) = observed.expected(&twin, &x);
        let expected = twin.adjoint(&x, &slopes);
        let mut chain = Chain::starting_at(&model, factors(&model, &x), 5, 0);
        let rounds = 400;
        let mut sums = twin.zeros();
        for _ in 0..rounds {
            chain.settle(1);
            for (sum, counts) in sums.iter_mut().zip(chain.counts().iter()) {
                sum.iter_mut().zip(counts).for_each(|(s, n)| *s += n);
            }
        }
        for (l, sum) in sums.iter().enumerate() {
            for (e, sum) in sum.iter().enumerate() {
                let mean = x[l][e] * expected[l][e];
                // A tail of the Poisson law is heavier than that of a sum of multinomials; small means are
                // given two events.
                let error = (mean / f64::from(rounds)).sqrt() + 2.0 / f64::from(rounds);
                largest = largest.max((sum / f64::from(rounds) - mean).abs() / error);
            }
        }
        assert!(largest < 6.5, "{name}, way {way}: {largest}");
    }
    largest
}

#[test]
fn mean_counts_are_those_of_the_multinomial() {
    let seen = [
        mean_counts(&MatrixAt(12, 9, 3), "matrix"),
        mean_counts(&Cp3At(7, 6, 5, 3), "cp of three modes"),
        mean_counts(&Cp4At(6, 4, 5, 4, 3), "cp of four modes"),
        mean_counts(&TuckerAt([6, 5, 7], [2, 3, 4]), "tucker"),
        mean_counts(&BackgroundAt(10, 12, 3), "background"),
        mean_counts(&OffsetAt(10, 12, 3), "offset"),
        mean_counts(&BatchAt(7, 6, 5, 3), "batch"),
        mean_counts(&MixedAt(10, 12, 3), "mixed"),
        mean_counts(&PairsAt(6, 5, 4, 3), "pairs"),
    ];
    println!("largest deviations in standard errors: {seen:.2?}");
    // Not far below either: the statistic is alive.
    assert!(seen.iter().all(|z| *z > 1.0), "{seen:?}");
}

/// Exposures of the printed zero weight: taking one for `1 - alpha` fails the ratio.
#[test]
fn the_ratio_sees_a_wrong_weight() {
    let twin = MatrixAt(4, 3, 2).twin();
    let case = Case {
        kind: Kind::Collapsed,
        vary: Vary::Scalar,
        sparse: false,
        masked: false,
    };
    let observed = Observed::new(case, &twin.shape, 1);
    let mut rng = stream(1);
    let x = prior_draw(&twin, &mut rng);
    let allocated = allocate(&twin, &observed, &x, &mut rng);
    let wrong: Vec<f64> = observed.weights().iter().map(|_| 1.0).collect();
    let mut moved = x.clone();
    moved[0][0] *= 1.5;
    let ratio = |w: &[f64]| ln_joint(&twin, w, &allocated, &moved) - ln_joint(&twin, w, &allocated, &x);
    assert!((ratio(&wrong) - ratio(&observed.weights())).abs() > 1e-3);
}
