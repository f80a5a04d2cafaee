//! What is drawn at a cell follows from how its count was observed.

use super::derived;
use crate::cells::{CellLaw, DIFFERENCE};
use crate::derive::Cell;

fn released_by(law: &str) -> Cell {
    let text = format!(
        "model Topics {{
            index docs, words;
            latent theta[d in docs, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(theta[d, v]);
            {law}
        }}"
    );
    derived(&text).cells.remove(0)
}

#[test]
fn cells_are_drawn_as_they_were_observed() {
    for law in CellLaw::ALL {
        for path in ["", "skellam::prelude::"] {
            let name = law.name;
            assert_eq!(released_by(&format!("release y by {path}{name};")), Cell::Of(law));
        }
    }
    // What only the channel knows.
    assert_eq!(released_by("release y by mine::Doubled;"), Cell::Released);
    assert_eq!(released_by(""), Cell::Known);
}

#[test]
fn cells_of_a_difference_and_of_a_line_have_their_own() {
    let difference = derived(include_str!("../../../tests/cases/skellam.model"));
    assert_eq!(difference.cells, [Cell::Of(DIFFERENCE)]);
    let totals = derived(include_str!("../../../tests/cases/totals.model"));
    assert!(!totals.cells.is_empty() && totals.cells.iter().all(|cell| *cell == Cell::OfLine));
    // A total that was released, and is not known, is drawn with what adds up to it.
    let open = derived(
        "model Open {
            index classes, answers;
            latent r[i in classes] ~ Gamma(shape = 1.0, rate = 1.0);
            latent share[i in classes, j in answers] ~ Dirichlet(concentration = 1.0, along = j);
            count n[i in classes] ~ Poisson(r[i]);
            count m[i in classes, j in answers] ~ Multinomial(n[i], share[i, j], along = j);
            release n by TwoSidedGeometric;
            release m by TwoSidedGeometric;
        }",
    );
    assert_eq!(open.cells, [Cell::OfLine, Cell::OfLine]);
    let views = derived(include_str!("../../../tests/cases/views.model"));
    assert!(matches!(views.cells[..], [Cell::Of(_), Cell::Known]));
}
