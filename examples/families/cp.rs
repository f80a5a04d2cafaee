//! Events between countries: who did what to whom and when, as a sum of rank-one parts of a released tensor.
//!
//! `cargo run --release --example cp`.

use skellam::counts::largest;
use skellam::prelude::*;

model! {
    /// Events that one country does to another: sender, receiver, action, year.
    pub model Events {
        index countries, actions, years, parts;
        hyper a: positive = 0.3;

        latent sends[i in countries, k in parts]    ~ Gamma(shape = a, rate = 1.0);
        latent receives[j in countries, k in parts] ~ Gamma(shape = a, rate = 1.0);
        latent does[x in actions, k in parts]       ~ Gamma(shape = a, rate = 1.0);
        latent when[t in years, k in parts]         ~ Gamma(shape = a, rate = 1.0);

        count y[i in countries, j in countries, x in actions, t in years] where i != j
            ~ Poisson(sum(k in parts) sends[i, k] * receives[j, k] * does[x, k] * when[t, k]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/cp.tsv";
    // Sizes are public. If they were left out, the largest index of each column would be taken, which tells of the counts.
    let options = ReadOptions {
        shape: Some(vec![16, 16, 4, 12]),
        ..ReadOptions::default()
    };
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let (counts, budget) = (Sensitive::read(file, &options)?, Lplp::new(1, 1)?);
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Events::new(&released)?.parts(4);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    let fit = fit.of_chain(fit.most_probable().0)?;
    let factors = [
        fit.sends.mean()?,
        fit.receives.mean()?,
        fit.does.mean()?,
        fit.when.mean()?,
    ];
    let events: Vec<f64> = (0..4)
        .map(|k| factors.iter().map(|factor| factor.column(k).sum()).product())
        .collect();
    for k in largest(&events, 4) {
        let most = |mode: usize, n: usize| {
            let names = largest(&factors[mode].column(k).to_vec(), n)
                .into_iter()
                .map(|i| (i + 1).to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let share = 100.0 * events[k] / events.iter().sum::<f64>();
        let (senders, receivers, action, year) = (most(0, 3), most(1, 3), most(2, 1), most(3, 1));
        println!(
            "{share:>3.0} % of events: from {senders} to {receivers}, mostly action {action}, most in year {year}"
        );
    }
    Ok(())
}
