//! Kernels of the three walks against plain loops, at random shapes and strides.

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::contract::{Axis, Block, BlockSizes, Grid, Operands, Pair};

/// Which arrays carry an axis, and its size.
#[derive(Clone, Debug)]
struct Carried {
    size: usize,
    by: [bool; 3],
}

/// Up to four axes, some of which no operand carries, in arrays laid out row-major in a random order.
fn contraction() -> impl Strategy<Value = (Vec<Carried>, u64)> {
    let by = prop_oneof![
        Just([true, true, false]),
        Just([true, false, true]),
        Just([true, true, true]),
        Just([false, true, true]),
        Just([false, true, false]),
        Just([false, false, true]),
        Just([true, false, false]),
    ];
    let axis = (1usize..9, by).prop_map(|(size, by)| Carried { size, by });
    (prop::collection::vec(axis, 1..5), any::<u64>())
}

/// The axes with the strides of row-major arrays, and how long each array is.
fn strided(axes: &[Carried], rng: &mut Xoshiro256PlusPlus) -> (Vec<Axis>, [usize; 3]) {
    let mut strides = vec![[0; 3]; axes.len()];
    let mut lengths = [1; 3];
    for array in 0..3 {
        let mut order: Vec<usize> = (0..axes.len()).filter(|&i| axes[i].by[array]).collect();
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        for i in order {
            strides[i][array] = lengths[array];
            lengths[array] *= axes[i].size;
        }
    }
    let all = axes
        .iter()
        .zip(strides)
        .map(|(a, [out, left, right])| Axis::new(a.size, out, left, right))
        .collect();
    (all, lengths)
}

fn random(n: usize, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
    (0..n).map(|_| rng.random::<f64>() + 0.1).collect()
}

/// Calls `visit` with the offsets of every combination of indices.
fn each(axes: &[Axis], visit: &mut impl FnMut([usize; 3])) {
    let cells: usize = axes.iter().map(|a| a.size).product();
    for cell in 0..cells {
        let (mut rest, mut at) = (cell, [0; 3]);
        for axis in axes {
            let i = rest % axis.size;
            rest /= axis.size;
            at = [at[0] + i * axis.out, at[1] + i * axis.left, at[2] + i * axis.right];
        }
        visit(at);
    }
}

