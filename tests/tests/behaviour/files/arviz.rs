//! What ArviZ says of a saved fit is what the fit says. `.ci/arviz` names an interpreter that has it; without one the test says
//! that it was skipped.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use skellam::Error;
use skellam::diagnose::Elpd;
use skellam::private::file::SavedError;

use super::{Gibbs, Scratch, ascending, sampling, topics};

#[test]
fn arviz_opens_what_was_saved() {
    let scratch = Scratch::new("arviz");
    let (npz, zarr) = (scratch.path("fit.npz"), scratch.path("fit.zarr"));
    let (npz_of_cavi, zarr_of_cavi) = (scratch.path("cavi.npz"), scratch.path("cavi.zarr"));
    let streamed = scratch.path("streamed.zarr");
    let settings = Gibbs {
        num_tune: 50,
        num_draws: 100,
        num_chains: Some(4),
        draws_in: Some(streamed.clone()),
        ..sampling()
    };
    let fit = topics(6, 5).gibbs(&settings).unwrap();
    fit.save(&npz).unwrap();
    fit.save_zarr(&zarr).unwrap();
    let likelihood = topics(6, 5).log_likelihood(&fit, "y", None).unwrap();
    likelihood.add_to_zarr(&zarr).unwrap();
    let by_cavi = topics(6, 5).cavi(&ascending()).unwrap();
    by_cavi.save(&npz_of_cavi).unwrap();
    by_cavi.save_zarr(&zarr_of_cavi).unwrap();
    let error = fit.save_zarr(&zarr).unwrap_err();
    assert!(matches!(error, Error::Saved(SavedError::Exists { .. })), "{error}");

    let Ok(python) = std::env::var("SKELLAM_PYTHON") else {
        println!("skipped: SKELLAM_PYTHON names no interpreter with ArviZ; run .ci/arviz");
        return;
    };
    let mut rows = "quantity\tmean\tsd\thdi_low\thdi_high\tmcse_mean\tmcse_sd\tess_bulk\tess_tail\tr_hat\n".to_owned();
    for row in fit.summary().rows() {
        let [low, high] = row.hdi;
        let numbers = [
            row.mean,
            row.sd,
            low,
            high,
            row.mcse_mean,
            row.mcse_sd,
            row.ess_bulk,
            row.ess_tail,
            row.r_hat,
        ];
        rows.push_str(&row.name);
        numbers.iter().for_each(|number| write!(rows, "\t{number:e}").unwrap());
        rows.push('\n');
    }
    let summary = scratch.path("summary.tsv");
    fs::write(&summary, rows).unwrap();
    let (waic, loo) = (likelihood.waic(), likelihood.loo(Some(0.7)));
    let mut rows = String::new();
    let mut row = |what: &str, numbers: &[f64]| {
        let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:e}")).collect();
        writeln!(rows, "{what}\t{}", numbers.join("\t")).unwrap();
    };
    row("waic", &[waic.elpd(), waic.standard_error(), waic.p()]);
    row("loo", &[loo.elpd(), loo.standard_error(), loo.p()]);
    row("waic_i", waic.pointwise());
    row("loo_i", loo.pointwise());
    row("pareto_k", loo.pareto_k());
    let criteria = scratch.path("criteria.tsv");
    fs::write(&criteria, rows).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("arviz/check.py");
    let checked = Command::new(python)
        .arg(script)
        .args([&npz, &zarr, &summary, &npz_of_cavi, &zarr_of_cavi, &streamed, &criteria])
        .output()
        .unwrap();
    println!("{}", String::from_utf8_lossy(&checked.stdout));
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}
