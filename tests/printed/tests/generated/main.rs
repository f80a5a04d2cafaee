//! What `generated()` prints makes the draws of the macro. It compiles against `skellam` alone: this crate has what the compiler
//! prints of the same declarations, and no other dependency.
#![expect(clippy::duplicate_mod, reason = "one driver, over the types of either")]

use skellam::prelude::{AtLeastOne, Laplace, TruncatedGeometric, TwoSidedGeometric};
use skellam_tests::families::{Background, Batch, Cp3, Cp4, Matrix, Mixed, Offset, Pairs, Tucker};

mod changed;
mod driver;
mod printed;

skellam::model! {
    /// Parents, a simplex, and an array of concentrations.
    pub model Hierarchy {
        index docs, words, topics;
        hyper a: positive = 0.5, eta[v in words]: positive = 0.5;
        latent xi[d in docs] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 2.0 * xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta[v], along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Several counts, rows in sequence, and two uses of a latent in one step.
    model Network {
        index actors, groups, days;
        data shown[t in days]: nonnegative;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent trio[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count mail[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        count visits[i in actors, t in days] ~ Poisson(shown[t] * sum(c in groups) theta[i, c]);
        count meetings[i in actors, j in actors, k in actors] where i < j, j < k
            ~ Poisson(sum(c in groups) trio[i, c] * trio[j, c] * trio[k, c]);
        release mail by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A difference, whose cells have steps of their own.
    pub model Noisy {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent plus[d in docs, v in words] ~ Gamma(shape = 1.0, rate = 2.0);
        latent minus[d in docs] ~ Gamma(shape = 1.0, rate = 2.0);
        count c[d in docs, v in words]
            ~ Skellam(plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v], minus = minus[d]);
    }
}

skellam::model! {
    /// Laws of which nothing is kept.
    pub model Answers {
        index people, things, tastes;
        latent theta[i in people, k in tastes] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in tastes, j in things] ~ Gamma(shape = 0.5, rate = 1.0);
        count bought[i in people, j in things] ~ Poisson(sum(k in tastes) theta[i, k] * phi[k, j]);
        count liked[i in people, j in things] ~ Poisson(sum(k in tastes) theta[i, k] * phi[k, j]);
        count rated[i in people, j in things] ~ Poisson(sum(k in tastes) theta[i, k] * phi[k, j]);
        release bought by Laplace;
        release liked by AtLeastOne;
        release rated by TruncatedGeometric;
    }
}

skellam::model! {
    /// A chain of rates, and a shape that is learned.
    pub model Chained {
        index times: ordered;
        index words;
        latent drift[t in times] ~ Gamma(shape = 3.0, rate = 2.0 * drift[t - 1]);
        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent eps[t in times, v in words] ~ Gamma(shape = r, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(drift[t] * eps[t, v]);
    }
}

skellam::model! {
    /// A latent that is in its own shape.
    pub model Dynamic {
        index times: ordered;
        index words;
        latent theta[t in times] ~ Gamma(shape = 1.0 + 0.5 * theta[t - 1], rate = 2.0);
        latent phi[v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(theta[t] * phi[v]);
    }
}

#[test]
fn the_crate_of_what_is_printed_has_what_models_print() {
    let printed = [
        ("matrix", Matrix::generated()),
        ("cp3", Cp3::generated()),
        ("tucker", Tucker::generated()),
        ("background", Background::generated()),
        ("batch", Batch::generated()),
        ("cp4", Cp4::generated()),
        ("mixed", Mixed::generated()),
        ("offset", Offset::generated()),
        ("pairs", Pairs::generated()),
        ("hierarchy", Hierarchy::generated()),
        ("network", Network::generated()),
        ("noisy", Noisy::generated()),
        ("answers", Answers::generated()),
        ("chained", Chained::generated()),
        ("dynamic", Dynamic::generated()),
    ];
    for (name, text) in printed {
        let compiled = skellam_printed::TEXTS.iter().find(|(module, _)| *module == name);
        assert!(
            compiled.is_some_and(|(_, compiled)| *compiled == text),
            "{name}: {text}"
        );
    }
    assert_eq!(printed.len(), skellam_printed::TEXTS.len());
}

#[test]
fn the_printed_source_makes_the_same_draws() {
    assert_eq!(printed::driver::lines(), driver::lines());
}
