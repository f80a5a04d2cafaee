//! Latents from their priors, and true counts given these.

use crate::counts::{MAX_COUNT, index_at};
use crate::distribution::{binomial, poisson};
use crate::error::{Error, RunError};
use crate::streams::{Purpose, Streams};

use super::totals::{lines, position};
use super::{Bound, CountRate, Factors, Lines, TotalKind, TotalSpec};

/// The true counts at every cell of a count, row-major: those of the plus side and those of the minus side, which are zero where a count is not a difference.
pub type TrueCounts = Vec<[u64; 2]>;

impl Bound {
    /// Draws every latent that is not frozen from its prior.
    ///
    /// A line has a random stream of its own, so that its draw depends on its parameters alone. Parents may be declared in any order, and a chain in time is its own
    /// parent: all latents are drawn again, from the same streams, until their parameters no longer change.
    ///
    /// # Errors
    ///
    /// A draw of a custom family that is none of its values.
    pub(crate) fn draw_from_prior(&self, streams: &Streams) -> Result<Factors, Error> {
        let mut x = Factors::zeros(&self.latents);
        for (latent, values) in x.iter_mut().enumerate() {
            match &self.frozen[latent] {
                Some(frozen) => values.copy_from_slice(frozen),
                None => values.fill(1.0),
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for latent in 0..self.latents.len() {
                if self.frozen[latent].is_none() {
                    changed |= self.draw_latent(latent, &mut x, streams)?;
                }
            }
        }
        Ok(x)
    }

    /// Draws one latent given the others; says whether it has other values now.
    fn draw_latent(&self, latent: usize, x: &mut Factors, streams: &Streams) -> Result<bool, Error> {
        let (of, prior) = (&self.latents[latent], self.prior(latent, x));
        let lines = Lines::of(&of.shape, of.along);
        let (mut line, mut changed) = (vec![0.0; lines.size], false);
        for number in 0..lines.number() {
            let mut rng = streams.open(Purpose::Prior, latent, number as u64);
            let [mut a, mut b] = prior
                .parameters
                .each_ref()
                .map(|all| lines.slice(all, number, 1).into_owned());
            prior.family.draw([&mut a, &mut b], lines.size, &mut line, &mut rng);
            if of.family.is_of_a_user() && of.family.invalid(&line).is_some() {
                return Err(Error::Run(RunError::OutsideFamily {
                    latent: of.name,
                    family: of.family.name(),
                    entry: number,
                    value: line[0],
                }));
            }
            for (entry, value) in lines.entries(number).zip(&line) {
                changed |= x[latent][entry].to_bits() != value.to_bits();
                x[latent][entry] = *value;
            }
        }
        Ok(changed)
    }

    /// Draws the true counts of every count given its rates: Poisson cells, and multinomial lines where a total is known or drawn before.
    ///
    /// # Errors
    ///
    /// A rate beyond the largest count there is.
    pub(crate) fn draw_counts(&self, count_rates: &[CountRate], streams: &Streams) -> Result<Vec<TrueCounts>, Error> {
        let mut drawn: Vec<TrueCounts> = Vec::with_capacity(self.views.len());
        for (number, (view, count_rate)) in self.views.iter().zip(count_rates).enumerate() {
            let grid = view.grid();
            let places: Vec<_> = (0..grid.cells())
                .map(|cell| {
                    let (row, col) = grid.place(cell);
                    (row, col as u32)
                })
                .collect();
            let mut rates = [Vec::new(), Vec::new()];
            count_rate.sides_at(view, &places, &mut rates);
            let [plus, mut minus] = rates;
            minus.resize(plus.len(), 0.0);
            if let Some(cell) = plus
                .iter()
                .zip(&minus)
                .position(|(a, b)| [*a, *b].iter().any(|rate| rate.is_nan() || *rate > MAX_COUNT as f64))
            {
                return Err(Error::Run(RunError::Overflow {
                    what: format!("the rate of `{}` in a draw of the prior", view.name()),
                    value: plus[cell].max(minus[cell]),
                    cell: Some(index_at(&grid.shape(), cell)),
                }));
            }
            let mut rng = streams.open(Purpose::Replicas, number, 0);
            let counts = match self.spec.counts[number].total {
                None => {
                    let cells = plus.iter().zip(&minus);
                    cells
                        .map(|(&plus, &minus)| [poisson(plus, &mut rng), poisson(minus, &mut rng)])
                        .collect()
                }
                Some(total) => {
                    let mut counts = vec![[0, 0]; plus.len()];
                    for [first, stride, size] in lines(&grid.shape(), total.along) {
                        let mut left = self.total_of(total, &index_at(&grid.shape(), first), &drawn);
                        let cells = || (0..size).map(|j| first + j * stride).filter(|&cell| plus[cell] > 0.0);
                        let (mut mass, last): (f64, _) = (cells().map(|cell| plus[cell]).sum(), cells().next_back());
                        for cell in cells() {
                            // The last one takes what is left, whatever rounding has left of the mass.
                            let share = if Some(cell) == last { 1.0 } else { plus[cell] / mass };
                            let y = binomial(left, share.min(1.0), &mut rng);
                            counts[cell] = [y, 0];
                            left -= y;
                            mass -= plus[cell];
                        }
                    }
                    counts
                }
            };
            drawn.push(counts);
        }
        Ok(drawn)
    }

    /// What the line that begins at `index` adds up to.
    fn total_of(&self, total: TotalSpec, index: &[usize], drawn: &[TrueCounts]) -> u64 {
        match total.of {
            TotalKind::Hyper(hyper) => self.hypers()[hyper] as u64,
            TotalKind::Array(array) => {
                let array = &self.arrays()[array];
                array.as_slice()[position(array.shape(), total.vars, index)] as u64
            }
            // A total is declared before what adds up to it.
            TotalKind::Count(above) => drawn[above][position(&self.views[above].grid().shape(), total.vars, index)][0],
        }
    }
}
