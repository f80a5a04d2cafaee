//! Which numbers of a fit are drawn.

use skellam::Error;
use skellam::infer::Saved;

/// The chains of a saved fit, and their draws of the log joint density, of the mean rate of each count, and of the monitored rates of the largest R-hat.
pub(crate) fn of(fit: &Saved) -> Result<(usize, Vec<Quantity>), Error> {
    let whole = |name: &str, draws: &[f64]| Quantity {
        name: name.to_owned(),
        draws: draws.to_vec(),
    };
    let mut quantities = vec![whole("ln_joint", fit.ln_joint()?)];
    let (summary, mut rates) = (fit.summary()?, Vec::new());
    for count in fit.counts() {
        quantities.push(whole(
            &format!("mean of {count}"),
            fit.array(&format!("posterior/{count}.mean_rate"))?.1,
        ));
        let (_, all) = fit.array(&format!("posterior/{count}.rate"))?;
        let cells = fit.labels(&format!("{count}.cell")).unwrap_or_default();
        for (at, cell) in cells.iter().enumerate() {
            let name = format!("{count}[{cell}]");
            let r_hat = summary.get(&name).map(|row| row.r_hat).filter(|r_hat| !r_hat.is_nan());
            let draws = all.iter().skip(at).step_by(cells.len()).copied().collect();
            rates.push((r_hat.unwrap_or(f64::NEG_INFINITY), Quantity { name, draws }));
        }
    }
    rates.sort_by(|a, b| b.0.total_cmp(&a.0));
    quantities.extend(rates.into_iter().take(WORST).map(|(_, quantity)| quantity));
    let (shape, _) = fit.array("sample_stats/lp")?;
    Ok((shape[0], quantities))
}

/// Monitored rates that are drawn: those with the largest R-hat.
const WORST: usize = 3;

/// One number at every draw.
pub(crate) struct Quantity {
    /// What it is.
    pub name: String,
    /// (chain, draw).
    pub draws: Vec<f64>,
}
