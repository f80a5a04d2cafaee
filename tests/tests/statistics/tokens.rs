//! Chains over tokens: all assignments of a tiny corpus, the log joint of each, and the posterior of the collapsed form.

use std::collections::BTreeMap;

use rand::RngExt;
use skellam::channel::Varying;
use skellam::infer::{Chain, Declaration, Declared, gibbs};
use skellam::model::{Factors, FormKind};
use skellam::prelude::*;
use skellam_tests::data::{noise, stream};
use skellam_tests::statistics::{batch_means, ln_gamma, moments};

skellam::model! {
    /// Latent Dirichlet allocation.
    model Lda {
        index docs, words, topics;
        hyper a[k in topics]: positive, c[v in words]: positive;
        data length[d in docs]: whole;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = a[k], along = k);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = c[v], along = v);
        count y[d in docs, v in words] ~ Multinomial(length[d], sum(k in topics) theta[d, k] * phi[k, v], along = v);
    }
}

/// Documents, words, topics.
const SIZES: [usize; 3] = [2, 5, 2];
/// The document of each word, which occurs once.
const DOCUMENT: [usize; 5] = [0, 0, 0, 1, 1];
const A: [f64; 2] = [0.7, 0.4];
const C: [f64; 5] = [0.5, 0.3, 0.8, 0.2, 0.6];

fn tiny() -> LdaModel {
    let mut counts = [0; 10];
    DOCUMENT.iter().enumerate().for_each(|(v, d)| counts[5 * d + v] = 1);
    let counts = Counts::dense(vec![2, 5], counts.to_vec()).unwrap();
    let model = Lda::exact(&counts).unwrap().topics(2).length(vec![3.0, 2.0]);
    model.a(A.to_vec()).c(C.to_vec()).bind(FormKind::Collapsed).unwrap()
}

/// The formula of the report: `ln P(w, z)`.
fn ln_joint(z: [usize; 5]) -> f64 {
    let line = |concentrations: &[f64], n: &[f64]| -> f64 {
        let (all, tokens): (f64, f64) = (concentrations.iter().sum(), n.iter().sum());
        let entries = concentrations
            .iter()
            .zip(n)
            .map(|(c, n)| ln_gamma(c + n) - ln_gamma(*c));
        ln_gamma(all) - ln_gamma(all + tokens) + entries.sum::<f64>()
    };
    let mut total = 0.0;
    for d in 0..SIZES[0] {
        let n = [0, 1].map(|k| (0..5).filter(|&v| DOCUMENT[v] == d && z[v] == k).count() as f64);
        total += line(&A, &n);
    }
    for k in 0..SIZES[2] {
        let n: [f64; 5] = std::array::from_fn(|v| f64::from(u8::from(z[v] == k)));
        total += line(&C, &n);
    }
    total
}

/// The topic of each token: the only one on its word.
fn assignment(counts: &[f64]) -> [usize; 5] {
    std::array::from_fn(|v| usize::from(counts[5 + v] == 1.0))
}

/// Pearson's statistic of how often each assignment was seen, at every tenth sweep.
fn statistic(seen: &BTreeMap<[usize; 5], usize>) -> f64 {
    let all: Vec<[usize; 5]> = (0..32usize)
        .map(|bits| std::array::from_fn(|v| bits >> v & 1))
        .collect();
    let total: f64 = all.iter().map(|z| ln_joint(*z).exp()).sum();
    let draws: usize = seen.values().sum();
    let of = |z: &[usize; 5]| {
        let expected = ln_joint(*z).exp() / total * draws as f64;
        (seen.get(z).copied().unwrap_or(0) as f64 - expected).powi(2) / expected
    };
    all.iter().map(of).sum()
}

/// 31 degrees of freedom at 1e-6.
const CRITICAL: f64 = 83.64;

