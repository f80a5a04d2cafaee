//! `theta[d, v] / s[d]`: no rate has a quotient, but a latent that divides another is its rate.

use proc_macro2::Span;
use syn::Ident;

use super::names::Meaning;
use super::rate::{Scope, Walk};
use crate::diagnostics::Diagnostic;
use crate::syntax::{Bind, Factor, Place, Term};

impl Walk<'_> {
    /// Reports a division in a term, at `sign`. `otherwise` is what to type where no latent divides.
    pub(super) fn divided(&mut self, term: &Term, by: &Factor, sign: Span, otherwise: &str, scope: &Scope) {
        let help = self.as_rate(term, by).unwrap_or_else(|| otherwise.to_owned());
        self.sink.push(
            Diagnostic::new(sign, "`/` cannot be part of a rate or of a prior")
                .why("rates are linear in every latent, and priors are products: both allow `*` only")
                .help(help),
        );
        self.factor(by, scope);
        self.tainted += 1;
    }

    /// What to type where a latent divides.
    fn as_rate(&self, term: &Term, by: &Factor) -> Option<String> {
        let (name, at) = self.latent(by)?;
        let shown = shown(name, at.iter().map(ToString::to_string));
        match self.place {
            "the rate of a gamma prior" => {
                return Some(format!(
                    "leave `{shown}` out here, and multiply by it where the latent of this prior is used: `{shown} * ..`"
                ));
            }
            "a rate" => {}
            "the shape of a gamma prior" => return Some(self.inverse(name, at)),
            _ => return None,
        }
        let numerator = term.factors.iter().find_map(|factor| {
            let (divided, indices) = self.latent(factor).filter(|(other, _)| *other != name)?;
            let declared = self.binds(divided)?;
            let renamed = |index: &Ident| {
                let at = indices.iter().position(|place| place.index() == Some(index))?;
                Some(declared.get(at)?.var.to_string())
            };
            let places: Option<Vec<String>> = at.iter().map(|place| in_the_prior(place, &renamed)).collect();
            let declared: Vec<String> = declared
                .iter()
                .map(|bind| format!("{} in {}", bind.var, bind.set))
                .collect();
            let declared = if declared.is_empty() {
                String::new()
            } else {
                format!("[{}]", declared.join(", "))
            };
            Some((format!("{divided}{declared}"), places?))
        });
        Some(match numerator {
            Some((latent, places)) => format!(
                "leave `{shown}` out here: in the rate of the prior it divides, as in `latent {latent} ~ Gamma(shape = 1.0, rate = {});`",
                self::shown(name, places.into_iter())
            ),
            None => self.inverse(name, at),
        })
    }

    /// A latent of the reciprocal.
    fn inverse(&self, name: &Ident, at: &[Place]) -> String {
        let declared = self.binds(name).unwrap_or_default();
        let over = declared.iter().map(|bind| format!("{} in {}", bind.var, bind.set));
        let [declared, used] = [shown(name, over), shown(name, at.iter().map(ToString::to_string))];
        format!(
            "a latent of the reciprocal, which multiplies: `latent inverse_{declared} ~ Gamma(shape = 1.0, rate = 1.0);` and `* inverse_{used}`"
        )
    }

    fn latent<'f>(&self, factor: &'f Factor) -> Option<(&'f Ident, &'f [Place])> {
        match factor {
            Factor::Access { name, indices } => {
                matches!(self.names.get(name), Some(Meaning::Latent(_))).then_some((name, &indices[..]))
            }
            _ => None,
        }
    }

    fn binds(&self, latent: &Ident) -> Option<Vec<Bind>> {
        match self.names.get(latent) {
            Some(Meaning::Latent(id)) => self.names.latent_binds.get(id.0).cloned(),
            _ => None,
        }
    }
}

/// A place of the divisor in the prior of what it divides, whose indices have other names there.
fn in_the_prior(place: &Place, renamed: &impl Fn(&Ident) -> Option<String>) -> Option<String> {
    Some(match place {
        Place::Index(index) => renamed(index)?,
        Place::Shift { index, back } => format!("{} - {back}", renamed(index)?),
        Place::Lookup { array, indices, .. } => {
            let indices: Option<Vec<String>> = indices.iter().map(renamed).collect();
            format!("{array}[{}]", indices?.join(", "))
        }
    })
}

fn shown(name: &Ident, at: impl Iterator<Item = String>) -> String {
    match &at.collect::<Vec<_>>()[..] {
        [] => name.to_string(),
        at => format!("{name}[{}]", at.join(", ")),
    }
}
