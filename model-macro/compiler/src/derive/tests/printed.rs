//! What is printed, and what runs, is read from the values.

use super::{MODELS, derived};
use crate::derive::{DerivedModel, Division, Leaf, Sum};
use crate::resolve::Scalar;
use crate::show::{self, FormLines, Printed};

fn seven() -> Leaf {
    Leaf::Scalar(Scalar {
        number: 7.0,
        ..Scalar::one()
    })
}

/// Something that is printed of a derivation.
type Text = fn(&Printed) -> String;

/// What is printed of one form.
fn of_form(form: usize, lines: fn(&FormLines) -> &show::Passage, printed: &Printed) -> String {
    format!("{:?}", lines(&printed.forms[form]))
}

/// A sum of a division.
type Of = fn(&mut Division) -> &mut Sum;

/// Each sum of a division, and what of the print has it in it. The last form is the published one.
const SUMS: [(Of, &[Text]); 6] = [
    (
        |division| &mut division.parts,
        &[
            |printed| format!("{:?}", printed.before),
            |printed| of_form(0, |form| &form.allocation, printed),
            |printed| of_form(3, |form| &form.allocation, printed),
        ],
    ),
    (
        |division| &mut division.rate,
        &[|printed| format!("{:?}", printed.before)],
    ),
    (
        |division| &mut division.sampled,
        &[
            |printed| of_form(0, |form| &form.allocation, printed),
            |printed| of_form(1, |form| &form.allocation, printed),
        ],
    ),
    (
        |division| &mut division.expected,
        &[
            |printed| of_form(3, |form| &form.allocation, printed),
            |printed| of_form(3, |form| &form.definitions, printed),
            |printed| of_form(4, |form| &form.definitions, printed),
        ],
    ),
    (
        |division| &mut division.mean,
        &[|printed| of_form(5, |form| &form.definitions, printed)],
    ),
    (
        |division| &mut division.variance,
        &[|printed| of_form(5, |form| &form.definitions, printed)],
    ),
];

/// Every leaf of every sum of `derivation`, changed, one after another.
fn each_change(derivation: &mut DerivedModel, check: impl Fn(&DerivedModel, usize)) {
    let observed = derivation.model.counts.len();
    for at in 0..derivation.divisions.len() {
        // What is said of table counts has another place.
        if derivation.divisions[at].count >= observed {
            continue;
        }
        for (number, (sum, _)) in SUMS.iter().enumerate() {
            for term in 0..sum(&mut derivation.divisions[at]).len() {
                for factor in 0..sum(&mut derivation.divisions[at])[term].factors.len() {
                    let leaf = |derivation: &mut DerivedModel, leaf: Leaf| {
                        std::mem::replace(&mut sum(&mut derivation.divisions[at])[term].factors[factor], leaf)
                    };
                    let was = leaf(derivation, seven());
                    check(derivation, number);
                    leaf(derivation, was);
                }
            }
        }
    }
}

#[test]
fn a_changed_leaf_changes_what_is_printed() {
    // For a difference no moments are printed, and for a count with one part no shares.
    for text in [MODELS[0], super::BLOCK] {
        let mut derivation = derived(text);
        let before = show::printed(&derivation);
        each_change(&mut derivation, |changed, sum| {
            let after = show::printed(changed);
            for text in SUMS[sum].1 {
                assert_ne!(text(&before), text(&after), "{:?}", changed.divisions);
            }
        });
        assert_eq!(show::printed(&derivation), before);
    }
}

/// Both sides of a difference are printed from their own values.
#[test]
fn sides_are_printed_apart() {
    let before = derived(MODELS[2]);
    let mut changed = derived(MODELS[2]);
    changed.divisions[0].expected[1].factors[0] = seven();
    changed.divisions[1].expected[0].factors[0] = seven();
    let definitions = |of: &DerivedModel| show::printed(of).forms[3].definitions.lines.clone();
    assert!(definitions(&before).contains(&"ρ⁺[d,v] = G[plus[d,v]] + Σ_k G[θ[d,k]] G[φ[k,v]]".to_owned()));
    for line in ["ρ⁺[d,v] = G[plus[d,v]] + Σ_k 7 G[φ[k,v]]", "ρ⁻[d,v] = 7"] {
        assert!(
            definitions(&changed).contains(&line.to_owned()),
            "{:#?}",
            definitions(&changed)
        );
    }
}

fn is_emitted(derivation: &DerivedModel) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| crate::emit::source(derivation))).is_ok()
}

/// A share that no loop computes is not emitted.
#[test]
fn a_changed_share_is_not_emitted() {
    let mut derivation = derived(super::BLOCK);
    assert!(is_emitted(&derivation));
    each_change(&mut derivation, |changed, sum| {
        // The first are the parts, which nothing computes.
        if sum > 0 {
            assert!(!is_emitted(changed), "{:?}", changed.divisions);
        }
    });
}

/// Nor is one at another moment, summed over other indices, missing or in another place.
#[test]
fn shares_of_another_rate_are_not_emitted() {
    let mut changes: Vec<fn(&mut Division)> = Vec::new();
    changes.push(|division| division.expected = division.mean.clone());
    changes.push(|division| division.mean = division.sampled.clone());
    changes.push(|division| division.sampled = division.expected.clone());
    changes.push(|division| division.rate[0] = division.rate[0].each());
    changes.push(|division| division.sampled.truncate(1));
    changes.push(|division| division.expected.reverse());
    for change in changes {
        let mut derivation = derived(super::BLOCK);
        change(&mut derivation.divisions[0]);
        assert!(!is_emitted(&derivation), "{:?}", derivation.divisions);
    }
}
