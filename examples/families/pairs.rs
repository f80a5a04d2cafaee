//! The block model of an undirected network: each pair of actors is counted once. The program says who is in which group, and how much
//! groups meet.
//!
//! `cargo run --release --example pairs`.

use skellam::counts::largest;
use skellam::prelude::*;

model! {
    /// Meetings of actors, each in several groups: each pair is counted once.
    pub model Pairs {
        index actors, groups;

        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.3, rate = 1.0);
        latent pi[c in groups, e in groups]    ~ Gamma(shape = 0.3, rate = 1.0);

        count y[i in actors, j in actors] where i < j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/pairs.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    // Groups that meet mostly themselves have many modes, so ascents start from chains.
    let model = Pairs::new(&released)?.groups(4);
    let fit = model.cavi(&Cavi {
        num_restarts: 4,
        start: CaviStart::Sampled { sweeps: 200 },
        progress: Progress::Hidden,
        ..Cavi::default()
    })?;
    fit.doubts().iter().for_each(|doubt| println!("{doubt}\n"));

    let (theta, pi) = (fit.theta.mean()?, fit.pi.mean()?);
    // The scale of a group may be anyone's: memberships are compared where each group has as many in all.
    let size: Vec<f64> = theta.columns().into_iter().map(|column| column.sum()).collect();
    let home = |i: usize| {
        let shares: Vec<f64> = theta.row(i).iter().zip(&size).map(|(x, n)| x / n).collect();
        largest(&shares, 1)[0]
    };
    for c in 0..theta.ncols() {
        let members: Vec<String> = (0..theta.nrows())
            .filter(|&i| home(i) == c)
            .map(|i| (i + 1).to_string())
            .collect();
        println!("group {}: actors {}", c + 1, members.join(" "));
    }
    println!("meetings of group and group, by the model");
    for c in 0..theta.ncols() {
        let met = |e: usize| size[c] * size[e] * pi[(c, e)].midpoint(pi[(e, c)]);
        let row: Vec<String> = (0..theta.ncols()).map(|e| format!("{:>6.0}", met(e))).collect();
        println!("group {}: {}", c + 1, row.join(" "));
    }
    Ok(())
}
