//! What binding holds.

use super::*;

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
