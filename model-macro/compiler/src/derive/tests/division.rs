//! Shares make up the rate, moments are those of the rate, and what is counted for a latent is what was divided.

use super::numbers::{Moment, declared, derived as value, values};
use super::{MODELS, derived};
use crate::derive::{DerivedModel, Division, Leaf, Origin, Sum, Summand};
use crate::resolve::{Count, SetId};

/// Calls `check` with every count that is divided, and the values of the indices of each cell.
fn each_cell(check: impl Fn(&DerivedModel, &Division, &Count, &[usize])) {
    for text in MODELS {
        let derivation = derived(text);
        assert!(!derivation.divisions.is_empty());
        for division in &derivation.divisions {
            let count = derivation.model.count(division.count);
            for cell in values(count.vars[..count.free].iter().map(|index| index.set)) {
                check(&derivation, division, count, &cell);
            }
        }
    }
}

fn assert_equal(is: f64, expected: f64, of: impl std::fmt::Debug) {
    assert!(
        (is - expected).abs() <= 1e-12 * expected.abs(),
        "{is}, not {expected}: {of:?}"
    );
}

fn total(derivation: &DerivedModel, sum: &Sum, at: &[usize]) -> f64 {
    sum.iter().map(|part| value(&derivation.model, part, at)).sum()
}

/// The shares of a cell before they are divided by the rate, one for each part.
fn shares(derivation: &DerivedModel, sum: &Sum, cell: &[usize]) -> Vec<f64> {
    let each = sum.iter().flat_map(|part| {
        let summed = values(part.over().iter().map(|letter| letter.set));
        let at = |summed: Vec<usize>| value(&derivation.model, &part.each(), &[cell, &summed].concat());
        summed.into_iter().map(at).collect::<Vec<f64>>()
    });
    each.collect()
}

#[test]
fn shares_sum_to_the_rate() {
    each_cell(|derivation, division, count, cell| {
        for (sum, moment) in [
            (&division.sampled, Moment::Itself),
            (&division.expected, Moment::Geometric),
        ] {
            let terms = &count.terms[count.terms_of(division.side)];
            let each = terms
                .iter()
                .flat_map(|term| declared(&derivation.model, count, term, cell, moment));
            let each: Vec<f64> = each.map(|[known, random]| known * random).collect();
            let shares = shares(derivation, sum, cell);
            assert_eq!(shares.len(), each.len(), "{division:?}");
            for (share, expected) in shares.iter().zip(&each) {
                assert_equal(*share, *expected, sum);
            }
            assert_equal(shares.iter().sum(), each.iter().sum(), sum);
            assert_equal(total(derivation, sum, cell), each.iter().sum(), sum);
        }
        let shares = shares(derivation, &division.sampled, cell);
        assert_equal(
            total(derivation, &division.rate, cell),
            shares.iter().sum(),
            &division.rate,
        );
    });
}

#[test]
fn the_rate_has_the_moments_of_independent_latents() {
    each_cell(|derivation, division, count, cell| {
        let terms = &count.terms[count.terms_of(division.side)];
        let [means, seconds] = [Moment::Mean, Moment::Second].map(|moment| {
            let of = |term| declared(&derivation.model, count, term, cell, moment);
            terms.iter().flat_map(of).collect::<Vec<[f64; 2]>>()
        });
        let mean = means.iter().map(|[known, mean]| known * mean).sum();
        assert_equal(total(derivation, &division.mean, cell), mean, &division.mean);
        let both = means.iter().zip(&seconds);
        let variances = both.map(|([known, mean], [_, second])| known * known * (second - mean * mean));
        let (is, expected) = (total(derivation, &division.variance, cell), variances.sum::<f64>());
        assert!(
            (is - expected).abs() < 1e-9,
            "{is}, not {expected}: {:?}",
            division.variance
        );
    });
}

/// The count and the term of the part that a statistic has in it, with the sets of its indices.
fn counted(of: &Summand) -> (usize, usize, Vec<SetId>) {
    let leaves = of.factors.iter().flat_map(|leaf| match leaf {
        Leaf::Mean(inside) => &inside[..],
        leaf => std::slice::from_ref(leaf),
    });
    let parts: Vec<_> = leaves
        .filter_map(|leaf| match leaf {
            Leaf::Allocation { count, term, at } => {
                Some((*count, *term, at.iter().map(|&at| of.indices[at].set).collect()))
            }
            _ => None,
        })
        .collect();
    let [one] = &parts[..] else { panic!("{of:?}") };
    one.clone()
}

/// Every part of a count is counted once for each latent of its term: what is added to the entries of the latent is the count itself.
#[test]
fn latents_count_the_parts_that_counts_are_divided_into() {
    let mut statistics = 0;
    for text in MODELS {
        let derivation = derived(text);
        for update in &derivation.updates {
            for statistic in [update.conditional.statistic(), update.posterior.statistic()] {
                for of in statistic.iter().filter(|of| matches!(of.from, Origin::Rate(_))) {
                    let (count, term, sets) = counted(of);
                    let divided = derivation.divisions_of(count).flat_map(|division| &division.parts);
                    let parts: Vec<&Summand> = divided
                        .filter(|part| part.from == Origin::Term { count, term })
                        .collect();
                    let [part] = parts[..] else {
                        panic!("{of:?} counts {parts:?}")
                    };
                    assert_eq!(counted(part), (count, term, sets));
                    let whole = |of: &Summand| -> f64 {
                        let own = of.indices[..of.own].iter().map(|letter| letter.set);
                        values(own).iter().map(|own| value(&derivation.model, of, own)).sum()
                    };
                    assert_equal(whole(of), whole(part), of);
                    statistics += 1;
                }
            }
        }
    }
    assert!(statistics > 40, "{statistics}");
}
