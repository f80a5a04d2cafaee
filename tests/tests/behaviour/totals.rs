//! Counts whose totals are known: textbook topic models, released lines, and tables that share a hidden margin.

use skellam::prelude::*;

skellam::model! {
    /// Topics with known lengths, as textbooks write them.
    pub model Lda {
        index docs, words, topics;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.7, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
    }
}

skellam::model! {
    /// The same with rates that are expected counts.
    pub model PoissonTopics {
        index docs, words, topics;
        data length[d in docs]: nonnegative;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.7, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count y[d in docs, v in words] ~ Poisson(length[d] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// The same, released.
    pub model PrivateLda {
        index docs, words, topics;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.7, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Answers of persons whose classes nobody knows.
    pub model Votes {
        index classes, features, answers;
        total people;
        latent p[i in classes] ~ Dirichlet(concentration = 1.5, along = i);
        latent q[k in features, i in classes, j in answers] ~ Dirichlet(concentration = 1.2, along = j);
        hidden n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[k in features, i in classes, j in answers] ~ Multinomial(n[i], q[k, i, j], along = j);
        release m by TwoSidedGeometric;
    }
}

fn passes(report: &skellam::selftest::Report) {
    println!("{report}");
    assert!(report.passed(), "{report}");
}

#[test]
fn self_tests() {
    passes(&Lda::self_test());
    passes(&PrivateLda::self_test());
    passes(&Votes::self_test());
}
