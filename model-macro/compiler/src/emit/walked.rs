//! Assertions that walks over a layout compute the rates of the derivation: what is printed is what runs.

use crate::derive::{DerivedModel, Layout, Leaf, Operand, Sum, Summand};
use crate::resolve::{Count, Indices, Scalar, Source};

/// A product, whatever the order of its factors: numbers, and arrays with their indices and the times at which alone they are read.
#[derive(Debug, PartialEq)]
struct Multiplied {
    numbers: Scalar,
    arrays: Vec<(Source, Vec<String>, Option<usize>)>,
}

impl Multiplied {
    fn one() -> Self {
        Self {
            numbers: Scalar::one(),
            arrays: Vec::new(),
        }
    }

    fn number(&mut self, more: &Scalar, until: Option<usize>) {
        match (until, &more.hypers[..]) {
            (Some(_), [of]) => self.arrays.push((Source::Hyper(*of), Vec::new(), until)),
            _ => self.numbers.multiply(more),
        }
    }

    /// One form for all equal products.
    fn sorted(mut self) -> Self {
        self.arrays.sort_by_cached_key(|array| format!("{array:?}"));
        self
    }

    /// What a walk multiplies for a slot.
    fn by(count: &Count, layout: &Layout, slot: usize) -> Self {
        let mut all = Self::one();
        for (operand, start) in layout.operands(slot) {
            let until = start.map(|start| start.until);
            let (of, at) = match operand {
                Operand::Latent(id, at) => (Source::Latent(*id), at),
                Operand::Data(id, at) => (Source::Data(*id), at),
                Operand::Scalar(more) => {
                    all.number(more, until);
                    continue;
                }
                Operand::One | Operand::Buffer(_) | Operand::Started(..) => continue,
            };
            let at = at.iter().map(|var| count.vars.shown(*var)).collect();
            all.arrays.push((of, at, until));
        }
        all.sorted()
    }

    /// The product that a term of a rate states; `plain` finds the factor of a moment.
    fn said(term: &Summand, plain: Plain) -> Option<Self> {
        let mut all = Self::one();
        for leaf in &term.factors {
            all.multiply(term, plain(leaf)?, None)?;
        }
        Some(all.sorted())
    }

    fn multiply(&mut self, term: &Summand, leaf: &Leaf, until: Option<usize>) -> Option<()> {
        let (of, at) = match leaf {
            Leaf::Latent(id, at) => (Source::Latent(*id), at),
            Leaf::Data(id, at) => (Source::Data(*id), at),
            Leaf::Scalar(more) => {
                self.number(more, until);
                return Some(());
            }
            Leaf::OnlyAtFirst { of, until, .. } => return self.multiply(term, of, Some(*until)),
            _ => return None,
        };
        let at = at.iter().map(|&at| term.indices[at].name.clone()).collect();
        self.arrays.push((of, at, until));
        Some(())
    }
}

/// The factor that a leaf is, or whose moment it is; `None` if it is another moment.
type Plain = fn(&Leaf) -> Option<&Leaf>;

fn itself(leaf: &Leaf) -> Option<&Leaf> {
    Some(leaf)
}

fn geometric(leaf: &Leaf) -> Option<&Leaf> {
    match leaf {
        Leaf::Geometric(of) => of.first().filter(|_| of.len() == 1),
        leaf => Some(leaf).filter(|leaf| !leaf.is_random()),
    }
}

fn mean(leaf: &Leaf) -> Option<&Leaf> {
    match leaf {
        Leaf::Mean(of) => of.first().filter(|_| of.len() == 1),
        leaf => Some(leaf).filter(|leaf| !leaf.is_random()),
    }
}

/// Panics unless the walks over a layout of a count compute its rate, the shares of its parts, its mean and its variance: a walk takes every latent as it
/// is, at its geometric mean, at its mean, or at the mean of its square.
pub(super) fn assert_walked(derivation: &DerivedModel, number: usize, layout: &Layout) {
    let count = derivation.model.count(number);
    for of in derivation.divisions_of(number) {
        assert!(of.has_variance_of_terms(count), "no walk computes {:?}", of.variance);
        let sums: [(&Sum, Plain); 4] = [
            (&of.rate, itself),
            (&of.sampled, itself),
            (&of.expected, geometric),
            (&of.mean, mean),
        ];
        for (sum, plain) in sums {
            let terms = count.terms_of(of.side);
            assert_eq!(sum.len(), terms.len(), "a walk has a slot for every term");
            for (term, part) in terms.zip(sum) {
                let slot = layout.slots.iter().position(|slot| slot.term == term);
                let is_summed = part.own == count.free && part.summed == count.terms[term].summed.len();
                let by_walk = slot.map(|slot| Multiplied::by(count, layout, slot));
                let is_walked = is_summed && by_walk.is_some() && by_walk == Multiplied::said(part, plain);
                assert!(is_walked, "no walk computes {part:?}");
            }
        }
    }
}
