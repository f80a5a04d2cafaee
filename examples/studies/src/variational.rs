//! Error against processor time of five algorithms: VI18, figure 1 and appendix E.

use cpu_time::ProcessTime;
use skellam::diagnose::mean_absolute_error;
use skellam::infer::{cavi, gibbs};
use skellam::model::FormKind;
use skellam::model::simulate::Simulation;
use skellam::prelude::*;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::models::{Topics, chain};
use crate::numbers::Piece;
use crate::run::{Found, Run};

/// An algorithm: its name, its form, and its sweeps or iterations on small and on large data.
struct Algorithm {
    name: &'static str,
    form: Form,
    steps: [usize; 2],
}

#[derive(Clone, Copy)]
enum Form {
    Gibbs(GibbsForm),
    Cavi(CaviForm),
}

const ALGORITHMS: [Algorithm; 5] = [
    Algorithm {
        name: "gibbs",
        form: Form::Gibbs(GibbsForm::Collapsed),
        steps: [20_000, 1500],
    },
    Algorithm {
        name: "gibbs augmented (ICML19)",
        form: Form::Gibbs(GibbsForm::Augmented),
        steps: [20_000, 1500],
    },
    Algorithm {
        name: "cavi",
        form: Form::Cavi(CaviForm::Collapsed),
        steps: [2000, 600],
    },
    Algorithm {
        name: "cavi augmented",
        form: Form::Cavi(CaviForm::Augmented),
        steps: [2000, 400],
    },
    Algorithm {
        name: "cavi as published (VI18)",
        form: Form::Cavi(CaviForm::Published),
        steps: [2000, 200],
    },
];
/// The two that VI18 compares.
const SAMPLER: usize = 1;
const PUBLISHED: usize = 4;
/// How many times faster VI18 is said to be.
const FASTER: f64 = 20.0;

/// The mean rates over the later half of the sweeps so far: sums since the last power of two, and over the stretch before it.
struct Running {
    sums: [Vec<Vec<f64>>; 2],
    numbers: [usize; 2],
    next: usize,
}

impl Running {
    fn estimate(&self) -> Vec<f64> {
        let number = (self.numbers[0] + self.numbers[1]) as f64;
        self.sums[0][0]
            .iter()
            .zip(&self.sums[1][0])
            .map(|(a, b)| (a + b) / number)
            .collect()
    }
}

/// What an algorithm comes to: processor seconds and error on its way.
fn measure(algorithm: &Algorithm, steps: usize, data: &Data, seed: u64, piece: &mut Piece) -> Result<(), Failure> {
    let form = match algorithm.form {
        Form::Gibbs(GibbsForm::Augmented) | Form::Cavi(CaviForm::Augmented | CaviForm::Published) => {
            FormKind::Augmented
        }
        _ => FormKind::Collapsed,
    };
    let model = Topics::new(&data.released)?
        .topics(data.components)
        .a(data.shape)
        .bind(form)?;
    let cells = data.truth.len();
    let start = ProcessTime::now();
    let (mut seconds, mut errors) = (Vec::new(), Vec::new());
    let mut point = |rates: &[f64]| {
        seconds.push(start.elapsed().as_secs_f64());
        errors.push(mean_absolute_error(rates, &data.truth).unwrap_or(f64::NAN));
    };
    // About sixty points, close together at the beginning.
    let shown = |step: usize| step.is_multiple_of((step / 12).max(1));
    match algorithm.form {
        Form::Gibbs(form) => {
            let mut running = Running {
                sums: [(); 2].map(|()| vec![vec![0.0; cells]]),
                numbers: [0; 2],
                next: 2,
            };
            let settings = Gibbs {
                form,
                num_threads: Some(1),
                ..chain([steps / 3, steps / 3, 2], seed)
            };
            let settings = Gibbs {
                keep: Keep::default().rates(KeepRates::Nothing),
                ..settings
            };
            gibbs(&model, &settings, |chain, sweep| {
                if sweep == running.next {
                    running.next *= 2;
                    running.numbers = [running.numbers[1], 0];
                    running.sums.swap(0, 1);
                    running.sums[1][0].fill(0.0);
                }
                chain.add_rates(&mut running.sums[1]);
                running.numbers[1] += 1;
                if shown(sweep) {
                    point(&running.estimate());
                }
            })?;
        }
        Form::Cavi(form) => {
            let settings = Cavi {
                form,
                max_iters: steps,
                num_restarts: 1,
                anneal_iters: Cavi::default().anneal_iters.min(steps / 2),
                seed,
                num_threads: Some(1),
                progress: Progress::Hidden,
                ..Cavi::default()
            };
            cavi(&model, &settings, |ascent, iteration| {
                if shown(iteration) {
                    let mut rates = vec![vec![0.0; cells]];
                    ascent.add_rates(&mut rates);
                    point(&rates[0]);
                }
            })?;
        }
    }
    piece.put("error", errors.last().copied().unwrap_or(f64::NAN));
    piece.list("processor seconds", &seconds);
    piece.list("error", &errors);
    Ok(())
}

