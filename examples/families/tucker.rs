//! Tucker factorization: groups of rows, columns and times of their own, and a core that says which meet.
//!
//! `cargo run --release --example tucker`

use clap::Parser;
use nalgebra::DMatrix;
use skellam::diagnose::Scores;
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// Customers buy products in some weeks; each belongs to groups, and groups meet in the core.
    pub model Tucker {
        index customers, products, weeks, tastes, kinds, seasons;
        hyper a: positive = 0.3;

        latent who[i in customers, p in tastes] ~ Gamma(shape = a, rate = 1.0);
        latent what[j in products, q in kinds]  ~ Gamma(shape = a, rate = 1.0);
        latent when[t in weeks, r in seasons]   ~ Gamma(shape = a, rate = 1.0);
        latent core[p in tastes, q in kinds, r in seasons] ~ Gamma(shape = a, rate = 1.0);

        count y[i in customers, j in products, t in weeks]
            ~ Poisson(sum(p in tastes, q in kinds, r in seasons) who[i, p] * what[j, q] * when[t, r] * core[p, q, r]);

        release y by TwoSidedGeometric;
    }
}

/// Finds groups of customers, products and weeks in released purchases, and the core in which they meet.
#[derive(Debug, Parser)]
#[command(name = "tucker")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
}

const FREE: [usize; 3] = [30, 25, 20];
const CORE: [usize; 3] = [3, 3, 2];

fn study(Arguments { flags }: &Arguments) -> Result<Study, Failure> {
    let flags = flags.or(EngineForm::Cavi);
    let ([customers, products, weeks], [tastes, kinds, seasons]) = (FREE, CORE);
    let groups = || (0..tastes).flat_map(move |p| (0..kinds).flat_map(move |q| (0..seasons).map(move |r| [p, q, r])));

    let mut simulation = Simulation::new(flags.seed);
    // Every customer, product and week is at home in one group, and some triples of groups meet.
    let mut factor = |n, groups| {
        let home = DMatrix::from_fn(n, groups, |i, g| f64::from(i * groups / n == g));
        simulation
            .gamma_matrix([n, groups], 0.3, 4.0)
            .map(|traces| traces + home)
    };
    let (who, what, when) = (
        factor(customers, tastes)?,
        factor(products, kinds)?,
        factor(weeks, seasons)?,
    );
    let core = simulation.gammas(tastes * kinds * seasons, 0.3, 0.4)?;
    let truth = Array::from_fn(FREE.to_vec(), |at| {
        let met = core.iter().zip(groups());
        met.map(|(weight, [p, q, r])| weight * who[(at[0], p)] * what[(at[1], q)] * when[(at[2], r)])
            .sum()
    })?;
    let counts = simulation.counts(&truth)?;
    let released = release(&counts, &flags.budget()?, flags.seed)?;

    let mut scores = Scores::against(&truth, &counts)?;
    let at = |model: Tucker| model.tastes(tastes).kinds(kinds).seasons(seasons);
    let model = at(Tucker::new(&released)?);
    let (who, what, when, core, rate) = fitted!(model, flags, ["tastes", "kinds", "seasons"], |fit| {
        let factors = (fit.who.mean()?, fit.what.mean()?, fit.when.mean()?);
        (factors.0, factors.1, factors.2, fit.core.mean()?, fit.rate()?)
    });
    scores.add("noise modelled", &rate)?;
    let naive = at(Tucker::naive(&released)?);
    let rate = fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?);
    scores.add("naive", &rate)?;
    scores.add_constant()?;

    let mut study = Study::of(&format!(
        "{customers} customers, {products} products, {weeks} weeks; a core of {tastes} x {kinds} x {seasons}; \
         {} purchases, released at epsilon / N = {}",
        counts.total(),
        flags.epsilon
    ));
    study.scores(&scores);
    let sizes = [who, what, when].map(|factor| factor.row_sum());
    let mass = |at: [usize; 3]| {
        let size = sizes[0][at[0]] * sizes[1][at[1]] * sizes[2][at[2]];
        size * core.at(&at).unwrap_or(0.0)
    };
    let mut cells: Vec<_> = groups().map(|at| (at.map(|group| group + 1), mass(at))).collect();
    cells.sort_by(|a, b| b.1.total_cmp(&a.1));
    let total: f64 = cells.iter().map(|(_, mass)| mass).sum();
    let mut lines = String::from("where groups meet (share of purchases; taste, kind, season)\n");
    for ([p, q, r], mass) in cells.iter().take(6) {
        lines.push_str(&format!("{:>5.1}%  {p} {q} {r}\n", 100.0 * mass / total));
    }
    study.say(&lines);
    let plan = Tucker::plan(TuckerSizes {
        customers,
        products,
        weeks,
        tastes,
        kinds,
        seasons,
    });
    study.say(&plan.to_string());
    Ok(study)
}

example!(Arguments, Tucker, study);
