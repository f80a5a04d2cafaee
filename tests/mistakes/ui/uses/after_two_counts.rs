//! Mistakes in one of two counts give no second error where the model is used.

use skellam::prelude::*;

model! {
    model Groups {
        index people, words, groups;
        latent theta[i in people, k in groups] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in groups, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count mail[i in people, v in words] ~ Poisson(sum(k in groups) theta[i, k] * phi[k, v] - 1.0);
        count meetings[i in people, j in people] where i > j ~ Poisson(sum(k in groups) theta[i, k] * theta[j, k]);
        release mail by TwoSidedGeometric;
    }
}

fn main() {
    let mail = Counts::dense(vec![1, 1], vec![1]).unwrap();
    let meetings = Counts::dense(vec![1, 1], vec![1]).unwrap();
    let data = GroupsCounts {
        mail: &mail,
        meetings: &meetings,
    };
    let fit = Groups::exact(data).unwrap().groups(2).cavi(&Cavi::default()).unwrap();
    let _ = (fit.theta.mean().unwrap(), &fit.rate().unwrap().mail);
}
