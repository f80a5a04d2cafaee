//! Which cells belong to a model, checked where data come in.

use skellam::MaskError;
use std::collections::BTreeSet;

use skellam::model::FormKind;
use skellam::prelude::*;

skellam::model! {
    /// Ties between actors, each counted once.
    model Ties {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in actors, j in actors] where i < j ~ Poisson(sum(c in groups) theta[i, c] * theta[j, c]);
    }
}

skellam::model! {
    /// Ties from one actor to another.
    model Directed {
        index actors, groups;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in actors, j in actors] where i != j ~ Poisson(sum(c in groups) theta[i, c] * theta[j, c]);
    }
}

fn square(n: usize, value: impl Fn(usize, usize) -> i64) -> Counts {
    let values = (0..n)
        .flat_map(|i| (0..n).map(move |j| (i, j)))
        .map(|(i, j)| value(i, j));
    Counts::dense(vec![n, n], values.collect()).unwrap()
}

fn says(error: Error, words: &[&str]) {
    let text = error.to_string();
    assert!(words.iter().all(|w| text.contains(w)), "{text}");
}

#[test]
fn counts_that_all_lie_outside_are_an_error() {
    let below = square(4, |i, j| i64::from(i > j));
    says(Ties::new(&below).unwrap_err(), &["`y`", "where", "transpose"]);
    let above = square(4, |i, j| i64::from(i < j));
    assert!(Ties::new(&above).is_ok());
    // Both halves of a symmetric table: the upper one is used.
    assert!(Ties::new(&square(4, |i, j| i64::from(i != j))).is_ok());
}

#[test]
fn a_where_that_leaves_no_cell_is_an_error() {
    says(Ties::new(&square(1, |_, _| 3)).unwrap_err(), &["`y`", "where"]);
}

/// A mask over every cell of the model hides all that there is, whatever it leaves outside.
#[test]
fn everything_held_out_inside_of_a_where_is_an_error() {
    let counts = square(4, |i, j| (1 + i * j % 3) as i64);
    let cells = |held: fn(usize, usize) -> bool| {
        let all = (0..4).flat_map(|i| (0..4).map(move |j| (i, j)));
        all.filter(|&(i, j)| held(i, j))
            .map(|(i, j)| vec![i, j])
            .collect::<Vec<_>>()
    };
    let shape = [4, 4];
    let ties = |mask: &Mask| {
        Ties::new(&counts.clone().hold_out(mask).unwrap())
            .unwrap()
            .groups(2)
            .bind(FormKind::Collapsed)
    };
    let directed = |mask: &Mask| {
        let data = counts.clone().hold_out(mask).unwrap();
        Directed::new(&data).unwrap().groups(2).bind(FormKind::Collapsed)
    };
    let off_diagonal = Mask::from_indices(&shape, cells(|i, j| i != j)).unwrap();
    let diagonal_alone = Mask::observed(&shape, cells(|i, j| i == j)).unwrap();
    let above = Mask::from_indices(&shape, cells(|i, j| i < j)).unwrap();
    for mask in [&off_diagonal, &diagonal_alone] {
        assert!(matches!(
            directed(mask),
            Err(Error::Mask(MaskError::NothingObserved { count: "y" }))
        ));
        assert!(matches!(
            ties(mask),
            Err(Error::Mask(MaskError::NothingObserved { count: "y" }))
        ));
    }
    assert!(matches!(
        ties(&above),
        Err(Error::Mask(MaskError::NothingObserved { count: "y" }))
    ));
    // One cell that is seen is enough, and draws from the prior can be asked for by name.
    let one_seen = Mask::from_indices(&shape, cells(|i, j| i != j && (i, j) != (2, 3))).unwrap();
    for mask in [&one_seen, &Mask::observed(&shape, vec![vec![2, 3]]).unwrap()] {
        assert!(ties(mask).is_ok() && directed(mask).is_ok());
    }
    assert!(directed(&above).is_ok());
    let all = Mask::all(&shape).unwrap();
    assert!(ties(&all).is_ok() && directed(&all).is_ok());
}

/// Convergence is judged by cells of the model, as many as there are elsewhere, from all over the table.
#[test]
fn monitored_cells_are_cells_of_the_model() {
    let actors = 400;
    let data = square(actors, |i, j| i64::from(i < j && (i + j) % 7 == 0));
    let settings = Gibbs {
        num_tune: 1,
        max_retunes: 0,
        num_draws: 4,
        thin: Some(1),
        num_chains: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    };
    let fit = Ties::new(&data).unwrap().groups(2).gibbs(&settings).unwrap();
    let cells = &fit.monitored()[0].cells;
    assert_eq!(cells.len(), 400);
    assert!(cells.iter().all(|cell| cell / actors < cell % actors));
    let rows: BTreeSet<usize> = cells.iter().map(|cell| cell / actors).collect();
    assert!(rows.len() > 100, "{} rows", rows.len());
}

/// What lies outside changes nothing, and has no rate.
#[test]
fn cells_outside_change_nothing() {
    let some = |outside: i64| {
        let data = square(5, move |i, j| if i < j { (i * j % 3) as i64 } else { outside });
        let model = Ties::new(&data).unwrap().groups(2);
        (
            model.cavi(&Cavi::default()).unwrap(),
            model.gibbs(&Gibbs::default()).unwrap(),
        )
    };
    let ((a, c), (b, d)) = (some(0), some(7));
    assert_eq!((a.theta.mean().unwrap(), a.elbo), (b.theta.mean().unwrap(), b.elbo));
    assert_eq!(c.theta.as_slice().unwrap(), d.theta.as_slice().unwrap());
    assert!((0..5).all(|i| (0..=i).all(|j| a.rate().unwrap()[(i, j)] == 0.0 && c.rate().unwrap()[(i, j)] == 0.0)));
    assert!(a.rate().unwrap()[(0, 1)] > 0.0);
}
