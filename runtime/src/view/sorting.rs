//! How a form sorts the cells of a count.

use std::sync::Arc;

use crate::channel::{Augmentation, Channel, LogLinear};

use super::door::Door;
use super::form::{Augmented, Collapsed, Form, drawn_exposure};
use super::seen::{Laws, PackedOf, Seen};

/// What a cell is to inference: exposure alone, or `None` where it must be visited.
pub(super) type Exposure<C> = fn(&C, <C as Channel>::Value) -> Option<LogLinear>;

/// Puts observations and laws behind the door.
type BehindDoor<C> = fn(Arc<PackedOf<C>>, Laws<C>) -> Box<dyn Door>;

/// How a form sorts the cells of a count, and what it puts behind the door. Functions, not types: sorting is compiled once for a channel.
#[derive(Debug)]
pub struct Sorting<C: Channel> {
    pub(super) exposure: Exposure<C>,
    pub(super) door: BehindDoor<C>,
}

// Derived, these would ask that the channel can be copied.
impl<C: Channel> Copy for Sorting<C> {}

impl<C: Channel> Clone for Sorting<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Channel> Sorting<C> {
    /// That of the form with the auxiliary variables `A`; `None` if it has none.
    pub fn augmented<A: Augmentation<C>>() -> Option<Self> {
        A::SUPPORTED.then_some(Self {
            exposure: <Augmented<A> as Form<C>>::exposure,
            door: Seen::<C, Augmented<A>>::behind_door,
        })
    }

    /// That of the collapsed form; `drawn` if every cell must weigh one.
    pub(super) fn collapsed(drawn: bool) -> Self {
        Self {
            exposure: match drawn {
                true => drawn_exposure,
                false => <Collapsed as Form<C>>::exposure,
            },
            door: Seen::<C, Collapsed>::behind_door,
        }
    }
}
