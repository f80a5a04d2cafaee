//! Private naive Bayes: Karwa, Kifer and Slavković, *Private posterior distributions from variational approximations* (2016), and what it left out.
//!
//! Each table has parameters of its own, drawn from the prior. So the posterior mean has the least expected squared error of all estimators, and intervals that hold 90 % of the posterior
//! hold 90 % of the truths: what the exact posterior does here is a check, and what others lose against it is their own.

mod convolution;
mod declared;
mod estimate;
mod exact;
mod model;
mod published;
mod simplex;

use std::fmt::Write as _;

use cpu_time::ProcessTime;
use skellam::math::streams::{Purpose, Streams};
use skellam_plot::{Curves, Figure, Panel, Picture};

use crate::Failure;
use crate::claim::Claim;
use crate::numbers::Piece;
use crate::run::{Found, Run};
use estimate::{Estimate, clamped, counts};
use model::{Model, Parameters, Released, Tables};

/// Budgets of one table.
const EPSILONS: [f64; 6] = [0.0001, 0.001, 0.01, 0.1, 1.0, 10.0];
/// Classes, questions and answers: the paper does not say which it has.
const SHAPE: [usize; 3] = [2, 5, 3];
/// People of the tables that the declared model is fitted to as well.
const FEW: usize = 50;
const NAMES: [&str; 5] = ["non-private", "exact", "published", "naive", "prior"];
const ENGINES: [&str; 3] = ["exact", "gibbs", "cavi"];
const OF: [&str; 2] = ["p", "q"];

type Fits = fn(&Tables, &Released, u64) -> Result<Vec<Estimate>, Failure>;

/// Every estimator in the order of [`NAMES`]. One of them sees the true tables, and says so by its name.
fn fits(tables: &Tables, released: &Released, seed: u64) -> Result<Vec<Estimate>, Failure> {
    let model = &released.model;
    let none = [vec![0.0; model.classes], vec![0.0; model.cells()]];
    let mut rng = Streams::new(seed, 0).open(Purpose::Posterior, 0, 0);
    Ok(vec![
        Estimate::given(model, &counts(tables)),
        exact::estimate(released, &mut rng),
        published::estimate(released),
        Estimate::given(model, &clamped(released)),
        Estimate::given(model, &none),
    ])
}

/// The engines of the declared model, beside the exact posterior, in the order of [`ENGINES`].
fn engines(_: &Tables, released: &Released, seed: u64) -> Result<Vec<Estimate>, Failure> {
    let mut rng = Streams::new(seed, 0).open(Purpose::Posterior, 0, 0);
    Ok(vec![
        exact::estimate(released, &mut rng),
        declared::by_gibbs(released, seed)?,
        declared::by_cavi(released)?,
    ])
}

/// Parameters, a table and its release; streams are keyed by what they are for, so that no setting depends on which others are run.
fn drawn(people: usize, epsilon: f64, seed: u64, table: u64) -> Result<(Parameters, Tables, Released), Failure> {
    let model = Model::new(people, SHAPE);
    let streams = Streams::new(seed, table).at_sweep(people as u64);
    let mut rng = streams.open(Purpose::Start, 0, 0);
    let truth = model.parameters(&mut rng);
    let tables = model.tables(&truth, &mut rng);
    let mut rng = streams.open(Purpose::Replicas, epsilon.to_bits() as usize, 0);
    let released = model.release(&tables, epsilon, &mut rng)?;
    Ok((truth, tables, released))
}

/// A mean of independent values, and its standard error.
fn mean(values: &[f64]) -> [f64; 2] {
    let number = values.len() as f64;
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    [mean, (squares / (number * (number - 1.0))).sqrt()]
}

/// Squared errors and coverage of all estimators over tables of one setting, and how far errors are above those of `exact`, table by table: all see the same releases, so that much of
/// what tables differ in cancels.
fn setting(
    piece: &mut Piece,
    (people, epsilon, tables): (usize, f64, u64),
    seed: u64,
    (names, fits): (&[&str], Fits),
) -> Result<(), Failure> {
    let mut scores: Vec<Vec<[[f64; 2]; 2]>> = vec![Vec::new(); names.len()];
    for table in 0..tables {
        let (truth, true_tables, released) = drawn(people, epsilon, seed, table)?;
        let estimates = fits(&true_tables, &released, seed + table)?;
        for (scores, estimate) in scores.iter_mut().zip(estimates) {
            scores.push(estimate.against(&released.model, &truth));
        }
    }
    let exact = names.iter().position(|name| *name == "exact").unwrap_or(0);
    for (name, of_name) in names.iter().zip(&scores) {
        for (which, of) in OF.iter().enumerate() {
            let [error, _] = mean(&of_name.iter().map(|score| score[0][which]).collect::<Vec<f64>>());
            let [covered, off] = mean(&of_name.iter().map(|score| score[1][which]).collect::<Vec<f64>>());
            piece.put(&format!("{name}: error of {of}"), error);
            piece.put(&format!("{name}: coverage of {of}"), covered);
            piece.put(&format!("{name}: standard error of the coverage of {of}"), off);
            if *name != "exact" {
                let pairs = of_name.iter().zip(&scores[exact]);
                let [above, off] = mean(&pairs.map(|(a, b)| a[0][which] - b[0][which]).collect::<Vec<f64>>());
                piece.put(&format!("{name}: above exact in {of} by standard errors"), above / off);
            }
        }
    }
    Ok(())
}

