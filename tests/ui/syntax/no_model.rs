//! A declaration of something else.

use skellam::prelude::*;

model! {
    struct Topics {}
}

fn main() {}
