//! A declaration on which the parts of a self-test are tested.

use skellam::prelude::*;

skellam::model! {
    /// A block model, whose shapes alone are open.
    pub model Blocks {
        index nodes, groups;
        hyper a: positive;
        latent h[i in nodes, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent w[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
        count y[i in nodes, j in nodes] where i < j
            ~ Poisson(sum(c in groups, e in groups) h[i, c] * w[c, e] * h[j, e]);
        release y by TwoSidedGeometric;
    }
}
