//! Laws of lines as they are printed. Values are held against what runs where that is.

use super::*;
use crate::Notation::{Latex, Unicode};

fn names(of: [&'static str; 3]) -> LineNames<'static> {
    let [truth, observed, along] = of;
    LineNames {
        truth,
        observed,
        rate: "μ",
        mean_rate: "E[μ]",
        geometric: "ρ",
        total: "n",
        along,
        bound: "L",
        below: "m and k",
    }
}

#[test]
fn a_poisson_total_is_written_in_both_notations() {
    let names = names(["y", "c", ""]);
    let law = PoissonTotal { is_observed: true };
    assert_eq!(
        law.gibbs().write(&names, Unicode),
        [
            "w(x) = μ^x / x! · P(c | x) · Π g(x)",
            "g(x) = x! F(x), one for each line of m and k whose total it is"
        ]
    );
    assert_eq!(
        law.cavi().write(&names, Latex),
        [
            r"w(x) = \frac{ρ^x}{x!} \, P(c \mid x) \prod g(x)",
            r"g(x) = x! \, F(x) \quad \text{for each line of m and k whose total it is}"
        ]
    );
    let hidden = PoissonTotal { is_observed: false };
    assert_eq!(hidden.gibbs().weight.write(&names, Unicode), "w(x) = μ^x / x! · Π g(x)");
    assert_eq!(
        [Unicode, Latex].map(|notation| law.gibbs().write_draw(&names, notation)),
        [
            "P(y = x) ∝ w(x),  for x = 0, 1, .. as far as w goes",
            r"P(y = x) \propto w(x), \quad x = 0, 1, \ldots"
        ]
    );
    assert_eq!(
        [Unicode, Latex].map(|notation| law.cavi().mean().write(&names, notation)),
        [
            "E[y] = Σ_x x w(x) / Σ_x w(x)",
            r"\mathbb{E}[y] = \sum_x x \, w(x) / \sum_x w(x)"
        ]
    );
    assert_eq!(
        [Unicode, Latex].map(|notation| law.bound().write(&names, notation)),
        ["L = ln Σ_x w(x) − E[μ]", r"L = \ln \sum_x w(x) - E[μ]"]
    );
}

/// Where the total is a count, its law stands where that of a number does, and its cell has the evidence.
#[test]
fn a_total_that_is_a_count_has_a_law() {
    let names = names(["y", "c", "j"]);
    let line = |is_known| MultinomialLine {
        is_observed: true,
        is_total: false,
        is_known,
    };
    let ends = |is_known| [Unicode, Latex].map(|notation| line(is_known).cavi().end.write(&names, notation));
    assert_eq!(
        ends(true),
        ["B_j = 1/F(n) at s = n, 0 elsewhere", r"B_{j}(s) = \frac{[s = n]}{F(n)}"]
    );
    assert_eq!(
        ends(false),
        ["B_j(s) = q(n = s)/F(s)", r"B_{j}(s) = \frac{q(n = s)}{F(s)}"]
    );
    assert_eq!(line(false).bound(), None);
    let bound = line(true).bound().map(|bound| bound.write(&names, Latex));
    assert_eq!(bound.unwrap(), r"L = \ln n! + \ln F(n)");
}

/// What is looser than its place has parentheses around it.
#[test]
fn sums_in_products_have_parentheses() {
    let names = names(["y", "c", "j"]);
    let of = (x() + s()) * (s() - x()).factorial();
    assert_eq!(of.write(&names, Unicode), "(x + s) (s − x)!");
    assert_eq!((x() - (s() - x())).write(&names, Latex), r"x - \left(s - x\right)");
    assert_eq!((x() * s()).ln().write(&names, Unicode), "ln (x s)");
    assert_eq!((x() / (x() + s())).write(&names, Unicode), "x / (x + s)");
}
