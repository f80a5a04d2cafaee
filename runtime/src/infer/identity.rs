//! What makes a run the run that it is: everything on which its draws depend.

use hmac_sha256::Hash;
use serde_json::{Value, json};

use crate::model::Model;

use super::starting_values::StartsAt;

/// Named facts about a run. Two runs with the same facts make the same draws, except where the code of custom updates differs,
/// which nothing here can compare.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identity(Vec<(String, String)>);

/// The first fact in which two runs differ.
#[derive(Debug, PartialEq)]
pub(super) struct Difference {
    pub what: String,
    pub saved: String,
    pub now: String,
}

impl Identity {
    /// The facts about a model and its data.
    pub fn of(engine: &str, model: &dyn Model, starts_at: &StartsAt) -> Self {
        let mut out = Self(Vec::new());
        out.add("the engine", engine);
        out.add("the version of skellam", env!("CARGO_PKG_VERSION"));
        out.add("the kind of processor", std::env::consts::ARCH);
        let bound = model.bound();
        let spec = bound.spec();
        out.add("the model", spec.name);
        for (hyper, value) in spec.hypers.iter().zip(bound.hypers()) {
            out.add(format!("hyperparameter `{}`", hyper.name), value);
        }
        for (array, values) in spec.arrays.iter().zip(bound.arrays()) {
            out.add(
                format!("the array `{}`", array.name),
                of_array(values.shape(), values.as_slice()),
            );
        }
        for latent in spec.latents {
            out.add(
                format!("the declaration of `{}`", latent.name),
                of_text(&format!("{latent:?}")),
            );
        }
        for count in spec.counts {
            out.add(
                format!("the declaration of `{}`", count.name),
                of_text(&format!("{count:?}")),
            );
        }
        for (i, latent) in model.latents().iter().enumerate() {
            out.add(format!("the shape of `{}`", latent.name), format!("{:?}", latent.shape));
            let frozen = model.frozen(i).map_or("not frozen".to_owned(), of_numbers);
            out.add(format!("the values at which `{}` is frozen", latent.name), frozen);
            if let Some(values) = starts_at.get(i) {
                out.add(format!("the starting values of `{}`", latent.name), of_numbers(values));
            }
        }
        for view in model.views() {
            let (name, grid) = (view.name(), view.grid());
            out.add(format!("the channel of `{name}`"), view.channel());
            let sides: Vec<bool> = (0..grid.shape().len())
                .map(|axis| grid.values_of(axis).is_of_rows())
                .collect();
            let layout = (grid.shape(), sides, grid.inner);
            out.add(format!("the layout of `{name}`"), of_text(&format!("{layout:?}")));
            out.add(format!("the data of `{name}`"), view.digest());
        }
        out
    }

    /// Adds a fact.
    pub fn add(&mut self, what: impl Into<String>, value: impl ToString) {
        self.0.push((what.into(), value.to_string()));
    }

    pub fn to_json(&self) -> Value {
        self.0.iter().map(|(what, value)| json!([what, value])).collect()
    }

    /// The identity that [`Identity::to_json`] wrote.
    pub fn from_json(value: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let fact = |fact: &Value| Some((text(&fact[0])?, text(&fact[1])?));
        value.as_array()?.iter().map(fact).collect::<Option<_>>().map(Self)
    }

    /// The first fact of `self`, the run now, that is not one of `saved`, or the other way round.
    pub fn difference(&self, saved: &Self) -> Option<Difference> {
        let get = |of: &Self, what: &str| {
            let found = of.0.iter().find(|(other, _)| other == what);
            found.map_or("not there".to_owned(), |(_, value)| value.clone())
        };
        (self.0.iter().chain(&saved.0))
            .map(|(what, _)| Difference {
                what: what.clone(),
                saved: get(saved, what),
                now: get(self, what),
            })
            .find(|difference| difference.saved != difference.now)
    }
}

fn of_array(shape: &[usize], values: &[f64]) -> String {
    format!("of shape {shape:?} with digest {}", of_numbers(values))
}

/// A digest of numbers, bit by bit.
pub(super) fn of_numbers(values: &[f64]) -> String {
    let mut hash = Hash::new();
    values
        .iter()
        .for_each(|value| hash.update(value.to_bits().to_le_bytes()));
    short(hash.finalize())
}

fn of_text(text: &str) -> String {
    short(Hash::hash(text.as_bytes()))
}

fn short(digest: [u8; 32]) -> String {
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_named() {
        let identity = |facts: &[(&str, &str)]| {
            let mut out = Identity(Vec::new());
            facts.iter().for_each(|(what, value)| out.add(*what, *value));
            Identity::from_json(&out.to_json()).unwrap()
        };
        let now = identity(&[("seed", "1"), ("a", "0.1")]);
        assert_eq!(now.difference(&now), None);
        let found = now.difference(&identity(&[("seed", "1"), ("a", "0.2")])).unwrap();
        assert_eq!((&*found.what, &*found.saved, &*found.now), ("a", "0.2", "0.1"));
        let found = now.difference(&identity(&[("seed", "1")])).unwrap();
        assert_eq!((&*found.what, &*found.saved), ("a", "not there"));
        let more = identity(&[("seed", "1"), ("a", "0.1"), ("b", "3")]);
        assert_eq!(now.difference(&more).unwrap().now, "not there");
    }
}
