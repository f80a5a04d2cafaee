//! Whether the slices of a latent along one of its indices lie in cells of their own.

use super::{FactorKind, FactorSpec, Spec};

impl Spec {
    /// For each count with the latent in its rate: its number, and the index of the data that the latent has at `axis`. `None` if two
    /// values of that index may meet in one cell.
    ///
    /// In these counts, the cells at one value of the index depend on the entries of the latent at that value only: given all
    /// other latents, the likelihood is a product over the values. So each rate must have the same
    /// index of the data at `axis` wherever it has the latent: `theta[i, c] * theta[j, e]` has two, and a sum over the index
    /// has all values in every cell.
    pub(crate) fn cells_apart(&self, latent: usize, axis: usize) -> Option<Vec<(usize, usize)>> {
        let mut apart = Vec::new();
        for (number, count) in self.counts.iter().enumerate() {
            let mut places = self.factors_of(number, latent).map(|factor| factor.vars[axis]);
            let Some(place) = places.next() else {
                continue;
            };
            if place >= count.free || places.any(|other| other != place) {
                return None;
            }
            apart.push((number, place));
        }
        (!apart.is_empty()).then_some(apart)
    }

    /// Whether a rate sums over the index that the latent has at `axis`.
    pub(crate) fn is_summed(&self, latent: usize, axis: usize) -> bool {
        let mut terms = self.counts.iter().flat_map(|count| count.terms);
        terms.any(|term| {
            let mut uses = term
                .factors
                .iter()
                .filter(|factor| factor.of == FactorKind::Latent(latent));
            uses.any(|factor| term.summed.contains(&factor.vars[axis]))
        })
    }

    /// Whether the rate of a count has a latent.
    pub(crate) fn uses(&self, count: usize, latent: usize) -> bool {
        self.factors_of(count, latent).next().is_some()
    }

