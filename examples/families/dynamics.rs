//! A dynamical system: what a part is now is the shape of what the parts are next. The last three of thirty times are held out of released
//! counts, and forecast.
//!
//! `cargo run --release --example dynamics`.

use skellam::prelude::*;

model! {
    /// The Poisson-gamma dynamical system of Schein, Wallach and Zhou (2016).
    pub model Dynamics {
        index times: ordered;
        index cells, parts;
        /// How little the parts change from one time to the next.
        hyper tau: positive = 10.0;

        latent pi[j in parts, k in parts]    ~ Dirichlet(concentration = 0.3, along = k);
        latent first[k in parts]             ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[t in times, k in parts] ~ Gamma(
            shape = 0.01 + tau * sum(j in parts) pi[j, k] * (theta[t - 1, j] or first[j]), rate = tau);
        latent scale                         ~ Gamma(shape = 0.1, rate = 0.001);
        latent phi[k in parts, v in cells]   ~ Dirichlet(concentration = 0.1, along = v);

        count y[t in times, v in cells] ~ Poisson(scale * sum(k in parts) theta[t, k] * phi[k, v]);

        release y by TwoSidedGeometric;
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/dynamics.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;
    let times = released.shape()[0];
    let ahead = Mask::slices(released.shape(), 0, &[times - 3, times - 2, times - 1])?;
    let seen = released.clone().hold_out(&ahead)?;

    let model = Dynamics::new(&seen)?.parts(4);
    let fit = model.gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());

    if let (Some(score), Some(error)) = (fit.held_out_score("y")?, fit.held_out_error("y")?) {
        println!("forecasts: log predictive probability of a cell {score:.3} ± {error:.3}");
    }
    let (rate, total) = (fit.rate()?, released.margins(0)?);
    for (t, total) in total.iter().enumerate().skip(times - 5) {
        let what = if t < times - 3 { "fitted" } else { "forecast" };
        println!(
            "time {:>2}: {:>4.0} counts {what}, {total:>4.0} released",
            t + 1,
            rate.row(t).sum()
        );
    }
    // Each chain has its own order of parts: one is shown.
    let pi = fit.of_chain(fit.most_probable().0)?.pi.mean()?;
    for (j, row) in pi.outer_iter().enumerate() {
        let row: Vec<String> = row.iter().map(|x| format!("{x:.2}")).collect();
        println!("part {} becomes parts 1 to 4 with shares {}", j + 1, row.join("  "));
    }
    Ok(())
}
