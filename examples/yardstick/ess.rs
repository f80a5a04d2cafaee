//! Effective samples of the rates of a long chain.

use serde_json::{Map, Value, json};
use skellam::diagnose::Chains;
use skellam::infer::{Chain, gibbs};
use skellam::prelude::*;

use crate::data::{Data, Failure};
use crate::engine::{bind, gibbs_form};
use crate::flags::{Between, Ess};
use crate::meter::Meter;
use crate::npy;

/// Cells whose rates are asked.
const CELLS: usize = 400;

pub fn measure(flags: &Ess) -> Result<Map<String, Value>, Failure> {
    let common = &flags.common();
    let mut object = common.describe("ess");
    let Some(form) = gibbs_form(common.engine) else {
        return Err("`ess` measures chains: `--engine gibbs` or `--engine gibbs-augmented`".into());
    };
    let data = Data::of(common)?;
    let model = bind(common, &data)?;
    let settings = Gibbs {
        num_tune: flags.tune,
        max_retunes: 0,
        num_draws: flags.draws,
        thin: Some(1),
        num_chains: Some(flags.chains),
        seed: common.seed,
        form,
        moves: match flags.moves {
            Between::Auto => Moves::Auto,
            Between::Nothing => Moves::Nothing,
            Between::Levels => Moves::Levels { every: flags.every },
        },
        keep: Keep::default()
            .rates(KeepRates::Nothing)
            .latent("theta", Kept::Nothing)
            .latent("phi", Kept::Nothing),
        num_threads: Some(common.threads),
        ..Gibbs::default()
    };
    let meter = Meter::start();
    let mut rates = vec![Vec::new(); flags.chains];
    let run = gibbs(&model, &settings, |chain, _| {
        if chain.drawn() > 0 {
            add_rates(chain, [data.rows, data.cols, common.k], &mut rates[chain.number()]);
        }
    })?;
    meter.report(&mut object);
    let rates = rates.concat();
    let width = rates.len() / (flags.chains * flags.draws);
    let (mut ess, mut r_hat) = (Vec::new(), f64::NAN);
    for cell in 0..width {
        let draws: Vec<f64> = rates.iter().skip(cell).step_by(width).copied().collect();
        let chains = Chains::new(&draws, flags.chains)?;
        ess.push(chains.ess_bulk());
        r_hat = chains.r_hat().max(r_hat);
    }
    ess.sort_by(f64::total_cmp);
    let level = Chains::new(&run.mean_rates[0], flags.chains)?.ess_bulk();
    object.extend([
        ("tune".into(), json!(flags.tune)),
        ("draws".into(), json!(flags.draws)),
        ("chains".into(), json!(flags.chains)),
        ("moves".into(), json!(format!("{:?}", settings.moves))),
        ("ess_min".into(), json!(ess[0])),
        ("ess_median".into(), json!(ess[ess.len() / 2])),
        ("ess_of_the_mean_rate".into(), json!(level)),
        ("rhat_max".into(), json!(r_hat)),
        ("ess_min_per_cpu_second".into(), json!(ess[0] / cpu(&object))),
    ]);
    if let Some(path) = &flags.dump {
        npy::write(path, &[flags.chains, flags.draws, width], &rates)
            .map_err(|e| format!("{}: {e}", skellam::quoted(path.display())))?;
    }
    Ok(object)
}

/// Adds the present rates of the cells that the yardstick asks, which are not those that a run monitors: of `n` cells number
/// `i * n / 400` in row-major order, or all.
fn add_rates(chain: &Chain<'_>, [rows, cols, k]: [usize; 3], into: &mut Vec<f64>) {
    let (theta, phi) = (&chain.values()[0], &chain.values()[1]);
    let cells = rows * cols;
    let number = cells.min(CELLS);
    into.extend((0..number).map(|i| {
        let (row, col) = (i * cells / number / cols, i * cells / number % cols);
        let of_row = &theta[row * k..][..k];
        of_row
            .iter()
            .enumerate()
            .map(|(c, x)| x * phi[c * cols + col])
            .sum::<f64>()
    }));
}

fn cpu(object: &Map<String, Value>) -> f64 {
    object.get("cpu_seconds").and_then(Value::as_f64).unwrap_or(f64::NAN)
}
