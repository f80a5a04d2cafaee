//! What tokens are made of: urns for the latents of the rates, and the generated functions over these.

use crate::contract::{SPARSE, Tokens, UrnOf, Urns};
use crate::error::FormError;

use super::{Bound, ByTokens, FactorKind, FactorSpec, Factors};

impl Bound {
    /// How tokens are drawn.
    ///
    /// # Errors
    ///
    /// Not every latent of the rates can be integrated out; or counts are not observed as they are, and the rate of one of them sums over several
    /// indices.
    pub fn by_tokens(&self) -> Result<ByTokens, FormError> {
        let by = self.emitted.tokens.map_err(|why| FormError::NoTokens { why })?;
        let summed = |count: &&super::CountSpec| count.terms.iter().any(|term| term.summed.len() > 1);
        match self.spec.counts.iter().find(summed) {
            Some(count) if !self.are_known() => Err(FormError::TokensOfSums { count: count.name }),
            _ => Ok(by),
        }
    }

    /// Whether all counts are observed as they are.
    pub(crate) fn are_known(&self) -> bool {
        self.views.iter().all(|view| view.is_exact())
    }

    /// Whether a latent is integrated out while tokens are drawn: a frozen one has its values.
    pub(crate) fn is_integrated(&self, by: ByTokens, latent: usize) -> bool {
        by.integrated.contains(&latent) && self.frozen[latent].is_none()
    }

    /// Tokens in empty urns, with the latents integrated out at the present values of those in their priors.
    pub(crate) fn tokens_integrated(&self, by: ByTokens, x: &Factors) -> Box<dyn Tokens> {
        // What a simplex is summed over is one, wherever it is: exposures are those at a place that no chain reaches by another rounding.
        let mut uniform = x.clone();
        for (latent, values) in uniform.iter_mut().enumerate() {
            if self.is_integrated(by, latent) {
                let of = &self.latents[latent];
                values.fill(of.along.map_or(1.0, |along| 1.0 / of.shape[along] as f64));
            }
        }
        let (weights, reading) = (self.cell_weights_undrawn(true), self.reading(&uniform));
        let urn = |latent: usize| {
            let prior = self.prior(latent, x).parameters;
            match self.latents[latent].along {
                Some(along) => {
                    let [concentrations, _] = prior;
                    UrnOf::Simplex(concentrations, along)
                }
                None => UrnOf::Gamma(prior, (self.emitted.exposure)(latent, reading, &weights)),
            }
        };
        let listed = (0..self.spec.counts.len()).filter_map(|count| self.listed(by, count));
        self.tokens(by, x, listed.collect(), |latent| match self.is_integrated(by, latent) {
            true => urn(latent),
            false => UrnOf::Fixed(x[latent].to_vec()),
        })
    }

    /// Tokens that take their indices in proportion to the rates at present values, whatever the others do.
    pub(crate) fn tokens_at(&self, by: ByTokens, x: &Factors) -> Box<dyn Tokens> {
        self.tokens(by, x, Vec::new(), |latent| UrnOf::Fixed(x[latent].to_vec()))
    }

    fn tokens(&self, by: ByTokens, x: &Factors, listed: Vec<usize>, urn: impl Fn(usize) -> UrnOf) -> Box<dyn Tokens> {
        let of_rates = |latent: usize| by.integrated.contains(&latent).then(|| urn(latent));
        let of = (0..self.latents.len()).map(of_rates).collect();
        (by.empty)(self.reading(x), &Urns { of, listed })
    }

    /// The latent whose urn lists its tokens for a count: where tokens take one index, of many values, by two factors, that of the two which changes from
    /// cell to cell of a row. The other stays, and so does the tree of what it weighs.
    fn listed(&self, by: ByTokens, count: usize) -> Option<usize> {
        let count = &self.spec.counts[count];
        let [term] = count.terms else { return None };
        let [index] = term.summed else { return None };
        let last = count.free.checked_sub(1)?;
        let factors = term.factors.iter().filter(|factor| factor.vars.contains(index));
        let (moving, staying): (Vec<&FactorSpec>, Vec<&FactorSpec>) =
            factors.partition(|factor| factor.vars.contains(&last));
        let ([moving], [_]) = (&moving[..], &staying[..]) else {
            return None;
        };
        let FactorKind::Latent(latent) = moving.of else {
            return None;
        };
        let axis = moving.vars.iter().position(|var| var == index)?;
        (self.is_integrated(by, latent) && self.latents[latent].shape[axis] >= SPARSE).then_some(latent)
    }
}
