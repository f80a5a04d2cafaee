//! Counts whose totals are known: textbook topic models, released lines, and tables that share a hidden margin.

use skellam::channel::Varying;
use skellam::infer::{Gibbs, Progress};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::declared::passes;

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

skellam::model! {
    /// A table with a total beside a Poisson count with the same topics.
    pub model Beside {
        index docs, words, topics, links;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 1.5, along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.5, along = v);
        latent psi[l in links] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
        count z[d in docs, l in links] ~ Poisson(psi[l]);
        release y by TwoSidedGeometric;
        release z by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A total that was released itself, along the first index.
    pub model Chain {
        index classes, answers;
        total people;
        latent p[i in classes] ~ Dirichlet(concentration = 1.5, along = i);
        latent q[j in answers, i in classes] ~ Dirichlet(concentration = 1.5, along = j);
        count n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[j in answers, i in classes] ~ Multinomial(n[i], q[j, i], along = j);
        release n by TwoSidedGeometric;
        release m by TruncatedGeometric;
    }
}

skellam::model! {
    /// Words of documents whose lengths nobody knows: a hidden Poisson count for the total.
    pub model HiddenLengths {
        index docs, words;
        latent r[d in docs] ~ Gamma(shape = 2.0, rate = 0.4);
        latent phi[v in words] ~ Dirichlet(concentration = 1.5, along = v);
        hidden n[d in docs] ~ Poisson(r[d]);
        count y[d in docs, v in words] ~ Multinomial(n[d], phi[v], along = v);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A released Poisson total, of two tables of which one has a line of its own below.
    pub model ReleasedTotal {
        index docs, words, parts, links;
        data size[d in docs]: nonnegative;
        latent r[l in links] ~ Gamma(shape = 2.0, rate = 1.0);
        latent share[d in docs, l in links] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[v in words] ~ Dirichlet(concentration = 1.5, along = v);
        latent psi[p in parts] ~ Dirichlet(concentration = 1.5, along = p);
        count n[d in docs] ~ Poisson(size[d] * sum(l in links) share[d, l] * r[l]);
        hidden h[d in docs, p in parts] ~ Multinomial(n[d], psi[p], along = p);
        count m[d in docs, p in parts, v in words] ~ Multinomial(h[d, p], phi[v], along = v);
        release n by TwoSidedGeometric;
        release m by TruncatedGeometric;
    }
}

#[test]
fn models_with_totals_pass_their_self_tests() {
    passes::<Votes>();
    passes::<Lda>();
    passes::<PrivateLda>();
    passes::<Beside>();
    passes::<Chain>();
    passes::<HiddenLengths>();
    passes::<ReleasedTotal>();
}

pub(super) const DOCS: usize = 5;
pub(super) const WORDS: usize = 6;

/// Words of five documents.
pub(super) fn words() -> Vec<i64> {
    (0..DOCS * WORDS)
        .map(|cell| ((cell * 7 + cell / 5) % 6) as i64)
        .collect()
}

fn lengths(counts: &[i64]) -> Vec<f64> {
    counts
        .chunks(WORDS)
        .map(|line| line.iter().sum::<i64>() as f64)
        .collect()
}

fn table(counts: &[i64]) -> Counts {
    Counts::dense(vec![DOCS, WORDS], counts.to_vec()).unwrap()
}

pub(super) fn gibbs(num_draws: usize) -> Gibbs {
    Gibbs {
        num_tune: 500,
        num_draws,
        num_chains: Some(1),
        seed: 3,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

#[test]
fn what_does_not_add_up_is_refused() {
    let counts = words();
    let mut length = lengths(&counts);
    length[2] += 1.0;
    let model = Lda::new(&table(&counts)).unwrap().topics(2);
    let refused = |model: Lda| model.bind(FormKind::Collapsed).map(|_| ()).unwrap_err().to_string();
    let said = refused(model.clone().length(length));
    assert!(said.contains("`y` adds up to") && said.contains("[2, 0]"), "{said}");
    let said = refused(model.clone().length(vec![0.5; DOCS]));
    assert!(said.contains("whole number"), "{said}");
    assert!(refused(model).contains("`length` was not given"));
    // A word of a line cannot be hidden, a line can.
    let mask = Mask::from_indices(&[DOCS, WORDS], vec![vec![1, 3]]).unwrap();
    let held = table(&counts).hold_out(&mask).unwrap();
    let said = refused(Lda::new(&held).unwrap().topics(2).length(lengths(&counts)));
    assert!(said.contains("held out"), "{said}");
    let frozen = Array::new(vec![2, WORDS], vec![1.0 / WORDS as f64; 2 * WORDS]).unwrap();
    let said = refused(
        Lda::new(&held)
            .unwrap()
            .topics(2)
            .length(lengths(&counts))
            .freeze_phi(frozen),
    );
    assert!(said.contains("hold out whole lines"), "{said}");
    let line = (0..WORDS).map(|v| vec![1, v]).collect();
    let mask = Mask::from_indices(&[DOCS, WORDS], line).unwrap();
    let held = table(&counts).hold_out(&mask).unwrap();
    assert!(
        Lda::new(&held)
            .unwrap()
            .topics(2)
            .length(lengths(&counts))
            .bind(FormKind::Collapsed)
            .is_ok()
    );
    // Tables of exact answers must agree on the classes.
    let exact = Counts::dense(vec![2, 2, 2], vec![1, 3, 2, 3, 4, 0, 0, 5]).unwrap();
    let votes = Votes::exact(&exact).unwrap().people(9);
    votes.bind(FormKind::Collapsed).unwrap();
    let said = votes
        .people(8)
        .bind(FormKind::Collapsed)
        .map(|_| ())
        .unwrap_err()
        .to_string();
    assert!(
        said.contains("`n`") && said.contains("adds up to 9") && said.contains("8"),
        "{said}"
    );
    let naive = Released::<TwoSidedGeometric>::assert_mechanism(
        vec![2, 2, 2],
        vec![1, 3, 2, 3, 4, 0, 0, 5],
        Varying::Uniform(TwoSidedGeometric::new(0.5).unwrap()),
    );
    let naive = Votes::naive(&naive.unwrap()).unwrap().people(9);
    let said = naive.bind(FormKind::Collapsed).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("cannot be fitted naively"), "{said}");
}

/// Draws do not depend on the number of threads, nor on being stopped.
#[test]
fn draws_are_the_same_on_any_number_of_threads() {
    let seen: Vec<i64> = (0..16).map(|cell| (cell * 5 % 7) - 1).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.6).unwrap());
    let released = Released::<TwoSidedGeometric>::assert_mechanism(vec![4, 2, 2], seen, law).unwrap();
    let model = Votes::new(&released).unwrap().people(12);
    let [one, three] = [1, 3].map(|threads| {
        let settings = Gibbs {
            num_threads: Some(threads),
            ..gibbs(50)
        };
        model.gibbs(&settings).unwrap().q.mean().unwrap()
    });
    assert_eq!(one.as_slice(), three.as_slice());
}

