//! `skellam events`: kinds of events in a table of three or four modes, such as from whom, to whom, what, and when.

use std::fmt::Write as _;
use std::process::ExitCode;

use ndarray::Array2;
use skellam::counts::largest;
use skellam::diagnose::PredictiveCheck;
use skellam::infer::GibbsFit;
use skellam::prelude::*;
use skellam_plot::{Components, Figure};

use super::{Data, Flags, Input, most};
use crate::refused::Refused;
use crate::report::predictive;

skellam::model! {
    /// Events of three modes, as a sum of kinds.
    pub model Events {
        index first, second, third, kinds;
        hyper a: positive = 0.3;

        latent f[i in first, k in kinds]  ~ Gamma(shape = a, rate = 1.0);
        latent g[j in second, k in kinds] ~ Gamma(shape = a, rate = 1.0);
        latent h[t in third, k in kinds]  ~ Gamma(shape = a, rate = 1.0);

        count y[i in first, j in second, t in third] ~ Poisson(sum(k in kinds) f[i, k] * g[j, k] * h[t, k]);

        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Events of four modes, as a sum of kinds.
    pub model EventsOfFour {
        index first, second, third, fourth, kinds;
        hyper a: positive = 0.3;

        latent f[i in first, k in kinds]  ~ Gamma(shape = a, rate = 1.0);
        latent g[j in second, k in kinds] ~ Gamma(shape = a, rate = 1.0);
        latent h[x in third, k in kinds]  ~ Gamma(shape = a, rate = 1.0);
        latent l[t in fourth, k in kinds] ~ Gamma(shape = a, rate = 1.0);

        count y[i in first, j in second, x in third, t in fourth]
            ~ Poisson(sum(k in kinds) f[i, k] * g[j, k] * h[x, k] * l[t, k]);

        release y by TwoSidedGeometric;
    }
}

/// Names of each mode that are printed of a kind.
const NAMED: usize = 4;
/// Bars of each mode that are drawn of a kind.
const DRAWN: usize = 10;

/// Fits one of the models, and shows the kinds of the chain with the highest joint density: they have an order of their own in every chain.
macro_rules! fitted {
    ($flags:ident, $input:ident, $settings:ident, $Model:ident: $($factor:ident $SET:ident),*) => {{
        let mut model = match &$input.data {
            Data::Released(released) => $Model::new(released)?,
            Data::Exact(counts) => $Model::exact(counts)?,
        }
        .kinds($flags.k);
        for (set, names) in [$($Model::$SET),*].into_iter().zip(&$input.names) {
            model = model.labels(set, names)?;
        }
        let (fit, checks) = match $input.is_whole() {
            true => model.gibbs_with_checks(&$settings, &predictive($flags.seed))?,
            false => (model.gibbs(&$settings)?, Vec::new()),
        };
        let (chain, _) = fit.most_probable();
        let factors = vec![$(fit.$factor.mean_of_chain(chain)?),*];
        show($flags, &$input, (&fit, &checks), &factors)
    }};
}

/// Runs the command.
pub fn command(flags: &Flags) -> ExitCode {
    super::finish(run(flags))
}

fn run(flags: &Flags) -> Result<ExitCode, Refused> {
    let modes = |shape: &[usize]| matches!(shape.len(), 3 | 4);
    let input = flags.read(
        false,
        modes,
        "events need three modes or four, such as from whom, to whom, and when",
    )?;
    let settings = flags.gibbs();
    match input.names.len() {
        3 => fitted!(flags, input, settings, Events: f FIRST, g SECOND, h THIRD),
        _ => fitted!(flags, input, settings, EventsOfFour: f FIRST, g SECOND, h THIRD, l FOURTH),
    }
}

/// Prints and draws kinds of events by the factors of their modes.
fn show(
    flags: &Flags,
    input: &Input,
    fit: (&GibbsFit, &[PredictiveCheck]),
    factors: &[Array2<f64>],
) -> Result<ExitCode, Refused> {
    let weights: Vec<f64> = (0..flags.k)
        .map(|k| factors.iter().map(|factor| factor.column(k).sum()).product())
        .collect();
    let (total, order) = (weights.iter().sum::<f64>(), largest(&weights, flags.k));
    let mut found = "kinds of events (share of the counts; what is most in each mode)\n".to_owned();
    for &k in &order {
        let _ = write!(found, "{:>5.1}%", 100.0 * weights[k] / total);
        for (factor, names) in factors.iter().zip(&input.names) {
            let _ = write!(found, "  | {}", most(factor, k, names, NAMED));
        }
        found.push('\n');
    }
    flags.report(&input.data, fit, &found, || {
        let mut figure = Figure::new("Kinds of events").width(1160);
        for (mode, (factor, names)) in factors.iter().zip(&input.names).enumerate() {
            let rows = Array2::from_shape_fn([flags.k, names.len()], |(row, entry)| factor[(entry, order[row])]);
            let bars = Components::of(&rows, names, DRAWN)?;
            figure = figure.part(bars.titled(&format!("mode {mode}")));
        }
        Ok(figure.draw())
    })
}
