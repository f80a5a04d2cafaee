//! Tucker factorization: groups of rows, columns and times of their own, and a core that says which meet.
//!
//! `cargo run --release --example tucker`

use clap::Parser;
use skellam::diagnose::Scores;
use skellam::model::Derivation;
use skellam::prelude::*;
use skellam::selftest::Report;

use crate::error::ExampleError;
use crate::fitted;
use crate::flags::{Engine, Flags};
use crate::harness::Example;
use crate::nature::{Nature, numbers, release};
use crate::study::Study;

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

/// Rates in which every customer, product and week is at home in one group, and some triples of groups meet.
fn rates(nature: &mut Nature) -> Vec<f64> {
    let mut factors = [0, 1, 2].map(|mode| nature.gamma_matrix([FREE[mode], CORE[mode]], 0.3, 4.0));
    for (mode, factor) in factors.iter_mut().enumerate() {
        (0..FREE[mode]).for_each(|i| factor[(i, i * CORE[mode] / FREE[mode])] += 1.0);
    }
    let core = nature.gammas(CORE.iter().product(), 0.3, 0.4);
    let mut all = Vec::with_capacity(FREE.iter().product());
    for i in 0..FREE[0] {
        for j in 0..FREE[1] {
            for t in 0..FREE[2] {
                let mut rate = 0.0;
                for (at, weight) in core.iter().enumerate() {
                    let (p, q, r) = (at / CORE[2] / CORE[1], at / CORE[2] % CORE[1], at % CORE[2]);
                    rate += weight * factors[0][(i, p)] * factors[1][(j, q)] * factors[2][(t, r)];
                }
                all.push(rate);
            }
        }
    }
    all
}

impl Example for Arguments {
    fn flags(&self) -> &Flags {
        &self.flags
    }

    fn derivation() -> Derivation {
        Tucker::derivation()
    }

    fn derivation_of(form: EngineForm) -> Derivation {
        Tucker::derivation_of(form)
    }

    fn self_test() -> Report {
        Tucker::self_test()
    }

    fn study(&self) -> Result<Study, ExampleError> {
        let flags = &self.flags.or(Engine::Cavi);
        let mut nature = Nature::new(flags.seed);
        let truth = rates(&mut nature);
        let counts = nature.counts(&FREE, &truth)?;
        let released = release(&counts, &flags.budget()?, flags.seed)?;

        let mut scores = Scores::against(&truth, &numbers(&counts)?)?;
        let at = |model: Tucker| model.tastes(CORE[0]).kinds(CORE[1]).seasons(CORE[2]);
        let model = at(Tucker::new(&released)?);
        let (who, what, when, core, rate) = fitted!(model, flags, ["tastes", "kinds", "seasons"], |fit| {
            let factors = (fit.who.mean()?, fit.what.mean()?, fit.when.mean()?);
            (factors.0, factors.1, factors.2, fit.core.mean()?, fit.rate()?)
        });
        scores.add("noise modelled", rate.as_slice())?;
        let naive = at(Tucker::naive(&released)?);
        scores.add(
            "naive",
            fitted!(naive, flags.collapsed(), [], |fit| fit.rate()?).as_slice(),
        )?;
        scores.add_constant()?;

        let mut study = Study::of(&format!(
            "{} customers, {} products, {} weeks; a core of {} x {} x {}; {} purchases, released at epsilon / N = {}",
            FREE[0],
            FREE[1],
            FREE[2],
            CORE[0],
            CORE[1],
            CORE[2],
            counts.total(),
            flags.epsilon
        ));
        study.scores(&scores);
        let mut cells = Vec::new();
        for p in 0..CORE[0] {
            for q in 0..CORE[1] {
                for r in 0..CORE[2] {
                    let mass = who.column(p).sum() * what.column(q).sum() * when.column(r).sum();
                    cells.push(([p, q, r], mass * core.at(&[p, q, r]).unwrap_or(0.0)));
                }
            }
        }
        cells.sort_by(|a, b| b.1.total_cmp(&a.1));
        let total: f64 = cells.iter().map(|(_, mass)| mass).sum();
        let mut lines = String::from("where groups meet (share of purchases; taste, kind, season)\n");
        for ([p, q, r], mass) in cells.iter().take(6) {
            lines.push_str(&format!(
                "{:>5.1}%  {} {} {}\n",
                100.0 * mass / total,
                p + 1,
                q + 1,
                r + 1
            ));
        }
        study.say(&lines);
        study.say(&format!(
            "{}",
            Tucker::plan(TuckerSizes {
                customers: FREE[0],
                products: FREE[1],
                weeks: FREE[2],
                tastes: CORE[0],
                kinds: CORE[1],
                seasons: CORE[2],
            })
        ));
        Ok(study)
    }
}
