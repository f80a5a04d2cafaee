//! A custom mechanism: tables that a statistical office rounds at random to multiples of five, `5q + s` to `5q` with probability `1 - s/5`, else to
//! `5(q + 1)`. What is drawn and what that promises is written here, the law as inference sees it in `rounding/law.rs`.
//!
//! `cargo run --release --example rounding`.

use rand::CryptoRng;
use skellam::prelude::*;
use skellam::release::ReleaseError;

#[path = "rounding/law.rs"]
mod law;

model! {
    /// Commuters from district to district, published rounded to multiples of five.
    pub model Commuters {
        index homes, works, areas;

        latent lives[i in homes, k in areas] ~ Gamma(shape = 0.3, rate = 1.0);
        latent goes[k in areas, j in works]  ~ Gamma(shape = 0.3, rate = 0.3);

        count y[i in homes, j in works] ~ Poisson(sum(k in areas) lives[i, k] * goes[k, j]);

        release y by RoundedToFive;
    }
}

/// Law and mechanism in one, as there are no parameters. It promises no privacy: 1 becomes 5 with probability 1/5, and 0 never does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RoundedToFive;

impl Mechanism for RoundedToFive {
    type Law = Self;

    fn law(&self) -> Result<Self, ReleaseError> {
        Ok(Self)
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        i64::try_from(law::round(u64::try_from(count).ok()?, rng)).ok()
    }

    fn promise(&self) -> Promise {
        Promise::None
    }
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/rounding.mtx";
    let counts = Sensitive::read(file, &ReadOptions::default())?;
    // The same draws in every run. An office calls `release_without_privacy`, as nothing is promised.
    let rounded = counts.release_with_seed_for_simulation(&RoundedToFive, 1)?;
    let fit = Commuters::new(&rounded)?.areas(4).gibbs(&Gibbs {
        num_tune: 200, // enough for counts as few as these: leave it and `thin` out for your own
        thin: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    })?;
    println!("{}", fit.summary().verdict());
    let (published, rate) = (rounded.values()?, fit.rate()?);
    for c in [0, 5, 10] {
        let cells = Vec::from_iter((0..published.len()).filter(|&cell| published[cell] == c));
        let found = cells
            .iter()
            .map(|cell| rate[(cell / rate.ncols(), cell % rate.ncols())]);
        let (number, mean) = (cells.len(), found.sum::<f64>() / cells.len() as f64);
        println!("published as {c}: {number} cells, of {mean:.2} commuters on average");
    }
    Ok(())
}
