//! Indices that are looked up, against the same model in words that need none: a one-hot array in a rate, a parent for each group.

use skellam::channel::Varying;
use skellam::infer::{Cavi, Gibbs, Moves};
use skellam::model::FormKind;
use skellam::prelude::*;
use skellam_tests::data::{noise, stream};
use skellam_tests::declared::shortened;
use skellam_tests::statistics::batch_means;

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
    /// The same by sums over arrays of ones and zeros.
    pub model OneHot {
        index docs, words, authors, kinds, topics;
        data is_author[d in docs, a in authors]: nonnegative;
        data is_kind[v in words, c in kinds]: nonnegative;
        data size[a in authors]: positive;
        data size_of[d in docs]: positive;
        latent style[a in authors, k in topics] ~ Gamma(shape = 1.5, rate = size[a]);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.2, rate = size_of[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        latent level[c in kinds] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(
            sum(k in topics) theta[d, k] * phi[k, v]
                + sum(c in kinds, a in authors, k in topics) size_of[d] * is_kind[v, c] * level[c] * is_author[d, a] * style[a, k] * phi[k, v]);
        release y by TwoSidedGeometric;
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

skellam::model! {
    /// The same with the documents of each group in a count of their own, and a parent for each.
    pub model Parents {
        index first, second, words, topics;
        latent budget ~ Gamma(shape = 2.0, rate = 1.0);
        latent other ~ Gamma(shape = 2.0, rate = 1.0);
        latent theta[d in first, k in topics] ~ Gamma(shape = 1.2, rate = 0.5 * budget);
        latent eta[d in second, k in topics] ~ Gamma(shape = 1.2, rate = 0.5 * other);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.1, rate = 1.0);
        count y[d in first, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count z[d in second, v in words] ~ Poisson(sum(k in topics) eta[d, k] * phi[k, v]);
    }
}

const DOCS: usize = 8;
const WORDS: usize = 6;
const AUTHOR: [usize; DOCS] = [2, 0, 1, 1, 0, 2, 2, 0];
const KIND: [usize; WORDS] = [1, 0, 0, 1, 1, 0];
const SIZE: [f64; 3] = [0.5, 1.0, 1.7];

fn one_hot(positions: &[usize], size: usize) -> Array {
    let row = |&at: &usize| (0..size).map(move |i| f64::from(u8::from(i == at)));
    Array::new(vec![positions.len(), size], positions.iter().flat_map(row).collect()).unwrap()
}

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

fn written_out() -> OneHot {
    let size_of: Vec<f64> = AUTHOR.iter().map(|&a| SIZE[a]).collect();
    let model = OneHot::new(&released()).unwrap().topics(2);
    model
        .is_author(one_hot(&AUTHOR, 3))
        .is_kind(one_hot(&KIND, 2))
        .size(SIZE)
        .size_of(size_of)
}

fn one_ascent(form: CaviForm) -> Cavi {
    Cavi {
        max_iters: 300,
        tol: 0.0,
        num_restarts: 1,
        form,
        ..Cavi::default()
    }
}

/// A lookup is a sum against a one-hot array: the same ascent up to rounding. A lookup that is off by one ends elsewhere.
#[test]
fn a_lookup_in_a_rate_is_a_sum_over_a_one_hot_array() {
    for form in [CaviForm::Collapsed, CaviForm::Augmented, CaviForm::Published] {
        let settings = one_ascent(form);
        let (a, b) = (
            looked().cavi(&settings).unwrap(),
            written_out().cavi(&settings).unwrap(),
        );
        let distance = (a.style.mean().unwrap() - b.style.mean().unwrap()).amax();
        assert!(distance < 1e-6, "{form:?}: {distance}");
        if let (Some(x), Some(y)) = (a.elbo, b.elbo) {
            assert!((x - y).abs() < 1e-9 * x.abs(), "{form:?}: {x} {y}");
            let shifted = AUTHOR.map(|author| (author + 1) % 3);
            let other = looked().author(shifted).cavi(&settings).unwrap().elbo.unwrap();
            assert!((x - other).abs() > 1e-3, "{x} {other}");
        }
    }
}

/// Means of a product of factors that no order of topics changes agree within four standard errors of 12,000 draws each, in batches of
/// 300: a right program fails with probability 2e-4 at a normal law, for three of them; the seed is fixed.
#[test]
fn draws_of_a_lookup_have_the_law_of_the_sum() {
    let settings = Gibbs {
        num_tune: 500,
        num_draws: 12_000,
        num_chains: Some(1),
        thin: Some(1),
        seed: 4,
        ..Gibbs::default()
    };
    let (a, b) = (
        looked().gibbs(&settings).unwrap(),
        written_out().gibbs(&settings).unwrap(),
    );
    for i in 0..3 {
        let [of_a, of_b] = [&a.style, &b.style].map(|style| {
            // Three authors, two topics.
            let draws = style.as_slice().unwrap().chunks_exact(6);
            let chain: Vec<f64> = draws.map(|x| x[2 * i] * x[2 * i + 1]).collect();
            batch_means(&chain, 40)
        });
        let z = (of_a.0 - of_b.0) / (of_a.1 + of_b.1).sqrt();
        assert!(z.abs() < 4.0, "{i}: {of_a:?} {of_b:?}");
    }
}

/// Counts of two groups, every other document of the second.
#[test]
fn a_lookup_in_a_prior_is_a_parent_for_each_group() {
    let value = |d: usize, v: usize| ((3 * d + 2 * v) % 5) as i64 * if d.is_multiple_of(2) { 1 } else { 4 };
    let counts = |docs: &[usize]| {
        let values = docs.iter().flat_map(|&d| (0..WORDS).map(move |v| value(d, v)));
        Counts::dense(vec![docs.len(), WORDS], values.collect()).unwrap()
    };
    let all: Vec<usize> = (0..DOCS).collect();
    let grouped = Grouped::new(&counts(&all)).unwrap().topics(1);
    let grouped = grouped.group([0, 1, 0, 1, 0, 1, 0, 1]);
    let (y, z) = (counts(&[0, 2, 4, 6]), counts(&[1, 3, 5, 7]));
    let parents = Parents::new(ParentsData { y: &y, z: &z }).unwrap().topics(1);
    let settings = one_ascent(CaviForm::Collapsed);
    let (a, b) = (grouped.cavi(&settings).unwrap(), parents.cavi(&settings).unwrap());
    let (x, y) = (a.elbo.unwrap(), b.elbo.unwrap());
    assert!((x - y).abs() < 1e-9 * x.abs(), "{x} {y}");
    let budget = a.budget.mean().unwrap();
    assert!((budget[0] - b.budget.mean().unwrap()).abs() < 1e-6);
    assert!((budget[1] - b.other.mean().unwrap()).abs() < 1e-6);
}

#[test]
fn models_with_lookups_pass_their_self_tests() {
    for report in [shortened::<Looked>(), shortened::<Together>(), shortened::<Seated>()] {
        assert!(report.passed(), "{report}");
    }
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

skellam::model! {
    /// Styles of authors, looked up.
    pub model ByAuthor {
        index docs, words, authors, topics;
        data author[d in docs]: authors;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent style[a in authors, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) (theta[d, k] + style[author[d], k]) * phi[k, v]);
    }
}

skellam::model! {
    /// The same with a style for each document.
    pub model ByDocument {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent style[d in docs, k in topics] ~ Gamma(shape = 0.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 0.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) (theta[d, k] + style[d, k]) * phi[k, v]);
    }
}

/// 20,000 documents of 500 authors: a sweep takes at most 1.1 times as long as one without the lookup. In a release build:
/// `cargo test --release -p skellam-tests --test behaviour -- --ignored --nocapture lookup_costs`.
#[test]
#[ignore = "times a sweep, on a quiet machine"]
fn a_lookup_costs_no_more_than_a_row_of_its_own() {
    let (docs, words) = (20_000, 60);
    let values = (0..docs * words).map(|i: usize| i64::from((i.wrapping_mul(2_654_435_761) >> 7).is_multiple_of(11)));
    let counts = Counts::dense(vec![docs, words], values.collect()).unwrap();
    let author: Vec<usize> = (0..docs).map(|d| (d * 7919) % 500).collect();
    let by_author = ByAuthor::new(&counts).unwrap().topics(10).author(author);
    let by_document = ByDocument::new(&counts).unwrap().topics(10);
    let settings = Gibbs {
        num_tune: 0,
        num_draws: 30,
        num_chains: Some(1),
        moves: Moves::Nothing,
        ..Gibbs::default()
    };
    let mut ratios: Vec<f64> = (0..5)
        .map(|_| {
            let time = |run: &dyn Fn()| {
                let begin = std::time::Instant::now();
                run();
                begin.elapsed().as_secs_f64()
            };
            let with = time(&|| drop(by_author.gibbs(&settings).unwrap()));
            with / time(&|| drop(by_document.gibbs(&settings).unwrap()))
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!("with the lookup / without, five runs: {ratios:.3?}");
    assert!(ratios[2] < 1.1, "{ratios:?}");
}
