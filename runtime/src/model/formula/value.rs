//! A product at every entry of a latent, by plain loops: what a formula is worth where no walk computes it.

use super::{Atom, Moment, Of, Place, Product};

/// What an entry is worth that is not there, such as the one before the first time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::model) enum Absent {
    /// Zero: a term of a sum is missing then.
    Zero,
    /// One: a factor of a product is missing then.
    One,
    /// One, but nothing if it is the last: what a prior says of a latent is a term of the sum, and the rest of its rate a product.
    OneButLast,
}

/// What is read while a product is computed.
pub(in crate::model) struct Reader<'a> {
    /// Sizes of the index sets.
    pub sizes: &'a [usize],
    /// The index sets of the latent.
    pub own: &'a [usize],
    /// By how much the indices of a child whose shapes are added are ahead of the latent's own: where it has no such entry, nothing is added.
    pub ahead: &'a [usize],
    /// Index sets of indices that are summed over and at which nothing is read, among others: those of a child, or of a rate.
    pub others: &'a [usize],
    /// The index sets of what is read.
    pub sets: &'a dyn Fn(Of) -> Vec<usize>,
    /// An entry of it. Positions are within the sizes.
    pub entry: &'a dyn Fn(Of, Moment, &[usize]) -> f64,
    /// What an entry that is not there is worth; nothing, if it is a cell.
    pub absent: Absent,
    /// The numbers of the model.
    pub hypers: &'a [f64],
}

impl Reader<'_> {
    /// A product at every entry of the latent, row-major.
    ///
    /// # Panics
    ///
    /// If an index of the sum is at nothing that tells how many values it has.
    pub fn values(&self, of: &Product) -> Vec<f64> {
        let mut sets: Vec<Option<usize>> = self.own.iter().copied().map(Some).collect();
        sets.resize(self.own.len() + of.summed, None);
        of.atoms.iter().for_each(|atom| self.tell(atom, &mut sets));
        let mut others = self.others.to_vec();
        for told in sets.iter().flatten() {
            if let Some(at) = others.iter().position(|other| other == told) {
                others.remove(at);
            }
        }
        let mut others = others.into_iter();
        for set in sets.iter_mut().filter(|set| set.is_none()) {
            *set = others.next();
        }
        let sizes: Vec<usize> = sets
            .iter()
            .enumerate()
            .map(|(index, set)| match set {
                Some(set) => self.sizes[*set],
                None => panic!("index {index} of {of:?} is at nothing that tells how many values it has"),
            })
            .collect();
        let (own, over) = sizes.split_at(self.own.len());
        let number = of
            .hypers
            .iter()
            .fold(of.number, |product, &hyper| product * self.hypers[hyper]);
        let entries: usize = own.iter().product();
        let terms: usize = over.iter().product();
        let mut index = vec![0; sizes.len()];
        (0..entries)
            .map(|entry| {
                unravel(entry, own, &mut index[..own.len()]);
                let mut child = self.ahead.iter().zip(&index).zip(own);
                if child.any(|((ahead, at), size)| at + ahead >= *size) {
                    return 0.0;
                }
                let sum: f64 = (0..terms)
                    .map(|term| {
                        unravel(term, over, &mut index[own.len()..]);
                        self.product(of, &index)
                    })
                    .sum();
                number * sum
            })
            .collect()
    }

    /// What the indices of an atom run over.
    fn tell(&self, atom: &Atom, sets: &mut [Option<usize>]) {
        let mut at_sets = |at: &[Place], of: Of| {
            for (place, set) in at.iter().zip((self.sets)(of)) {
                self.tell_place(place, set, sets);
            }
        };
        match atom {
            Atom::Entry { of, at, .. } => at_sets(at, *of),
            Atom::Found { array, at, .. } => at_sets(at, Of::Array(*array)),
            Atom::First { .. } => {}
        }
    }

    fn tell_place(&self, place: &Place, set: usize, sets: &mut [Option<usize>]) {
        match place {
            Place::At(index, _) => sets[*index] = Some(set),
            Place::In(array, at) => {
                for (place, set) in at.iter().zip((self.sets)(Of::Array(*array))) {
                    self.tell_place(place, set, sets);
                }
            }
        }
    }

    fn product(&self, of: &Product, index: &[usize]) -> f64 {
        let last = of.atoms.len().saturating_sub(1);
        let atoms = of.atoms.iter().enumerate();
        atoms.map(|(at, atom)| self.atom(atom, index, at == last)).product()
    }

    fn atom(&self, atom: &Atom, index: &[usize], is_last: bool) -> f64 {
        let is_within = |place: &Place, until: usize| self.place(place, index).is_some_and(|at| at < until as i64);
        match atom {
            Atom::Found { array, at, is } => {
                let position = self.read(Of::Array(*array), Moment::Value, at, index);
                f64::from(position == Some(index[*is] as f64))
            }
            Atom::First { at, until } => f64::from(is_within(at, *until)),
            Atom::Entry {
                of,
                at,
                at_first,
                moment,
            } => {
                if at_first
                    .as_ref()
                    .is_some_and(|(place, until)| !is_within(place, *until))
                {
                    return 1.0;
                }
                let absent = match self.absent {
                    _ if *of == Of::Cell => 0.0,
                    Absent::Zero => 0.0,
                    Absent::OneButLast if is_last => 0.0,
                    Absent::One | Absent::OneButLast => 1.0,
                };
                self.read(*of, *moment, at, index).unwrap_or(absent)
            }
        }
    }

    /// An entry, if it is there.
    fn read(&self, of: Of, moment: Moment, at: &[Place], index: &[usize]) -> Option<f64> {
        let sets = (self.sets)(of);
        let mut places = Vec::with_capacity(at.len());
        for (place, set) in at.iter().zip(sets) {
            let position = usize::try_from(self.place(place, index)?).ok()?;
            places.push(Some(position).filter(|position| *position < self.sizes[set])?);
        }
        Some((self.entry)(of, moment, &places))
    }

    fn place(&self, place: &Place, index: &[usize]) -> Option<i64> {
        match place {
            Place::At(at, by) => Some(index[*at] as i64 + by),
            Place::In(array, at) => self
                .read(Of::Array(*array), Moment::Value, at, index)
                .map(|position| position as i64),
        }
    }
}

/// The indices of an entry, row-major.
fn unravel(entry: usize, sizes: &[usize], index: &mut [usize]) {
    let mut rest = entry;
    for (at, size) in index.iter_mut().zip(sizes).rev() {
        (*at, rest) = (rest % size, rest / size);
    }
}
