//! Chi-square tests of draws against an enumerated law, in tests.

use special::Gamma;

/// p-value of `draws` against the law whose probability at `first + i` is `probabilities[i]`; the rest of the mass is one
/// more cell. Neighbouring values are merged until a cell expects 1/60 of the draws, and at least 20.
///
/// A law on a single value has no cells to compare: then the p-value is one if all draws are there, and zero otherwise.
pub fn discrete_p(draws: &[u64], first: u64, probabilities: &[f64]) -> f64 {
    let total = draws.len() as f64;
    let mut observed = vec![0_u64; probabilities.len() + 1];
    for &draw in draws {
        let cell = draw
            .checked_sub(first)
            .map_or(probabilities.len(), |i| (i as usize).min(probabilities.len()));
        observed[cell] += 1;
    }
    let rest = (1.0 - probabilities.iter().sum::<f64>()).max(0.0);
    let (mut cells, mut o, mut e) = (Vec::new(), 0.0, 0.0);
    for (count, p) in observed.iter().zip(probabilities.iter().chain([&rest])) {
        o += *count as f64;
        e += p * total;
        if e >= (total / 60.0).max(20.0) {
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
