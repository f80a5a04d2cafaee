//! What binding refuses, and what it holds.

use super::*;
use skellam::error::{FormError, MaskError, SizeError};

/// Inequalities between a row and a column keep sparse data sparse.
#[test]
fn few_cells_outside_the_model_are_exceptions() {
    let size = 400;
    let entries = (1..size).map(|i| (vec![i - 1, i], 2)).collect();
    let counts = Counts::sparse(vec![size, size], entries).unwrap();
    let bind = |less| {
        let guards = vec![Guard {
            left: 0,
            right: 1,
            less,
        }]
        .leak();
        let grid = Grid::new(&[size, size], &[0], &[1], 3);
        let observed = Observed::exact(&counts).unwrap();
        observed
            .bind("y", grid, FormKind::Collapsed, &Rules { guards, constant: &[] })
            .unwrap()
    };
    assert!(!bind(false).is_dense());
    let half = bind(true);
    assert!(half.is_dense());
    // No exception per cell: 80 000 of them would take a megabyte.
    assert!(half.bytes() < 20_000, "{}", half.bytes());
}

#[test]
fn clauses_without_cells_or_counts_are_refused() {
    let guards = |less| Rules {
        guards: vec![Guard {
            left: 0,
            right: 1,
            less,
        }]
        .leak(),
        constant: &[],
    };
    let bind = |size: usize, values: Vec<i64>, rules: &Rules| {
        let counts = Counts::dense(vec![size, size], values).unwrap();
        let grid = Grid::new(&[size, size], &[0], &[1], 3);
        Observed::exact(&counts)
            .unwrap()
            .bind("y", grid, FormKind::Collapsed, rules)
            .map(|_| ())
    };
    assert!(matches!(
        bind(1, vec![3], &guards(false)),
        Err(Error::Size(SizeError::NoCells { count: "y" }))
    ));
    let error = bind(2, vec![0, 0, 3, 0], &guards(true)).unwrap_err();
    assert!(
        matches!(error, Error::Size(SizeError::AllExcluded { count: "y" })),
        "{error}"
    );
    assert!(error.to_string().contains("transpose the data"));
    assert!(bind(2, vec![0, 0, 3, 0], &guards(false)).is_ok());
    assert!(bind(2, vec![0, 0, 0, 0], &guards(true)).is_ok());
}

#[test]
fn a_mask_must_be_constant_along_a_simplex() {
    let bind = |held: &[[usize; 2]]| {
        let held = held.iter().map(|cell| cell.to_vec()).collect();
        let mask = Mask::from_indices(&[3, 2], held).unwrap();
        let counts = Counts::dense(vec![3, 2], vec![1; 6]).unwrap().hold_out(&mask).unwrap();
        let constant = &[Constant {
            index: "words",
            axis: 1,
            latent: "phi",
            position: 1,
        }];
        let grid = Grid::new(&[3, 2], &[0], &[1], 3);
        let rules = Rules { guards: &[], constant };
        Observed::exact(&counts)
            .unwrap()
            .bind("y", grid, FormKind::Collapsed, &rules)
            .map(|_| ())
    };
    assert!(bind(&[]).is_ok());
    assert!(bind(&[[1, 0], [1, 1], [2, 0], [2, 1]]).is_ok());
    let error = bind(&[[0, 0], [0, 1], [2, 1]]).unwrap_err();
    assert!(
        matches!(&error, Error::Mask(MaskError::Uneven { count: "y", index: "words", latents, cell, .. }) if cell == &[2, 1] && latents == &["phi"]),
        "{error}"
    );
}

/// Ten thousand million cells, three of them observed: with a list of the others this took 80 GB.
#[test]
fn a_table_most_of_whose_cells_are_missing_takes_memory_by_what_was_observed() {
    let shape = vec![100_000, 100_000];
    let entries = vec![(vec![5, 7], 3), (vec![0, 0], 0), (vec![99_999, 2], 1)];
    let counts = Counts::sparse_observed(shape, entries).unwrap();
    assert_eq!(counts.mask().len(), 10_000_000_000 - 3);
    let grid = Grid::new(counts.shape(), &[0], &[1], 1);
    let rules = Rules {
        guards: &[],
        constant: &[],
    };
    let view = Observed::exact(&counts)
        .unwrap()
        .bind("y", grid, FormKind::Collapsed, &rules)
        .unwrap();
    assert_eq!((view.visited(), view.num_scored()), (2, 0));
    // Also the one with a zero that was observed.
    let weights = [[0, 0], [5, 7], [99_999, 2], [1, 0], [99_999, 3]].map(|[i, j]| view.weight(i * 100_000 + j));
    assert_eq!(weights, [1.0, 1.0, 1.0, 0.0, 0.0]);
    assert!((view.mean_observation() - 4.0 / 3.0).abs() < 1e-12);
}

#[test]
fn a_form_is_refused_where_no_count_has_it() {
    let exact = (Formless::Channel("Exact"), false);
    assert!(supported(FormKind::Collapsed, &[exact]).is_ok());
    let geometric = (Formless::Channel("TwoSidedGeometric"), true);
    assert!(supported(FormKind::Augmented, &[exact, geometric]).is_ok());
    let naive = (Formless::Channel("Naive"), false);
    let error = supported(FormKind::Augmented, &[exact, naive]).unwrap_err();
    assert!(matches!(
        error,
        Error::Form(FormError::Missing {
            of: Formless::Channel("Exact"),
            form: "augmented"
        })
    ));
    let counts = Counts::dense(vec![2], vec![1, 0]).unwrap();
    let observed = Observed::exact(&counts).unwrap();
    assert!(observed.supports(FormKind::Collapsed) && !observed.supports(FormKind::Augmented));
    assert_eq!(observed.channel(), Exact::text().name);
}
