//! Chi-square tests of draws against an enumerated law, for the tests of all crates.

use special::Gamma;

/// p-value of `draws` against the law whose probability at `first + i` is `probabilities[i]`; the rest of the mass is one
/// more cell. Neighbouring values are merged until a cell expects 1/60 of the draws, and at least 20.
pub fn discrete_p(draws: &[u64], first: u64, probabilities: &[f64]) -> f64 {
    let beyond = probabilities.len();
    let mut observed = vec![0.0; beyond + 1];
    for &draw in draws {
        let cell = draw.checked_sub(first).map_or(beyond, |i| (i as usize).min(beyond));
        observed[cell] += 1.0;
    }
    let rest = (1.0 - probabilities.iter().sum::<f64>()).max(0.0);
    merged_p(
        &observed,
        &[probabilities, &[rest]].concat(),
        (draws.len() as f64 / 60.0).max(20.0),
    )
}

/// p-value of frequencies under probabilities. Neighbours are merged until a cell expects at least so many.
///
/// A law on a single value has no cells to compare: then the p-value is one if all draws are there, and zero otherwise.
pub fn merged_p(observed: &[f64], probabilities: &[f64], least: f64) -> f64 {
    let total: f64 = observed.iter().sum();
    let (mut cells, mut o, mut e) = (Vec::new(), 0.0, 0.0);
    for (count, p) in observed.iter().zip(probabilities) {
        (o, e) = (o + count, e + p * total);
        if e >= least {
            cells.push((o, e));
            (o, e) = (0.0, 0.0);
        }
    }
    match cells.last_mut() {
        Some(last) => *last = (last.0 + o, last.1 + e),
        None => panic!("too few draws"),
    }
    chi_square_p(&cells, total)
}

fn chi_square_p(cells: &[(f64, f64)], total: f64) -> f64 {
    if cells.len() == 1 {
        return f64::from((cells[0].0 - total).abs() < 0.5);
    }
    let statistic: f64 = cells.iter().map(|(o, e)| (o - e) * (o - e) / e).sum();
    1.0 - (0.5 * statistic).inc_gamma(0.5 * (cells.len() - 1) as f64)
}

/// p-value of numbers that should be uniform on the unit interval, by 50 cells.
pub fn uniform_p(values: &[f64]) -> f64 {
    let mut cells = [(0.0, values.len() as f64 / 50.0); 50];
    for value in values {
        cells[((value * 50.0) as usize).min(49)].0 += 1.0;
    }
    chi_square_p(&cells, values.len() as f64)
}
