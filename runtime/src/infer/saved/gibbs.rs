//! A Gibbs fit into a file.

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};

use super::about::told_apart;
use super::contents::{Contents, cell_labels};
use crate::diagnose::Row;
use crate::error::Error;
use crate::infer::draws::Best;
use crate::infer::gibbs_run::LatentDraws;
use crate::infer::{Gibbs, GibbsFit, Saved};

type Column = (&'static str, fn(&Row) -> f64);

/// The columns of a summary.
const COLUMNS: [Column; 9] = [
    ("mean", |row| row.mean),
    ("sd", |row| row.sd),
    ("hdi_low", |row| row.hdi[0]),
    ("hdi_high", |row| row.hdi[1]),
    ("mcse_mean", |row| row.mcse_mean),
    ("mcse_sd", |row| row.mcse_sd),
    ("ess_bulk", |row| row.ess_bulk),
    ("ess_tail", |row| row.ess_tail),
    ("r_hat", |row| row.r_hat),
];

/// The settings on which draws depend.
pub(in crate::infer) fn settings_of(settings: &Gibbs, chains: usize) -> Value {
    json!({
        "num_tune": settings.num_tune,
        "max_retunes": settings.max_retunes,
        "moves": format!("{:?}", settings.moves),
        "num_draws": settings.num_draws,
        "thin": settings.spacing(),
        "num_chains": chains,
        "seed": settings.seed,
        "form": format!("{:?}", settings.form),
    })
}

impl GibbsFit {
    /// Saves the fit in a file that [`Saved::load`](crate::infer::Saved::load) reads without the model and its data, and
    /// `numpy.load` without pickle. A file that has the name is replaced; after an error it is intact. The same draws give
    /// the same bytes.
    ///
    /// It holds what was kept of the latents and of the rates, the monitored rates, the log joint density, scores of
    /// held-out cells, the summary, labels, settings and hyperparameters, and what was promised about the data. It does not hold
    /// the data, known arrays, nor the time that the fit took.
    ///
    /// # Errors
    /// The file cannot be written; draws that are in a store (`draws_in`) do not fit in memory.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.contents()?.write(path.as_ref())
    }

    /// The fit as it would be read from a file, in memory: what a report is made of.
    ///
    /// # Errors
    /// As [`save`](Self::save), but for the file.
    pub fn saved(&self) -> Result<Saved, Error> {
        Ok(Saved::in_memory(self.contents()?.held()))
    }

    pub(super) fn contents(&self) -> Result<Contents<'_>, Error> {
        let mut out = Contents::new("Gibbs", &self.about);
        self.describe(&mut out);
        let [chains, draws] = self.kept;
        let with = |first: &[&str], rest: &[String]| -> Vec<String> {
            let first = first.iter().map(|dim| (*dim).to_owned());
            first.chain(rest.iter().cloned()).collect()
        };
        let chain_draw = ["chain", "draw"];
        out.add("sample_stats/lp", &chain_draw, vec![chains, draws], &self.ln_joint[..]);
        for stored in &self.latents {
            let latent = &stored.latent;
            let dims = out.axes(&latent.indices);
            let shape = |first: &[usize]| [first, &latent.shape].concat();
            match &stored.kept {
                LatentDraws::Draws(all) => out.add(
                    format!("posterior/{}", latent.name),
                    &with(&chain_draw, &dims),
                    shape(&[chains, draws]),
                    all.to_vec()?,
                ),
                LatentDraws::Last(all) => out.add(
                    format!("last/{}", latent.name),
                    &with(&["chain"], &dims),
                    shape(&[chains]),
                    &all[..],
                ),
                LatentDraws::Moments(all) => {
                    let number: Vec<f64> = all.iter().map(|one| one.draws as f64).collect();
                    let mean: Vec<f64> = all.iter().flat_map(|one| one.mean.clone()).collect();
                    let squares: Vec<f64> = all.iter().flat_map(|one| one.squares.clone()).collect();
                    let name = |what: &str| format!("moments/{}.{what}", latent.name);
                    out.add(name("draws"), &["chain"], vec![chains], number);
                    out.add(name("mean"), &with(&["chain"], &dims), shape(&[chains]), mean);
                    out.add(
                        name("squared_deviations"),
                        &with(&["chain"], &dims),
                        shape(&[chains]),
                        squares,
                    );
                }
                LatentDraws::Nothing => {}
            }
            if let Some(Best { values: Some(x), .. }) = &stored.best {
                out.add(
                    format!("most_probable/{}", latent.name),
                    &dims,
                    latent.shape.clone(),
                    &x[..],
                );
            }
        }
        for (i, count) in self.about.counts.iter().enumerate() {
            let (rates, monitored) = (&self.rates[i], &self.monitored[i]);
            let (name, cells) = (count.name, &monitored.cells);
            let dim = format!("{name}.cell");
            out.coords(&dim, cell_labels(rates.shape(), cells));
            out.cells(&dim, &dim, rates.shape(), cells);
            out.add(
                format!("posterior/{name}.rate"),
                &["chain", "draw", &dim],
                vec![chains, draws, cells.len()],
                monitored.rates.to_vec()?,
            );
            out.add(
                format!("posterior/{name}.mean_rate"),
                &chain_draw,
                vec![chains, draws],
                &self.mean_rates[i][..],
            );
            out.rates(rates, &count.dims, false)?;
            out.held_out(name, rates.shape(), &self.held_out[i]);
        }
        let summary = self.summary();
        let rows = summary.rows();
        out.coords("quantity", rows.iter().map(|row| row.name.clone()).collect());
        for (name, column) in COLUMNS {
            let values: Vec<f64> = rows.iter().map(column).collect();
            out.add(format!("summary/{name}"), &["quantity"], vec![rows.len()], values);
        }
        Ok(out)
    }

    fn describe(&self, out: &mut Contents<'_>) {
        let (settings, [chains, draws]) = (&self.settings, self.kept);
        out.meta["settings"] = settings_of(settings, chains);
        out.meta["num_chains"] = chains.into();
        out.meta["num_draws"] = draws.into();
        out.meta["sweeps"] = self.sweeps.into();
        out.meta["tune_sweeps"] = self.tuned.iter().map(|tuned| tuned.sweeps).collect::<Vec<_>>().into();
        out.meta["ended"] = self.ended.to_string().into();
        let doubts: Vec<String> = self
            .doubts()
            .iter()
            .map(|doubt| format!("warning: {doubt}\n"))
            .collect();
        let switching = self
            .switching
            .iter()
            .map(|(set, switching)| (set.clone(), switching.to_string().into()));
        out.meta["switching"] = Value::Object(switching.collect());
        out.meta["warning"] = (!doubts.is_empty()).then(|| doubts.concat()).into();
        let latents = self.latents.iter().map(|stored| {
            json!({
                "name": stored.latent.name,
                "dims": told_apart(&stored.latent.indices),
                "shape": stored.latent.shape,
                "kept": stored.kept.word(),
                "unordered": stored.unordered,
            })
        });
        out.meta["latents"] = latents.collect();
        let orders = self
            .latents
            .first()
            .map(|stored| Arc::clone(&stored.orders))
            .unwrap_or_default();
        let refused = orders.refused().map(|(set, why)| (set.to_owned(), why.into()));
        out.meta["not_alignable"] = Value::Object(refused.collect());
        // Row-major positions, of latents that mean the same in every chain.
        let judged = self
            .judged()
            .map(|latent| (latent.name.to_owned(), latent.entries.into()));
        out.meta["judged"] = Value::Object(judged.collect());
    }
}