/// Tables of each number of people, each with its parameters; the paper has ten.
fn tables(run: &Run) -> u64 {
    run.by_size([20, 200, 200])
}

fn piece_of(people: usize, epsilon: f64) -> String {
    format!("{people} people at {epsilon}")
}

fn declared_at(epsilon: f64) -> String {
    format!("declared model of {FEW} people at {epsilon}")
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let sizes: &[usize] = run.by_size([&[20], &[50, 200], &[50, 100, 200, 500]]);
    let (tables, few) = (tables(run), run.by_size([0, 40, 40]));
    let seed = run.flags.seed;
    for &people in sizes {
        for epsilon in EPSILONS {
            run.piece(&piece_of(people, epsilon), |piece| {
                setting(piece, (people, epsilon, tables), seed, (&NAMES, fits))
            })?;
        }
    }
    for epsilon in EPSILONS.into_iter().filter(|_| few > 0) {
        run.piece(&declared_at(epsilon), |piece| {
            setting(piece, (FEW, epsilon, few), seed, (&ENGINES, engines))
        })?;
    }
    let most = sizes[sizes.len() - 1];
    run.piece("the sum", |piece| {
        let (_, _, released) = drawn(most, 0.1, seed, 0)?;
        let start = ProcessTime::now();
        let evidence = exact::Hidden::integrated(&released).ln_evidence();
        piece.put("log evidence", evidence);
        piece.put("processor seconds", start.elapsed().as_secs_f64());
        Ok(())
    })?;
    let claims = claims(run, sizes, few > 0)?;
    Found::of(picture(run, sizes)?, text(run, sizes, few > 0)?, claims)
}

/// The pieces with all estimators, and their budgets.
fn settings(sizes: &[usize]) -> impl Iterator<Item = (String, f64)> {
    let all = sizes
        .iter()
        .flat_map(|&people| EPSILONS.map(|epsilon| (people, epsilon)));
    all.map(|(people, epsilon)| (piece_of(people, epsilon), epsilon))
}

