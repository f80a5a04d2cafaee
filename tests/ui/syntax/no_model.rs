//! Not a declaration.

use skellam::prelude::*;

model! {
    struct Topics {}
}

fn main() {}
