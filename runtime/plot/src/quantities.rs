//! Which numbers of a fit are drawn.

use skellam::Error;
use skellam::infer::{GibbsFit, Saved};

/// Quantities of a saved fit: the log joint density, the mean rate of each count, and the monitored rates of the largest R-hat.
pub(crate) fn of_saved(fit: &Saved) -> Result<Vec<Quantity>, Error> {
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
    Ok(quantities)
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

impl Quantity {
    /// The log joint density, the mean rate of each count, and the monitored rates that mix worst.
    pub fn of(fit: &GibbsFit) -> Vec<Self> {
        let mut all = Vec::new();
        let summary = fit.summary();
        let whole = |name: &str, draws: &[f64]| Self {
            name: name.to_owned(),
            draws: draws.to_vec(),
        };
        let mut quantities = vec![whole("ln_joint", fit.ln_joint())];
        for (name, draws) in fit.mean_rates() {
            quantities.push(whole(&format!("mean of {name}"), draws));
        }
        // Rows of latents come before those of the monitored rates, which are the last.
        let monitored: usize = fit.monitored().iter().map(|monitored| monitored.cells.len()).sum();
        let mut rows = summary.rows().iter().skip(summary.rows().len() - monitored);
        for monitored in fit.monitored() {
            for cell in 0..monitored.cells.len() {
                let Some(row) = rows.next() else {
                    break;
                };
                // What does not vary has no R-hat, and nothing to show.
                let r_hat = if row.r_hat.is_nan() {
                    f64::NEG_INFINITY
                } else {
                    row.r_hat
                };
                all.push((r_hat, row, monitored, cell));
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        // Rates in a store that can no longer be read have nothing to show either.
        quantities.extend(all.into_iter().take(WORST).filter_map(|(_, row, monitored, cell)| {
            let name = row.name.clone();
            let draws = monitored.rates.entry(cell).ok()?;
            Some(Self { name, draws })
        }));
        quantities
    }
}
