//! Models that the macro writes as loops: topics and CP beside files whose rates are walks over trees, Tucker by blocks and by stored cells.

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

mod tuckers {
    use skellam::prelude::*;

    skellam::model! {
        /// A core between three modes.
        pub model Tucker {
            index rows, cols, times, ps, qs, rs;
            latent a[i in rows, p in ps] ~ Gamma(shape = 0.4, rate = 1.0);
            latent b[j in cols, q in qs] ~ Gamma(shape = 0.5, rate = 1.0);
            latent c[t in times, r in rs] ~ Gamma(shape = 0.6, rate = 1.0);
            latent core[p in ps, q in qs, r in rs] ~ Gamma(shape = 0.7, rate = 1.0);
            count y[i in rows, j in cols, t in times]
                ~ Poisson(2.0 * sum(p in ps, q in qs, r in rs) a[i, p] * b[j, q] * c[t, r] * core[p, q, r]);
            release y by TwoSidedGeometric;
        }
    }

    skellam::model! {
        /// A core between four modes, with rates that are learned.
        pub model TuckerOfFour {
            index rows, cols, times, kinds, ps, qs, rs, ss;
            latent scale[q in qs] ~ Gamma(shape = 2.0, rate = 2.0);
            latent a[i in rows, p in ps] ~ Gamma(shape = 0.4, rate = 1.0);
            latent b[j in cols, q in qs] ~ Gamma(shape = 0.5, rate = scale[q]);
            latent c[t in times, r in rs] ~ Gamma(shape = 0.6, rate = 1.0);
            latent d[u in kinds, s in ss] ~ Gamma(shape = 0.8, rate = 1.0);
            latent core[p in ps, q in qs, r in rs, s in ss] ~ Gamma(shape = 0.7, rate = 1.0);
            count y[i in rows, j in cols, t in times, u in kinds]
                ~ Poisson(sum(p in ps, q in qs, r in rs, s in ss)
                    core[p, q, r, s] * a[i, p] * b[j, q] * c[t, r] * d[u, s]);
            release y by TwoSidedGeometric;
        }
    }
}
