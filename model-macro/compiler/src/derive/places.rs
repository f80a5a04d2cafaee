//! The indices of a formula about a latent.

use crate::resolve::{Access, Index, Indices, LatentId, Model, Positions, SetId, VarId};

use super::conditional::{Leaf, Letter, Origin, Summand, Told};
use super::product::first;

/// The indices of a formula about a latent, and where each index of a count, or of a child, stands among them.
pub(super) struct Places {
    letters: Vec<Letter>,
    own: usize,
    summed: usize,
    places: Vec<(VarId, usize)>,
}

impl Places {
    /// The latent is read at `access`, whose indices are written as the latent declares them; the indices `over` are summed over, and
    /// renamed where they have a letter of the latent.
    pub fn new(model: &Model, latent: LatentId, vars: &[Index], access: &Access, over: &[VarId]) -> Self {
        let declared = &model.latents[latent.0].indices;
        let mut letters: Vec<Letter> = declared.iter().map(letter).collect();
        let mut places: Vec<(VarId, usize)> = access.vars.iter().enumerate().map(|(at, v)| (*v, at)).collect();
        for &var in over {
            let mut summed = letter(&vars[var.0]);
            if declared.iter().any(|index| index.name == summed.name) {
                summed.name.push('\'');
            }
            places.push((var, letters.len()));
            letters.push(summed);
        }
        let own = declared.len();
        let mut all = Self {
            summed: letters.len() - own,
            letters,
            own,
            places,
        };
        // What is read at `t - 1` is the present one: what reads it is at `t + 1`.
        for (at, base, back) in vars.shifts(access) {
            let name = format!("{}+{back}", all.letters[at].name);
            all.add(base, name, vars[base.0].set, Some(Told::Shift(at, back as isize)));
        }
        for (var, index) in vars.iter().enumerate() {
            let (var, Some(lookup)) = (VarId(var), &index.lookup) else {
                continue;
            };
            let at: Option<Vec<usize>> = lookup.at.iter().map(|at| all.find(*at)).collect();
            // What is looked up elsewhere has indices that this formula lacks.
            let (None, Some(at)) = (all.find(var), at) else {
                continue;
            };
            let names: Vec<&str> = at.iter().map(|&at| &all.letters[at].name[..]).collect();
            let (name, told) = match lookup.of {
                Positions::In(of) => (format!("{}[{}]", index.name, names.join(",")), Told::By(of, at)),
                Positions::Back(back) => {
                    let (base, by) = all.before(at[0], back);
                    let name = &all.letters[base].name;
                    let name = if by == 0 { name.clone() } else { format!("{name}{by:+}") };
                    (name, Told::Shift(base, by))
                }
            };
            all.add(var, name, index.set, Some(told));
        }
        all
    }

    /// Adds an index that others determine.
    fn add(&mut self, var: VarId, name: String, set: SetId, told: Option<Told>) {
        self.places.push((var, self.letters.len()));
        self.letters.push(Letter { name, set, told });
    }

    /// The index from which another, so many values before one that may be shifted itself, is shifted, and by how much.
    fn before(&self, at: usize, back: usize) -> (usize, isize) {
        match self.letters[at].told {
            Some(Told::Shift(base, by)) => (base, by - back as isize),
            _ => (at, -(back as isize)),
        }
    }

    /// The conditions under which `access` reads an entry: its looked-up indices are those of the latent, and it is read at this time.
    pub fn found(&self, vars: &[Index], access: &Access) -> Vec<Leaf> {
        let looked_up = access.vars.iter().enumerate();
        let found = looked_up.filter_map(|(is, var)| {
            let lookup = vars.lookup(*var)?;
            Some(Leaf::Found {
                of: lookup.array()?,
                at: lookup.at.iter().map(|at| self.at(*at)).collect(),
                is,
            })
        });
        let start = access.start.map(|start| first(start, &|var| self.at(var)));
        found.chain(start).collect()
    }

    fn find(&self, var: VarId) -> Option<usize> {
        let place = self.places.iter().find(|(known, _)| *known == var);
        place.map(|(_, at)| *at)
    }

    pub fn at(&self, var: VarId) -> usize {
        match self.find(var) {
            Some(at) => at,
            None => unreachable!("an index is the latent's, summed over or looked up at such"),
        }
    }

    pub fn summand(&self, from: Origin, factors: Vec<Leaf>) -> Summand {
        Summand {
            from,
            indices: self.letters.clone(),
            own: self.own,
            summed: self.summed,
            factors,
        }
    }
}

fn letter(index: &Index) -> Letter {
    Letter {
        name: index.name.to_string(),
        set: index.set,
        told: None,
    }
}
