//! One file for each family: its declaration, data to try it on, and what is recovered.

pub mod background;
pub mod blocks;
pub mod covariates;
pub mod cp;
pub mod foldin;
pub mod hierarchical;
pub mod own_update;
pub mod rounding;
pub mod simplex;
pub mod tucker;
pub mod views;
