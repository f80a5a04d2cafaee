//! The models whose runs are measured: one for each kind of what a run holds.

pub mod matrix {
    skellam::model! {
        /// A matrix of counts.
        pub model Matrix {
            index rows, cols, parts;
            latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, j in cols] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in cols] ~ Poisson(sum(k in parts) theta[i, k] * phi[k, j]);
        }
    }
}

pub mod cp {
    skellam::model! {
        /// A tensor of three modes.
        pub model Cp {
            index rows, cols, times, parts;
            latent a[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent b[j in cols, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent c[t in times, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
        }
    }
}

pub mod blocks {
    skellam::model! {
        /// A network.
        pub model Blocks {
            index actors, groups;
            latent theta[i in actors, c in groups] ~ Gamma(shape = 0.3, rate = 1.0);
            latent pi[c in groups, e in groups] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in actors, j in actors] where i != j
                ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        }
    }
}

pub mod views {
    skellam::model! {
        /// Two tables that share rows.
        pub model Views {
            index rows, words, tags, parts;
            latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, j in words] ~ Gamma(shape = 0.3, rate = 1.0);
            latent taste[k in parts, j in tags] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in words] ~ Poisson(sum(k in parts) theta[i, k] * phi[k, j]);
            count m[i in rows, j in tags] ~ Poisson(sum(k in parts) theta[i, k] * taste[k, j]);
        }
    }
}

pub mod noisy {
    use skellam::prelude::TwoSidedGeometric;

    skellam::model! {
        /// A released matrix, by the augmented form: auxiliary variables at every cell.
        pub model Noisy {
            index rows, cols, parts;
            data reach[i in rows]: positive;
            latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, j in cols] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in cols] ~ Poisson(sum(k in parts) reach[i] * theta[i, k] * phi[k, j]);
            release y by TwoSidedGeometric;
        }
    }
}

pub mod lines {
    use skellam::prelude::TwoSidedGeometric;

    skellam::model! {
        /// Released documents of known lengths: whole lines are drawn.
        pub model Lines {
            index docs, words, topics;
            data length[d in docs]: whole;
            latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.3, along = k);
            latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.3, along = v);
            count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
            release y by TwoSidedGeometric;
        }
    }
}

pub mod open {
    use skellam::prelude::TwoSidedGeometric;

    skellam::model! {
        /// Released documents whose lengths nobody knows.
        pub model Open {
            index docs, words, topics;
            latent reach[d in docs] ~ Gamma(shape = 2.0, rate = 0.002);
            latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.3, along = k);
            latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.3, along = v);
            hidden n[d in docs] ~ Poisson(reach[d]);
            count y[d in docs, v in words] ~ Multinomial(n[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
            release y by TwoSidedGeometric;
        }
    }
}

pub mod topics {
    use skellam::prelude::TwoSidedGeometric;

    skellam::model! {
        /// The model of the README.
        pub model Topics {
            index docs, words, topics;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 0.1, rate = 1.0);
            latent phi[k in topics, v in words] ~ Gamma(shape = 0.1, rate = 1.0);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            release y by TwoSidedGeometric;
        }
    }
}

pub mod shared {
    use skellam::prelude::TwoSidedGeometric;

    skellam::model! {
        /// A released tensor of three modes.
        pub model Shared {
            index rows, cols, times, parts;
            latent a[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent b[j in cols, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent c[t in times, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
            release y by TwoSidedGeometric;
        }
    }
}

pub mod spread {
    skellam::model! {
        /// Negative binomial counts: a latent at every cell, and the table counts of its shape.
        pub model Spread {
            index rows, cols, parts;
            latent r ~ Gamma(shape = 1.0, rate = 1.0);
            latent b ~ Gamma(shape = 1.0, rate = 1.0);
            latent eps[i in rows, j in cols] ~ Gamma(shape = r, rate = b);
            latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, j in cols] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[i in rows, j in cols] ~ Poisson(eps[i, j] * sum(k in parts) theta[i, k] * phi[k, j]);
        }
    }
}

pub mod months {
    skellam::model! {
        /// Counts by time, whose rates look back and whose states are a chain.
        pub model Months {
            index times: ordered;
            index words, parts;
            latent start ~ Gamma(shape = 2.0, rate = 1.0);
            latent first[k in parts] ~ Gamma(shape = 1.5, rate = 1.0);
            latent level[t in times] ~ Gamma(shape = 1.5, rate = 1.5 * level[t - 1] or start);
            latent theta[t in times, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
            count y[t in times, v in words] ~ Poisson(
                level[t] * sum(k in parts) theta[t, k] * phi[k, v]
                    + sum(k in parts) (theta[t - 1, k] or first[k]) * phi[k, v]);
        }
    }
}

pub mod signed {
    skellam::model! {
        /// Differences with noise at every cell.
        pub model Signed {
            index rows, cols, parts;
            latent odds ~ Gamma(shape = 1.0, rate = 1.0);
            latent plus[i in rows, j in cols] ~ Gamma(shape = 1.0, rate = odds);
            latent minus[i in rows, j in cols] ~ Gamma(shape = 1.0, rate = odds);
            latent theta[i in rows, k in parts] ~ Gamma(shape = 0.3, rate = 1.0);
            latent phi[k in parts, j in cols] ~ Gamma(shape = 0.3, rate = 1.0);
            count c[i in rows, j in cols] ~ Skellam(
                plus = plus[i, j] + sum(k in parts) theta[i, k] * phi[k, j], minus = minus[i, j]);
        }
    }
}
