//! A model with every kind of update.

use skellam::model::FormKind;
use skellam::prelude::*;

skellam::model! {
    /// Several counts with parents, simplices and rows in sequence.
    pub model Everything {
        index actors, words, groups;
        latent xi[i in actors] ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[i in actors, c in groups] ~ Gamma(shape = 0.5, rate = xi[i]);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[c in groups, v in words] ~ Dirichlet(concentration = 0.1, along = v);
        latent trio[i in actors] ~ Gamma(shape = 1.0, rate = 1.0);
        count mail[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        count meetings[i in actors, j in actors] where i < j ~ Poisson(trio[i] * trio[j]);
        count y[i in actors, v in words] ~ Poisson(sum(c in groups) theta[i, c] * phi[c, v]);
        release mail by TwoSidedGeometric;
    }
}

/// The model with three groups and data that follow from its sizes.
pub fn everything(actors: usize, words: usize) -> EverythingModel {
    let table = |cols: usize, step: usize| {
        let values = (0..actors * cols).map(|i| (i * step % 7) as i64 - 4);
        values.collect::<Vec<i64>>()
    };
    let law = Varying::Uniform(TwoSidedGeometric::new(0.5).unwrap());
    let mail = Released::assert_mechanism(vec![actors, actors], table(actors, 5), law).unwrap();
    let exact = |cols: usize, step: usize| {
        let values = table(cols, step).into_iter().map(|v| v.max(0)).collect();
        Counts::dense(vec![actors, cols], values).unwrap()
    };
    let (meetings, y) = (exact(actors, 3), exact(words, 11));
    let data = EverythingData {
        mail: &mail,
        meetings: &meetings,
        y: &y,
    };
    let model = Everything::new(data).unwrap().groups(3);
    model.bind(FormKind::Collapsed).unwrap()
}
