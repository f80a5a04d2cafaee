//! Orders that were put in are found again.

use expect_test::expect;
use ndarray::Array2;

use super::assignment::assign;
use super::*;
use crate::diagnose::DiagnoseError;

struct Uniform(u64);

impl Uniform {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 2f64.powi(53)
    }
}

const K: usize = 4;
const DOCS: usize = 6;
const WORDS: usize = 9;

/// True factors, theta[d, k] and phi[k, v].
fn truth() -> (Vec<f64>, Vec<f64>) {
    let mut uniform = Uniform(5);
    let mut gamma = |n: usize| (0..n).map(|_| uniform.next().powi(4)).collect::<Vec<f64>>();
    (gamma(DOCS * K), gamma(K * WORDS))
}

/// A draw: 5 % noise, scales from 1e-3 to 1e3 moved from phi to theta, component k of the truth in place `place[k]`.
fn draw(uniform: &mut Uniform, place: &[usize]) -> (Vec<f64>, Vec<f64>) {
    let (theta, phi) = truth();
    let (mut new_theta, mut new_phi) = (vec![0.0; DOCS * K], vec![0.0; K * WORDS]);
    for k in 0..K {
        let scale = 10f64.powf(6.0 * uniform.next() - 3.0);
        let mut noisy = |x: f64| x * (0.95 + 0.1 * uniform.next());
        (0..DOCS).for_each(|d| new_theta[d * K + place[k]] = scale * noisy(theta[d * K + k]));
        (0..WORDS).for_each(|v| new_phi[place[k] * WORDS + v] = noisy(phi[k * WORDS + v]) / scale);
    }
    (new_theta, new_phi)
}

/// Draws of three chains: the second in another order, the third with every tenth draw in a third order.
fn draws() -> ([Vec<f64>; 2], Vec<Vec<usize>>) {
    let mut uniform = Uniform(77);
    let (mut theta, mut phi, mut places) = (Vec::new(), Vec::new(), Vec::new());
    for chain in 0..3 {
        for t in 0..50 {
            let place = match chain {
                1 => vec![2, 0, 1, 3],
                2 if t % 10 == 0 => vec![0, 1, 3, 2],
                _ => vec![0, 1, 2, 3],
            };
            let (a, b) = draw(&mut uniform, &place);
            theta.extend(a);
            phi.extend(b);
            places.push(place);
        }
    }
    ([theta, phi], places)
}

fn factors(draws: &[Vec<f64>; 2]) -> [ComponentDraws<'_>; 2] {
    [
        ComponentDraws {
            draws: &draws[0],
            shape: &[DOCS, K],
            axes: &[1],
        },
        ComponentDraws {
            draws: &draws[1],
            shape: &[K, WORDS],
            axes: &[0],
        },
    ]
}

