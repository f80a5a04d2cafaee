//! Which models have tokens, and why others have none.

use super::derived;

/// Declarations of a count `y` over `i` and `j`, with the reason.
const WITHOUT: [(&str, &str); 7] = [
    (
        "index m, n, r; latent a[i in m, k in r] ~ Gamma(shape = 1.0, rate = 1.0); latent b[k in r, j in n] ~ Gamma(shape = 1.0, rate = 1.0);
         count y[i in m, j in n] ~ Poisson(sum(k in r) a[i, k] * b[k, j]);",
        "`b` is in the exposure of `a`",
    ),
    (
        "index m; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0);
         count y[i in m, j in m] where i != j ~ Poisson(a[i] * a[j]);",
        "`a` is in a term of `y` more than once",
    ),
    (
        "index m, n; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0); latent b[i in m] ~ Gamma(shape = 1.0, rate = a[i]);
         count y[i in m, j in n] ~ Poisson(a[i] + b[i]);",
        "`a` is in the prior of `b`, too",
    ),
    (
        "index m, n; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0); latent b[j in n] ~ Gamma(shape = 1.0, rate = 1.0);
         count y[i in m, j in n] ~ Skellam(plus = a[i], minus = b[j]);",
        "`y` is the difference of two counts",
    ),
    (
        "index m, n, r, s; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0); latent b[k in r, l in s] ~ Gamma(shape = 1.0, rate = 1.0);
         count y[i in m, j in n] ~ Poisson(a[i] + sum(k in r, l in s) b[k, l]);",
        "the rate of `y` has several terms, and one sums over more than one index",
    ),
    (
        "index m, n; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0); latent b[j in n] ~ Dirichlet(concentration = 1.0, along = j); update a by Mine;
         count y[i in m, j in n] ~ Poisson(a[i] * b[j]);",
        "`a` has an update or a family of your own",
    ),
    (
        "index m, n; latent a[i in m] ~ Gamma(shape = 1.0, rate = 1.0); latent b[i in m] ~ Gamma(shape = a[i], rate = 1.0);
         count y[i in m, j in n] ~ Poisson(a[i] + b[i]);",
        "`a` is in a shape, too",
    ),
];

#[test]
fn what_cannot_be_integrated_out_is_said() {
    for (model, why) in WITHOUT {
        let found = derived(&format!("pub model M {{ {model} }}")).tokens;
        let found = found.expect_err(why);
        assert!(found.starts_with(why), "{found}");
    }
}

/// Simplices sum away, one after the other; a latent that is no factor of a rate is not integrated out.
#[test]
fn simplices_sum_away() {
    let model = "pub model M { index docs, words, topics, kinds;
        latent level ~ Gamma(shape = 1.0, rate = 1.0);
        latent size[d in docs] ~ Gamma(shape = 1.0, rate = level);
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 1.0, along = k);
        latent psi[k in topics, l in kinds] ~ Dirichlet(concentration = 1.0, along = l);
        latent phi[l in kinds, v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[d in docs, v in words]
            ~ Poisson(sum(k in topics, l in kinds) size[d] * theta[d, k] * psi[k, l] * phi[l, v]);
    }";
    let found = derived(model).tokens.unwrap();
    assert_eq!(
        found.integrated.iter().map(|latent| latent.0).collect::<Vec<_>>(),
        [1, 2, 3, 4]
    );
}
