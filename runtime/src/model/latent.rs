//! What engines know of a latent.

use crate::counts::Array;
use crate::error::{Error, RunError, SizeError, ValueError};
use crate::family::{Family, SUM_TOLERANCE};

use super::{Domain, Lines, entries};

/// Name and shape of one latent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latent {
    /// As declared.
    pub name: &'static str,
    /// The index sets of its indices, in order.
    pub indices: Vec<&'static str>,
    /// Their sizes.
    pub shape: Vec<usize>,
    /// The family of its prior.
    pub family: &'static dyn Family,
    /// Position of the index along which its entries depend on each other, if they do: they sum to one where the prior is a Dirichlet.
    pub along: Option<usize>,
    /// How often one term of a rate uses it, at most; zero if it is only in the priors of other latents.
    pub uses: usize,
    /// Whether its prior has latents in it.
    pub has_parents: bool,
    /// Whether it is in the prior of another latent.
    pub is_parent: bool,
    /// Whether it has a custom update.
    pub custom_update: bool,
    /// Whether it is in the rate of an unknown Poisson total: the observations then depend on it through whole lines.
    pub in_open_total: bool,
    /// The index sets of components: rates sum over their values, and no count has them. Known arrays and frozen latents may still tell the values
    /// apart.
    pub components: Vec<&'static str>,
}

impl Latent {
    /// Values that a user gives to the latent, row-major; `positive` says that none may be zero.
    ///
    /// # Errors
    ///
    /// Another shape; an entry that is negative or infinite, zero where there may be none, or outside of a user's family; a line of a simplex that does not
    /// sum to one.
    pub fn values_of(&self, array: &Array, positive: bool) -> Result<Vec<f64>, Error> {
        let name = self.name;
        if array.shape().len() != self.shape.len() {
            return Err(Error::Size(SizeError::Modes {
                name,
                declared: self.shape.len(),
                given: array.shape().len(),
            }));
        }
        for ((&index, &expected), &given) in self.indices.iter().zip(&self.shape).zip(array.shape()) {
            if expected != given {
                return Err(Error::Size(SizeError::Contradiction {
                    index,
                    expected,
                    name: name.into(),
                    given,
                }));
            }
        }
        let domain = match positive {
            true => Domain::Positive,
            false => Domain::Nonnegative,
        };
        entries(name, array, domain)?;
        let values = array.as_slice();
        if let Some(along) = self.along {
            self.sum_to_one(values, along)?;
        }
        let outside = |value: &f64| self.family.is_of_a_user() && self.family.invalid(&[*value]).is_some();
        match values.iter().position(outside) {
            None => Ok(values.to_vec()),
            Some(entry) => Err(Error::Run(RunError::OutsideFamily {
                latent: name,
                family: self.family.name(),
                entry,
                value: values[entry],
            })),
        }
    }

    fn sum_to_one(&self, values: &[f64], along: usize) -> Result<(), Error> {
        let lines = Lines::new(&self.shape, along);
        for line in 0..lines.number() {
            let sum: f64 = lines.entries(line).map(|e| values[e]).sum();
            if (sum - 1.0).abs() > SUM_TOLERANCE {
                return Err(Error::Value(ValueError::NotASimplex {
                    name: self.name,
                    index: self.indices[along],
                    line,
                    sum,
                }));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
impl Latent {
    /// One with a gamma prior.
    pub(crate) fn gamma(name: &'static str, indices: &[&'static str], shape: &[usize]) -> Self {
        Self {
            name,
            indices: indices.to_vec(),
            shape: shape.to_vec(),
            family: &crate::family::Gamma,
            along: None,
            uses: 1,
            has_parents: false,
            is_parent: false,
            custom_update: false,
            in_open_total: false,
            components: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phi(along: Option<usize>) -> Latent {
        Latent {
            along,
            ..Latent::gamma("phi", &["words", "topics"], &[2, 2])
        }
    }

    #[test]
    fn given_values_are_held_against_their_prior() {
        let take = |shape: &[usize], data: &[f64], along, positive| {
            let array = Array::new(shape.to_vec(), data.to_vec()).unwrap();
            phi(along).values_of(&array, positive)
        };
        let columns = [0.25, 1.0, 0.75, 0.0];
        assert_eq!(take(&[2, 2], &columns, Some(0), false).unwrap(), columns);
        let error = take(&[2, 2], &columns, Some(1), false).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Value(ValueError::NotASimplex {
                    name: "phi",
                    index: "topics",
                    line: 0,
                    sum: 1.25
                })
            ),
            "{error}"
        );
        assert!(matches!(
            take(&[2, 2], &columns, None, true),
            Err(Error::Value(ValueError::Entry { entry: 3, .. }))
        ));
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            let error = take(&[2, 2], &[bad, 1.0, 1.0, 1.0], None, false).unwrap_err();
            assert!(
                matches!(error, Error::Value(ValueError::Entry { entry: 0, .. })),
                "{error}"
            );
        }
        assert!(matches!(
            take(&[4], &[1.0; 4], None, false),
            Err(Error::Size(SizeError::Modes { given: 1, .. }))
        ));
        let error = take(&[2, 1], &[1.0; 2], None, false).unwrap_err();
        assert!(
            matches!(
                error,
                Error::Size(SizeError::Contradiction {
                    index: "topics",
                    expected: 2,
                    given: 1,
                    ..
                })
            ),
            "{error}"
        );
    }
}