fn to_draw(chains: usize, factors: &[ComponentDraws<'_>], at: [usize; 2]) -> Result<Alignment, DiagnoseError> {
    let all = (0..factors[0].num_components()).collect();
    Alignment::to_draw(chains, factors, at, &[all])
}

/// Noise and scales do not hide the order. Without the scaling of components the largest win, and this fails.
#[test]
fn orders_are_found_whatever_the_scales() {
    let (draws, places) = draws();
    let alignment = to_draw(3, &factors(&draws), [0, 3]).unwrap();
    for (at, place) in places.iter().enumerate() {
        assert_eq!(alignment.order(at / 50, at % 50).unwrap(), place, "draw {at}");
    }
    assert_eq!(alignment.order(3, 0), None);
    assert_eq!(alignment.order(0, 50), None);
    assert_eq!(
        [
            alignment.num_chains(),
            alignment.num_draws(),
            alignment.num_components()
        ],
        [3, 50, K]
    );
}

#[test]
fn switching_is_stated() {
    let (draws, _) = draws();
    let switching = to_draw(3, &factors(&draws), [0, 0]).unwrap().switching();
    assert_eq!((switching.between_chains(), switching.within_chains()), (1, 5));
    assert_eq!(switching.moved(), [0, 0, 5, 5]);
    assert_eq!(switching.chains()[1].usual, [2, 0, 1, 3]);
    expect!["label switching: 1 of 3 chains has the components in another order than the first chain; in 5 of 150 draws components change places within a chain, component 2 most often (5 draws): before alignment, means and intervals of single components are meaningless; rates are not affected"]
        .assert_eq(&switching.to_string());
    // The first chain alone.
    let first = [draws[0][..50 * DOCS * K].to_vec(), draws[1][..50 * K * WORDS].to_vec()];
    let none = to_draw(1, &factors(&first), [0, 0]).unwrap().switching();
    assert!(none.is_none());
    expect!["no label switching: all 4 components keep their places in 1 chain and 50 draws"]
        .assert_eq(&none.to_string());
}

/// Components of aligned draws lie where the truth has them, and the products of factors are what they were.
#[test]
fn aligned_copies_are_in_the_order_of_the_reference() {
    let (draws, _) = draws();
    let factors = factors(&draws);
    let (_, phi) = truth();
    let phi = Array2::from_shape_vec([K, WORDS], phi.to_vec()).unwrap();
    let alignment = to_draw(3, &factors, [0, 0]).unwrap();
    let aligned = factors.map(|factor| alignment.aligned(&factor));
    for at in 0..150 {
        let new = |array: &[f64], rows, columns| {
            Array2::from_shape_vec([rows, columns], array[at * rows * columns..][..rows * columns].to_vec()).unwrap()
        };
        let rate = |theta: &[f64], phi: &[f64]| new(theta, DOCS, K).dot(&new(phi, K, WORDS));
        let (before, after) = (rate(&draws[0], &draws[1]), rate(&aligned[0], &aligned[1]));
        approx::assert_relative_eq!(
            before.as_slice().unwrap(),
            after.as_slice().unwrap(),
            max_relative = 1e-12
        );
        let found = new(&aligned[1], K, WORDS);
        for (true_one, found) in phi.outer_iter().zip(found.outer_iter()) {
            assert!(true_one.dot(&found).powi(2) > 0.99f64.powi(2) * true_one.dot(&true_one) * found.dot(&found));
        }
    }
}

/// An array with components along two axes takes no part in the search, and is put in order along both.
#[test]
fn arrays_along_two_axes_follow() {
    let theta = [9.0, 1.0, 8.0, 2.0, 1.0, 9.0, 2.0, 8.0];
    let pi = [1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0];
    let theta = ComponentDraws {
        draws: &theta,
        shape: &[2, 2],
        axes: &[1],
    };
    let pi = ComponentDraws {
        draws: &pi,
        shape: &[2, 2],
        axes: &[0, 1],
    };
    let alignment = to_draw(2, &[theta, pi], [0, 0]).unwrap();
    assert_eq!(alignment.order(1, 0), Some(&[1, 0][..]));
    assert_eq!(alignment.aligned(&pi)[4..], [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(alignment.switching().between_chains(), 1);
    assert_eq!(to_draw(2, &[pi], [0, 0]).unwrap_err(), DiagnoseError::Indistinct);
}

/// Components without a direction, or with the same one, do not switch.
#[test]
fn equal_components_stay_where_they_are() {
    // Draws of three components of two entries: one is zero, two point the same way.
    let draws = [0.0, 1.0, 3.0, 0.0, 2.0, 6.0, 0.0, 5.0, 1.0, 0.0, 10.0, 2.0];
    let phi = ComponentDraws {
        draws: &draws,
        shape: &[2, 3],
        axes: &[1],
    };
    assert!(to_draw(1, &[phi], [0, 0]).unwrap().switching().is_none());
    // A gain below the rounding of cosines is not a reason to move.
    assert_eq!(assign(&[1e-10, 0.0, 0.0, 1e-10], 2), [0, 1]);
    assert_eq!(assign(&[1e-8, 0.0, 0.0, 1e-8], 2), [1, 0]);
}

/// Squares of 1e-200 are zero: without the scaling by the largest entry the second draw has no direction.
#[test]
fn tiny_draws_have_a_direction() {
    let draws = [1.0, 0.0, 0.0, 1.0, 0.0, 1e-200, 1e-200, 0.0];
    let phi = ComponentDraws {
        draws: &draws,
        shape: &[2, 2],
        axes: &[1],
    };
    let alignment = to_draw(1, &[phi], [0, 0]).unwrap();
    assert_eq!(alignment.order(0, 1), Some(&[1, 0][..]));
}

/// Against all 120 orders; pairing the closest first, which is not an optimum, loses in some of these cases.
#[test]
fn assignments_are_the_cheapest() {
    let mut uniform = Uniform(3);
    let mut greedy_lost = 0;
    for _ in 0..200 {
        let costs: Vec<f64> = (0..25).map(|_| uniform.next()).collect();
        let total = |order: &[usize]| order.iter().enumerate().map(|(r, c)| costs[5 * r + c]).sum::<f64>();
        let best = orders(5).iter().map(|order| total(order)).fold(f64::INFINITY, f64::min);
        let found = total(&assign(&costs, 5));
        assert!(found < best + 1e-8, "{found} against {best}");
        greedy_lost += usize::from(total(&greedy(&costs)) > best + 1e-8);
    }
    assert!(greedy_lost > 50, "{greedy_lost}");
    assert_eq!(assign(&[f64::NAN; 9], 3), [0, 1, 2]);
}

fn orders(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(n - 1);
    let insert = |order: &Vec<usize>, at: usize| {
        let mut order = order.clone();
        order.insert(at, n - 1);
        order
    };
    shorter
        .iter()
        .flat_map(|order| (0..n).map(move |at| insert(order, at)))
        .collect()
}

fn greedy(costs: &[f64]) -> Vec<usize> {
    let mut cells: Vec<usize> = (0..25).collect();
    cells.sort_by(|&a, &b| costs[a].total_cmp(&costs[b]));
    let mut order = vec![5; 5];
    for cell in cells {
        if order[cell / 5] == 5 && !order.contains(&(cell % 5)) {
            order[cell / 5] = cell % 5;
        }
    }
    order
}
