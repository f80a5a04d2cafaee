//! How the cells of a count are to be bound.

use crate::channel::{Augmentation, Channel};
use crate::contract::Grid;
use crate::error::Error;
use crate::infer::form::{Augmented, Collapsed, Drawn};
use crate::model::Source;

use super::{Bound, Guards, Mean, Observations, View};

/// Everything about a view but the observations and their channel. See [`Channel::view`].
#[derive(Debug)]
pub struct Binding {
    pub(crate) name: &'static str,
    pub(crate) source: Source,
    pub(crate) grid: Grid,
    pub(crate) guards: Guards,
    pub(crate) mean: Mean,
    /// Whether the augmented form is asked for; a channel without one runs the collapsed form.
    pub(crate) augmented: bool,
    /// Whether every observed cell must weigh one, as a Dirichlet factor needs it.
    pub(crate) drawn: bool,
}

impl Binding {
    /// The view of `observed`. All passes over cells are compiled for `C` where this is called with it.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub fn of<C: Channel>(self, observed: &Observations<C>) -> Result<Box<dyn View>, Error> {
        let Self {
            name,
            source,
            grid,
            guards,
            mean,
            ..
        } = self;
        Ok(if self.augmented && <C::Augmentation as Augmentation<C>>::SUPPORTED {
            Box::new(Bound::<C, Augmented>::new(name, observed, grid, guards, mean)?.from(source))
        } else if self.drawn {
            Box::new(Bound::<C, Drawn>::new(name, observed, grid, guards, mean)?.from(source))
        } else {
            Box::new(Bound::<C, Collapsed>::new(name, observed, grid, guards, mean)?.from(source))
        })
    }
}
