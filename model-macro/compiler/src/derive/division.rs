//! The rate of each Poisson count, and how the count is divided over the terms of it.

use crate::resolve::{Count, Model, Side, Term};

use super::conditional::{Leaf, Origin, Sum};
use super::product::{At, coefficient, factor, free_and_summed, summed};

/// A Poisson count, or one of the two whose difference a count is: its rate, and the numbers on the terms of it.
///
/// Given the count, these numbers are multinomial, with probabilities in proportion to the terms (Schofield, Schein, Wu and Wallach 2018, called VI18).
/// Every sum has a summand for each term, in their order. A summand before it is summed belongs to one part: see
/// [`Summand::each`](super::Summand::each).
#[derive(Debug, Clone, PartialEq)]
pub struct Division {
    /// Which count; after the counts, the table counts of shapes.
    pub count: usize,
    /// Which side of it.
    pub side: Side,
    /// The count: the sum of its parts.
    pub parts: Sum,
    /// The rate as it was declared.
    pub rate: Sum,
    /// The weights by which Gibbs sampling divides the count: VI18, eq. 1.
    pub sampled: Sum,
    /// The weights by which coordinate ascent divides its mean, with latents at their geometric means: VI18, eq. 2 and 3.
    pub expected: Sum,
    /// The mean of the rate, which the published form needs: VI18, eq. 32.
    pub mean: Sum,
    /// Its variance, without the covariances of components that share an entry: VI18, eq. 33.
    pub variance: Sum,
}

impl Division {
    /// Whether there is one part only, the count itself.
    pub fn is_whole(&self) -> bool {
        matches!(&self.parts[..], [only] if only.summed == 0)
    }

    /// Whether the variance is that of the declared terms: what the runtime computes of it knows these alone.
    pub fn has_variance_of_terms(&self, count: &Count) -> bool {
        self.variance == division(self.count, count, self.side).variance
    }
}

/// The divisions of every count, in the order of declaration, then those of table counts.
pub(super) fn divisions(model: &Model) -> Vec<Division> {
    let counts = model.all_counts();
    counts
        .flat_map(|(number, count)| {
            let sides: &[Side] = match count.is_difference() {
                false => &[Side::Plus],
                true => &[Side::Plus, Side::Minus],
            };
            sides.iter().map(move |side| division(number, count, *side))
        })
        .collect()
}

fn division(number: usize, count: &Count, side: Side) -> Division {
    let sum = |product: &dyn Fn(usize, At<'_>) -> Vec<Leaf>| -> Sum {
        let term = |t: usize| {
            let from = Origin::Term { count: number, term: t };
            summed(count, &count.terms[t], from, |at| product(t, at))
        };
        count.terms_of(side).map(term).collect()
    };
    let known_first = |t: usize, at: At<'_>| -> [Vec<Leaf>; 2] {
        let (random, known) = factors(&count.terms[t], at).into_iter().partition(Leaf::is_random);
        [known, random]
    };
    // Random factors are independent under q: each has a moment of its own.
    let at_moments = |moment: &dyn Fn(Vec<Leaf>) -> Leaf| {
        sum(&|t, at| {
            let [known, random] = known_first(t, at);
            let random = random.into_iter().map(|latent| moment(vec![latent]));
            known.into_iter().chain(random).collect()
        })
    };
    Division {
        count: number,
        side,
        parts: sum(&|t, at| {
            vec![Leaf::Allocation {
                count: number,
                term: t,
                at: free_and_summed(count, &count.terms[t]).map(at).collect(),
            }]
        }),
        rate: sum(&|t, at| factors(&count.terms[t], at)),
        sampled: sum(&|t, at| known_first(t, at).concat()),
        expected: at_moments(&Leaf::Geometric),
        mean: at_moments(&Leaf::Mean),
        variance: sum(&|t, at| variance(known_first(t, at))),
    }
}

/// Coefficient and factors of a term in their order.
fn factors(term: &Term, at: At<'_>) -> Vec<Leaf> {
    let factors = term.factors.iter().map(|access| {
        let leaf = factor(access, at);
        match access.start {
            None => leaf,
            Some(start) => Leaf::OnlyAtFirst {
                of: Box::new(leaf),
                at: at(start.var),
                until: start.until,
            },
        }
    });
    coefficient(term).into_iter().chain(factors).collect()
}

/// `x² (E[θ²] E[φ²] − E[θ]² E[φ]²)`
fn variance([known, random]: [Vec<Leaf>; 2]) -> Vec<Leaf> {
    let second = |latent: &Leaf| Leaf::Mean(vec![squared(latent.clone())]);
    let squared_mean = |latent: &Leaf| Leaf::Square(vec![Leaf::Mean(vec![latent.clone()])]);
    let less = Leaf::Minus(
        random.iter().map(second).collect(),
        random.iter().map(squared_mean).collect(),
    );
    let known = known.into_iter().map(|factor| Leaf::Square(vec![factor]));
    known.chain([less]).collect()
}

/// The square of a latent, at the times at which it is read.
fn squared(latent: Leaf) -> Leaf {
    match latent {
        Leaf::OnlyAtFirst { of, at, until } => Leaf::OnlyAtFirst {
            of: Box::new(squared(*of)),
            at,
            until,
        },
        latent => Leaf::Square(vec![latent]),
    }
}
