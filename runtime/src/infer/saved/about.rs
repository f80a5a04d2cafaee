//! What a file says of the model and of its data.

use serde_json::{Map, Value, json};

use crate::model::{Derivation, EngineForm, Model, Unlearned};

/// Names, sizes and labels: nothing of the data themselves.
#[derive(Clone, Debug)]
pub(in crate::infer) struct About {
    model: &'static str,
    hypers: Vec<(&'static str, f64)>,
    /// Labels of index sets.
    pub coords: Vec<(&'static str, Vec<String>)>,
    pub counts: Vec<AboutCount>,
    /// Where latents learn nothing.
    pub unlearned: Vec<Unlearned>,
    /// What was derived for the form that ran.
    pub derivation: Option<Derivation>,
}

/// One count.
#[derive(Clone, Debug)]
pub(in crate::infer) struct AboutCount {
    pub name: &'static str,
    /// The index sets of its indices.
    pub dims: Vec<String>,
    shape: Vec<usize>,
    channel: &'static str,
    kind: &'static str,
    promise: String,
}

impl About {
    pub fn of(model: &dyn Model, form: EngineForm) -> Self {
        let bound = model.bound();
        let spec = bound.spec();
        let sets = spec.sets.to_vec();
        let counts = model.views().into_iter().enumerate().map(|(i, view)| {
            let (shape, source) = (view.grid().shape(), view.source());
            let dims = spec.counts[i].sets().iter().map(|&set| sets[set].to_owned()).collect();
            AboutCount {
                name: view.name(),
                dims,
                shape,
                channel: view.channel(),
                kind: source.kind,
                promise: source.promise.clone(),
            }
        });
        let labelled = |set: &&'static str| Some((*set, bound.labels().named(set)?.to_vec()));
        Self {
            model: spec.name,
            hypers: {
                let names = spec.hypers.iter().map(|hyper| hyper.name);
                names.zip(bound.hypers().iter().copied()).collect()
            },
            coords: sets.iter().filter_map(labelled).collect(),
            counts: counts.collect(),
            unlearned: bound.unlearned(),
            derivation: bound.derivation(form),
        }
    }

    /// The description, as far as it is the same for every engine.
    pub fn meta(&self) -> Value {
        let hypers: Map<String, Value> = (self.hypers.iter())
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        let counts = self.counts.iter().map(|count| {
            json!({
                "name": count.name,
                "dims": count.dims,
                "shape": count.shape,
                "channel": count.channel,
                "data": count.kind,
                "promise": count.promise,
            })
        });
        json!({
            "model": self.model,
            "hyperparameters": hypers,
            "counts": counts.collect::<Vec<_>>(),
            "derivation": self.derivation.as_ref().map(Derivation::data),
        })
    }
}

/// Names of the axes of an array of a count or a latent: its index sets, the same one twice told apart as `actors` and
/// `actors_2`.
pub(in crate::infer) fn told_apart<S: AsRef<str>>(sets: &[S]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for set in sets.iter().map(AsRef::as_ref) {
        let is_free =
            |name: &String| !names.contains(name) && (name == set || sets.iter().all(|set| set.as_ref() != name));
        let numbered = (2..).map(|number| format!("{set}_{number}"));
        names.extend(std::iter::once(set.to_owned()).chain(numbered).find(is_free));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_have_names_of_their_own() {
        assert_eq!(
            told_apart(&["actors", "actors", "times"]),
            ["actors", "actors_2", "times"]
        );
        assert_eq!(told_apart(&["a", "a", "a_2", "a"]), ["a", "a_3", "a_2", "a_4"]);
    }
}
