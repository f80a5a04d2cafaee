//! One model said in several ways: the same draws bit by bit where the plan is the same, else the same posterior.

use skellam::infer::{Chain, pool};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam_tests::statistics::batch_means;

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 10,
        num_draws: 20,
        thin: Some(1),
        num_chains: Some(1),
        seed: 9,
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Small counts by a fixed rule.
fn values(n: usize) -> Vec<i64> {
    (0..n).map(|i| (i * 7 % 5) as i64).collect()
}

fn counts(shape: &[usize]) -> Counts {
    Counts::dense(shape.to_vec(), values(shape.iter().product())).unwrap()
}

/// Means of rates along a run, and their squared standard errors.
fn means(model: &dyn Model, rates: impl Fn(&[f64]) -> Vec<f64> + Sync) -> Vec<(f64, f64)> {
    let mut chain = Chain::new(model, 4, 0);
    let mut runs: Vec<Vec<f64>> = Vec::new();
    pool(1).unwrap().install(|| {
        for sweep in 0..60_500 {
            chain.sweep();
            if sweep >= 500 {
                let mut cells = vec![vec![0.0; model.views()[0].grid().cells()]];
                chain.add_rates(&mut cells);
                let seen = rates(&cells[0]);
                runs.resize(seen.len(), Vec::new());
                runs.iter_mut().zip(seen).for_each(|(run, rate)| run.push(rate));
            }
        }
    });
    runs.iter().map(|run| batch_means(run, 100)).collect()
}

/// Within 4.5 standard errors of each other: 1e-5 a comparison.
fn agree(name: &str, a: &[(f64, f64)], b: &[(f64, f64)]) {
    for (at, ((a, va), (b, vb))) in a.iter().zip(b).enumerate() {
        let z = (a - b) / (va + vb).sqrt();
        println!("{name}, {at}: {a:.3} and {b:.3}, z = {z:.2}");
        assert!(z.abs() < 4.5, "{name}, rate {at}: {a} and {b}, z = {z}");
    }
    // The comparison is alive: means of different cells differ.
    let z = (a[0].0 - b[1].0) / (a[0].1 + b[1].1).sqrt();
    assert!(z.abs() > 4.5, "{name}: {z}");
}

skellam::model! {
    model Rows {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// Other letters for every index, and factors the other way round.
    model Letters {
        index docs, words, topics;
        latent theta[a in docs, b in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[m in topics, n in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[row in docs, col in words] ~ Poisson(sum(part in topics) theta[row, part] * phi[part, col]);
    }
}

skellam::model! {
    /// The count read by columns.
    model Columns {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[v in words, d in docs] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// A matrix as a CP of two modes: the indices of its second factor change places.
    model Cp {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[v in words, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[v, k]);
    }
}

#[test]
fn letters_change_no_bit() {
    let counts = counts(&[4, 5]);
    let a = Rows::new(&counts).unwrap().topics(2).gibbs(&settings()).unwrap();
    let b = Letters::new(&counts).unwrap().topics(2).gibbs(&settings()).unwrap();
    assert_eq!(
        (a.theta.as_slice().unwrap(), a.phi.as_slice().unwrap()),
        (b.theta.as_slice().unwrap(), b.phi.as_slice().unwrap())
    );
}

#[test]
fn permuted_indices_and_a_matrix_as_cp_have_one_posterior() {
    let table = values(6);
    let turned: Vec<i64> = (0..6).map(|i| table[i % 2 * 3 + i / 2]).collect();
    let rows = Counts::dense(vec![2, 3], table).unwrap();
    let columns = Counts::dense(vec![3, 2], turned).unwrap();
    let collapsed = FormKind::Collapsed;
    let plain = means(
        &Rows::new(&rows).unwrap().topics(2).bind(collapsed).unwrap(),
        <[f64]>::to_vec,
    );
    let by_columns = Columns::new(&columns).unwrap().topics(2).bind(collapsed).unwrap();
    let turned_back = means(&by_columns, |rates| (0..6).map(|i| rates[i % 3 * 2 + i / 3]).collect());
    agree("columns", &plain, &turned_back);
    agree(
        "cp",
        &plain,
        &means(
            &Cp::new(&rows).unwrap().topics(2).bind(collapsed).unwrap(),
            <[f64]>::to_vec,
        ),
    );
}

skellam::model! {
    model Ties {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[i in actors, j in actors] where i != j ~ Poisson(sum(c in groups) theta[i, c] * theta[j, c]);
    }
}

skellam::model! {
    /// Each tie once. Two counts of one rate are one count of twice the rate.
    model Pairs {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[i in actors, j in actors] where i < j ~ Poisson(2.0 * sum(c in groups) theta[i, c] * theta[j, c]);
    }
}

#[test]
fn both_directions_are_one_tie_of_twice_the_rate() {
    let n = 3;
    let both = counts(&[n, n]);
    let at = |i: usize, j: usize| values(n * n)[i * n + j];
    let once = (0..n * n)
        .map(|cell| (cell / n, cell % n))
        .map(|(i, j)| if i < j { at(i, j) + at(j, i) } else { 0 });
    let once = Counts::dense(vec![n, n], once.collect()).unwrap();
    let upper = |rates: &[f64]| vec![rates[1], rates[2], rates[5]];
    let directed = means(
        &Ties::new(&both).unwrap().groups(1).bind(FormKind::Collapsed).unwrap(),
        upper,
    );
    let doubled = |rates: &[f64]| upper(rates).into_iter().map(|r| r / 2.0).collect();
    agree(
        "ties",
        &directed,
        &means(
            &Pairs::new(&once).unwrap().groups(1).bind(FormKind::Collapsed).unwrap(),
            doubled,
        ),
    );
}

skellam::model! {
    model Whole {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.2, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

skellam::model! {
    /// The first word and the others in counts of their own, of which both know `theta`; `phi` of one topic over two
    /// words is a share.
    model Views {
        index docs, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent psi[k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs] ~ Poisson(sum(k in topics) theta[d, k] * phi[k]);
        count z[d in docs] ~ Poisson(sum(k in topics) theta[d, k] * psi[k]);
    }
}

/// Two columns of a matrix as two counts.
#[test]
fn columns_of_a_matrix_are_views() {
    let table = values(8);
    let [left, right] = [0, 1].map(|v| {
        let column = (0..4).map(|d| table[2 * d + v]).collect();
        Counts::dense(vec![4], column).unwrap()
    });
    let matrix = Counts::dense(vec![4, 2], table).unwrap();
    let one = means(
        &Rows::new(&matrix).unwrap().topics(1).bind(FormKind::Collapsed).unwrap(),
        |rates| (0..4).map(|d| rates[2 * d]).collect(),
    );
    let data = ViewsData { y: &left, z: &right };
    let two = means(
        &Views::new(data).unwrap().topics(1).bind(FormKind::Collapsed).unwrap(),
        <[f64]>::to_vec,
    );
    agree("views", &one, &two);
}

/// A simplex over one word is the number one: the matrix is then a sum of gammas.
#[test]
fn a_simplex_of_one_entry_is_one() {
    let counts = counts(&[3, 1]);
    let fit = Whole::new(&counts).unwrap().topics(1).cavi(&Cavi::default()).unwrap();
    for (d, y) in values(3).into_iter().enumerate() {
        assert!((fit.theta.mean().unwrap()[(d, 0)] - (1.5 + y as f64) / 2.0).abs() < 1e-9);
    }
    assert_eq!(fit.phi.mean().unwrap()[(0, 0)], 1.0);
}
