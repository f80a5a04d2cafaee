//! Ways of scaling latents that leave every rate as it is.
//!
//! The entries of a latent are multiplied by powers of one number, all alike or those at one value of an index. A term
//! stays as it is if the powers of its factors add up to zero, for each of its indices that takes that value: linear
//! equations in the powers, one for each term (and index), of which every solution is a symmetry.

use crate::resolve::{LatentId, Model, SetId, Source, Term, VarId};

/// Some latents times powers of one number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// The index set of which one value is scaled; `None` if all entries are.
    pub set: Option<SetId>,
    /// What is scaled.
    pub scaled: Vec<Scaled>,
}

/// Entries of a latent, times a power.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scaled {
    /// Which latent.
    pub latent: LatentId,
    /// The position of the index that has the value; zero if all entries are scaled.
    pub axis: usize,
    /// The power, not zero.
    pub power: i64,
}

/// Largest power of an entry that the runtime draws.
const MOST: i64 = 4;

/// The symmetries of each index set, then those of whole latents that do not follow from them.
pub(super) fn symmetries(model: &Model) -> Vec<Symmetry> {
    let mut all: Vec<Symmetry> = Vec::new();
    // What the symmetries of every value together do to whole latents.
    let mut known: Vec<Vec<i64>> = Vec::new();
    for set in (0..model.sets.len()).map(|set| Some(SetId(set))).chain([None]) {
        let unknowns = unknowns(model, set);
        for powers in solutions(equations(model, &unknowns, set), unknowns.len()) {
            let mut whole = vec![0; model.latents.len()];
            for (&(latent, _), power) in unknowns.iter().zip(&powers) {
                whole[latent.0] += power;
            }
            let before = rank(known.clone());
            known.push(whole);
            if set.is_some() || rank(known.clone()) > before {
                all.extend(symmetry(set, &unknowns, &powers));
            }
        }
    }
    all
}

fn symmetry(set: Option<SetId>, unknowns: &[(LatentId, usize)], powers: &[i64]) -> Option<Symmetry> {
    let scaled = unknowns.iter().zip(powers).filter(|(_, power)| **power != 0);
    let scaled: Vec<Scaled> = scaled
        .map(|(&(latent, axis), &power)| Scaled { latent, axis, power })
        .collect();
    let most = |of: &Scaled| -> i64 {
        let same = scaled.iter().filter(|s| s.latent == of.latent);
        same.map(|s| s.power.abs()).sum()
    };
    (!scaled.is_empty() && scaled.iter().all(|s| most(s) <= MOST)).then_some(Symmetry { set, scaled })
}

/// The latents that may be scaled, with the positions of their indices in `set`. Simplices have no scale; a latent in another
/// one's prior would change that; and what the user updates is left to the user.
fn unknowns(model: &Model, set: Option<SetId>) -> Vec<(LatentId, usize)> {
    let mut all = Vec::new();
    for (i, latent) in model.latents.iter().enumerate() {
        let id = LatentId(i);
        let gamma = latent.prior.family.is_gamma();
        if !gamma
            || latent.own.is_some()
            || !model.children(id).is_empty()
            || model.is_in_shape(id)
            || model.uses(id) == 0
        {
            continue;
        }
        match set {
            None => all.push((id, 0)),
            Some(set) => {
                let axes = latent.indices.iter().enumerate().filter(|(_, index)| index.set == set);
                all.extend(axes.map(|(axis, _)| (id, axis)));
            }
        }
    }
    all
}

/// One row for each term, or for each index of a term that runs over `set`.
fn equations(model: &Model, unknowns: &[(LatentId, usize)], set: Option<SetId>) -> Vec<Vec<i64>> {
    let mut rows = Vec::new();
    for count in &model.counts {
        for term in &count.terms {
            match set {
                None => rows.push(row(term, unknowns, None)),
                Some(set) => {
                    let vars = (0..count.vars.len()).filter(|&v| count.vars[v].set == set);
                    rows.extend(vars.map(|v| row(term, unknowns, Some(VarId(v)))));
                }
            }
        }
    }
    rows
}

/// How often each unknown power is taken in a term, where `var` has the value.
fn row(term: &Term, unknowns: &[(LatentId, usize)], var: Option<VarId>) -> Vec<i64> {
    let times = |&(latent, axis): &(LatentId, usize)| {
        let uses = term.factors.iter().filter(|f| f.of == Source::Latent(latent));
        uses.filter(|f| var.is_none_or(|var| f.vars[axis] == var)).count() as i64
    };
    unknowns.iter().map(times).collect()
}

/// A basis of the integer vectors that every row takes to zero, without common divisors, first entries positive.
fn solutions(mut rows: Vec<Vec<i64>>, unknowns: usize) -> Vec<Vec<i64>> {
    let pivots = reduce(&mut rows);
    let free = (0..unknowns).filter(|column| !pivots.contains(column));
    free.map(|free| {
        // Row i says: rows[i][pivot] x[pivot] + rows[i][free] x[free] = 0.
        let common = pivots.iter().enumerate().fold(1, |all, (i, &pivot)| {
            all / gcd(all, rows[i][pivot]) * rows[i][pivot].abs()
        });
        let mut x = vec![0; unknowns];
        x[free] = common;
        for (i, &pivot) in pivots.iter().enumerate() {
            x[pivot] = -rows[i][free] * common / rows[i][pivot];
        }
        divide(&mut x);
        x
    })
    .collect()
}

/// Gauss and Jordan in integers. Row `i` of the result has its pivot, which no other row has, in column `pivots[i]`.
fn reduce(rows: &mut [Vec<i64>]) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..rows.first().map_or(0, Vec::len) {
        let rank = pivots.len();
        let Some(found) = (rank..rows.len()).find(|&row| rows[row][column] != 0) else {
            continue;
        };
        rows.swap(rank, found);
        let pivot = rows[rank].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != rank) {
            let (by, times) = (row[column], pivot[column]);
            if by != 0 {
                row.iter_mut().zip(&pivot).for_each(|(x, p)| *x = *x * times - p * by);
                divide(row);
            }
        }
        pivots.push(column);
    }
    pivots
}

fn rank(mut rows: Vec<Vec<i64>>) -> usize {
    reduce(&mut rows).len()
}

/// Divides by the greatest common divisor, with the sign that makes the first entry positive.
fn divide(x: &mut [i64]) {
    let common = x.iter().fold(0, |all, x| gcd(all, *x));
    let sign = x.iter().find(|x| **x != 0).map_or(1, |x| x.signum());
    if common != 0 {
        x.iter_mut().for_each(|x| *x /= common * sign);
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_are_a_basis() {
        assert_eq!(solutions(vec![vec![1, 1]], 2), [[1, -1]]);
        // theta twice in a term of a block model.
        assert_eq!(solutions(vec![vec![2, 1]], 2), [[1, -2]]);
        assert_eq!(solutions(vec![vec![1, 1, 1]], 3), [[1, -1, 0], [1, 0, -1]]);
        assert_eq!(solutions(vec![vec![1, 1], vec![1, 2]], 2), Vec::<Vec<i64>>::new());
        // 2 x + 3 y = 0, y + z = 0.
        assert_eq!(solutions(vec![vec![2, 3, 0], vec![0, 1, 1]], 3), [[3, -2, 2]]);
        assert_eq!(solutions(Vec::new(), 1), [[1]]);
    }

    #[test]
    fn ranks_are_counted() {
        assert_eq!(rank(vec![vec![1, -1, 0], vec![1, 0, -1], vec![0, 1, -1]]), 2);
        assert_eq!(rank(Vec::new()), 0);
    }
}
