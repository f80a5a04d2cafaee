//! A user's names beside those that the expansion uses inside: none of them collide.

use skellam::prelude::*;
use skellam_tests::declared::passes;

skellam::model! {
    /// Every name here is that of a local variable, a parameter or a field somewhere in the expansion.
    model Names {
        index s, table, layout;
        hyper grid: positive = 1.0, form: positive = 1.0, fit_: positive = 1.0;
        data root[d in s]: positive;
        latent x[d in s, k in layout] ~ Gamma(shape = grid, rate = form);
        latent node[k in layout, v in table] ~ Gamma(shape = 1.0, rate = 1.0);
        latent into[v in table] ~ Gamma(shape = fit_, rate = 1.0);
        latent buffers ~ Gamma(shape = 1.0, rate = 1.0);
        count counts[d in s, v in table]
            ~ Poisson(root[d] * sum(k in layout) x[d, k] * node[k, v] + buffers * into[v]);
    }
}

#[test]
fn names_of_the_expansion_are_free() {
    let counts = Counts::dense(vec![2, 3], vec![1, 0, 2, 0, 0, 4]).unwrap();
    let model = Names::new(&counts)
        .unwrap()
        .layout(2)
        .grid(2.0)
        .form(0.5)
        .root(vec![1.0, 2.0]);
    let fit = model
        .gibbs(&Gibbs {
            num_tune: 5,
            num_draws: 5,
            thin: Some(1),
            ..Gibbs::default()
        })
        .unwrap();
    assert_eq!(fit.node.shape(), [2, 3]);
    assert!(fit.buffers.mean().unwrap() > 0.0);
    assert!(
        model
            .cavi(&Cavi {
                max_iters: 5,
                anneal_iters: 2,
                ..Cavi::default()
            })
            .is_ok()
    );
}

skellam::model! {
    /// A count whose name generated code gives to the root of its own tree, in a rate with inner nodes and a latent that
    /// meets itself.
    model Rooted {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.5, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 0.5, rate = 1.0);
        count root[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
    }
}

skellam::model! {
    /// Latents and a count that are called as means, geometric means and weights of cells are in formulas.
    model Taken {
        index docs, words, topics;
        latent E[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = G[d]);
        latent G[d in docs] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.5, along = v);
        count w[d in docs, v in words] ~ Poisson(sum(k in topics) E[d, k] * phi[k, v]);
    }
}

#[test]
fn names_that_the_expansion_and_formulas_use_may_be_taken() {
    passes::<Rooted>();
    passes::<Taken>();
}
