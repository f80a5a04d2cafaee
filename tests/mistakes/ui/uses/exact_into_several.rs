//! True counts where releases of several counts are declared: in the field of one, as the struct of true counts, and by themselves.

use skellam::prelude::*;

model! {
    model Groups {
        index people, words, groups;
        latent theta[i in people, k in groups] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in groups, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count mail[i in people, v in words] ~ Poisson(sum(k in groups) theta[i, k] * phi[k, v]);
        count visits[i in people] ~ Poisson(sum(k in groups) theta[i, k]);
        release mail by TwoSidedGeometric;
    }
}

fn main() {
    let mail = Counts::dense(vec![1, 1], vec![1]).unwrap();
    let visits = Counts::dense(vec![1], vec![1]).unwrap();
    let _ = Groups::new(GroupsData {
        mail: &mail,
        visits: &visits,
    });
    let _ = Groups::new(GroupsCounts {
        mail: &mail,
        visits: &visits,
    });
    let _ = Groups::new(&mail);
}
