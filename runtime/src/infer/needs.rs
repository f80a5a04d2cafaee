//! What a run allocates before its first sweep, and has to its end.

use crate::error::Error;
use crate::memory::Memory;
use crate::model::{Latent, Model};

use super::keep::{KeepRates, Kept, KeptLatent};
use super::monitored::MONITORED;
use super::settings::{Cavi, CaviForm, Gibbs, GibbsForm};

/// What the memory of a run follows from. Sizes are floats, which do not overflow: they are summed before anybody has
/// checked them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Load {
    /// Numbers that the rates of all counts hold.
    pub numbers: f64,
    /// The latents.
    pub latents: Vec<KeptLatent>,
    pub counts: Vec<CountLoad>,
}

/// One count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CountLoad {
    pub name: &'static str,
    pub cells: f64,
    /// Bytes of the auxiliary variables of a chain, and of the variational parameters of a start.
    pub auxiliary: [f64; 2],
    /// Held-out cells that are scored.
    pub scored: f64,
    /// Units of the count, by what was observed.
    pub tokens: f64,
}

impl CountLoad {
    /// Cells whose mean rate is kept. `small` is whether every count is.
    fn kept(&self, rates: &KeepRates, small: bool) -> f64 {
        match rates {
            KeepRates::All => self.cells,
            KeepRates::Auto if small => self.cells,
            KeepRates::Auto | KeepRates::Nothing => 0.0,
            KeepRates::HeldOut => self.scored,
            KeepRates::At(cells) => cells.len() as f64,
        }
    }
}

/// Cells of a count of so many whose rates are kept at every draw.
pub(super) fn monitored(cells: f64) -> f64 {
    cells.min(MONITORED as f64)
}

impl Load {
    pub fn of(model: &dyn Model) -> Self {
        let spec = model.bound().spec();
        let entries = |(latent, of): (usize, &Latent)| KeptLatent {
            name: of.name,
            number: of.shape.iter().map(|n| *n as f64).product(),
            per_cell: spec.per_cell(latent),
        };
        let views = model.views().into_iter().map(|view| CountLoad {
            name: view.name(),
            cells: view.grid().rows as f64 * view.grid().cols as f64,
            auxiliary: view.auxiliary_bytes().map(|bytes| bytes as f64),
            scored: view.num_scored() as f64,
            tokens: view.mean_observation().max(0.0) * view.grid().cells() as f64,
        });
        Self {
            numbers: model.bound().numbers(),
            latents: model.latents().iter().enumerate().map(entries).collect(),
            counts: views.collect(),
        }
    }

    fn entries(&self) -> f64 {
        self.latents.iter().map(|of| of.number).sum()
    }

    /// What a Gibbs run with `chains` chains holds besides its data, of draws those that are in memory.
    ///
    /// # Errors
    /// A latent or count of which something is to be kept and that the model does not have.
    pub fn gibbs(&self, settings: &Gibbs, chains: usize) -> Result<Memory, Error> {
        let (each, draws) = (chains as f64, settings.in_memory(chains));
        let kept = settings.keep.of_latents(&self.latents, draws)?;
        let small = self.counts.iter().all(|count| count.cells <= KeepRates::SMALL as f64);
        let mut memory = Memory::default();
        memory.add("rates of the chains", each * 8.0 * self.numbers);
        memory.add("latents and their counts", each * 16.0 * self.entries());
        let auxiliary = self.counts.iter().map(|count| count.auxiliary[0]);
        memory.add("auxiliary variables", each * auxiliary.sum::<f64>());
        if settings.form == GibbsForm::Tokens {
            // Where each token is, and the cells that have some.
            let bytes = |count: &CountLoad| 4.0 * count.tokens + 16.0 * count.tokens.min(count.cells);
            memory.add("tokens", each * self.counts.iter().map(bytes).sum::<f64>());
            memory.add("urns", each * 24.0 * self.entries());
        }
        for (KeptLatent { name, number, .. }, kept) in self.latents.iter().zip(kept) {
            match kept {
                Kept::Draws => memory.add(format!("draws of `{name}`"), 8.0 * draws * number),
                Kept::Moments => memory.add(format!("moments of `{name}`"), 16.0 * each * number),
                Kept::Last => memory.add(format!("last draws of `{name}`"), 8.0 * each * number),
                Kept::Nothing => {}
            }
            if matches!(kept, Kept::Moments | Kept::Last) {
                memory.add(format!("most probable draw of `{name}`"), 8.0 * each * number);
            }
        }
        let names: Vec<&str> = self.counts.iter().map(|count| count.name).collect();
        for (count, rates) in self.counts.iter().zip(settings.keep.of_rates(&names)?) {
            let (name, cells) = (count.name, count.kept(rates, small));
            // For each chain, and once more as an array of the shape of the count.
            memory.add(format!("mean rates of `{name}`"), 8.0 * (each + 1.0) * cells);
            memory.add(
                format!("draws of rates of `{name}`"),
                8.0 * draws * monitored(count.cells),
            );
            let of_all = 16.0 * settings.num_draws as f64 + 24.0 * count.scored;
            memory.add(format!("mean rates of draws and scores of `{name}`"), each * of_all);
        }
        Ok(memory)
    }