/// Simulated counts, released at epsilon / N = 1.
struct Data {
    truth: Vec<f64>,
    released: Released<TwoSidedGeometric>,
    components: usize,
    shape: f64,
}

impl Data {
    fn new([rows, columns, components]: [usize; 3], shape: f64, seed: u64) -> Result<Self, Failure> {
        let mut simulation = Simulation::new(seed);
        let theta = simulation.gamma_matrix([rows, components], shape, 1.0)?;
        let rates = theta.dot(&simulation.gamma_matrix([components, columns], shape, 1.0)?);
        let counts = Sensitive::new(simulation.counts(&rates)?);
        let released = counts.release_with_seed_for_simulation(&Lplp::new(1, 1)?, seed)?;
        Ok(Self {
            truth: rates.into_iter().collect(),
            released,
            components,
            shape,
        })
    }
}

/// Sizes, the shape of the priors, and what to divide the steps by.
fn sizes(run: &Run) -> [([usize; 3], f64, usize); 2] {
    let full = ([20, 20, 3], 1.0, 1);
    run.by_size([
        [([20, 20, 3], 1.0, 20), ([150, 150, 10], 0.1, 10)],
        [full, ([1000, 1000, 50], 0.1, 1)],
        [full, ([1000, 1000, 50], 0.1, 1)],
    ])
}

fn title([rows, columns, components]: [usize; 3]) -> String {
    format!("{rows} x {columns}, K = {components}")
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let seed = run.flags.seed;
    for (at, (size, shape, part)) in sizes(run).into_iter().enumerate() {
        // Drawn if something is still to be measured.
        let mut data = None;
        for algorithm in &ALGORITHMS {
            run.piece(&format!("{}; {}", title(size), algorithm.name), |piece| {
                if data.is_none() {
                    data = Some(Data::new(size, shape, seed)?);
                }
                let Some(data) = &data else { unreachable!("just drawn") };
                measure(algorithm, algorithm.steps[at] / part, data, seed, piece)
            })?;
        }
    }
    found(run)
}

fn found(run: &Run) -> Result<Found, Failure> {
    let (mut lines, mut text, mut claims) = (Curves::new(2), String::new(), Vec::new());
    for (size, ..) in sizes(run) {
        let title = title(size);
        let name = |algorithm: &Algorithm| format!("{}; {}", title, algorithm.name);
        let curve = |algorithm: &Algorithm| -> Vec<[f64; 2]> {
            let [seconds, errors] = ["processor seconds", "error"].map(|what| run.numbers.list(&name(algorithm), what));
            seconds.into_iter().zip(errors).map(|(x, y)| [x, y]).collect()
        };
        let mut panel = Panel::new(&title)
            .axes("processor seconds", "mean absolute error")
            .by_powers(true, false);
        text += &format!("{title:<28}  least error  at its end   seconds\n");
        for algorithm in &ALGORITHMS {
            let points = curve(algorithm);
            let least = points.iter().map(|point| point[1]).fold(f64::INFINITY, f64::min);
            let end = points.last().copied().unwrap_or([f64::NAN; 2]);
            text += &format!(
                "  {:<26}{least:>13.3}{:>12.3}{:>10.2}\n",
                algorithm.name, end[1], end[0]
            );
            panel = panel.curve(algorithm.name, &points);
        }
        lines = lines.panel(panel);
        // When each of the two first comes to the least error of the published algorithm, and to the error at which it ends.
        let least = curve(&ALGORITHMS[PUBLISHED])
            .iter()
            .map(|point| point[1])
            .fold(f64::INFINITY, f64::min);
        let end = run.get(&name(&ALGORITHMS[PUBLISHED]), "error")?;
        let reached = |at: usize, error: f64| {
            let points = curve(&ALGORITHMS[at]);
            points.into_iter().find(|point| point[1] <= error).map(|point| point[0])
        };
        let (mut ratios, mut reason) = (Vec::new(), String::from("The sampler is slower"));
        for (what, error) in [("its least error", least), ("the error at which it ends", end)] {
            let [published, sampler] = [PUBLISHED, SAMPLER].map(|at| reached(at, error));
            ratios.push(sampler.zip(published).map(|(sampler, published)| sampler / published));
            reason += &match (published, sampler, ratios.last()) {
                (Some(published), Some(sampler), Some(Some(ratio))) => {
                    format!(
                        " {ratio:.1} times to {what}, {error:.3} ({sampler:.3} and {published:.3} processor seconds);"
                    )
                }
                _ => format!(" without end to {what}, {error:.3}, which it never reaches;"),
            };
        }
        reason += &format!(" it ends at {:.3}", run.get(&name(&ALGORITHMS[SAMPLER]), "error")?);
        let what = format!("VI18 is {FASTER} times faster than the sampler of ICML19 at equal error, {title}");
        let all = ratios.iter().all(|ratio| ratio.is_some_and(|ratio| ratio >= FASTER));
        claims.push(Claim::of(what, all, reason).unless_untold(ratios.contains(&None)));
    }
    let picture = Figure::new("").width(1000).part(lines).draw();
    Found::of(picture, text, claims)
}