    /// The factors of the rate of a count that are this latent.
    fn factors_of(&self, count: usize, latent: usize) -> impl Iterator<Item = &'static FactorSpec> {
        let factors = self.counts[count].terms.iter().flat_map(|term| term.factors);
        factors.filter(move |factor| factor.of == FactorKind::Latent(latent))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CountSpec, Guard, LatentSpec, PriorSpec, TermSpec};
    use super::*;

    const PRIOR: PriorSpec = PriorSpec::gamma(TermSpec::number(1.0, &[]), TermSpec::number(1.0, &[]));

    const fn spec(sets: &'static [&'static str], latents: &'static [LatentSpec], counts: &'static [CountSpec]) -> Spec {
        Spec {
            name: "Model",
            sets,
            hypers: &[],
            arrays: &[],
            latents,
            custom_updates: &[],
            counts,
        }
    }

    const fn count(vars: &'static [usize], free: usize, terms: &'static [TermSpec]) -> CountSpec {
        CountSpec {
            name: "y",
            vars,
            free,
            guards: &[],
            terms,
            total: None,
            is_hidden: false,
        }
    }

    const fn latent(sets: &'static [usize]) -> LatentSpec {
        LatentSpec::new("latent", sets, PRIOR)
    }

    /// `base[v] + sum_k theta[d,k] phi[k,v]`, over documents 0, words 1 and topics 2.
    const BACKGROUND: Spec = spec(
        &["docs", "words", "topics"],
        &[latent(&[0, 2]), latent(&[2, 1]), latent(&[1])],
        &[count(
            &[0, 1, 2],
            2,
            &[
                TermSpec::new(1.0, &[], &[FactorSpec::latent(2, &[1])], &[]),
                TermSpec::new(
                    1.0,
                    &[],
                    &[FactorSpec::latent(0, &[0, 2]), FactorSpec::latent(1, &[2, 1])],
                    &[2],
                ),
            ],
        )],
    );

    #[test]
    fn rows_of_a_matrix_and_of_what_is_added_to_it_are_apart() {
        assert_eq!(BACKGROUND.cells_apart(0, 0), Some(vec![(0, 0)]));
        assert_eq!(BACKGROUND.cells_apart(1, 1), Some(vec![(0, 1)]));
        assert_eq!(BACKGROUND.cells_apart(2, 0), Some(vec![(0, 1)]));
        assert_eq!(BACKGROUND.cells_apart(0, 1), None);
        assert_eq!(BACKGROUND.cells_apart(1, 0), None);
        let summed = [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)].map(|(l, a)| BACKGROUND.is_summed(l, a));
        assert_eq!(summed, [false, true, true, false, false]);
    }

    /// `sum_{c,e} theta[i,c] theta[j,e] pi[c,e]` where `i != j`, and `out[i]` and `pi` beside it.
    const BLOCKS: Spec = spec(
        &["actors", "groups"],
        &[latent(&[0, 1]), latent(&[1, 1]), latent(&[0])],
        &[CountSpec {
            guards: &[Guard {
                left: 0,
                right: 1,
                less: false,
            }],
            ..count(
                &[0, 0, 1, 1],
                2,
                &[TermSpec::new(
                    1.0,
                    &[],
                    &[
                        FactorSpec::latent(0, &[0, 2]),
                        FactorSpec::latent(0, &[1, 3]),
                        FactorSpec::latent(1, &[2, 3]),
                        FactorSpec::latent(2, &[0]),
                    ],
                    &[2, 3],
                )],
            )
        }],
    );

    /// The actors of a block model meet in every cell; what senders alone have does not.
    #[test]
    fn a_latent_at_two_indices_of_a_cell_is_not_apart() {
        assert_eq!(BLOCKS.cells_apart(0, 0), None);
        assert_eq!(BLOCKS.cells_apart(1, 0), None);
        assert_eq!(BLOCKS.cells_apart(2, 0), Some(vec![(0, 0)]));
        assert!(BLOCKS.is_summed(0, 1) && BLOCKS.is_summed(1, 0) && BLOCKS.is_summed(1, 1));
    }

    /// One latent in different places of two terms: `left[i] mixed[i] + right[j] mixed[j]`.
    const TERMS: Spec = spec(
        &["actors"],
        &[latent(&[0])],
        &[count(
            &[0, 0],
            2,
            &[
                TermSpec::new(1.0, &[], &[FactorSpec::latent(0, &[0])], &[]),
                TermSpec::new(1.0, &[], &[FactorSpec::latent(0, &[1])], &[]),
            ],
        )],
    );

    /// `sum_k theta[d,k] phi[k,v]` and, of the latents of two views, one that shares `theta`: by documents in its second index,
    /// or summed over documents.
    const fn views(second: CountSpec) -> [CountSpec; 2] {
        [BACKGROUND.counts[0], second]
    }

    const SHARED: Spec = spec(
        &["docs", "words", "topics"],
        BACKGROUND.latents,
        &views(count(
            &[1, 0, 2],
            2,
            &[TermSpec::new(1.0, &[], &[FactorSpec::latent(0, &[1, 2])], &[2])],
        )),
    );

    const SUMMED: Spec = spec(
        &["docs", "words", "topics"],
        BACKGROUND.latents,
        &views(count(
            &[1, 0, 2],
            1,
            &[TermSpec::new(1.0, &[], &[FactorSpec::latent(0, &[1, 2])], &[1, 2])],
        )),
    );

    #[test]
    fn every_count_and_every_term_must_keep_the_slices_apart() {
        assert_eq!(TERMS.cells_apart(0, 0), None);
        // The second count has documents in its second place, and neither words nor `phi`.
        assert_eq!(SHARED.cells_apart(0, 0), Some(vec![(0, 0), (1, 1)]));
        assert_eq!(SHARED.cells_apart(1, 1), Some(vec![(0, 1)]));
        assert_eq!(SUMMED.cells_apart(0, 0), None);
        assert!(SUMMED.is_summed(0, 0) && !SHARED.is_summed(0, 0));
    }
}
