//! The examples, each the file that is its program.
#![expect(dead_code, reason = "every example ends with a `main`")]

#[path = "../../families/background.rs"]
pub mod background;
#[path = "../../families/blocks.rs"]
pub mod blocks;
#[path = "../../families/covariates.rs"]
pub mod covariates;
#[path = "../../families/cp.rs"]
pub mod cp;
#[path = "../../families/deep.rs"]
pub mod deep;
#[path = "../../families/difference.rs"]
pub mod difference;
#[path = "../../families/foldin.rs"]
pub mod foldin;
#[path = "../../families/groups.rs"]
pub mod groups;
#[path = "../../families/hierarchical.rs"]
pub mod hierarchical;
#[path = "../../families/negative_binomial.rs"]
pub mod negative_binomial;
#[path = "../../families/own_update.rs"]
pub mod own_update;
#[path = "../../families/rounding.rs"]
pub mod rounding;
#[path = "../../families/shrinkage.rs"]
pub mod shrinkage;
#[path = "../../families/simplex.rs"]
pub mod simplex;
#[path = "../../families/tucker.rs"]
pub mod tucker;
#[path = "../../families/views.rs"]
pub mod views;
