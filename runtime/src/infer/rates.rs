//! Posterior mean rates of one count: what was kept of them, or how they follow from factors.

use std::sync::Arc;

use crate::counts::index_at;
use crate::error::{Error, QueryError};
use crate::model::RateFunction;

use super::drawn_rates::DrawnRates;
use super::draws::LatentStore;

/// Posterior mean rates of the cells of one count.
#[derive(Clone, Debug)]
pub struct Rates {
    count: &'static str,
    shape: Vec<usize>,
    source: RatesFrom,
    /// The rates of each chain, where there are several.
    of_chains: Vec<RatesFrom>,
    /// The rates of all other cells, where draws of the latents were kept.
    drawn: Option<DrawnRates>,
}

/// Where they come from.
#[derive(Clone, Debug)]
pub(crate) enum RatesFrom {
    /// The mean rate of every cell, row-major.
    All(Vec<f64>),
    /// The mean rates of some cells: ascending row-major positions.
    Some(Vec<usize>, Vec<f64>),
    /// A function of the factors: of their posterior means, where these are independent.
    Factors(Box<RateFunction>),
    /// Nothing was kept.
    Nothing,
}

/// Consecutive cells, row-major, and their mean rates.
#[derive(Clone, Debug, PartialEq)]
pub struct RateBlock {
    /// Row-major position of the first cell.
    pub first: usize,
    /// The mean rate of it and of the cells that follow.
    pub rates: Vec<f64>,
}

/// Cells of a block.
const BLOCK: usize = 1 << 14;

impl Rates {
    pub(crate) fn new(count: &'static str, shape: Vec<usize>, source: RatesFrom) -> Self {
        Self {
            count,
            shape,
            source,
            of_chains: Vec::new(),
            drawn: None,
        }
    }

    /// The same with the rates of cells that were not kept, as far as they follow from draws.
    pub(super) fn with_drawn(mut self, drawn: Option<DrawnRates>) -> Self {
        self.drawn = drawn;
        self
    }

    /// The same where the latents stand in another order.
    pub(super) fn with_latents(mut self, latents: &[Arc<LatentStore>]) -> Self {
        self.drawn = self.drawn.and_then(|drawn| drawn.with_latents(latents));
        self
    }

    /// The same with the mean rates of each chain.
    pub(crate) fn with_chains(mut self, of_chains: Vec<RatesFrom>) -> Self {
        self.of_chains = of_chains;
        self
    }

    /// The mean rates over the draws of one chain: what to read where chains have found different modes.
    ///
    /// # Errors
    /// [`QueryError::NoSuchChain`]; a variational fit has one.
    pub fn of_chain(&self, chain: usize) -> Result<Self, Error> {
        QueryError::chain(chain, self.of_chains.len().max(1))?;
        let source = self.of_chains.get(chain).unwrap_or(&self.source);
        let of_chain = Self::new(self.count, self.shape.clone(), source.clone());
        Ok(of_chain.with_drawn(self.drawn.as_ref().map(|drawn| drawn.of_chain(chain))))
    }