#[test]
fn all_assignments_are_drawn_as_often_as_they_are_probable() {
    let settings = Gibbs {
        num_tune: 10,
        max_retunes: 0,
        num_draws: 200_000,
        thin: Some(10),
        num_chains: Some(1),
        form: GibbsForm::Tokens,
        keep: Keep::default().latent("theta", Kept::Last).latent("phi", Kept::Last),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let mut seen = BTreeMap::new();
    let watch = |chain: &mut Chain<'_>, sweep: usize| {
        if sweep.is_multiple_of(10) {
            chain.refresh();
            let z = assignment(&chain.counts()[LdaModel::PHI]);
            assert!((chain.ln_joint() - ln_joint(z)).abs() < 1e-12);
            *seen.entry(z).or_insert(0) += 1;
        }
    };
    gibbs(&tiny(), &settings, watch).unwrap();
    assert!(statistic(&seen) < CRITICAL, "{}", statistic(&seen));
}

/// A sampler by hand, with a mistake if asked: a token counts itself among the others.
fn by_hand(without_itself: bool) -> f64 {
    let (mut z, mut rng, mut seen) = ([0; 5], stream(3), BTreeMap::new());
    for sweep in 0..2_000_000 {
        for v in 0..5 {
            let others = |v: usize| (0..5).filter(move |&other| !without_itself || other != v);
            let weights = [0, 1].map(|k| {
                let of_document = others(v).filter(|&o| DOCUMENT[o] == DOCUMENT[v] && z[o] == k).count() as f64;
                let of_topic = others(v).filter(|&o| z[o] == k).count() as f64;
                let of_word = others(v).filter(|&o| o == v && z[o] == k).count() as f64;
                (A[k] + of_document) * (C[v] + of_word) / (C.iter().sum::<f64>() + of_topic)
            });
            z[v] = usize::from(rng.random::<f64>() * (weights[0] + weights[1]) >= weights[0]);
        }
        if sweep % 10 == 0 {
            *seen.entry(z).or_insert(0) += 1;
        }
    }
    statistic(&seen)
}

#[test]
fn a_token_that_counts_itself_is_found() {
    let [right, mutant] = [true, false].map(by_hand);
    assert!(right < CRITICAL && mutant > 2.0 * CRITICAL, "{right} {mutant}");
}

