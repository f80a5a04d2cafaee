//! How a form sorts the cells of a count, and the forms that a count can be seen in.

use std::fmt;
use std::sync::Arc;

use crate::channel::{Augmentation, CellState, Channel, LogLinear};

use crate::streams::Stream;

use super::door::Door;
use super::form::Form;
use super::seen::{Laws, PackedOf, Seen};

/// A form of `C` whatever it keeps for each cell.
trait AnyForm<C: Channel>: Send + Sync {
    /// Whether a cell must be visited even where it is exposure alone to the channel.
    fn visits(&self, law: &C, c: C::Value) -> bool;

    /// Puts observations and laws behind the door.
    fn door(&self, values: Arc<PackedOf<C>>, laws: Laws<C>) -> Box<dyn Door>;

    /// See [`Forms::redrawn`].
    fn redrawn(&self, law: &C, rate: f64, y: u64, rounds: usize, rng: &mut Stream) -> (C::Value, u64);
}

impl<C: Channel, S: CellState, F: CellState> AnyForm<C> for Form<C, S, F> {
    fn visits(&self, law: &C, c: C::Value) -> bool {
        (self.visits)(law, c)
    }

    fn door(&self, values: Arc<PackedOf<C>>, laws: Laws<C>) -> Box<dyn Door> {
        Seen::behind_door(*self, values, laws)
    }

    fn redrawn(&self, law: &C, rate: f64, y: u64, rounds: usize, rng: &mut Stream) -> (C::Value, u64) {
        // Auxiliary variables come from their prior, whatever was observed.
        let before = law.observe(y, rng);
        let mut state = [(self.start)(law, before, rng)];
        let c = (self.observe)(law, y, &state[0], rng);
        let mut after = y;
        for _ in 0..rounds {
            after = 0;
            (self.steps.imputes)(law, &[rate], &[c], &mut state, 0, rng, &mut |_, y, _| after = y);
        }
        (c, after)
    }
}

/// The forms that a count observed through `C` can be seen in.
pub struct Forms<C: Channel> {
    collapsed: Form<C>,
    augmented: Option<Arc<dyn AnyForm<C>>>,
}

// Derived, this would ask that the channel can be cloned.
impl<C: Channel> Clone for Forms<C> {
    fn clone(&self) -> Self {
        Self {
            collapsed: self.collapsed,
            augmented: self.augmented.clone(),
        }
    }
}

impl<C: Channel> fmt::Debug for Forms<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let augmented = self.is_augmented();
        f.debug_struct("Forms")
            .field("augmented", &augmented)
            .finish_non_exhaustive()
    }
}

impl<C: Channel> Forms<C> {
    /// A collapsed form, and an augmented one if there is one.
    pub fn new<S: CellState, F: CellState>(collapsed: Form<C>, augmented: Option<Form<C, S, F>>) -> Self {
        Self {
            collapsed,
            augmented: augmented.map(|form| Arc::new(form) as Arc<dyn AnyForm<C>>),
        }
    }

    /// The collapsed form of the channel, and the one with the auxiliary variables `A` if there are any.
    pub fn with<A: Augmentation<C>>() -> Self {
        Self::new(Form::collapsed(), A::SUPPORTED.then(Form::augmented::<A>))
    }

    /// The collapsed form.
    pub fn collapsed(&self) -> &Form<C> {
        &self.collapsed
    }

    /// Whether the augmented form visits a cell that is exposure alone to the channel; `None` where there is no such form.
    pub fn visits_augmented(&self, law: &C, c: C::Value) -> Option<bool> {
        Some(self.augmented.as_deref()?.visits(law, c))
    }

    /// What is observed of a true count `y` through the auxiliary variables, and the count after `rounds` of their Gibbs step; `None` where there is
    /// no augmented form.
    pub fn redrawn(&self, law: &C, rate: f64, y: u64, rounds: usize, rng: &mut Stream) -> Option<(C::Value, u64)> {
        Some(self.augmented.as_deref()?.redrawn(law, rate, y, rounds, rng))
    }

    /// Whether there is an augmented form.
    pub fn is_augmented(&self) -> bool {
        self.augmented.is_some()
    }

    /// How cells are sorted: in the augmented form if that is asked for and there is one, else in the collapsed form. Every cell that is
    /// not visited must weigh one if `whole`.
    pub(super) fn sorting(&self, augmented: bool, whole: bool) -> Sorting<'_, C> {
        let augmented = self.augmented.as_deref().filter(|_| augmented);
        Sorting {
            form: augmented.unwrap_or(&self.collapsed),
            whole,
        }
    }
}

/// How a form sorts the cells of a count, and what it puts behind the door.
pub(super) struct Sorting<'a, C: Channel> {
    form: &'a dyn AnyForm<C>,
    /// For models with Dirichlet latents, whose conditionals need an exposure that is the same at every observed cell.
    whole: bool,
}

impl<C: Channel> Sorting<'_, C> {
    /// What a cell is to inference: exposure alone, or `None` where it must be visited.
    pub(super) fn exposure(&self, law: &C, c: C::Value) -> Option<LogLinear> {
        let linear = law.log_linear(c).filter(|linear| !self.whole || linear.weight == 1.0)?;
        (!self.form.visits(law, c)).then_some(linear)
    }

    /// Observations and laws behind the door.
    pub(super) fn door(&self, values: Arc<PackedOf<C>>, laws: Laws<C>) -> Box<dyn Door> {
        self.form.door(values, laws)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{Exact, SkellamBessel, TwoSidedGeometric};

    /// Non-positive releases weigh `1 - alpha`: where every cell must weigh one they are visited, whatever the form says.
    #[test]
    fn cells_that_must_weigh_one_are_visited() {
        let law = TwoSidedGeometric::new(0.5).unwrap();
        let forms = Forms::with::<SkellamBessel>();
        assert!(forms.sorting(false, false).exposure(&law, 0).is_some());
        assert!(forms.sorting(false, true).exposure(&law, 0).is_none());
        assert!(forms.sorting(true, false).exposure(&law, 0).is_none());
        let visits_few = Forms::new(Form::collapsed(), Some(Form::<TwoSidedGeometric>::collapsed()));
        assert!(visits_few.sorting(true, false).exposure(&law, 0).is_some());
        assert!(visits_few.sorting(true, true).exposure(&law, 0).is_none());
        let exact = Forms::with::<crate::channel::Unaugmented>();
        assert!(exact.sorting(true, true).exposure(&Exact, 0).is_some());
    }
}
