//! How well an entry of a latent can be known from a release, before there is one.

use std::fmt;

use crate::channel::Channel;
use crate::error::{Error, QueryError};
use crate::memory::with_room;
use crate::model::{FactorKind, Factors, Model};

use super::StartingValues;

/// Steps of the sum over the prior of an entry: at equal distances on the logarithm, sums over a density that falls off so fast are exact to five digits.
const STEPS: usize = 64;

/// How far an estimate of one entry of a latent is off at least, everything else known: a standard error, in the units of the entry.
///
/// The first two are for estimates without bias at these values (Cramér and Rao). The last two are root mean squared errors of any estimate, averaged over
/// the prior of the entry (van Trees 1968).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LeastError {
    /// Name of the latent.
    pub latent: String,
    /// The indices of the entry.
    pub index: Vec<usize>,
    /// Its value.
    pub value: f64,
    /// From the true counts.
    pub exact: f64,
    /// From a release.
    pub released: f64,
    /// From no data: the standard deviation of the prior.
    pub prior: f64,
    /// From a release, with the prior.
    pub with_prior: f64,
}

impl fmt::Display for LeastError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            latent, index, value, ..
        } = self;
        write!(
            f,
            "{latent}{index:?} = {value:.4}: least standard error {:.4} from true counts, {:.4} from the release, {:.4} with the prior ({:.4} without data)",
            self.exact, self.released, self.with_prior, self.prior
        )
    }
}

/// The least errors of entries of a latent at given values of all latents. See [`Declared::power`](super::Declared::power).
pub(super) fn least_errors<C: Channel>(
    model: &dyn Model,
    at: &StartingValues,
    law: &C,
    latent: &str,
    entries: &[impl AsRef<[usize]>],
) -> Result<Vec<LeastError>, Error> {
    let (latents, bound) = (model.latents(), model.bound());
    let number = QueryError::latent_at(latent, latents.iter().map(|of| of.name))?;
    can_be_told(model, number)?;
    let shape = &latents[number].shape;
    let mut x = Factors::zeros(latents);
    for of in 0..latents.len() {
        x[of].fill(f64::NAN);
        if let Some(values) = bound.frozen(of) {
            x[of].copy_from_slice(values);
        }
    }
    at.of(model)?.put(&mut x);
    if let Some(missing) = (0..latents.len()).find(|of| x[*of].iter().any(|x| x.is_nan())) {
        let latent = latents[missing].name.to_owned();
        return Err(QueryError::NoValue { latent }.into());
    }
    let view = bound.view(0);
    let cells = view.grid().cells();
    let (mut count_rates, parameters) = (model.count_rates(), model.prior(number, &x).parameters);
    let room = || with_room::<f64>(cells, "the rates of all cells", "ask for the power of a smaller table");
    let (mut without, mut with) = (room()?, room()?);
    let mut all = Vec::new();
    for index in entries {
        let index = index.as_ref();
        let entry = QueryError::cell_at(latents[number].name, shape, index, |_| true)?;
        let value = x[number][entry];
        // A rate is linear in an entry: its values at 0 and at 1 say all.
        for (values, entry_is) in [(&mut without, 0.0), (&mut with, 1.0)] {
            x[number][entry] = entry_is;
            model.set_rates(&x, &mut count_rates);
            values.clear();
            values.resize(cells, 0.0);
            count_rates[0].add_rates(view, values);
        }
        x[number][entry] = value;
        // The rate without the entry, and its derivative, where there is one.
        let touched: Vec<[f64; 2]> = (without.iter().zip(&with))
            .map(|(without, with)| [*without, with - without])
            .filter(|[_, slope]| *slope > 0.0)
            .collect();
        let told = |value: f64| -> Result<f64, Error> {
            let mut sum = 0.0;
            for [without, slope] in &touched {
                sum += slope * slope * law.information(without + slope * value)?;
            }
            Ok(sum)
        };
        let exact: f64 = touched
            .iter()
            .map(|[without, slope]| slope * slope / (without + slope * value))
            .sum();
        let (a, b) = (parameters[0][entry], parameters[1][entry]);
        let prior = a / (b * b);
        all.push(LeastError {
            latent: latent.to_owned(),
            index: index.to_vec(),
            value,
            exact: exact.sqrt().recip(),
            released: told(value)?.sqrt().recip(),
            prior: prior.sqrt(),
            with_prior: (prior / (1.0 + (a + 1.0) * mean_of(a + 2.0, b, told)? / (b * b))).sqrt(),
        });
    }
    Ok(all)
}

/// The mean of a function under Gamma(shape, rate), by a sum over the logarithm.
fn mean_of(shape: f64, rate: f64, of: impl Fn(f64) -> Result<f64, Error>) -> Result<f64, Error> {
    let (centre, spread) = ((shape / rate).ln(), shape.sqrt().recip());
    // Below, an information falls off as one over the value at most, and the density as a power of it.
    let (low, high) = (centre - 8.0 * spread - 24.0 / (shape - 1.0), centre + 6.0 * spread);
    let (mut sum, mut mass) = (0.0, 0.0);
    for step in 0..STEPS {
        let u = low + (high - low) * step as f64 / (STEPS - 1) as f64;
        // Largest at the centre, where it is one.
        let density = (shape * (u - centre - (u - centre).exp() + 1.0)).exp();
        if density > 1e-14 {
            sum += density * of(u.exp())?;
            mass += density;
        }
    }
    Ok(sum / mass)
}

/// Refuses latents and models for which the least error would not be that of cells that are independent given the rates, and of one gamma prior.
fn can_be_told(model: &dyn Model, latent: usize) -> Result<(), Error> {
    let (spec, own) = (model.bound().spec(), &model.latents()[latent]);
    let is_in_prior = spec.latents.iter().any(|other| {
        let prior = &other.prior;
        let shape = prior.shape.iter().flat_map(|shape| shape.terms);
        let mut factors = prior.terms().chain(shape).flat_map(|term| term.factors);
        factors.any(|factor| factor.of == FactorKind::Latent(latent))
    });
    let why = if spec.counts.len() != 1 {
        "the model has several counts, each with a channel of its own"
    } else if spec.counts[0].is_difference() {
        "the count is a difference of two"
    } else if spec.counts[0].total.is_some() {
        "the cells of a line are not independent, as their total is known"
    } else if model.bound().frozen(latent).is_some() {
        "it is frozen: it is known"
    } else if own.along.is_some() {
        "its entries sum to one, so that the others cannot stay as they are"
    } else if own.family.name() != "Gamma" {
        "its prior is no gamma"
    } else if is_in_prior {
        "it is in the prior of another latent, which tells of it, too"
    } else {
        return Ok(());
    };
    let latent = own.name.to_owned();
    Err(QueryError::NoPower { latent, why }.into())
}