skellam::model! {
    /// Gamma weights of documents, whose rates are learned, and topics on words, seen through noise.
    model Private {
        index docs, words, topics;
        latent level[k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 2.0, rate = level[k]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.6, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Two terms, one of them looked up and the other without an index; a rate above, and a shape that is learned.
    model Terms {
        index docs, words, topics, groups;
        hyper noise: positive = 0.7;
        data group[d in docs]: groups;
        latent size[d in docs] ~ Gamma(shape = 1.5, rate = 1.0);
        latent weight[k in topics] ~ Gamma(shape = 2.0, rate = 1.0);
        latent size_of[g in groups] ~ Gamma(shape = 2.0, rate = 2.0);
        latent theta[g in groups, k in topics] ~ Gamma(shape = weight[k], rate = size_of[g]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 0.6, along = v);
        latent base[v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[d in docs, v in words]
            ~ Poisson(noise * size[d] * base[v] + sum(k in topics) theta[group[d], k] * phi[k, v]);
    }
}

skellam::model! {
    /// A core of weights on pairs of communities.
    model Core {
        index actors, others, rows, columns;
        latent core[r in rows, c in columns] ~ Gamma(shape = 0.7, rate = 0.3);
        latent left[r in rows, i in actors] ~ Dirichlet(concentration = 0.6, along = i);
        latent right[c in columns, j in others] ~ Dirichlet(concentration = 0.9, along = j);
        count y[i in actors, j in others] ~ Poisson(sum(r in rows, c in columns) core[r, c] * left[r, i] * right[c, j]);
    }
}

/// Numbers of a draw that do not depend on the order of components.
type Statistics<'a> = &'a (dyn Fn(&Factors) -> [f64; 2] + Sync);

fn sum_and_squares(x: &[f64]) -> [f64; 2] {
    [x.iter().sum(), x.iter().map(|x| x * x).sum()]
}

/// Mean rates, and means of statistics, each with its squared standard error.
fn posterior<M: Declaration>(model: &Declared<M>, form: GibbsForm, statistics: Statistics<'_>) -> Vec<(f64, f64)> {
    let settings = Gibbs {
        num_tune: 500,
        num_draws: 20_000,
        thin: Some(2),
        num_chains: Some(2),
        form,
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let bound = model.bind(FormKind::Collapsed).unwrap();
    let cells = bound.views()[0].grid().cells();
    let mut series = vec![[Vec::new(), Vec::new()]; cells + 2];
    let watch = |chain: &mut Chain<'_>, sweep: usize| {
        if chain.drawn() == 0 || !sweep.is_multiple_of(2) {
            return;
        }
        chain.refresh();
        let mut rates = vec![vec![0.0; cells]];
        chain.add_rates(&mut rates);
        let values = rates.remove(0).into_iter().chain(statistics(chain.values()));
        let number = chain.number();
        series
            .iter_mut()
            .zip(values)
            .for_each(|(series, value)| series[number].push(value));
    };
    gibbs(&bound, &settings, watch).unwrap();
    let joined = series.into_iter().map(|of| {
        let [(one, of_one), (other, of_other)] = of.map(|chain| batch_means(&chain, 40));
        ((one + other) / 2.0, (of_one + of_other) / 4.0)
    });
    joined.collect()
}

/// All means agree to 4.5 standard errors, of 78 degrees of freedom or more. Of fifty means in four models, one is farther off by chance at a false-positive
/// rate of 5e-3.
fn agree<M: Declaration>(model: &Declared<M>, statistics: Statistics<'_>) {
    let [tokens, cells] = [GibbsForm::Tokens, GibbsForm::Collapsed].map(|form| posterior(model, form, statistics));
    for (number, ((one, of_one), (other, of_other))) in tokens.iter().zip(&cells).enumerate() {
        // A sum that is known is off by rounding alone.
        let z = (one - other) / (of_one + of_other).sqrt().max(1e-9);
        assert!(z.abs() < 4.5, "{number}: {one} by tokens, {other} by cells, z = {z}");
    }
    assert!(moments(&tokens.iter().map(|of| of.0).collect::<Vec<_>>()).1 > 0.0);
}

fn counts(shape: [usize; 2], seed: u64) -> Vec<i64> {
    let mut rng = stream(seed);
    (0..shape[0] * shape[1])
        .map(|_| i64::from(rng.random_range(0..4u8)) - 1)
        .map(|n| n.max(0))
        .collect()
}

#[test]
fn the_posterior_is_that_of_the_collapsed_form_where_totals_are_known() {
    let y = counts([3, 4], 5);
    let length: Vec<f64> = y.chunks(4).map(|line| line.iter().sum::<i64>() as f64).collect();
    let y = Counts::dense(vec![3, 4], y).unwrap();
    let model = Lda::exact(&y).unwrap().topics(2).length(length);
    agree(&model.a(A.to_vec()).c(C[..4].to_vec()), &|x| {
        sum_and_squares(&x[LdaModel::THETA])
    });
}

#[test]
fn the_posterior_is_that_of_the_collapsed_form_through_noise() {
    let mut rng = stream(8);
    let values: Vec<i64> = counts([3, 4], 6)
        .into_iter()
        .map(|y| 2 * y + noise(0.4, &mut rng))
        .collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let released = Released::assert_mechanism(vec![3, 4], values, law).unwrap();
    // A latent that is drawn given the latents from before the tokens moved hangs on these too little.
    agree(&Private::new(&released).unwrap().topics(2), &|x| {
        let (level, theta) = (&x[PrivateModel::LEVEL], &x[PrivateModel::THETA]);
        let products = theta
            .chunks(2)
            .flat_map(|line| [line[0] * level[0], line[1] * level[1]]);
        sum_and_squares(&products.collect::<Vec<_>>())
    });
}

#[test]
fn the_posterior_is_that_of_the_collapsed_form_with_terms_and_parents() {
    let y = Counts::dense(vec![4, 3], counts([4, 3], 7)).unwrap();
    let group = Array::new(vec![4], vec![0.0, 1.0, 1.0, 0.0]).unwrap();
    let model = Terms::exact(&y).unwrap().topics(2).group(group);
    agree(&model, &|x| sum_and_squares(&x[TermsModel::THETA]));
}

#[test]
fn the_posterior_is_that_of_the_collapsed_form_with_several_indices() {
    let y = Counts::dense(vec![3, 4], counts([3, 4], 9)).unwrap();
    agree(&Core::exact(&y).unwrap().rows(2).columns(2), &|x| {
        sum_and_squares(&x[CoreModel::CORE])
    });
}
