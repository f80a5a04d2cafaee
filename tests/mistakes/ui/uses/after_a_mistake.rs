//! A mistake in a declaration gives no second error where the model is used.

use skellam::prelude::*;

model! {
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.1, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) tehta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

fn main() {
    let counts = Counts::dense(vec![1, 1], vec![1]).unwrap();
    let model = Topics::new(&counts).unwrap().topics(3).a(0.5);
    let _ = model.gibbs(&Gibbs::default());
    let _ = model.cavi(&Cavi::default()).unwrap().theta.mean();
    let _ = Topics::derivation();
    let _ = Topics::WORDS;
}