skellam::model! {
    /// A Poisson count that is observed as it is, and the total of a released one.
    pub model Counted {
        index docs, words;
        latent level[d in docs] ~ Gamma(shape = 2.0, rate = 1.0);
        latent phi[v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count n[d in docs] ~ Poisson(level[d]);
        count y[d in docs, v in words] ~ Multinomial(n[d], phi[v], along = v);
        release y by TwoSidedGeometric;
    }
}

/// What is held out of a total is not seen through the lines that add up to it.
#[test]
fn a_held_out_total_stays_hidden() {
    let n = Counts::dense(vec![2], vec![3, 5]).unwrap();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.5).unwrap());
    let y = Released::<TwoSidedGeometric>::assert_mechanism(vec![2, 2], vec![1, 3, 2, 2], law).unwrap();
    let bind = |n: &Counts, y: &Released<TwoSidedGeometric>| {
        let model = Counted::new(CountedData { n, y }).unwrap();
        model
            .bind(FormKind::Collapsed)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    assert_eq!(bind(&n, &y), Ok(()));
    let hidden = n
        .clone()
        .hold_out(&Mask::from_indices(&[2], vec![vec![1]]).unwrap())
        .unwrap();
    let said = bind(&hidden, &y).unwrap_err();
    assert!(
        said.contains("`n` is the total of another count, and some of its cells are held out"),
        "{said}"
    );
    // With the line hidden too, nothing is left to be seen through.
    let line = Mask::from_indices(&[2, 2], vec![vec![1, 0], vec![1, 1]]).unwrap();
    assert_eq!(bind(&hidden, &y.hold_out(&line).unwrap()), Ok(()));
}
