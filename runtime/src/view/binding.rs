//! How the cells of a count are to be bound.

use crate::channel::Channel;
use crate::contract::Grid;
use crate::counts::Differences;
use crate::error::Error;

use super::{DifferenceCell, Forms, Guards, Mean, Observations, Source, View};

/// Everything about a view but the observations and their channel.
#[derive(Debug)]
pub struct Binding {
    /// Name of the count.
    pub name: &'static str,
    /// Where its data come from.
    pub source: Source,
    /// How its cells are laid out.
    pub grid: Grid,
    /// Which of them belong to the model.
    pub guards: Guards,
    /// The mean observation in the cells of the model.
    pub mean: Mean,
    /// Whether the augmented form is asked for; a channel without one runs the collapsed form.
    pub augmented: bool,
    /// Whether every observed cell must weigh one, as a Dirichlet factor needs it.
    pub drawn: bool,
}

impl Binding {
    /// The view of `observed` in one of its forms.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub fn of<C: Channel>(self, observed: &Observations<C>, forms: &Forms<C>) -> Result<View, Error> {
        let sorting = forms.sorting(self.augmented, self.drawn);
        let about = (self.mean, self.source);
        View::new(self.name, observed, self.grid, self.guards, about, &sorting)
    }

    /// The view of differences, with the steps `S` of a cell. `size` is the mean of their absolute values.
    ///
    /// # Errors
    ///
    /// There is no memory for the visited cells.
    pub fn of_differences<S: DifferenceCell>(self, observed: &Differences, size: f64) -> Result<View, Error> {
        let about = (self.mean, size, self.source);
        View::of_differences::<S>(self.name, observed, self.grid, self.guards, about)
    }
}