    /// What a variational run holds besides its data, with `starts` starts at a time.
    pub fn cavi(&self, settings: &Cavi, starts: usize) -> Memory {
        let each = starts as f64;
        let mut memory = Memory::default();
        // At means, at geometric means, and as published at two more.
        let passes = if settings.form == CaviForm::Published { 4.0 } else { 2.0 };
        memory.add("rates", each * passes * 8.0 * self.numbers);
        // Shape, rate, mean, geometric mean, counts, what is expected at.
        memory.add("posteriors", each * 48.0 * self.entries());
        let auxiliary = self.counts.iter().map(|count| count.auxiliary[1]);
        memory.add("auxiliary parameters", each * auxiliary.sum::<f64>());
        memory
    }
}

#[cfg(test)]
mod tests {
    use super::super::keep::Keep;
    use super::*;

    fn load() -> Load {
        Load {
            numbers: 1000.0,
            latents: [("theta", 1e6), ("phi", 10.0)]
                .map(|(name, number)| KeptLatent {
                    name,
                    number,
                    per_cell: false,
                })
                .to_vec(),
            counts: vec![CountLoad {
                name: "y",
                cells: 5000.0,
                auxiliary: [7.0, 9.0],
                scored: 0.0,
                tokens: 9000.0,
            }],
        }
    }

    #[test]
    fn the_largest_part_says_what_to_change() {
        let mut memory = Memory::default();
        memory.add("rates of the chains", 1e6);
        memory.add("draws of `phi`", 1e18);
        memory.add("nothing", 0.0);
        assert_eq!(memory.parts().count(), 2);
        let error = memory.afford("this run").unwrap_err().to_string();
        assert!(
            error.contains("draws of `phi` take") && error.contains("draws_in") && error.contains("keep moments"),
            "{error}"
        );
        assert!(memory.to_string().contains("in all"));
    }

    #[test]
    fn what_is_kept_is_counted_for_every_chain() {
        let bytes = |keep: Keep, on_disk: bool, chains: usize, part: &str| {
            let settings = Gibbs {
                num_draws: 10,
                keep,
                draws_in: on_disk.then(|| "fit.zarr".into()),
                ..Gibbs::default()
            };
            let memory = load().gibbs(&settings, chains).unwrap();
            memory.parts().find(|(what, _)| *what == part).map(|(_, bytes)| bytes)
        };
        let draws = || Keep::default().latent("theta", Kept::Draws);
        assert_eq!(
            bytes(draws(), false, 3, "draws of `theta`"),
            Some(8.0 * 3.0 * 10.0 * 1e6)
        );
        assert_eq!(bytes(draws(), true, 3, "draws of `theta`"), None);
        // Ten draws of a million numbers in two chains are 160 MB, which is more than is kept in memory unasked.
        let [moments, best] = ["moments of `theta`", "most probable draw of `theta`"];
        assert_eq!(bytes(Keep::default(), false, 2, moments), Some(16.0 * 2.0 * 1e6));
        assert_eq!(bytes(Keep::default(), true, 2, moments), None);
        assert_eq!(bytes(Keep::default(), false, 2, best), Some(8.0 * 2.0 * 1e6));
        assert_eq!(
            bytes(Keep::default(), false, 2, "mean rates of `y`"),
            Some(8.0 * 3.0 * 5000.0)
        );
        let none = Keep::default().rates(KeepRates::Nothing).latent("theta", Kept::Nothing);
        for part in ["mean rates of `y`", moments, best] {
            assert_eq!(bytes(none.clone(), false, 2, part), None);
        }
    }
}
