//! The prelude of generated implementations: what they find in scope wherever a declaration stands.

pub use core::clone::Clone;
pub use core::cmp::{Eq, Ord, PartialEq, PartialOrd};
pub use core::convert::{AsRef, From, Into};
pub use core::default::Default;
pub use core::iter::{IntoIterator, Iterator};
pub use core::marker::Sized;
pub use core::ops::{Drop, Fn, FnMut};
pub use core::option::Option::{self, None, Some};
pub use core::result::Result::{self, Err, Ok};
pub use std::borrow::ToOwned;
pub use std::boxed::Box;
pub use std::string::{String, ToString};
pub use std::vec::Vec;
