//! Shapes that are learned: negative binomial counts, sums of products, chains of them.

use skellam::infer::Cavi;
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::declared::passes;

skellam::model! {
    /// Counts more dispersed than a Poisson.
    pub model Overdispersed {
        index docs, words;
        latent r ~ Gamma(shape = 2.0, rate = 1.0);
        latent b ~ Gamma(shape = 2.0, rate = 1.0);
        latent eps[d in docs, v in words] ~ Gamma(shape = r, rate = b);
        latent mu[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(eps[d, v] * mu[v]);
    }
}

skellam::model! {
    /// A shape that is a sum of products, one of whose factors has a learned shape itself.
    pub model Deep {
        index docs, words, topics, upper;
        hyper a: positive = 1.5;
        latent s[j in upper] ~ Gamma(shape = 2.0, rate = 1.0);
        latent b[j in upper] ~ Gamma(shape = 2.0, rate = 1.0);
        latent psi[d in docs, j in upper] ~ Gamma(shape = s[j], rate = b[j]);
        latent w[j in upper, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent c[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics]
            ~ Gamma(shape = 0.5 + sum(j in upper) w[j, k] * psi[d, j] + sum(j in upper) psi[d, j], rate = c[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Negative binomial counts of one shape.
    pub model Alone {
        index docs;
        latent r ~ Gamma(shape = 2.0, rate = 1.0);
        latent eps[d in docs] ~ Gamma(shape = r, rate = 0.5);
        count y[d in docs] ~ Poisson(eps[d]);
    }
}

skellam::model! {
    /// The same beside a constant, looked up by group.
    pub model Grouped {
        index docs, groups;
        data group[d in docs]: groups;
        latent r[g in groups] ~ Gamma(shape = 2.0, rate = 1.0);
        latent eps[d in docs] ~ Gamma(shape = 0.5 + 2.0 * r[group[d]], rate = 0.5);
        count y[d in docs] ~ Poisson(eps[d]);
    }
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let counts = Counts::dense(vec![6], vec![0, 3, 9, 1, 0, 14]).unwrap();
    let model = Alone::new(&counts).unwrap();
    let error = model.cavi(&Cavi::default()).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.starts_with("the shape of `eps` is learned, and no bound is known"),
        "{error}"
    );
    assert!(Alone::derivation().to_string().contains(&error));
    let frozen = model.freeze_eps([1.0; 6]).bind(FormKind::Collapsed).map(|_| ());
    assert!(
        frozen
            .unwrap_err()
            .to_string()
            .starts_with("the shape of `eps` is learned from counts")
    );
}

#[test]
fn models_with_learned_shapes_pass_their_self_tests() {
    passes::<Overdispersed>();
    passes::<Deep>();
    passes::<Grouped>();
}
