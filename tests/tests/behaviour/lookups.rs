//! Indices that are looked up, in rates and in priors.

use skellam::channel::Varying;
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::data::{noise, stream};
use skellam_tests::declared::passes;

skellam::model! {
    /// Styles of authors and levels of kinds of words, looked up.
    pub model Looked {
        index docs, words, authors, kinds, topics;
        data author[d in docs]: authors;
        data kind[v in words]: kinds;
        data size[a in authors]: positive;
        latent style[a in authors, k in topics] ~ Gamma(shape = 1.5, rate = size[a]);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = size[author[d]]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        latent level[c in kinds] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(
            sum(k in topics) theta[d, k] * phi[k, v]
                + size[author[d]] * level[kind[v]] * sum(k in topics) style[author[d], k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Two latents at one lookup, in a rate and in a prior.
    pub model Together {
        index docs, words, authors;
        data author[d in docs]: authors;
        latent xi[a in authors] ~ Gamma(shape = 2.0, rate = 1.0);
        latent zeta[a in authors] ~ Gamma(shape = 2.0, rate = 1.0);
        latent bias[a in authors] ~ Gamma(shape = 1.5, rate = 1.0);
        latent theta[d in docs] ~ Gamma(shape = 1.2, rate = xi[author[d]] * zeta[author[d]]);
        latent phi[a in authors, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(theta[d] * bias[author[d]] * phi[author[d], v]);
    }
}

skellam::model! {
    /// What two indices tell, of which the latent that is read there has one.
    pub model Seated {
        index docs, sites, words, authors, topics;
        data seat[d in docs, s in sites]: authors;
        latent bias[a in authors, s in sites] ~ Gamma(shape = 1.5, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count y[d in docs, s in sites, v in words] ~ Poisson(bias[seat[d, s], s] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// A budget for each group, looked up in a prior.
    pub model Grouped {
        index docs, words, groups, topics;
        data group[d in docs]: groups;
        latent budget[g in groups] ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = 0.5 * budget[group[d]]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

const DOCS: usize = 8;
const WORDS: usize = 6;
const AUTHOR: [usize; DOCS] = [2, 0, 1, 1, 0, 2, 2, 0];
const KIND: [usize; WORDS] = [1, 0, 0, 1, 1, 0];
const SIZE: [f64; 3] = [0.5, 1.0, 1.7];

fn released() -> Released<TwoSidedGeometric> {
    let mut rng = stream(3);
    let values = (0..DOCS * WORDS).map(|i| (i % 7) as i64 + noise(0.4, &mut rng));
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(vec![DOCS, WORDS], values.collect(), law).unwrap()
}

fn looked() -> Looked {
    let model = Looked::new(&released()).unwrap().topics(2);
    model.author(AUTHOR).kind(KIND).size(SIZE)
}

#[test]
fn models_with_lookups_pass_their_self_tests() {
    passes::<Looked>();
    passes::<Together>();
    passes::<Seated>();
}

#[test]
fn wrong_positions_are_refused() {
    let refused = |author: &[usize]| {
        looked()
            .author(author)
            .bind(FormKind::Collapsed)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refused(&[1, 2, 3, 3, 2, 1, 1, 1]),
        "`author` is 3 at position 2 (row-major, from 0), and `authors` has 3 values: positions are counted from 0"
    );
    assert!(refused(&[0, 1, 2]).contains("docs"));
    let model = Grouped::new(&Counts::dense(vec![2, 2], vec![1, 2, 3, 4]).unwrap())
        .unwrap()
        .topics(1);
    let error = model
        .clone()
        .group([1, 2])
        .bind(FormKind::Collapsed)
        .map(|_| ())
        .unwrap_err();
    assert!(error.to_string().starts_with("no entry of `group` is 0"), "{error}");
    let missing = model
        .clone()
        .bind(FormKind::Collapsed)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(missing.contains("`group` was not given"), "{missing}");
    assert!(model.clone().groups(3).group([1, 2]).bind(FormKind::Collapsed).is_ok());
    assert!(model.clone().group([0, 2]).bind(FormKind::Collapsed).is_ok());
    let error = model
        .group(vec![0.0, 0.5])
        .bind(FormKind::Collapsed)
        .map(|_| ())
        .unwrap_err();
    assert!(error.to_string().contains("a whole number"), "{error}");
    // The largest of all positions in a set tells its size.
    let counts = Counts::dense(vec![3], vec![1, 2, 3]).unwrap();
    let people = Edited::new(&counts).unwrap();
    let sizes = people
        .clone()
        .author([0, 1, 2])
        .editor([3, 5, 0])
        .bind(FormKind::Collapsed)
        .unwrap()
        .sizes();
    assert_eq!(sizes.people, 6);
    let huge = people
        .author(vec![0.0, 1.0, 1e19])
        .editor([0, 0, 0])
        .bind(FormKind::Collapsed);
    assert!(
        huge.map(|_| ()).unwrap_err().to_string().contains("`author` is 1"),
        "a position of 1e19"
    );
}

skellam::model! {
    /// Two arrays of positions in one set.
    pub model Edited {
        index docs, people;
        data author[d in docs]: people;
        data editor[d in docs]: people;
        latent skill[p in people] ~ Gamma(shape = 1.0, rate = 1.0);
        latent care[p in people] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs] ~ Poisson(skill[author[d]] * care[editor[d]]);
    }
}
