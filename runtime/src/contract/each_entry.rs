//! Functions of every entry of an array: parameters of laws, and sums.

use std::ops::Range;

use crate::parallel::each_of;

/// More entries than these are worth several threads.
const MANY: usize = 1 << 15;

/// Fills some entries, which are named by their numbers, of two arrays of which the second may be empty.
type Fill<'a> = &'a (dyn Fn(Range<usize>, &mut [f64], &mut [f64]) + Sync);

/// The parameters of a law at an entry: shape and rate of a gamma, or the two of another family; the concentration of a simplex.
pub trait EntryParameters: Copy {
    /// Makes the second array of parameters.
    fn second(length: usize) -> Vec<f64>;

    /// The parameters with what counts and exposures add to them.
    fn plus(self, added: Self) -> Self;

    /// Writes one entry after another with what `next` gives.
    fn write(first: &mut [f64], second: &mut [f64], next: impl FnMut() -> Self);
}

impl EntryParameters for [f64; 2] {
    fn second(length: usize) -> Vec<f64> {
        vec![0.0; length]
    }

    #[inline]
    fn plus(self, added: Self) -> Self {
        [self[0] + added[0], self[1] + added[1]]
    }

    #[inline]
    fn write(first: &mut [f64], second: &mut [f64], mut next: impl FnMut() -> Self) {
        for (first, second) in first.iter_mut().zip(second) {
            [*first, *second] = next();
        }
    }
}

/// The second array is empty: the law has one parameter.
impl EntryParameters for f64 {
    fn second(_: usize) -> Vec<f64> {
        Vec::new()
    }

    #[inline]
    fn plus(self, added: Self) -> Self {
        self + added
    }

    #[inline]
    fn write(first: &mut [f64], _: &mut [f64], mut next: impl FnMut() -> Self) {
        first.iter_mut().for_each(|first| *first = next());
    }
}

/// The parameters of a law at every entry of an array of `shape`, the last index fastest.
pub fn parameters<const N: usize, P: EntryParameters>(
    shape: [usize; N],
    law: impl Fn([usize; N]) -> P + Sync,
) -> [Vec<f64>; 2] {
    let length = shape.iter().product();
    let [mut first, mut second] = [vec![0.0; length], P::second(length)];
    fill(
        &|range, first, second| {
            let mut index = index_of(range.start, &shape);
            P::write(first, second, || {
                let at = index;
                advance(&mut index, &shape);
                law(at)
            });
        },
        &mut first,
        &mut second,
    );
    [first, second]
}

/// A conjugate law: at every entry the parameters of the prior, to the first of which the counts are added that fell on the entry, and to
/// the second its exposure.
pub fn conjugate<const N: usize, P: EntryParameters>(
    shape: [usize; N],
    prior: impl Fn([usize; N]) -> P + Sync,
    added: impl Fn([usize; N]) -> P + Sync,
) -> [Vec<f64>; 2] {
    parameters(shape, |at| prior(at).plus(added(at)))
}

/// At every entry the counts that fell on it, and its exposure over the rate of its prior: what table counts are drawn from.
pub fn over_rates<const N: usize>(
    shape: [usize; N],
    prior: impl Fn([usize; N]) -> [f64; 2] + Sync,
    given: impl Fn([usize; N]) -> [f64; 2] + Sync,
) -> [Vec<f64>; 2] {
    parameters(shape, |at| {
        let ([counts, exposure], [_, rate]) = (given(at), prior(at));
        [counts, exposure / rate]
    })
}

/// The parameters of a law that is known at one value of the index number `time` after another: at each, `law` has one for every entry.
pub fn parameters_in_time<const N: usize, const M: usize, L: Fn([usize; M]) -> [f64; 2]>(
    time: usize,
    shape: [usize; N],
    law: impl Fn(usize) -> L,
) -> [Vec<f64>; 2] {
    let length = shape.iter().product();
    let [mut first, mut second] = [vec![0.0; length], vec![0.0; length]];
    let after: usize = shape[time + 1..].iter().product();
    let rest: [usize; M] = std::array::from_fn(|at| shape[at + usize::from(at >= time)]);
    for now in 0..shape[time] {
        let (law, mut index) = (law(now), [0; M]);
        for entry in 0..rest.iter().product() {
            let at = (entry / after * shape[time] + now) * after + entry % after;
            [first[at], second[at]] = law(index);
            advance(&mut index, &rest);
        }
    }
    [first, second]
}

/// `f` at every entry.
pub(super) fn of_each<const N: usize>(shape: &[usize; N], f: impl Fn([usize; N]) -> f64 + Sync) -> Vec<f64> {
    let mut data = vec![0.0; shape.iter().product()];
    fill(
        &|range, data, _| {
            let mut index = index_of(range.start, shape);
            for entry in data {
                *entry = f(index);
                advance(&mut index, shape);
            }
        },
        &mut data,
        &mut [],
    );
    data
}

/// Fills whole arrays, many entries on several threads. Not generic: what divides them is compiled once.
fn fill(part: Fill<'_>, first: &mut [f64], second: &mut [f64]) {
    let length = first.len();
    if length <= MANY {
        return part(0..length, first, second);
    }
    let starts = (0..length).step_by(MANY);
    let seconds: Vec<&mut [f64]> = match second.is_empty() {
        true => starts.clone().map(|_| &mut [][..]).collect(),
        false => second.chunks_mut(MANY).collect(),
    };
    let parts = starts.zip(first.chunks_mut(MANY)).zip(seconds);
    each_of(parts, |((start, first), second)| {
        part(start..start + first.len(), first, second)
    });
}

/// The index of the entry of this number.
#[inline]
fn index_of<const N: usize>(number: usize, shape: &[usize; N]) -> [usize; N] {
    let (mut index, mut rest) = ([0; N], number);
    for axis in (0..N).rev() {
        let size = shape[axis].max(1);
        (index[axis], rest) = (rest % size, rest / size);
    }
    index
}

/// The next index in order.
#[inline]
fn advance<const N: usize>(index: &mut [usize; N], shape: &[usize; N]) {
    for axis in (0..N).rev() {
        index[axis] += 1;
        if index[axis] < shape[axis] {
            return;
        }
        index[axis] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_entry_has_its_index() {
        // Few entries, and more than one thread gets.
        for shape in [[2, 3, 4], [40, 50, 70]] {
            let number = |[i, j, k]: [usize; 3]| ((i * shape[1] + j) * shape[2] + k) as f64;
            let [shapes, rates] = parameters(shape, |at| [number(at), -number(at)]);
            assert!((0..shapes.len()).all(|at| shapes[at] == at as f64 && rates[at] == -(at as f64)));
            let [concentrations, none] = conjugate(shape, |_| 0.5, |at| number(at) - 0.5);
            assert!(none.is_empty() && concentrations == shapes);
            for time in 0..3 {
                let before = |now| {
                    move |[a, b]: [usize; 2]| {
                        let at = [[now, a, b], [a, now, b], [a, b, now]][time];
                        [number(at), -number(at)]
                    }
                };
                assert_eq!(parameters_in_time(time, shape, before), [shapes.clone(), rates.clone()]);
            }
        }
        assert_eq!(over_rates([1], |_| [1.0, 2.0], |_| [4.0, 8.0]), [vec![4.0], vec![4.0]]);
        let both = conjugate([], |[]| [1.0, 2.0], |[]| [4.0, 8.0]);
        assert_eq!(both, [vec![5.0], vec![10.0]]);
        assert_eq!(parameters([3, 0], |_| 1.0), [Vec::<f64>::new(), Vec::new()]);
    }
}
