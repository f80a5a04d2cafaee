//! The bound has what every count and every latent adds, once.

use super::{MODELS, derived};
use crate::derive::{BoundTerm, DerivedModel, EvidenceBound};
use crate::resolve::{LatentId, TotalOf};
use crate::show;

const TOTALS: &str = include_str!("../../../tests/cases/totals.model");

fn all() -> impl Iterator<Item = DerivedModel> {
    MODELS.into_iter().chain([TOTALS]).map(derived)
}

#[test]
fn every_latent_has_one_divergence() {
    for DerivedModel { model, bound, .. } in all() {
        let of = |term: &BoundTerm| match term {
            BoundTerm::Divergence { of, given } => Some((*of, given.clone())),
            _ => None,
        };
        let divergences: Vec<_> = bound.terms.iter().filter_map(of).collect();
        let parents = |at: usize| {
            let mut all: Vec<LatentId> = model.latents[at].parents().map(|(parent, _)| parent).collect();
            all.dedup();
            all
        };
        let expected: Vec<_> = (0..model.latents.len()).map(|at| (LatentId(at), parents(at))).collect();
        assert_eq!(divergences, expected, "{}", model.name);
    }
}

#[test]
fn every_count_is_in_the_bound_by_its_cells_or_by_its_lines() {
    for DerivedModel { model, bound, .. } in all() {
        for (number, count) in model.counts.iter().enumerate() {
            let cells: Vec<usize> = bound
                .terms
                .iter()
                .filter_map(|term| match term {
                    BoundTerm::Cells { count, over } if *count == number => Some(over.len()),
                    _ => None,
                })
                .collect();
            let lines: Vec<usize> = bound
                .terms
                .iter()
                .filter_map(|term| match term {
                    BoundTerm::Lines { count, over } if *count == number => Some(over.len()),
                    _ => None,
                })
                .collect();
            let expected = match &count.total {
                None => [vec![count.free], vec![]],
                Some(total) if matches!(total.of, TotalOf::Count(_)) => [vec![], vec![]],
                Some(_) => [vec![], vec![count.free - 1]],
            };
            assert_eq!([cells, lines], expected, "{} of {}", count.name, model.name);
        }
    }
}

/// The text has every term, and lacks one that is left out.
#[test]
fn the_bound_is_printed_from_its_terms() {
    let text = |derivation: &DerivedModel| show::printed(derivation).forms[2].bound.lines.concat();
    for mut derivation in all() {
        let (whole, terms) = (text(&derivation), derivation.bound.terms.clone());
        for left_out in 0..terms.len() {
            let mut terms = terms.clone();
            terms.remove(left_out);
            derivation.bound.terms = terms;
            assert!(text(&derivation).len() < whole.len(), "{whole}");
        }
    }
}

#[test]
fn updates_of_ones_own_are_trusted() {
    let text = MODELS[0].trim_end().strip_suffix('}').unwrap();
    let derivation = derived(&format!("{text} update phi by mine::Slice; }}"));
    let EvidenceBound { trusted, .. } = &derivation.bound;
    assert_eq!(trusted, &[LatentId(1)]);
}