fn close(a: &[f64], b: &[f64]) -> bool {
    a.len() == b.len()
        && a.iter()
            .zip(b)
            .all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs().max(b.abs()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: proptest::test_runner::RngSeed::Fixed(1), ..Default::default() })]

    #[test]
    fn a_pair_is_its_sum((axes, seed) in contraction(), large in any::<bool>()) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        // Large enough for the blocked product in every second case.
        let axes: Vec<Carried> =
            axes.into_iter().map(|a| Carried { size: if large { a.size * 3 } else { a.size }, ..a }).collect();
        prop_assume!(axes.iter().map(|a| a.size).product::<usize>() < 200_000);
        let (strides, lengths) = strided(&axes, &mut rng);
        let pair = Pair::new(&strides);
        let [left, right] = [lengths[1], lengths[2]].map(|n| random(n, &mut rng));
        let mut out = vec![7.0; lengths[0]];
        pair.forward(&mut out, &left, &right);
        let mut expected = vec![0.0; lengths[0]];
        each(&strides, &mut |[o, l, r]| expected[o] += left[l] * right[r]);
        prop_assert!(close(&out, &expected), "forward");

        // Adjoints add to what is there.
        let seeds = random(lengths[0], &mut rng);
        let (mut into_left, mut into_right) = (vec![1.0; lengths[1]], vec![1.0; lengths[2]]);
        pair.adjoint_left(&mut into_left, &seeds, &right);
        pair.adjoint_right(&mut into_right, &left, &seeds);
        let (mut by_left, mut by_right) = (vec![1.0; lengths[1]], vec![1.0; lengths[2]]);
        each(&strides, &mut |[o, l, r]| {
            by_left[l] += seeds[o] * right[r];
            by_right[r] += seeds[o] * left[l];
        });
        prop_assert!(close(&into_left, &by_left), "left");
        prop_assert!(close(&into_right, &by_right), "right");
    }

    /// With some indices fixed, a contraction is the unrestricted one wherever they have those values, and
    /// nothing elsewhere is touched.
    #[test]
    fn a_fixed_index_leaves_the_rest_alone((axes, seed) in contraction(), large in any::<bool>(), picks in any::<[bool; 4]>()) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let axes: Vec<Carried> =
            axes.into_iter().map(|a| Carried { size: if large { a.size * 3 } else { a.size }, ..a }).collect();
        prop_assume!(axes.iter().map(|a| a.size).product::<usize>() < 200_000);
        let (strides, lengths) = strided(&axes, &mut rng);
        let (mut pair, mut fixed, mut origin) = (Pair::new(&strides), strides.clone(), [0; 3]);
        for (at, axis) in fixed.iter_mut().enumerate().filter(|(at, _)| picks[*at]) {
            let value = rng.random_range(0..axis.size);
            pair = pair.at(at, value);
            axis.size = 1;
            let strides = [axis.out, axis.left, axis.right];
            origin.iter_mut().zip(strides).for_each(|(o, stride)| *o += value * stride);
        }
        // The entries that the fixed contraction addresses, by plain loops.
        let restricted = |visit: &mut dyn FnMut([usize; 3])| {
            each(&fixed, &mut |[o, l, r]| visit([origin[0] + o, origin[1] + l, origin[2] + r]));
        };
        let [left, right] = [lengths[1], lengths[2]].map(|n| random(n, &mut rng));
        let (mut out, mut expected) = (vec![7.0; lengths[0]], vec![7.0; lengths[0]]);
        pair.forward(&mut out, &left, &right);
        restricted(&mut |[o, ..]| expected[o] = 0.0);
        restricted(&mut |[o, l, r]| expected[o] += left[l] * right[r]);
        prop_assert!(close(&out, &expected), "forward");

        let seeds = random(lengths[0], &mut rng);
        let (mut into_left, mut into_right) = (vec![3.0; lengths[1]], vec![3.0; lengths[2]]);
        pair.clear_left(&mut into_left);
        pair.clear_right(&mut into_right);
        let (mut by_left, mut by_right) = (vec![3.0; lengths[1]], vec![3.0; lengths[2]]);
        restricted(&mut |[_, l, r]| (by_left[l], by_right[r]) = (0.0, 0.0));
        prop_assert_eq!(&into_left, &by_left);
        prop_assert_eq!(&into_right, &by_right);
        pair.adjoint_left(&mut into_left, &seeds, &right);
        pair.adjoint_right(&mut into_right, &left, &seeds);
        restricted(&mut |[o, l, r]| {
            by_left[l] += seeds[o] * right[r];
            by_right[r] += seeds[o] * left[l];
        });
        prop_assert!(close(&into_left, &by_left), "left");
        prop_assert!(close(&into_right, &by_right), "right");

        let counts: Vec<f64> = (0..lengths[0]).map(|_| f64::from(rng.random_range(0..20u32))).collect();
        let (mut thin_left, mut thin_right) = (vec![0.0; lengths[1]], vec![0.0; lengths[2]]);
        pair.thin(&counts, &left, &right, Some(&mut thin_left), Some(&mut thin_right), &mut rng);
        let mut addressed = vec![false; lengths[0]];
        restricted(&mut |[o, ..]| addressed[o] = true);
        let total: f64 = counts.iter().zip(addressed).filter(|(_, a)| *a).map(|(n, _)| n).sum();
        // An operand that lacks an index of the result receives every count once for each of its values.
        prop_assert!(thin_left.iter().sum::<f64>() >= total && thin_right.iter().sum::<f64>() >= total);
    }

    /// Counts are conserved entry by entry: what an operand shares with the result, it gets from it.
    #[test]
    fn thinning_loses_no_count((axes, seed) in contraction()) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (strides, lengths) = strided(&axes, &mut rng);
        let pair = Pair::new(&strides);
        let [left, right] = [lengths[1], lengths[2]].map(|n| random(n, &mut rng));
        let counts: Vec<f64> = (0..lengths[0]).map(|_| f64::from(rng.random_range(0..50u32))).collect();
        let (mut into_left, mut into_right) = (vec![0.0; lengths[1]], vec![0.0; lengths[2]]);
        pair.thin(&counts, &left, &right, Some(&mut into_left), Some(&mut into_right), &mut rng);
        let total: f64 = counts.iter().sum();
        prop_assert_eq!(into_left.iter().sum::<f64>(), total);
        prop_assert_eq!(into_right.iter().sum::<f64>(), total);
        prop_assert!(into_left.iter().chain(&into_right).all(|n| *n >= 0.0 && n.fract() == 0.0));
        // An operand that carries every axis of the result and no other receives its counts as they are.
        if axes.iter().all(|a| a.by[1] == a.by[0]) {
            each(&strides, &mut |[o, l, _]| assert_eq!(into_left[l], counts[o]));
        }
    }

    /// Blocks of a grid, cut anyhow, against the formula of the grid.
    #[test]
    fn blocks_are_their_cells(
        (batch, rows, cols) in (1usize..4, 1usize..14, 1usize..14),
        groups in prop::collection::vec((1usize..8, any::<bool>()), 1..4),
        (tall, wide) in (1usize..9, 1usize..9),
        seed in any::<u64>(),
    ) {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let grid = Grid::new(&[rows, batch, cols], &[1], &[0], &[2], &groups);
        let mut operands = Operands::zeros(&grid);
        operands.left.iter_mut().chain(&mut operands.right).for_each(|x| *x = rng.random::<f64>() + 0.1);
        operands.weights.iter_mut().flatten().for_each(|x| *x = rng.random::<f64>() + 0.1);
        let seeds = random(grid.cells(), &mut rng);
        let weight = |operands: &Operands, g: usize, cell: usize| {
            if grid.groups[g].weighted { operands.weights[g][cell] } else { 1.0 }
        };

        let (mut rates, mut into) = (vec![0.0; grid.cells()], Operands::zeros(&grid));
        let (mut block_rates, mut block_seeds, mut scratch) = (Vec::new(), Vec::new(), vec![3.0; 5]);
        let mut covered = 0;
        for block in Block::cut(&grid, 0..grid.all_rows(), BlockSizes { rows: tall, cols: wide }) {
            covered += block.cells();
            block.rates(&grid, &operands, &mut block_rates, &mut scratch);
            block_seeds.clear();
            for (i, row) in block.rows.clone().enumerate() {
                for (j, col) in block.cols.clone().enumerate() {
                    rates[row * cols + col] = block_rates[i * block.width() + j];
                    block_seeds.push(seeds[row * cols + col]);
                }
            }
            block.pull_left(&grid, &operands, &block_seeds, 0, &mut into.left, &mut scratch);
            block.pull_right(&grid, &operands, &block_seeds, &mut into.right, &mut scratch);
            let mut slices: Vec<&mut [f64]> = into.weights.iter_mut().map(|w| &mut w[..]).collect();
            block.pull_weights(&grid, &operands, &block_seeds, 0, &mut slices, &mut scratch);
        }
        prop_assert_eq!(covered, grid.cells());

        let (mut expected, mut pulled) = (vec![0.0; grid.cells()], Operands::zeros(&grid));
        for row in 0..grid.all_rows() {
            for col in 0..cols {
                let cell = row * cols + col;
                let (l, r) = (row * grid.inner, (row / rows * cols + col) * grid.inner);
                for (g, group) in grid.groups.iter().enumerate() {
                    for k in group.start..group.end {
                        let (w, a, b) = (weight(&operands, g, cell), operands.left[l + k], operands.right[r + k]);
                        expected[cell] += w * a * b;
                        pulled.left[l + k] += seeds[cell] * w * b;
                        pulled.right[r + k] += seeds[cell] * w * a;
                        if group.weighted {
                            pulled.weights[g][cell] += seeds[cell] * a * b;
                        }
                    }
                }
                prop_assert!((operands.rate(&grid, row, col) - expected[cell]).abs() < 1e-12 * expected[cell]);
            }
        }
        prop_assert!(close(&rates, &expected), "rates");
        prop_assert!(close(&into.left, &pulled.left), "left");
        prop_assert!(close(&into.right, &pulled.right), "right");
        prop_assert!(into.weights.iter().zip(&pulled.weights).all(|(a, b)| close(a, b)), "weights");
    }

    /// Every cell has one place, and `along` picks its index on an axis; so does what is computed from row and column.
    #[test]
    fn places_are_the_inverse_of_cells(
        shape in prop::collection::vec(1usize..6, 1..5),
        parts in prop::collection::vec(0usize..3, 4),
    ) {
        let axes = |part: usize| -> Vec<usize> { (0..shape.len()).filter(|&a| parts[a] == part).collect() };
        let grid = Grid::new(&shape, &axes(0), &axes(1), &axes(2), &[(1, false)]);
        prop_assert_eq!(grid.cells(), shape.iter().product::<usize>());
        prop_assert_eq!(grid.shape(), shape.clone());
        for row in 0..grid.all_rows() {
            for col in 0..grid.cols {
                let cell = grid.cell(row, col);
                prop_assert_eq!(grid.place(cell), (row, col));
                for axis in 0..shape.len() {
                    let index = cell / shape[axis + 1..].iter().product::<usize>() % shape[axis];
                    let picked = match grid.along(axis) {
                        Ok(rows) => rows[row],
                        Err(cols) => cols[col],
                    };
                    prop_assert_eq!(picked, index);
                    prop_assert_eq!(grid.values_of(axis).at(row, col), index);
                    let of_row = grid.values_of(axis).is_of_rows();
                    let ats = [grid.at(row, col), grid.row_at(row), grid.col_at(col)].map(|at| at[axis]);
                    prop_assert_eq!(ats, [index, if of_row { index } else { 0 }, if of_row { 0 } else { index }]);
                }
            }
        }
        let by_cells = (0..grid.all_rows()).all(|row| (0..grid.cols).all(|col| grid.cell(row, col) == row * grid.cols + col));
        prop_assert_eq!(grid.is_row_major(), by_cells);
    }
}

