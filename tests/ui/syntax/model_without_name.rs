//! A model has a name.

use skellam::prelude::*;

model! {
    model {
        index docs;
    }
}

fn main() {}
