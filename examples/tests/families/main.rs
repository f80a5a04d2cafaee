//! The examples of the families, and the pages about them.

mod pages;
mod recovery;

#[path = "../../families/background.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod background;
#[path = "../../families/blocks.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod blocks;
#[path = "../../families/covariates.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod covariates;
#[path = "../../families/cp.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod cp;
#[path = "../../families/foldin.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod foldin;
#[path = "../../families/hierarchical.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod hierarchical;
#[path = "../../families/own_update.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod own_update;
#[path = "../../families/simplex.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod simplex;
#[path = "../../families/tucker.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod tucker;
#[path = "../../families/views.rs"]
#[expect(dead_code, reason = "nothing here calls `main`")]
mod views;
