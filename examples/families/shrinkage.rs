//! How many topics there are: weights from a gamma process, whose total mass is learned. There is room for thirty topics, and the weights
//! of most are next to nothing; the program says how many hold 95 % of the released counts.
//!
//! `cargo run --release --example shrinkage`.

use skellam::prelude::*;

model! {
    /// A gamma process over topics, cut off at as many as there is room for.
    pub model Shrinkage {
        index docs, words, topics;

        latent mass ~ Gamma(shape = 1.0, rate = 0.1);
        latent weight[k in topics] ~ Gamma(shape = mass / size(topics), rate = 0.1);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 0.5);
        latent phi[k in topics, v in words]  ~ Dirichlet(concentration = 0.1, along = v);

        count y[d in docs, v in words] ~ Poisson(sum(k in topics) weight[k] * theta[d, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/shrinkage.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let (docs, room) = (released.shape()[0], 30);
    let model = Shrinkage::new(&released)?.topics(room);
    let fit = model.gibbs(&Gibbs {
        num_tune: 1000,
        thin: Some(2),
        keep: Keep::default().latent("theta", Kept::Draws),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    // The expected count of each topic, draw by draw. Topics of two draws have no common numbers; their sizes, by rank, have.
    let (mut number, mut sizes) = (vec![0; room + 1], vec![0.0; room]);
    let (weights, thetas) = (fit.weight.as_slice()?, fit.theta.as_slice()?);
    for (weight, theta) in weights.chunks(room).zip(thetas.chunks(docs * room)) {
        let of = |k: usize| weight[k] * theta.iter().skip(k).step_by(room).sum::<f64>();
        let mut held: Vec<f64> = (0..room).map(of).collect();
        held.sort_by(|a, b| b.total_cmp(a));
        let total: f64 = held.iter().sum();
        let enough = (1..room).find(|&n| held[..n].iter().sum::<f64>() >= 0.95 * total);
        number[enough.unwrap_or(room)] += 1;
        sizes.iter_mut().zip(&held).for_each(|(size, x)| *size += x / total);
    }
    let draws = number.iter().sum::<usize>() as f64;
    for (n, &times) in number.iter().enumerate().filter(|(_, times)| **times > 0) {
        let probability = times as f64 / draws;
        println!("{n:>2} topics hold 95 % of the counts with probability {probability:.2}");
    }
    let percent = |size: &f64| format!("{:.0} %", 100.0 * size / draws);
    let shares: Vec<String> = sizes.iter().take(12).map(percent).collect();
    println!("shares, the largest topic first: {}", shares.join("  "));
    Ok(())
}
