//! Tucker factorization: customers, products and weeks have groups of their own, and a core says which of these meet. The program finds
//! the groups and the core in released purchases.
//!
//! `cargo run --release --example tucker`.

use skellam::counts::largest;
use skellam::prelude::*;

model! {
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

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = "examples/data/tucker.tsv";
    // Sizes are public. If they were left out, the largest index of each column would be taken, which tells of the counts.
    let options = ReadOptions {
        shape: Some(vec![30, 25, 20]),
        ..ReadOptions::default()
    };
    let counts = Sensitive::read(file, &options)?;
    // This noise, of a seed, hides nothing: it is for simulations. For counts of your own: `counts.release(&budget)?`.
    let budget = Lplp::new(1, 1)?;
    let released = counts.release_with_seed_for_simulation(&budget, 1)?;

    let model = Tucker::new(&released)?.tastes(3).kinds(3).seasons(2);
    let fit = model.cavi(&Cavi {
        num_restarts: 4,
        start: CaviStart::Sampled { sweeps: 200 },
        progress: Progress::Hidden,
        ..Cavi::default()
    })?;
    fit.doubts().iter().for_each(|doubt| println!("{doubt}\n"));

    let (who, what, when, core) = (fit.who.mean()?, fit.what.mean()?, fit.when.mean()?, fit.core.mean()?);
    let at = |cell: usize| [cell / 6, cell / 2 % 3, cell % 2];
    let mass = |[p, q, r]: [usize; 3]| {
        let size = who.column(p).sum() * what.column(q).sum() * when.column(r).sum();
        size * core.at(&[p, q, r]).unwrap_or(0.0)
    };
    let met: Vec<f64> = (0..18).map(|cell| mass(at(cell))).collect();
    for cell in largest(&met, 6) {
        let [p, q, r] = at(cell).map(|group| group + 1);
        println!(
            "{:>5.1} % of purchases: taste {p}, kind {q}, season {r}",
            100.0 * met[cell] / met.iter().sum::<f64>()
        );
    }
    Ok(())
}
