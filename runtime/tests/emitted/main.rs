//! Models that the macro writes as loops beside the same models whose rates are walks over trees.

mod compare;
mod twins;
mod walked_cp;
mod walked_topics;

mod emitted_topics {
    use skellam::prelude::*;

    skellam::model! {
        /// Topics of documents that were released privately.
        pub model Topics {
            index docs, words, topics;
            hyper a: positive = 0.1, b: positive = 1.0;
            latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
            latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }
    }
}

mod emitted_cp {
    use skellam::prelude::*;

    skellam::model! {
        /// A tensor of counts.
        pub model Cp {
            index rows, cols, times, parts;
            latent a[i in rows, k in parts] ~ Gamma(shape = 0.4, rate = 1.0);
            latent b[j in cols, k in parts] ~ Gamma(shape = 0.4, rate = 1.0);
            latent c[t in times, k in parts] ~ Gamma(shape = 0.4, rate = 1.0);
            count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
            release y by TwoSidedGeometric;
        }
    }
}
