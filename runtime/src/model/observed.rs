//! The data of one count, seen through the channel in which they were given.

use std::sync::Arc;

use crate::channel::{Augmentation, Channel, Exact, Naive, Varying};
use crate::contract::Grid;
use crate::counts::{Counts, Mask};
use crate::error::Error;
use crate::infer::{Augmented, Bound, CaviForm, Collapsed, GibbsForm, Mean, Observations, Store, View};
use crate::release::Released;

/// Which form of a channel a view runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormKind {
    /// Everything but the rate integrated out.
    #[default]
    Collapsed,
    /// The channel's auxiliary variables kept.
    Augmented,
}

impl From<GibbsForm> for FormKind {
    fn from(form: GibbsForm) -> Self {
        match form {
            GibbsForm::Collapsed => FormKind::Collapsed,
            GibbsForm::Augmented => FormKind::Augmented,
        }
    }
}

impl From<CaviForm> for FormKind {
    fn from(form: CaviForm) -> Self {
        match form {
            CaviForm::Collapsed => FormKind::Collapsed,
            CaviForm::Augmented | CaviForm::Published => FormKind::Augmented,
        }
    }
}

/// The data of one count: as released by `M`, as exact counts, or releases taken for counts.
#[derive(Clone, Debug)]
pub struct Observed<M: Channel> {
    data: Data<M>,
    mean: Mean,
    density: f64,
}

#[derive(Clone, Debug)]
enum Data<M: Channel> {
    Released(Observations<M>),
    Exact(Observations<Exact>),
    Naive(Observations<Naive>),
}

impl<M: Channel<Value = i64>> Observed<M> {
    /// Counts released by `M`.
    pub fn released(released: &Released<M>) -> Self {
        let data = Observations {
            shape: released.shape().to_vec(),
            store: Store::Dense(released.shared_values()),
            law: released.law().clone(),
            mask: released.mask().clone(),
        };
        let (mean, density) = summary(
            released.values().iter().copied().enumerate(),
            data.shape.iter().product(),
            &data.mask,
        );
        Self {
            data: Data::Released(data),
            mean,
            density,
        }
    }

    /// True counts, observed exactly.
    pub fn exact(counts: &Counts) -> Self {
        let stored: Vec<(u64, i64)> = counts
            .iter_nonzero()
            .map(|(cell, count)| (cell as u64, count))
            .collect();
        let mask = counts.mask().clone();
        let (mean, density) = summary(
            stored.iter().map(|&(cell, count)| (cell as usize, count)),
            counts.num_cells(),
            &mask,
        );
        let data = Observations {
            shape: counts.shape().to_vec(),
            store: Store::Sparse(Arc::new(stored)),
            law: Varying::Uniform(Exact),
            mask,
        };
        Self {
            data: Data::Exact(data),
            mean,
            density,
        }
    }

    /// Releases taken for counts, negative ones for zero.
    pub fn naive(released: &Released<M>) -> Self {
        let data = Observations {
            shape: released.shape().to_vec(),
            store: Store::Dense(released.shared_values()),
            law: Varying::Uniform(Naive),
            mask: released.mask().clone(),
        };
        let clipped = released.values().iter().map(|&c| c.max(0)).enumerate();
        let (mean, density) = summary(clipped, data.shape.iter().product(), &data.mask);
        Self {
            data: Data::Naive(data),
            mean,
            density,
        }
    }

    /// Size of each index of the count.
    pub fn shape(&self) -> &[usize] {
        match &self.data {
            Data::Released(data) => &data.shape,
            Data::Exact(data) => &data.shape,
            Data::Naive(data) => &data.shape,
        }
    }

    /// The fraction of cells with a positive observation: nearly that of the cells to be visited.
    pub fn density(&self) -> f64 {
        self.density
    }

    /// Sorts the cells for a grid and a form of the channel.
    ///
    /// # Errors
    ///
    /// If the channel has no such form, or the grid is too wide.
    pub fn bind(&self, name: &'static str, grid: Grid, form: FormKind) -> Result<Box<dyn View>, Error> {
        if u32::try_from(grid.cols).is_err() {
            return Err(Error::TooWide { name, size: grid.cols });
        }
        match &self.data {
            Data::Released(data) => bind(data, grid, self.mean, form),
            Data::Exact(data) => bind(data, grid, self.mean, form),
            Data::Naive(data) => bind(data, grid, self.mean, form),
        }
    }
}

fn bind<C: Channel>(data: &Observations<C>, grid: Grid, mean: Mean, form: FormKind) -> Result<Box<dyn View>, Error> {
    match form {
        FormKind::Collapsed => Ok(Box::new(Bound::<C, Collapsed>::new(data, grid, mean))),
        FormKind::Augmented if C::Augmentation::SUPPORTED => Ok(Box::new(Bound::<C, Augmented>::new(data, grid, mean))),
        FormKind::Augmented => Err(Error::NoSuchForm {
            channel: C::text().name,
            form: "augmented",
        }),
    }
}

/// Mean of the observed cells and the fraction of them that are positive. Cells that `values` leaves out
/// are zero.
fn summary(values: impl Iterator<Item = (usize, i64)>, cells: usize, mask: &Mask) -> (Mean, f64) {
    let masked = !mask.is_empty();
    let (mut sum, mut squares, mut positive) = (0.0, 0.0, 0usize);
    for (cell, value) in values {
        if masked && mask.is_held_out(cell) {
            continue;
        }
        let value = value as f64;
        sum += value;
        squares += value * value;
        positive += usize::from(value > 0.0);
    }
    let n = cells.saturating_sub(mask.len()).max(1) as f64;
    let value = sum / n;
    let variance = (squares / n - value * value).max(0.0);
    (
        Mean {
            value,
            error: (variance / n).sqrt(),
        },
        positive as f64 / cells.max(1) as f64,
    )
}
