//! Sparse counts, drawn in clusters: what the measurements of sparse data share.

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::data::Failure;

/// Clusters in drawn data, and how often an index is one of its cluster's.
const CLUSTERS: usize = 20;
const INSIDE: f64 = 0.8;

/// A unit count picks a cluster, then along each axis an index of that cluster's twentieth with probability 0.8, else any;
/// equal cells add up. Counts are drawn until so many cells are non-zero. Row-major positions, in order, and their counts.
///
/// # Errors
/// More non-zero cells than half of the cells, or more cells than can be numbered; `flags` names the flags that ask for them.
pub fn draw(shape: &[usize], nonzero: usize, seed: u64, flags: &str) -> Result<Vec<(u64, i64)>, Failure> {
    let cells = shape.iter().try_fold(1_usize, |cells, &size| cells.checked_mul(size));
    let cells = cells.ok_or_else(|| format!("{flags}: at most {} cells", usize::MAX))?;
    if nonzero > cells / 2 || cells == 0 {
        return Err(format!("{flags}: at most half of the cells can be non-zero").into());
    }
    let mut rng = StdRng::seed_from_u64(seed);
    let mut units: Vec<u64> = Vec::with_capacity(nonzero + nonzero / 8);
    let mut distinct = 0;
    while distinct < nonzero {
        for _ in distinct..nonzero {
            let cluster = rng.random_range(0..CLUSTERS);
            let mut index = |size: usize| {
                let (start, end) = (size * cluster / CLUSTERS, size * (cluster + 1) / CLUSTERS);
                if end > start && rng.random::<f64>() < INSIDE {
                    rng.random_range(start..end)
                } else {
                    rng.random_range(0..size)
                }
            };
            units.push(shape.iter().fold(0, |at, &size| at * size as u64 + index(size) as u64));
        }
        units.sort_unstable();
        distinct = units.chunk_by(|a, b| a == b).count();
    }
    let cells = units.chunk_by(|a, b| a == b);
    Ok(cells.map(|run| (run[0], run.len() as i64)).collect())
}
