//! Public counts: is the Skellam law a robust alternative to Poisson factorization (ICML19, section 6)?

use skellam::channel::Channel;
use skellam::math::special::{ln_factorial, ln_gamma, ln_poisson_pmf};
use skellam::prelude::*;
use skellam_plot::{Curves, Figure, Panel};

use crate::Failure;
use crate::claim::Claim;
use crate::corpus::{ONLINE_RETAIL, part, reuters};
use crate::models::{Topics, chain};
use crate::network::ln_mean_exp;
use crate::npmi::mean;
use crate::run::{Found, Run};

model! {
    /// Counts with noise on both sides, whose level is learned: geometric noise, declared.
    pub model Noised {
        index docs, words, topics;

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.1, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.1, rate = 1.0);
        latent odds                          ~ Gamma(shape = 1.0, rate = 1.0);
        latent plus[d in docs, v in words]   ~ Gamma(shape = 1.0, rate = odds);
        latent minus[d in docs, v in words]  ~ Gamma(shape = 1.0, rate = odds);

        count c[d in docs, v in words] ~ Skellam(
            plus = plus[d, v] + sum(k in topics) theta[d, k] * phi[k, v],
            minus = minus[d, v],
        );
    }
}

model! {
    /// Negative binomial counts: a gamma in every cell, whose shape is learned.
    pub model Spread {
        index docs, words, topics;

        latent r ~ Gamma(shape = 1.0, rate = 1.0);
        latent b ~ Gamma(shape = 1.0, rate = 1.0);
        latent eps[d in docs, v in words] ~ Gamma(shape = r, rate = b);

        latent theta[d in docs, k in topics] ~ Gamma(shape = 0.1, rate = 1.0);
        latent phi[k in topics, v in words]  ~ Gamma(shape = 0.1, rate = 1.0);

        count y[d in docs, v in words] ~ Poisson(eps[d, v] * sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

const MODELS: [&str; 3] = ["Poisson", "Skellam, noise learned", "negative binomial"];

fn corpora(run: &Run) -> Vec<&'static str> {
    match run.flags.data.is_some() && !run.flags.quick {
        true => vec!["reuters", "online_retail"],
        false => vec!["reuters"],
    }
}

/// Rates of some cells at every draw, (draw, cell), of so many documents, words and topics.
fn rates(theta: &[f64], phi: &[f64], [documents, words, topics]: [usize; 3], cells: &[usize]) -> Vec<Vec<f64>> {
    let of = |(theta, phi): (&[f64], &[f64])| {
        let rate = |&cell: &usize| -> f64 {
            let (d, v) = (cell / words, cell % words);
            (0..topics).map(|k| theta[d * topics + k] * phi[k * words + v]).sum()
        };
        cells.iter().map(rate).collect()
    };
    theta
        .chunks(documents * topics)
        .zip(phi.chunks(words * topics))
        .map(of)
        .collect()
}

/// The log predictive of each held-out count: `ln` of the mean over draws of its probability, given that it is not negative.
fn predictive(
    rates: &[Vec<f64>],
    counts: &[i64],
    ln_probability: impl Fn(usize, f64, i64) -> f64,
    ln_nonnegative: impl Fn(usize, f64) -> f64,
) -> Vec<f64> {
    let of = |(at, &count): (usize, &i64)| {
        let both = rates.iter().enumerate().map(|(draw, rates)| {
            let rate = rates[at].max(1e-300);
            (ln_probability(draw, rate, count), ln_nonnegative(draw, rate))
        });
        let (of_count, of_any): (Vec<f64>, Vec<f64>) = both.unzip();
        ln_mean_exp(&of_count) - ln_mean_exp(&of_any)
    };
    counts.iter().enumerate().map(of).collect()
}

/// Log predictive probabilities of the held-out counts by each model, and what was learned of noise and of spread.
fn scored(counts: &Counts, topics: usize, settings: &Gibbs, seed: u64) -> Result<([Vec<f64>; 3], [f64; 2]), Failure> {
    let &[documents, words] = counts.shape() else {
        return Err("these counts have two modes".into());
    };
    let (shape, values) = (vec![documents, words], counts.to_dense()?);
    let mask = Mask::random(&shape, 0.1, seed)?;
    let cells: Vec<usize> = mask.indices().collect();
    let held: Vec<i64> = cells.iter().map(|&cell| values[cell]).collect();
    let seen = Counts::dense(shape.clone(), values.clone())?.hold_out(&mask)?;
    let of = |theta: &[f64], phi: &[f64]| rates(theta, phi, [documents, words, topics], &cells);

    let fit = Topics::exact(&seen)?.topics(topics).gibbs(settings)?;
    let poisson = of(fit.theta.as_slice()?, fit.phi.as_slice()?);
    let poisson = predictive(
        &poisson,
        &held,
        |_, rate, y| ln_poisson_pmf(y.unsigned_abs(), rate),
        |_, _| 0.0,
    );

    let differences = Differences::dense(shape, values)?.hold_out(&mask)?;
    let fit = Noised::new(&differences)?.topics(topics).gibbs(settings)?;
    let odds = fit.odds.as_slice()?;
    let channels = odds.iter().map(|odds| TwoSidedGeometric::new(1.0 / (1.0 + odds)));
    let channels = channels.collect::<Result<Vec<_>, _>>()?;
    // P(c < 0): a geometric tail, at which the channel is linear in the rate.
    let ln_nonnegative = |draw: usize, rate: f64| {
        let alpha = channels[draw].alpha();
        (-(alpha / (1.0 + alpha)) * (-(1.0 - alpha) * rate).exp()).ln_1p()
    };
    let skellam = of(fit.theta.as_slice()?, fit.phi.as_slice()?);
    let skellam = predictive(
        &skellam,
        &held,
        |draw, rate, c| channels[draw].ln_marginal(rate, c),
        ln_nonnegative,
    );
    let alpha = channels.iter().map(TwoSidedGeometric::alpha).sum::<f64>() / channels.len() as f64;

    let keep = Keep::default().latent("eps", Kept::Nothing).rates(KeepRates::Nothing);
    let fit = Spread::new(&seen)?.topics(topics).gibbs(&Gibbs {
        keep,
        ..settings.clone()
    })?;
    let (r, b) = (fit.r.as_slice()?, fit.b.as_slice()?);
    let ln_negative_binomial = |draw: usize, rate: f64, y: i64| {
        let (r, b, n) = (r[draw], b[draw], y as f64);
        ln_gamma(n + r) - ln_gamma(r) - ln_factorial(y.unsigned_abs()) - r * (rate / b).ln_1p() - n * (b / rate).ln_1p()
    };
    let spread = of(fit.theta.as_slice()?, fit.phi.as_slice()?);
    let spread = predictive(&spread, &held, ln_negative_binomial, |_, _| 0.0);
    Ok(([poisson, skellam, spread], [alpha, fit.r.mean()?]))
}

fn splits(run: &Run) -> std::ops::Range<u64> {
    run.flags.seed..run.flags.seed + run.by_size([1, 2, 3])
}

pub fn run(run: &mut Run) -> Result<Found, Failure> {
    let settings = run.by_size([[60, 20, 2], [400, 50, 8], [1000, 50, 20]]);
    let (topics, size) = run.by_size([(5, [60, 80]), (10, [395, 600]), (20, [395, 4258])]);
    for corpus in corpora(run) {
        let counts = match corpus {
            "reuters" => Some(reuters()?),
            _ => ONLINE_RETAIL.read(run)?,
        };
        let Some(counts) = counts else { continue };
        let counts = part(&counts, size[0], size[1])?;
        for seed in splits(run) {
            run.piece(&format!("{corpus}: split {seed}"), |piece| {
                let (scores, [alpha, r]) = scored(&counts, topics, &chain(settings, seed), seed)?;
                for (name, scores) in MODELS.iter().zip(&scores) {
                    piece.put(name, scores.iter().sum::<f64>() / scores.len() as f64);
                }
                // Cell by cell, as all models predict the same counts.
                for (name, of) in MODELS.iter().zip(&scores).skip(1) {
                    let gains = of.iter().zip(&scores[0]).map(|(a, b)| a - b);
                    let [gain, error] = mean(&gains.collect::<Vec<f64>>());
                    piece.put(&format!("gain of {}", name), gain);
                    piece.put(&format!("error of the gain of {}", name), error);
                }
                piece.put("alpha of the noise", alpha);
                piece.put("shape of the spread", r);
                Ok(())
            })?;
        }
    }
    found(run)
}

fn found(run: &Run) -> Result<Found, Failure> {
    let (mut claims, mut lines) = (Vec::new(), Curves::new(2));
    for corpus in corpora(run) {
        let all = |what: &str| -> Result<Vec<f64>, Failure> {
            splits(run)
                .map(|seed| run.get(&format!("{corpus}: split {seed}"), what))
                .collect()
        };
        let mut panel = Panel::new(corpus).axes("split", "log predictive of a held-out count");
        for name in MODELS {
            let scores = all(name)?;
            let points = splits(run).zip(&scores).map(|(split, score)| [split as f64, *score]);
            panel = panel.curve(name, &points.collect::<Vec<_>>());
        }
        lines = lines.panel(panel);
        // In units of the standard error over cells, the worst split.
        let told = |name: &str| -> Result<(f64, f64), Failure> {
            let (gains, errors) = (
                all(&format!("gain of {}", name))?,
                all(&format!("error of the gain of {}", name))?,
            );
            let least = gains
                .iter()
                .zip(&errors)
                .map(|(gain, error)| gain / error)
                .fold(f64::INFINITY, f64::min);
            Ok((mean(&gains)[0], least))
        };
        let [(gain, least), (other, _)] = [told(MODELS[1])?, told(MODELS[2])?];
        let most = all(&format!("gain of {}", MODELS[1]))?;
        let errors = all(&format!("error of the gain of {}", MODELS[1]))?;
        let untold = most.iter().zip(&errors).any(|(gain, error)| gain.abs() <= 2.0 * error);
        claims.push(
            Claim::of(
                format!("{corpus}: the Skellam law is a robust alternative to Poisson factorization (ICML19, section 6)"),
                least > 2.0,
                format!("It gains {gain:+.4} nats a held-out count over the Poisson; the negative binomial gains {other:+.4}"),
            )
            .unless_untold(untold),
        );
        claims.push(Claim::of(
            format!(
                "{corpus}: the negative binomial, the customary alternative, predicts no better than the Skellam law"
            ),
            other <= gain,
            format!("Its gain is {other:+.4}, that of the Skellam law {gain:+.4}"),
        ));
    }
    let picture = Figure::new("").width(900).part(lines).draw();
    let text = run.table(&[
        MODELS[0],
        MODELS[1],
        MODELS[2],
        "alpha of the noise",
        "shape of the spread",
    ]);
    Found::of(picture, text, claims)
}
