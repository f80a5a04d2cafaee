//! A variational fit into a file.

use std::path::Path;

use serde_json::json;

use super::contents::Contents;
use crate::error::{Error, QueryError};
use crate::infer::{CaviFit, Keep, KeepRates, Saved};
use crate::model::{Factors, Lines};

impl CaviFit {
    /// Saves the fit in a file that [`Saved::load`](crate::infer::Saved::load) reads without the model and its data, and
    /// `numpy.load` without pickle. A file that has the name is replaced; after an error it is intact. The same posterior
    /// gives the same bytes.
    ///
    /// It holds the means and the parameters of all posteriors, the bound and how it rose, the mean rate of every cell where no
    /// count has more than [`KeepRates::SMALL`] cells, scores of held-out cells, labels, settings and hyperparameters, and what was promised about the
    /// data. It does not hold the data, known arrays, nor the time that the fit took.
    ///
    /// # Errors
    /// The file cannot be written; rates do not fit in memory.
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

    /// The same, and draws of the posterior.
    pub(super) fn contents_with_draws(&self) -> Result<Contents<'_>, Error> {
        let mut out = self.contents()?;
        let entries: usize = (self.latents.iter())
            .map(|latent| latent.shape.iter().product::<usize>())
            .sum();
        let draws = Self::DRAWS.min(Keep::SMALL / (8 * entries).max(1));
        if draws == 0 {
            return Err(Error::Query(QueryError::NotKept {
                what: format!("a draw of {entries} numbers, which takes more than 128 MiB"),
                instead: "save the parameters of the posterior with `save`".to_owned(),
            }));
        }
        let mut x = Factors::zeros(&self.latents);
        let mut all: Vec<Vec<f64>> = self.latents.iter().map(|_| Vec::new()).collect();
        for draw in 0..draws {
            self.variational().draw(draw, &mut x);
            all.iter_mut()
                .zip(x.iter())
                .for_each(|(all, x)| all.extend_from_slice(x));
        }
        for (latent, all) in self.latents.iter().zip(all) {
            let dims: Vec<String> = ["chain", "draw"].map(str::to_owned).to_vec();
            let dims = [dims, out.axes(&latent.indices)].concat();
            let shape = [&[1, draws][..], &latent.shape].concat();
            out.add(format!("posterior/{}", latent.name), &dims, shape, all);
        }
        Ok(out)
    }

    fn contents(&self) -> Result<Contents<'_>, Error> {
        let mut out = Contents::new("CAVI", &self.about);
        let settings = &self.settings;
        out.meta["settings"] = json!({
            "max_iters": settings.max_iters,
            "tol": settings.tol,
            "num_restarts": settings.num_restarts,
            "anneal_iters": settings.anneal_iters,
            "check_every": settings.check_every,
            "start": format!("{:?}", settings.start),
            "seed": settings.seed,
            "form": format!("{:?}", settings.form),
        });
        out.meta["iterations"] = self.iterations.into();
        out.meta["ln_joint"] = self.ln_joint().into();
        out.meta["ended"] = self.ended().to_string().into();
        let doubts: Vec<String> = self.doubts().iter().map(ToString::to_string).collect();
        out.meta["warning"] = (!doubts.is_empty()).then(|| doubts.join("\n")).into();
        let mut latents = Vec::new();
        for ((latent, parameters), frozen) in self.latents.iter().zip(&self.posteriors).zip(&self.frozen) {
            let (dims, shape) = (out.axes(&latent.indices), latent.shape.clone());
            let name = |what: &str| format!("variational/{}.{what}", latent.name);
            let [first, rate] = &**parameters;
            latents.push(json!({
                "name": latent.name,
                "dims": dims,
                "shape": shape,
                "family": latent.family.name(),
                "kept": if frozen.is_some() { "frozen" } else { "posterior" },
            }));
            if let Some(values) = frozen {
                out.add(name("mean"), &dims, shape, values.to_vec());
                continue;
            }
            let lines = Lines::of(&latent.shape, latent.along);
            let (mut mean, mut geometric) = (first.clone(), first.clone());
            let parameters = [&first[..], rate].map(|all| lines.gather(all));
            lines.gathered([&mut mean, &mut geometric], |[mean, geometric]| {
                let parameters = parameters.each_ref().map(|all| &all[..]);
                latent.family.moments(parameters, lines.size, mean, geometric);
            });
            out.add(name("mean"), &dims, shape.clone(), mean);
            for (parameter, values) in latent.family.parameters().iter().zip([first, rate]) {
                out.add(name(parameter), &dims, shape.clone(), &values[..]);
            }
        }
        out.meta["latents"] = latents.into();
        let small = |rates: &crate::infer::Rates| rates.shape().iter().product::<usize>() <= KeepRates::SMALL;
        let all = self.rates.iter().all(small);
        for ((rates, count), held_out) in self.rates.iter().zip(&self.about.counts).zip(&self.held_out) {
            out.rates(rates, &count.dims, all)?;
            out.held_out(count.name, rates.shape(), held_out);
        }
        let (iterations, bounds): (Vec<f64>, Vec<f64>) =
            self.trace.iter().map(|&(at, bound)| (at as f64, bound)).unzip();
        out.add("bound/iteration", &["check"], vec![iterations.len()], iterations);
        out.add("bound/bound", &["check"], vec![bounds.len()], bounds);
        // A start without a bound is NaN.
        let bound = |bound: &Option<f64>| bound.unwrap_or(f64::NAN);
        let restarts: Vec<f64> = self.restarts.iter().map(bound).collect();
        out.add("bound/of_starts", &["start"], vec![restarts.len()], restarts);
        out.add("bound/reached", &[] as &[&str], Vec::new(), vec![bound(&self.elbo)]);
        Ok(out)
    }
}
