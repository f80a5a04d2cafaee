//! The four processes of ICML19, figure 2: one law. Beside them the Skellam and the two-sided geometric law, appendix figure 2.

use rand::distr::Distribution;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::Channel;
use skellam::math::distribution::goodness::merged_p;
use skellam::math::distribution::{TwoSidedGeometricNoise, gamma_draw, poisson};
use skellam::math::special::ln_skellam_pmf;
use skellam::prelude::TwoSidedGeometric;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::run::{Found, Run};

/// Rates and levels of noise. At alpha = 1/2 the misprint could not be seen: there the mean of the exponential is its rate.
const SETTINGS: [[f64; 2]; 3] = [[0.5, 0.36787944117144233], [3.0, 0.6], [10.0, 0.8]];
const NAMES: [&str; 5] = [
    "process 1",
    "process 2",
    "process 3",
    "process 4",
    "process 2 as printed",
];
/// A correct process fails once in a million times.
const LEVEL: f64 = 1e-6;
/// Values from -MOST to MOST have a place of their own.
const MOST: i64 = 60;

/// One draw of a process. `exponential` is the mean of the rates of the noise.
fn draw(process: usize, mu: f64, law: &TwoSidedGeometricNoise, exponential: f64, rng: &mut impl Rng) -> i64 {
    if process == 0 {
        return poisson(mu, rng) as i64 + law.sample(rng);
    }
    let [plus, minus] = [(); 2].map(|()| exponential * gamma_draw(1.0, rng));
    match process {
        2 => poisson(plus + mu, rng) as i64 - poisson(minus, rng) as i64,
        3 => skellam(plus + mu, minus, rng),
        _ => poisson(mu, rng) as i64 + poisson(plus, rng) as i64 - poisson(minus, rng) as i64,
    }
}

/// By inversion, from the mean outwards: no Poisson count is drawn.
fn skellam(x: f64, y: f64, rng: &mut impl Rng) -> i64 {
    let middle = (x - y).round() as i64;
    let mut left: f64 = rng.random();
    for distance in 0..10_000 {
        let sides = [middle + distance, middle - distance];
        for value in &sides[..if distance == 0 { 1 } else { 2 }] {
            left -= ln_skellam_pmf(*value, x.max(1e-300), y.max(1e-300)).exp();
            if left < 0.0 {
                return *value;
            }
        }
    }
    // Rounding left what no value covers.
    middle
}

/// Probabilities of the values from -MOST to MOST, the tails with the outermost.
fn law(mu: f64, channel: &TwoSidedGeometric) -> Vec<f64> {
    let mut law: Vec<f64> = (-MOST..=MOST).map(|c| channel.ln_marginal(mu, c).exp()).collect();
    let tail = |from: i64, step: i64| -> f64 {
        let values = (1..2000).map(|by| from + step * by);
        values.map(|c| channel.ln_marginal(mu, c).exp()).sum()
    };
    law[0] += tail(-MOST, -1);
    law[2 * MOST as usize] += tail(MOST, 1);
    law
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let (draws, seed) = (run.by_size([100_000, 1_000_000, 1_000_000]), run.flags.seed);
    for (setting, [mu, alpha]) in SETTINGS.into_iter().enumerate() {
        for (number, name) in NAMES.iter().enumerate() {
            run.piece(&format!("{name}, mu {mu}, alpha {alpha:.2}"), |piece| {
                let channel = TwoSidedGeometric::new(alpha)?;
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed + (10 * setting + number) as u64);
                let mean = alpha / (1.0 - alpha);
                // Printed as the rate of an exponential: its mean would be the inverse.
                let (process, mean) = if number == 4 { (1, 1.0 / mean) } else { (number, mean) };
                let mut seen = vec![0.0; 2 * MOST as usize + 1];
                for _ in 0..draws {
                    let value = draw(process, mu, &channel.noise(), mean, &mut rng);
                    seen[(value.clamp(-MOST, MOST) + MOST) as usize] += 1.0;
                }
                piece.put("p", merged_p(&seen, &law(mu, &channel), 20.0));
                piece.list("share", &seen.iter().map(|n| n / draws as f64).collect::<Vec<f64>>());
                Ok(())
            })?;
        }
    }
    let text = run.table(&["p"]);
    let mut least = [f64::INFINITY; 5];
    for (number, name) in NAMES.iter().enumerate() {
        let ps = SETTINGS.map(|[mu, alpha]| run.get(&format!("{name}, mu {mu}, alpha {alpha:.2}"), "p"));
        let ps = ps.into_iter().collect::<Result<Vec<f64>, Failure>>()?;
        least[number] = ps.iter().copied().fold(f64::INFINITY, f64::min);
    }
    let worst = least[..4].iter().copied().fold(f64::INFINITY, f64::min);
    let claims = vec![
        Claim::of(
            "the four processes have one law (ICML19, figure 2)",
            worst > LEVEL,
            format!("The least of twelve p-values, of {draws} draws each, is {worst:.2e}; the level is {LEVEL:e}"),
        ),
        Claim::of(
            "alpha / (1 - alpha), which ICML19 prints as the argument of Exp (equation 9), is its rate",
            least[4] > LEVEL,
            format!(
                "Read so the law is another, p = {:.1e}: it is the mean, and equation 16 has the rate 1/alpha",
                least[4]
            ),
        ),
    ];
    let mut lines = Curves::new(3);
    for [mu, alpha] in SETTINGS {
        let mut panel = Panel::new(&format!("mu = {mu}, alpha = {alpha:.2}")).axes("released count", "");
        for name in NAMES {
            let shares = run.numbers.list(&format!("{name}, mu {mu}, alpha {alpha:.2}"), "share");
            panel = panel.curve(
                name,
                &inside(-20..=30, |c| shares.get((c + MOST) as usize).copied().unwrap_or(0.0)),
            );
        }
        lines = lines.panel(panel);
    }
    let mut skellams = Panel::new("Skellam laws, rates fixed").axes("noise", "");
    for [x, y] in [[1.0, 1.0], [4.0, 1.0], [4.0, 4.0]] {
        let points = inside(-12..=12, |t| ln_skellam_pmf(t, x, y).exp());
        skellams = skellams.curve(&format!("Skellam({x}, {y})"), &points);
    }
    let mut geometrics = Panel::new("rates randomised: two-sided geometric").axes("noise", "");
    for alpha in [0.3, 0.6, 0.8] {
        let noise = TwoSidedGeometricNoise::new(alpha)?;
        geometrics = geometrics.curve(&format!("alpha {alpha}"), &inside(-12..=12, |t| noise.pmf(t)));
    }
    let picture = Figure::new("")
        .width(1100)
        .part(lines)
        .part(Curves::new(2).panel(skellams).panel(geometrics))
        .draw();
    Found::of(picture, text, claims)
}

fn inside(values: std::ops::RangeInclusive<i64>, of: impl Fn(i64) -> f64) -> Vec<[f64; 2]> {
    values.map(|value| [value as f64, of(value)]).collect()
}
