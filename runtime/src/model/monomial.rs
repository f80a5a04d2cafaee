//! A number times arrays over the entries of a latent: the parameters of its prior, and what they add to the
//! conditionals of its parents.

use super::Values;

/// `coefficient * product of arrays` at every entry of a latent.
#[derive(Clone, Debug)]
pub struct Monomial<'a> {
    shape: &'a [usize],
    coefficient: f64,
    factors: Vec<(&'a [f64], &'a [usize])>,
}

impl<'a> Monomial<'a> {
    /// The number `coefficient` at every entry of a latent of `shape`.
    pub fn new(shape: &'a [usize], coefficient: f64) -> Self {
        Self {
            shape,
            coefficient,
            factors: Vec::new(),
        }
    }

    /// Times an array. `strides` has one stride per index of the latent, zero where the array lacks it.
    pub fn times(mut self, array: &'a [f64], strides: &'a [usize]) -> Self {
        self.factors.push((array, strides));
        self
    }

    /// Its value at every entry.
    pub fn values(&self) -> Values {
        if self.factors.is_empty() {
            return Values::Same(self.coefficient);
        }
        let mut all = Vec::with_capacity(self.shape.iter().product());
        self.visit(&[], |value, _| all.push(value));
        Values::Each(all)
    }

    /// `into += value`, entry by entry; `strides` says where each entry's value goes, and entries that go
    /// to one place are summed.
    pub fn add_to(&self, into: &mut [f64], strides: &[usize]) {
        self.visit(strides, |value, at| into[at] += value);
    }

    /// `into += value * weight`, with one weight per entry.
    pub fn add_weighed(&self, weights: &[f64], into: &mut [f64], strides: &[usize]) {
        let mut entry = 0;
        self.visit(strides, |value, at| {
            into[at] += value * weights[entry];
            entry += 1;
        });
    }

    /// Calls `give` for every entry in order with the value there and its place by `strides`.
    fn visit(&self, strides: &[usize], mut give: impl FnMut(f64, usize)) {
        let mut places = vec![0usize; self.factors.len() + 1];
        let mut index = vec![0usize; self.shape.len()];
        let stride = |array: usize, axis: usize| match self.factors.get(array) {
            Some((_, strides)) => strides[axis],
            None => strides.get(axis).copied().unwrap_or(0),
        };
        for _ in 0..self.shape.iter().product::<usize>() {
            let product: f64 = self.factors.iter().zip(&places).map(|((a, _), &at)| a[at]).product();
            give(self.coefficient * product, places[self.factors.len()]);
            for axis in (0..self.shape.len()).rev() {
                index[axis] += 1;
                for (array, place) in places.iter_mut().enumerate() {
                    *place += stride(array, axis);
                }
                if index[axis] < self.shape[axis] {
                    break;
                }
                for (array, place) in places.iter_mut().enumerate() {
                    *place -= stride(array, axis) * self.shape[axis];
                }
                index[axis] = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_sums_are_those_of_plain_loops() {
        let (shape, x, z) = ([2, 3, 2], [1.0, 2.0, 3.0], [5.0, 7.0]);
        let monomial = Monomial::new(&shape, 0.5).times(&x, &[0, 1, 0]).times(&z, &[0, 0, 1]);
        let weights: Vec<f64> = (0..12).map(f64::from).collect();
        let (mut values, mut sums, mut weighed) = (Vec::new(), [0.0; 2], [0.0; 3]);
        for sum in &mut sums {
            for j in 0..3 {
                for z in &z {
                    let value = 0.5 * x[j] * z;
                    weighed[j] += value * weights[values.len()];
                    *sum += value;
                    values.push(value);
                }
            }
        }
        assert_eq!(monomial.values(), Values::Each(values));
        let mut got = [0.0; 2];
        monomial.add_to(&mut got, &[1, 0, 0]);
        assert_eq!(got, sums);
        let mut got = [0.0; 3];
        monomial.add_weighed(&weights, &mut got, &[0, 1, 0]);
        assert_eq!(got, weighed);
        let scalar = Monomial::new(&[], 3.0);
        assert_eq!(scalar.values(), Values::Same(3.0));
        let mut one = [1.0];
        scalar.add_to(&mut one, &[]);
        assert_eq!(one, [4.0]);
    }
}
