//! A model named like a type that generated code uses.

use skellam::model;

model! {
    pub model Result {
        index docs;
        latent theta[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(theta[d]);
    }
}

fn main() {
    let counts = skellam::prelude::Counts::dense(vec![1], vec![2]).unwrap();
    let _ = Result::new(&counts).unwrap().docs(1);
}