/// The split of one count over many parts, in proportion to the products: chi-square over 20 000 draws of 8
/// parts, p below 1e-6 fails. The proportions of the left operand alone must fail it.
#[test]
fn a_pair_splits_in_proportion() {
    use special::Gamma;
    let (left, right) = (
        [0.2, 1.0, 0.5, 2.0, 0.1, 0.7, 1.5, 0.4],
        [1.0, 0.3, 2.0, 0.6, 1.2, 0.9, 0.2, 3.0],
    );
    let pair = Pair::new(&[Axis::new(8, 0, 1, 1)]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let (mut into, draws) = ([0.0; 8], 20_000.0);
    pair.thin(&[draws], &left, &right, Some(&mut into), None, &mut rng);
    let p = |weights: &[f64]| {
        let total: f64 = weights.iter().sum();
        let expected = weights.iter().map(|w| draws * w / total);
        let statistic: f64 = into.iter().zip(expected).map(|(o, e)| (o - e).powi(2) / e).sum();
        1.0 - (statistic / 2.0).inc_gamma(3.5)
    };
    let products: Vec<f64> = left.iter().zip(right).map(|(l, r)| l * r).collect();
    assert!(p(&products) > 1e-6, "{}", p(&products));
    assert!(p(&left) < 1e-6, "{}", p(&left));
}
