//! How a channel varies over the cells of a data set.

/// One law everywhere, one per slice of an index, or one per cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Varying<C> {
    /// The same law at every cell.
    Uniform(C),
    /// `laws[i]` at every cell whose index on `axis` is `i`.
    Slice {
        /// Which index of the count, from 0.
        axis: usize,
        /// One law per value of that index.
        laws: Vec<C>,
    },
    /// One law per cell, row-major.
    Cell(Vec<C>),
}

impl<C> Varying<C> {
    /// The law at `cell` (row-major position) of an array of `shape`.
    pub fn at(&self, cell: usize, shape: &[usize]) -> &C {
        &self.all()[self.position(cell, shape)]
    }

    /// Which of [`Varying::all`] is the law at `cell`.
    pub fn position(&self, cell: usize, shape: &[usize]) -> usize {
        match self {
            Varying::Uniform(_) => 0,
            Varying::Slice { axis, .. } => {
                let inner: usize = shape[axis + 1..].iter().product();
                cell / inner % shape[*axis]
            }
            Varying::Cell(_) => cell,
        }
    }

    /// Every law, in order.
    pub fn all(&self) -> &[C] {
        match self {
            Varying::Uniform(law) => std::slice::from_ref(law),
            Varying::Slice { laws, .. } | Varying::Cell(laws) => laws,
        }
    }

    /// Applies `f` to every law, keeping how they vary.
    pub fn map<D>(&self, f: impl FnMut(&C) -> D) -> Varying<D> {
        match self {
            Varying::Uniform(law) => Varying::Uniform({ f }(law)),
            Varying::Slice { axis, laws } => Varying::Slice {
                axis: *axis,
                laws: laws.iter().map(f).collect(),
            },
            Varying::Cell(laws) => Varying::Cell(laws.iter().map(f).collect()),
        }
    }
}

/// The same law at every cell.
impl<C> From<C> for Varying<C> {
    fn from(law: C) -> Self {
        Varying::Uniform(law)
    }
}