fn claims(run: &Run, sizes: &[usize], with_engines: bool) -> Result<Vec<Claim>, Failure> {
    let get = |piece: &str, name: &str, what: &str| run.get(piece, &format!("{name}: {what}"));
    let (mut least, mut differences, mut farthest) = (f64::INFINITY, 0, 0.0f64);
    let (mut better, mut worse, mut all) = ([0; 3], 0, 0);
    let (mut covered, mut small) = ([1.0f64, 0.0], 0);
    for (piece, epsilon) in settings(sizes) {
        for (which, of) in OF.iter().enumerate() {
            for name in ["published", "naive", "prior"] {
                let above = get(&piece, name, &format!("above exact in {of} by standard errors"))?;
                // Where nothing is told, exact and prior may be the same.
                least = if above.is_nan() { least } else { least.min(above) };
                differences += 1;
            }
            let coverage = |name| get(&piece, name, &format!("coverage of {of}"));
            // The two shares of `p` are one number: a table covers both or none.
            let off = match *of {
                "p" => (0.9 * 0.1 / tables(run) as f64).sqrt(),
                _ => get(&piece, "exact", &format!("standard error of the coverage of {of}"))?,
            };
            farthest = farthest.max((coverage("exact")? - 0.9).abs() / off);
            let error = |name| get(&piece, name, &format!("error of {of}"));
            better[which] += usize::from(epsilon <= 1.0 && error("published")? < error("naive")?);
            if epsilon <= 0.1 {
                covered = [
                    covered[0].min(coverage("published")?),
                    covered[1].max(coverage("published")?),
                ];
            }
            if *of == "p" && epsilon <= 0.01 {
                small += 1;
                worse += usize::from(error("published")? > error("prior")?);
            }
        }
        // Added up over all parameters, at the budgets of the paper.
        if epsilon <= 1.0 {
            let lines = (SHAPE[0] * SHAPE[1]) as f64;
            let sum =
                |name| Ok::<f64, Failure>(get(&piece, name, "error of p")? + lines * get(&piece, name, "error of q")?);
            all += 1;
            better[2] += usize::from(sum("published")? < sum("naive")?);
        }
    }
    let people = sizes[sizes.len() - 1];
    let milliseconds = 1e3 * run.get("the sum", "processor seconds")?;
    let mut claims = vec![
        Claim::of(
            "the likelihood is intractable, as all possible tables must be summed over (Karwa et al.)",
            milliseconds > 60_000.0,
            format!("The sum is a product of convolutions: {milliseconds:.0} ms for {people} people"),
        ),
        Claim::of(
            "the exact posterior mean has the least squared error, and its intervals of 90 % cover 90 %",
            least > -4.0 && farthest < 4.0,
            format!(
                "Of {differences} differences from others, the lowest is {least:.1} standard errors; coverage is within {farthest:.1} standard errors of 0.9"
            ),
        ),
        Claim::of(
            "the published algorithm has a lower squared error than the naive approach (Karwa et al., figure 1)",
            better[2] == all,
            format!(
                "Added up over all parameters, it has in {} of {all} settings up to epsilon 1; in q alone in {}, in p alone in {}",
                better[2], better[1], better[0]
            ),
        ),
        Claim::of(
            "the published algorithm gives valid inference (Karwa et al.): its intervals of 90 % cover 90 %",
            covered[0] > 0.8,
            format!(
                "They cover {:.1} to {:.1} % up to epsilon 0.1. In p it is worse than the prior, which looks at nothing, in {worse} of {small} settings up to 0.01: a class that is used pays \
                 for the lines of all its questions, so that the bound is highest with everybody in one",
                100.0 * covered[0],
                100.0 * covered[1]
            ),
        ),
    ];
    if with_engines {
        let (mut gibbs, mut cavi) = (0.0f64, f64::NEG_INFINITY);
        for epsilon in EPSILONS {
            for of in OF {
                let above = |name| {
                    get(
                        &declared_at(epsilon),
                        name,
                        &format!("above exact in {of} by standard errors"),
                    )
                };
                gibbs = gibbs.max(above("gibbs")?.abs());
                cavi = cavi.max(above("cavi")?);
            }
        }
        claims.push(Claim::of(
            "the declared model finds the exact posterior, by Gibbs sampling",
            gibbs < 4.0,
            format!(
                "Errors differ by at most {gibbs:.1} standard errors. Coordinate ascent is worse than exact by up to {cavi:.1}: it takes tables and parameters for independent, as the \
                 published algorithm does"
            ),
        ));
    }
    Ok(claims)
}

/// Errors and coverage by setting and estimator.
fn text(run: &Run, sizes: &[usize], with_engines: bool) -> Result<String, Failure> {
    let mut out = String::new();
    let mut table = |pieces: &[(String, String)], names: &[&str]| -> Result<(), Failure> {
        for what in ["error", "coverage"] {
            let _ = write!(out, "{:<28}", format!("{what} of"));
            names.iter().for_each(|name| out.push_str(&format!("{name:>13}")));
            out.push('\n');
            for (piece, shown) in pieces {
                for of in OF {
                    let _ = write!(out, "{:<28}", format!("{of}, {shown}"));
                    for name in names {
                        let value = run.get(piece, &format!("{name}: {what} of {of}"))?;
                        let _ = write!(out, "{value:>13.4}");
                    }
                    out.push('\n');
                }
            }
        }
        Ok(())
    };
    let pieces: Vec<(String, String)> = settings(sizes).map(|(piece, _)| (piece.clone(), piece)).collect();
    table(&pieces, &NAMES)?;
    if with_engines {
        let pieces = EPSILONS.map(|epsilon| (declared_at(epsilon), piece_of(FEW, epsilon)));
        table(&pieces, &ENGINES)?;
    }
    Ok(out)
}

fn picture(run: &Run, sizes: &[usize]) -> Result<Picture, Failure> {
    let mut curves = Curves::new(4);
    for people in sizes {
        for what in ["error", "coverage"] {
            for of in OF {
                let mut panel = Panel::new(&format!("{people} people: {what} of {of}")).axes("epsilon", "");
                panel = panel.by_powers(true, what == "error");
                if what == "coverage" {
                    panel = panel.level("0.9", 0.9);
                }
                for name in NAMES {
                    let value = |epsilon| run.get(&piece_of(*people, epsilon), &format!("{name}: {what} of {of}"));
                    let points = EPSILONS.map(|epsilon| Ok([epsilon, value(epsilon)?]));
                    let points: Vec<[f64; 2]> = points.into_iter().collect::<Result<_, Failure>>()?;
                    panel = panel.curve(name, &points);
                }
                curves = curves.panel(panel);
            }
        }
    }
    Ok(Figure::new("").width(1280).part(curves).draw())
}
