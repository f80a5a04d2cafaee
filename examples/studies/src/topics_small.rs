//! Topics of documents whose noise is unequal: ICML19, figure 3.

use ndarray::Array2;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::diagnose::assign;
use skellam::math::distribution::gamma_draw;
use skellam::model::simulate::Simulation;
use skellam::prelude::*;
use skellam_plot::{Figure, Matrices};

use crate::Failure;
use crate::claim::Claim;
use crate::models::{Method, Topics, chain};
use crate::run::{Found, Run};

const DOCUMENTS: usize = 90;
const TOPICS: usize = 3;
const WORDS: usize = 15;
/// Means of alpha, and the concentration of its beta law.
const LEVELS: [f64; 2] = [0.3, 0.9];
const CONCENTRATION: f64 = 10.0;
/// Counts of a document in its own topic and in each other one, which the paper does not print, and the share of a topic on its own five words.
const OWN: f64 = 150.0;
const OTHER: f64 = 5.0;
const SHARE: f64 = 0.85;
/// Releases of one set of counts: the paper shows one.
const RELEASES: [u64; 3] = [2, 5, 5];
/// The largest total variation at which a topic is called recovered.
const RECOVERED: f64 = 0.2;

fn truth() -> (Array2<f64>, Array2<f64>) {
    let own = |k: usize, v: usize| v / (WORDS / TOPICS) == k;
    let word = |(k, v)| if own(k, v) { SHARE / 5.0 } else { (1.0 - SHARE) / 10.0 };
    let topic = |(d, k)| if d / (DOCUMENTS / TOPICS) == k { OWN } else { OTHER };
    (
        Array2::from_shape_fn([DOCUMENTS, TOPICS], topic),
        Array2::from_shape_fn([TOPICS, WORDS], word),
    )
}

/// Topics that sum to one, in the order in which they are nearest to the true ones, and their mean total variation from these.
fn aligned(phi: &Array2<f64>, truth: &Array2<f64>) -> (Vec<f64>, f64) {
    let share = |k: usize, v: usize| phi[[k, v]] / phi.row(k).sum();
    let apart = |true_topic: usize, k: usize| -> f64 {
        0.5 * (0..WORDS)
            .map(|v| (share(k, v) - truth[[true_topic, v]]).abs())
            .sum::<f64>()
    };
    let costs: Vec<f64> = (0..TOPICS * TOPICS).map(|at| apart(at / TOPICS, at % TOPICS)).collect();
    let order = assign(&costs, TOPICS);
    let topics = order.iter().flat_map(|&k| (0..WORDS).map(move |v| (k, v)));
    let shares = topics.map(|(k, v)| share(k, v)).collect();
    let variation = order
        .iter()
        .enumerate()
        .map(|(true_topic, &k)| apart(true_topic, k))
        .sum::<f64>();
    (shares, variation / TOPICS as f64)
}

/// A beta draw from two gamma draws, kept away from the ends, where there is no such noise.
fn beta(mean: f64, rng: &mut Xoshiro256PlusPlus) -> f64 {
    let [a, b] = [mean, 1.0 - mean].map(|share| gamma_draw(CONCENTRATION * share, rng));
    (a / (a + b)).clamp(1e-6, 0.9999)
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let seed = run.flags.seed;
    let releases = run.by_size(RELEASES);
    let settings = run.by_size([[150, 40, 5], [1000, 200, 25], [1000, 200, 25]]);
    let (theta, phi) = truth();
    let counts = Simulation::new(seed).counts(theta.dot(&phi))?;
    run.piece("truth", |piece| {
        piece.list("count", &crate::corpus::numbers(&counts)?);
        piece.list("topic", &phi.iter().copied().collect::<Vec<f64>>());
        Ok(())
    })?;
    let counts = Sensitive::new(counts);
    for level in LEVELS {
        for release in 0..releases {
            for method in Method::PRIVATE {
                run.piece(&format!("{} at {level}, release {release}", method.name()), |piece| {
                    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + 1000 * release + (10.0 * level) as u64);
                    let budgets = (0..DOCUMENTS).map(|_| Lplp::to_release_with_alpha(1, beta(level, &mut rng)));
                    let budgets = budgets.collect::<Result<Vec<Lplp>, _>>()?;
                    let released = counts.release_by_slice_with_seed_for_simulation(0, &budgets, seed + release)?;
                    let model = match method {
                        Method::Naive => Topics::naive(&released)?,
                        _ => Topics::new(&released)?,
                    };
                    let fit = model.topics(TOPICS).gibbs(&chain(settings, seed))?;
                    // The paper's choice: topics of single draws may have changed places.
                    let (topics, variation) = aligned(&fit.phi.most_probable()?, &phi);
                    piece.put("total variation", variation);
                    if release == 0 {
                        piece.list("topic", &topics);
                        if method == Method::Ours {
                            let values = released.values()?.iter().map(|c| *c as f64);
                            piece.list("released", &values.collect::<Vec<f64>>());
                        }
                    }
                    Ok(())
                })?;
            }
        }
    }
    found(run)
}

fn found(run: &Run) -> Result<Found, Failure> {
    let releases = run.by_size(RELEASES);
    let text = run.table(&["total variation"]);
    let mut worst = [[0.0f64; 2]; 2];
    let mut least_naive = f64::INFINITY;
    for (at, level) in LEVELS.into_iter().enumerate() {
        for (which, method) in Method::PRIVATE.into_iter().enumerate() {
            let all = (0..releases).map(|release| {
                run.get(
                    &format!("{} at {level}, release {release}", method.name()),
                    "total variation",
                )
            });
            let all = all.collect::<Result<Vec<f64>, Failure>>()?;
            worst[at][which] = all.iter().copied().fold(0.0, f64::max);
            if level == LEVELS[1] && method == Method::Naive {
                least_naive = all.iter().copied().fold(f64::INFINITY, f64::min);
            }
        }
    }
    let ours = worst[0][0].max(worst[1][0]);
    let claims = vec![
        Claim::of(
            "our method recovers the topics at both levels of noise (ICML19, figure 3)",
            ours <= RECOVERED,
            format!(
                "The largest total variation of {} fits is {ours:.3}; {RECOVERED} is the limit",
                2 * releases
            ),
        ),
        Claim::of(
            "the naive approach does not, at the high level",
            least_naive > RECOVERED,
            format!(
                "Its total variation is {least_naive:.3} to {:.3} at alpha_0 = 0.9, and at most {:.3} at 0.3",
                worst[1][1], worst[0][1]
            ),
        ),
    ];
    let list = |method: Method, level: f64, what: &str| {
        run.numbers
            .list(&format!("{} at {level}, release 0", method.name()), what)
    };
    let [count, topic] = ["count", "topic"].map(|what| run.numbers.list("truth", what));
    let released = LEVELS.map(|level| list(Method::Ours, level, "released"));
    let found = LEVELS.map(|level| Method::PRIVATE.map(|method| list(method, level, "topic")));
    let mut data = Matrices::new([DOCUMENTS, WORDS])
        .height(240)
        .panel("true counts", "", &count);
    let mut topics = Matrices::new([TOPICS, WORDS])
        .height(60)
        .panel("true topics", "", &topic);
    for ((level, values), fits) in LEVELS.iter().zip(&released).zip(&found) {
        data = data.panel(&format!("released, alpha_0 {level}"), "", values);
        for (method, fit) in Method::PRIVATE.iter().zip(fits) {
            topics = topics.panel(&format!("{}, {level}", method.name()), "", fit);
        }
    }
    let picture = Figure::new("").width(1000).part(data).part(topics).draw();
    Found::of(picture, text, claims)
}
