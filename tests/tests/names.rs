//! Names of one's own beside those that the expansion uses inside: none of them collide.

use skellam::prelude::*;

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
            thin: 1,
            ..Gibbs::default()
        })
        .unwrap();
    assert_eq!(fit.node.shape(), [2, 3]);
    assert!(fit.buffers.mean() > 0.0);
    assert!(
        model
            .cavi(&Cavi {
                max_iters: 5,
                ..Cavi::default()
            })
            .is_ok()
    );
}