    /// Name of the count.
    pub fn count(&self) -> &'static str {
        self.count
    }

    /// Size of each index of the count.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The mean rates of all cells, row-major, if they were kept.
    pub fn all(&self) -> Option<&[f64]> {
        match &self.source {
            RatesFrom::All(rates) => Some(rates),
            _ => None,
        }
    }

    /// Row-major positions, ascending, and mean rates of the cells, if those of some were kept.
    pub(crate) fn some(&self) -> Option<(&[usize], &[f64])> {
        match &self.source {
            RatesFrom::Some(cells, rates) => Some((cells, rates)),
            _ => None,
        }
    }

    /// The mean rates at some cells, each given by its index along every axis, from 0. Zero where the `where` clause of the
    /// count has no cell. Of cells whose rates a Gibbs run did not keep they are computed from the draws of the latents, if those were
    /// kept: all cells at once, as a call goes through every draw.
    ///
    /// # Errors
    /// A cell that the count does not have; [`QueryError::NotKept`] for one whose rate was not kept, where draws were not kept either.
    pub fn at(&self, cells: &[impl AsRef<[usize]>]) -> Result<Vec<f64>, Error> {
        let position = |cell: &[usize]| QueryError::cell_at(self.count, &self.shape, cell, |_| true);
        let positions = cells.iter().map(|cell| position(cell.as_ref()));
        let cells = positions.collect::<Result<Vec<usize>, _>>()?;
        let mut rates: Vec<Result<f64, Error>> = cells.iter().map(|&cell| self.at_cell(cell)).collect();
        if let Some(drawn) = &self.drawn {
            let missing: Vec<usize> = (0..cells.len()).filter(|&at| rates[at].is_err()).collect();
            let wanted: Vec<usize> = missing.iter().map(|&at| cells[at]).collect();
            if !wanted.is_empty() {
                (missing.into_iter().zip(drawn.at(&wanted)?)).for_each(|(at, rate)| rates[at] = Ok(rate));
            }
        }
        rates.into_iter().collect()
    }

    /// The mean rates of all cells that were kept, in blocks of consecutive cells in ascending order. Nothing but one block
    /// is held at a time.
    pub fn blocks(&self) -> Box<dyn Iterator<Item = RateBlock> + '_> {
        let cells: usize = self.shape.iter().product();
        let starts = (0..cells).step_by(BLOCK);
        match &self.source {
            RatesFrom::All(rates) => Box::new(starts.map(move |first| RateBlock {
                first,
                rates: rates[first..cells.min(first + BLOCK)].to_vec(),
            })),
            RatesFrom::Factors(function) => Box::new(starts.map(move |first| RateBlock {
                first,
                rates: function.at(first..cells.min(first + BLOCK)),
            })),
            RatesFrom::Some(cells, rates) => {
                let mut at = 0;
                Box::new(std::iter::from_fn(move || {
                    let first = *cells.get(at)?;
                    let run = (at..cells.len()).take_while(|&i| cells[i] == first + i - at && i - at < BLOCK);
                    let end = run.last()? + 1;
                    let block = RateBlock {
                        first,
                        rates: rates[at..end].to_vec(),
                    };
                    at = end;
                    Some(block)
                }))
            }
            RatesFrom::Nothing => Box::new(std::iter::empty()),
        }
    }

    /// The mean rates of all cells, row-major: as they were kept, or computed from the factors.
    ///
    /// # Errors
    /// [`QueryError::NotKept`]; [`Error::TooLarge`].
    pub fn to_vec(&self) -> Result<Vec<f64>, Error> {
        let cells: usize = self.shape.iter().product();
        match &self.source {
            RatesFrom::All(rates) => Ok(rates.clone()),
            RatesFrom::Factors(_) => {
                let what = format!("the mean rate of every cell of `{}`", self.count);
                let bytes = 8.0 * cells as f64;
                crate::memory::fits(
                    &what,
                    bytes,
                    "ask for some cells (`rate_at`), or go through them block by block (`rate_blocks`)",
                )?;
                let mut rates = crate::memory::filled(&what, cells, 0.0)?;
                for block in self.blocks() {
                    rates[block.first..][..block.rates.len()].copy_from_slice(&block.rates);
                }
                Ok(rates)
            }
            RatesFrom::Some(..) | RatesFrom::Nothing => Err(self.missing(None)),
        }
    }

    fn at_cell(&self, cell: usize) -> Result<f64, Error> {
        match &self.source {
            RatesFrom::All(rates) => Ok(rates[cell]),
            RatesFrom::Factors(function) => Ok(function.at([cell])[0]),
            RatesFrom::Some(cells, rates) => match cells.binary_search(&cell) {
                Ok(at) => Ok(rates[at]),
                Err(_) => Err(self.missing(Some(cell))),
            },
            RatesFrom::Nothing => Err(self.missing(Some(cell))),
        }
    }

    fn missing(&self, cell: Option<usize>) -> Error {
        let which = match cell {
            Some(cell) => format!("the mean rate of `{}` at {:?}", self.count, index_at(&self.shape, cell)),
            None => format!("the mean rate of every cell of `{}`", self.count),
        };
        Error::Query(QueryError::NotKept {
            what: which,
            instead: match cell {
                Some(_) => {
                    "fit with `keep: Keep::default().rates(KeepRates::All)`, or name the cells: `KeepRates::At(cells)`, or keep \
                     draws of every latent in the rate (`Kept::Draws`)"
                }
                None => "fit with `keep: Keep::default().rates(KeepRates::All)`, or ask for some cells: `rate_at(&cells)`",
            }
            .to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_cells_come_back_in_runs() {
        let rates = Rates::new("y", vec![3, 4], RatesFrom::Some(vec![1, 2, 7], vec![0.1, 0.2, 0.7]));
        let blocks: Vec<RateBlock> = rates.blocks().collect();
        assert_eq!(blocks.len(), 2);
        assert_eq!((blocks[0].first, &blocks[0].rates[..]), (1, &[0.1, 0.2][..]));
        assert_eq!((blocks[1].first, &blocks[1].rates[..]), (7, &[0.7][..]));
        assert_eq!(rates.at(&[[1, 3], [0, 1]]).unwrap(), [0.7, 0.1]);
        let missing = rates.at(&[[0, 0]]).unwrap_err().to_string();
        assert!(
            missing.contains("`y` at [0, 0]") && missing.contains("KeepRates::All"),
            "{missing}"
        );
        assert!(matches!(
            rates.at(&[[3, 0]]),
            Err(Error::Query(QueryError::NoSuchCell { .. }))
        ));
        assert!(matches!(
            rates.at(&[vec![1]]),
            Err(Error::Query(QueryError::NoSuchCell { .. }))
        ));
        assert!(rates.to_vec().is_err());
    }

    #[test]
    fn every_chain_has_rates_of_its_own() {
        let of_chains = [[1.0, 4.0], [3.0, 8.0]].map(|rates| RatesFrom::All(rates.to_vec()));
        let rates = Rates::new("y", vec![2], RatesFrom::All(vec![2.0, 6.0])).with_chains(of_chains.to_vec());
        assert_eq!(rates.of_chain(1).unwrap().all().unwrap(), [3.0, 8.0]);
        assert!(matches!(
            rates.of_chain(2),
            Err(Error::Query(QueryError::NoSuchChain { given: 2, chains: 2 }))
        ));
        let alone = rates.of_chain(0).unwrap();
        assert_eq!(alone.of_chain(0).unwrap().all().unwrap(), [1.0, 4.0]);
        assert!(matches!(
            alone.of_chain(1),
            Err(Error::Query(QueryError::NoSuchChain { given: 1, chains: 1 }))
        ));
    }
}
