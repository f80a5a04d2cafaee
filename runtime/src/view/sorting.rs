//! How a form sorts the cells of a count, and the forms that a count can be seen in.

use std::sync::Arc;

use crate::channel::{Augmentation, Channel, CollapsedSteps, LogLinear};

use super::door::Door;
use super::form::{Augmented, Collapsed, Form, Written, drawn_exposure};
use super::seen::{Laws, PackedOf, Seen};

/// What a cell is to inference: exposure alone, or `None` where it must be visited.
pub(super) type Exposure<C> = fn(&C, <C as Channel>::Value) -> Option<LogLinear>;

/// Puts observations and laws behind the door.
type BehindDoor<C> = fn(Arc<PackedOf<C>>, Laws<C>) -> Box<dyn Door>;

/// How a form sorts the cells of a count, and what it puts behind the door. Functions, not types: sorting is compiled once for a channel.
#[derive(Debug)]
pub(super) struct Sorting<C: Channel> {
    pub(super) exposure: Exposure<C>,
    pub(super) door: BehindDoor<C>,
}

/// The forms that a count observed through `C` can be seen in.
#[derive(Debug)]
pub struct Forms<C: Channel> {
    collapsed: BehindDoor<C>,
    augmented: Option<Sorting<C>>,
}

// Derived, these would ask that the channel can be copied.
impl<C: Channel> Copy for Sorting<C> {}

impl<C: Channel> Clone for Sorting<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Channel> Copy for Forms<C> {}

impl<C: Channel> Clone for Forms<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Channel> Forms<C> {
    /// The collapsed form, and the one with the auxiliary variables `A` if there are any.
    pub fn with<A: Augmentation<C>>() -> Self {
        Self {
            collapsed: Seen::<C, Collapsed>::behind_door,
            augmented: A::SUPPORTED.then_some(Sorting {
                exposure: <Augmented<A> as Form<C>>::exposure,
                door: Seen::<C, Augmented<A>>::behind_door,
            }),
        }
    }

    /// The collapsed form by the steps that `S` writes out, and the one with the auxiliary variables `A` if there are any.
    pub fn written<S: CollapsedSteps<C>, A: Augmentation<C>>() -> Self {
        Self {
            collapsed: Seen::<C, Written<S>>::behind_door,
            ..Self::with::<A>()
        }
    }

    /// Whether there is an augmented form.
    pub fn is_augmented(&self) -> bool {
        self.augmented.is_some()
    }

    /// How cells are sorted: in the augmented form if that is asked for and there is one, else in the collapsed form, of which every
    /// cell that is not visited must weigh one if `drawn`.
    pub(super) fn sorting(&self, augmented: bool, drawn: bool) -> Sorting<C> {
        let collapsed = Sorting {
            exposure: match drawn {
                true => drawn_exposure,
                false => <Collapsed as Form<C>>::exposure,
            },
            door: self.collapsed,
        };
        self.augmented.filter(|_| augmented).unwrap_or(collapsed)
    }
}
