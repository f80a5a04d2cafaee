//! A folder of released counts, loaded with a mask, gives the likelihood that the same counts give in memory.

use skellam::counts::{Counts, Mask};
use skellam::model::{FormKind, Model};
use skellam::prelude::*;
use skellam::release::ReleasedFolder;

model! {
    model Sums {
        index rows, columns;
        latent row[i in rows] ~ Gamma(shape = 1.0, rate = 1.0);
        latent column[j in columns] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in rows, j in columns] ~ Poisson(row[i] * column[j]);
        release y by TwoSidedGeometric;
    }
}

fn likelihood(released: &Released<TwoSidedGeometric>) -> f64 {
    let model = Sums::new(released).unwrap().bind(FormKind::Collapsed).unwrap();
    let (mut x, mut rates) = (model.factors(), model.count_rates());
    x[SumsModel::ROW].fill(2.0);
    x[SumsModel::COLUMN].fill(0.7);
    model.set_rates(&x, &mut rates);
    rates[0].ln_likelihood(model.views()[0])
}

#[test]
fn cells_that_are_missing_are_in_no_likelihood() {
    let folder = std::env::temp_dir().join(format!("skellam-missing-{}", std::process::id()));
    let values = (0..600).map(|i| if i % 7 == 0 { i % 11 } else { 0 }).collect();
    let counts = Sensitive::new(Counts::dense(vec![20, 30], values).unwrap());
    let budget = Lplp::new(1, 1).unwrap();
    let whole = counts.release_with_seed_for_simulation(&budget, 1).unwrap();
    let observed = Mask::observed(&[20, 30], vec![vec![0, 0], vec![19, 29], vec![7, 7]]).unwrap();
    let masked = whole.clone().hold_out(&observed).unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    whole.save(&folder, &Varying::Uniform(budget)).unwrap();
    let loaded = ReleasedFolder::open(&folder)
        .unwrap()
        .load_with_mask(&observed)
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let (a, b) = (likelihood(&masked), likelihood(&loaded));
    assert!((a - b).abs() < 1e-10, "{a} {b}");
    // That of all cells has 597 more terms.
    assert!((a - likelihood(&whole)).abs() > 1.0);
}
