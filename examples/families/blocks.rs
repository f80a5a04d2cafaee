//! A mixed-membership block model of a directed network: every actor belongs to several groups, and groups meet groups. The program finds
//! the groups in released counts of messages. For a network in which each pair is counted once, see `pairs`.
//!
//! `cargo run --release --example blocks` (and `-- picture.svg`, which draws the network with its actors sorted by group).

use skellam::counts::largest;
use skellam::diagnose::{CellValues, ComponentTable};
use skellam::prelude::*;
use skellam_plot::{Matrices, matrices};

model! {
    /// Messages between actors, each in several groups.
    pub model Blocks {
        index actors, groups;
        hyper a: positive = 0.3;

        latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = a, rate = 1.0);

        count y[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/blocks.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    let model = Blocks::new(&released)?.groups(4);
    let fit = model.cavi(&Cavi {
        num_restarts: 4,
        start: CaviStart::Sampled { sweeps: 200 },
        progress: Progress::Hidden,
        ..Cavi::default()
    })?;
    fit.doubts().iter().for_each(|doubt| println!("{doubt}\n"));

    let (theta, pi, rate) = (fit.theta.mean()?, fit.pi.mean()?, fit.rate()?);
    let actors: Vec<String> = (1..=theta.nrows()).map(|i| format!("a{i}")).collect();
    // How many counts each group takes part in, up to a factor.
    let size: Vec<f64> = theta.columns().into_iter().map(|column| column.sum()).collect();
    let flow = |c: usize, e: usize| size[c] * size[e] * (pi[(c, e)] + pi[(e, c)]);
    let strength: Vec<f64> = (0..4).map(|c| (0..4).map(|e| flow(c, e)).sum()).collect();
    println!("groups (share of the counts; actors most in it)");
    print!("{}", ComponentTable::new(&theta.t().to_owned(), &strength, &actors, 8)?);
    if let Some(path) = std::env::args().nth(1) {
        let mut order: Vec<usize> = (0..actors.len()).collect();
        order.sort_by_key(|&i| {
            let shares: Vec<f64> = theta.row(i).iter().zip(&size).map(|(x, n)| x * n).collect();
            largest(&shares, 1)
        });
        let (seen, found) = (released.row_major()?, rate.row_major()?);
        let panels = Matrices::new([actors.len(); 2]).rows(&order).columns(&order);
        matrices(&panels.panel("released", "", &seen).panel("recovered", "", &found)).save(path)?;
    }
    Ok(())
}
