//! A mistake in a prior gives no second error where the latent is used.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Normal(0, 1);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

fn main() {
    let counts = Counts::dense(vec![1, 1], vec![1]).unwrap();
    let model = Topics::new(&counts).unwrap().topics(3).a(0.5);
    let fit = model.gibbs(&Gibbs::default()).unwrap();
    let _ = (fit.theta, fit.phi);
}
