//! Components as points of a plane: classical scaling of their Jensen-Shannon distances, as in LDAvis (Sievert and Shirley 2014).

/// Steps of the power method: more than enough for two digits.
const STEPS: usize = 200;

/// A place for each line of shares, within [-1, 1] along both axes.
pub(super) fn places(lines: &[Vec<f64>]) -> Vec<[f64; 2]> {
    let n = lines.len();
    let mut centred: Vec<Vec<f64>> = lines
        .iter()
        .map(|a| lines.iter().map(|b| -0.5 * jensen_shannon(a, b)).collect())
        .collect();
    let means: Vec<f64> = centred.iter().map(|row| row.iter().sum::<f64>() / n as f64).collect();
    let mean = means.iter().sum::<f64>() / n as f64;
    for (i, row) in centred.iter_mut().enumerate() {
        row.iter_mut()
            .zip(&means)
            .for_each(|(x, other)| *x += mean - means[i] - other);
    }
    let mut places = vec![[0.0; 2]; n];
    for axis in 0..2 {
        // Any start that no axis is orthogonal to.
        let mut x: Vec<f64> = (0..n)
            .map(|i| 1.0 + (i * i % 7) as f64 + axis as f64 * i as f64)
            .collect();
        let mut value = 0.0;
        for _ in 0..STEPS {
            let next: Vec<f64> = centred
                .iter()
                .map(|row| row.iter().zip(&x).map(|(a, b)| a * b).sum())
                .collect();
            value = next.iter().map(|x| x * x).sum::<f64>().sqrt();
            if value < 1e-12 {
                break;
            }
            x = next.into_iter().map(|x| x / value).collect();
        }
        if value < 1e-12 {
            break;
        }
        for (i, row) in centred.iter_mut().enumerate() {
            row.iter_mut()
                .zip(&x)
                .for_each(|(entry, other)| *entry -= value * x[i] * other);
        }
        places
            .iter_mut()
            .zip(&x)
            .for_each(|(place, x)| place[axis] = x * value.sqrt());
    }
    let most = places
        .iter()
        .flatten()
        .fold(f64::MIN_POSITIVE, |most, x| x.abs().max(most));
    places.iter_mut().flatten().for_each(|x| *x /= most);
    places
}

/// The square of the Jensen-Shannon distance.
fn jensen_shannon(a: &[f64], b: &[f64]) -> f64 {
    let half = |x: f64, other: f64| {
        if x > 0.0 {
            0.5 * x * (2.0 * x / (x + other)).ln()
        } else {
            0.0
        }
    };
    a.iter().zip(b).map(|(x, y)| half(*x, *y) + half(*y, *x)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two pairs of neighbours are neighbours in the plane; points that are equal have one place.
    #[test]
    fn near_lines_have_near_places() {
        let lines = [[0.8, 0.1, 0.1], [0.75, 0.15, 0.1], [0.1, 0.1, 0.8], [0.1, 0.15, 0.75]].map(Vec::from);
        let of = places(&lines);
        let apart = |i: usize, j: usize| (of[i][0] - of[j][0]).hypot(of[i][1] - of[j][1]);
        assert!(apart(0, 1) < 0.3 * apart(0, 2) && apart(2, 3) < 0.3 * apart(1, 3));
        assert!(of.iter().flatten().all(|x| x.abs() <= 1.0));
        assert!(
            places(&[vec![0.5, 0.5], vec![0.5, 0.5]])
                .iter()
                .flatten()
                .all(|x| x.abs() < 1e-6)
        );
    }
}
