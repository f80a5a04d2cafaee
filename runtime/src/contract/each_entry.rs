//! Functions of every entry of an array: parameters of laws, and sums.

use std::ops::Range;

use rayon::prelude::*;

/// More entries than these are worth several threads.
const MANY: usize = 1 << 15;

/// Fills some entries, which are named by their numbers, of two arrays of which the second may be empty.
type Fill<'a> = &'a (dyn Fn(Range<usize>, &mut [f64], &mut [f64]) + Sync);

/// Shape and rate of a gamma law, or the two parameters of another family, at every entry of an array of `shape`, the last index fastest.
pub fn gammas<const N: usize>(shape: [usize; N], law: impl Fn([usize; N]) -> [f64; 2] + Sync) -> [Vec<f64>; 2] {
    let length = shape.iter().product();
    let [mut shapes, mut rates] = [vec![0.0; length], vec![0.0; length]];
    fill(
        &|range, shapes, rates| {
            let mut index = index_of(range.start, &shape);
            for (first, second) in shapes.iter_mut().zip(rates) {
                [*first, *second] = law(index);
                advance(&mut index, &shape);
            }
        },
        &mut shapes,
        &mut rates,
    );
    [shapes, rates]
}

/// The concentration at every entry of simplices. The second array is empty: their law has one parameter.
pub fn simplices<const N: usize>(shape: [usize; N], law: impl Fn([usize; N]) -> f64 + Sync) -> [Vec<f64>; 2] {
    [of_each(&shape, law), Vec::new()]
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
    let parts: Vec<_> = starts.zip(first.chunks_mut(MANY)).zip(seconds).collect();
    parts
        .into_par_iter()
        .for_each(|((start, first), second)| part(start..start + first.len(), first, second));
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
            let [shapes, rates] = gammas(shape, |at| [number(at), -number(at)]);
            assert!((0..shapes.len()).all(|at| shapes[at] == at as f64 && rates[at] == -(at as f64)));
            let [concentrations, none] = simplices(shape, number);
            assert!(none.is_empty() && concentrations == shapes);
        }
        assert_eq!(gammas([], |[]| [1.0, 2.0]), [vec![1.0], vec![2.0]]);
        assert_eq!(simplices([3, 0], |_| 1.0), [Vec::<f64>::new(), Vec::new()]);
    }
}
