//! Models of several forms of rates.

use skellam::prelude::*;

skellam::model! {
    /// Matrix factorization.
    pub model Matrix {
        index docs, words, topics;
        hyper a: positive = 2.0, b: positive = 1.5;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Background and exposure.
    pub model Background {
        index docs, words, topics;
        data exposure[d in docs]: positive;
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words]
            ~ Poisson(base[v] + exposure[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// One product for each time.
    pub model Batch {
        index rows, cols, times, parts;
        latent a[i in rows, t in times, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, t in times, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, t, k] * b[j, t, k]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// CP with three modes.
    pub model Cp3 {
        index rows, cols, times, parts;
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// CP with four modes.
    pub model Cp4 {
        index rows, cols, times, sites, parts;
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        latent e[s in sites, k in parts] ~ Gamma(shape = 2.0, rate = 2.0);
        count y[i in rows, j in cols, t in times, s in sites]
            ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k] * e[s, k]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A definition, numbers without an index, a number and a hyperparameter as coefficients.
    pub model Mixed {
        index docs, words, topics;
        hyper boost: positive = 1.5;
        latent scale ~ Gamma(shape = 3.0, rate = 2.0);
        latent level ~ Gamma(shape = 2.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = boost);
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0 * boost);
        let topical[d in docs, v in words] = sum(k in topics) theta[d, k] * phi[k, v];
        count y[d in docs, v in words]
            ~ Poisson(scale * topical[d, v] + 0.5 * boost * (base[v] + level));
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A coefficient per cell, beside a term without one.
    pub model Offset {
        index docs, words, topics;
        data offset[d in docs, v in words]: positive;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = 1.5);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = 2.0, rate = 2.0);
        count y[d in docs, v in words]
            ~ Poisson(offset[d, v] * sum(k in topics) theta[d, k] * phi[k, v] + base[v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A latent over two free indices beside a sum: a coefficient per cell in some layouts.
    pub model Pairs {
        index rows, cols, times, parts;
        latent g[i in rows, j in cols] ~ Gamma(shape = 2.0, rate = 2.0);
        latent a[i in rows, k in parts] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, k in parts] ~ Gamma(shape = 3.0, rate = 2.0);
        count y[i in rows, j in cols, t in times]
            ~ Poisson(g[i, j] * sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Tucker with three modes.
    pub model Tucker {
        index rows, cols, times, ps, qs, rs;
        latent a[i in rows, p in ps] ~ Gamma(shape = 2.0, rate = 1.5);
        latent b[j in cols, q in qs] ~ Gamma(shape = 1.5, rate = 1.0);
        latent c[t in times, r in rs] ~ Gamma(shape = 3.0, rate = 2.0);
        latent core[p in ps, q in qs, r in rs] ~ Gamma(shape = 1.0, rate = 2.0);
        count y[i in rows, j in cols, t in times]
            ~ Poisson(sum(p in ps, q in qs, r in rs) a[i, p] * b[j, q] * c[t, r] * core[p, q, r]);
        release y by TwoSidedGeometric;
    }
}
