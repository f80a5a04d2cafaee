//! Mean and mode of the Bessel law: VI18, proposition 3, and what its delta at the mode loses.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::math::distribution::{bessel_mode, gamma_draw, poisson};
use skellam::math::special::bessel_mean;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::run::{Found, Run};

/// Orders of the curves, whose arguments go up to 25 in equal steps.
const ORDERS: [u64; 5] = [0, 1, 3, 10, 40];
const POINTS: usize = 500;
/// Arguments of the grid: from 0.05 to 400 at equal ratios.
const ARGUMENTS: usize = 240;
/// Shape of the factors of the cells, components, and noise: those of VI18, appendix E.
const SHAPE: f64 = 0.1;
const COMPONENTS: usize = 50;
const ALPHA: f64 = 0.367_879_441_171_442_3;

fn argument(at: usize) -> f64 {
    0.05 * (8000f64).powf(at as f64 / (ARGUMENTS - 1) as f64)
}

fn shown(at: usize) -> f64 {
    25.0 * (at + 1) as f64 / POINTS as f64
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let most_order = run.by_size([40, 400, 400]);
    run.piece("grid", |piece| {
        let (mut largest, mut beyond, mut lost, mut largest_lost) = (0.0f64, 0, 0, 0.0f64);
        for order in 0..=most_order {
            for at in 0..ARGUMENTS {
                let (mean, mode) = (bessel_mean(order, argument(at)), bessel_mode(order, argument(at)));
                let apart = (mean - mode as f64).abs();
                largest = largest.max(apart);
                beyond += usize::from(apart > 1.0);
                if mode == 0 {
                    lost += 1;
                    largest_lost = largest_lost.max(mean);
                }
            }
        }
        let cells = (most_order as usize + 1) * ARGUMENTS;
        piece.put("cells", cells as f64);
        piece.put("largest difference", largest);
        piece.put("share beyond 1", beyond as f64 / cells as f64);
        piece.put("share of mode 0", lost as f64 / cells as f64);
        piece.put("largest mean at mode 0", largest_lost);
        // Mode 0 at order 0 ends at the argument 2.
        piece.put("largest mean at mode 0, order 0", bessel_mean(0, 2.0 - 1e-12));
        Ok(())
    })?;
    for order in ORDERS {
        run.piece(&format!("order {order}"), |piece| {
            let difference = |at| bessel_mean(order, shown(at)) - bessel_mode(order, shown(at)) as f64;
            piece.list("mean less mode", &(0..POINTS).map(difference).collect::<Vec<f64>>());
            Ok(())
        })?;
    }
    // The law of m at a cell of private data, its rates known: Bessel(|c|, 2 sqrt(lambda- (lambda+ + mu))).
    let (cells, seed) = (run.by_size([100_000, 1_000_000, 1_000_000]), run.flags.seed);
    run.piece("private cells", |piece| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut means, mut modes, mut zero, mut lost) = (0.0, 0.0, 0, 0);
        for _ in 0..cells {
            let gamma = |rng: &mut Xoshiro256PlusPlus| gamma_draw(SHAPE, rng);
            let mu: f64 = (0..COMPONENTS).map(|_| gamma(&mut rng) * gamma(&mut rng)).sum();
            let scale = ALPHA / (1.0 - ALPHA);
            let [plus, minus] = [(); 2].map(|()| scale * gamma_draw(1.0, &mut rng));
            let [more, less] = [plus + mu, minus].map(|rate| poisson(rate, &mut rng));
            let (order, argument) = (more.abs_diff(less), 2.0 * (minus * (plus + mu)).sqrt());
            let (mean, mode) = (bessel_mean(order, argument), bessel_mode(order, argument));
            means += mean;
            modes += mode as f64;
            zero += usize::from(mode == 0);
            lost += usize::from(mode == 0 && mean > 0.1);
        }
        let of = |number: usize| number as f64 / cells as f64;
        piece.put("share of mode 0", of(zero));
        piece.put("share of mode 0 and mean above 0.1", of(lost));
        piece.put("mean of the means", means / cells as f64);
        piece.put("mean of the modes", modes / cells as f64);
        Ok(())
    })?;
    let get = |piece, quantity| run.get(piece, quantity);
    let [largest, beyond] = [get("grid", "largest difference")?, get("grid", "share beyond 1")?];
    let [mean, mode] = [
        get("private cells", "mean of the means")?,
        get("private cells", "mean of the modes")?,
    ];
    let kept = mode / mean;
    let claims = vec![
        Claim::of(
            "mean and mode differ by at most 1 (VI18, proposition 3)",
            beyond == 0.0 && largest <= 1.0,
            format!("The largest of {} differences is {largest:.3}", get("grid", "cells")?),
        ),
        Claim::of(
            "so the mode is nearly as good as the mean in practice (VI18, section 3)",
            kept > 0.9,
            format!(
                "The bound is as large as what it bounds: of {cells} private cells {:.1} % have the mode 0, where the mean is up to {:.3} at \
                 order 0 (and {:.3} on the grid); the modes add up to {:.1} % of the means, so most of the noise that adds and takes away is \
                 denied, and what is left of it is fitted as rate",
                100.0 * get("private cells", "share of mode 0")?,
                get("grid", "largest mean at mode 0, order 0")?,
                get("grid", "largest mean at mode 0")?,
                100.0 * kept
            ),
        ),
    ];
    let panel = Panel::new("Bessel law: mean less mode").axes("argument", "");
    let curve = |panel: Panel, order: u64| {
        let values = run.numbers.list(&format!("order {order}"), "mean less mode");
        let points: Vec<[f64; 2]> = values.iter().enumerate().map(|(at, y)| [shown(at), *y]).collect();
        panel.curve(&format!("order {order}"), &points)
    };
    let panel = ORDERS
        .into_iter()
        .fold(panel, curve)
        .level("bound of proposition 3", 1.0);
    let picture = Figure::new("").width(760).part(Curves::new(1).panel(panel)).draw();
    Found::of(picture, String::new(), claims)
}
