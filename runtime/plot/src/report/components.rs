//! The largest entries of the components of a fit.

use std::fmt::Write as _;

use skellam::counts::Array;
use skellam::infer::Saved;

use super::html::{Page, escaped};
use super::topics;
use crate::PlotError;

/// Entries of a component that are listed.
const LISTED: usize = 10;

/// A latent that has a line of entries for each component.
pub(super) struct Shares {
    pub latent: String,
    /// The index set of the entries.
    pub set: String,
    pub labels: Vec<String>,
    /// Components x entries, each component summing to one.
    pub shares: Vec<Vec<f64>>,
    /// The sums that were divided by.
    pub sums: Vec<f64>,
    /// Whether chains have components of their own.
    is_of_one_chain: bool,
    /// The central 90 % of the draws of each share, if draws were kept.
    intervals: Option<Vec<Vec<[f64; 2]>>>,
}

impl Shares {
    /// Puts components in an order.
    fn put_in(&mut self, order: &[usize]) {
        let line = |k: &usize| std::mem::take(&mut self.shares[*k]);
        self.shares = order.iter().map(line).collect();
        if let Some(all) = &mut self.intervals {
            *all = order.iter().map(|k| std::mem::take(&mut all[*k])).collect();
        }
    }
}

/// Adds the components of every latent of two indices, one of which no count has.
pub(super) fn add(page: &mut Page, fit: &Saved) -> Result<(), PlotError> {
    let mut of_counts = Vec::new();
    for count in fit.counts() {
        of_counts.extend(fit.axes(count)?.into_iter().map(|(set, _)| set));
    }
    // Where chains have components of their own, those of the one with the highest joint density.
    let chain = fit.ln_joint().ok().map(|ln_joint| {
        let best = (0..ln_joint.len()).max_by(|a, b| ln_joint[*a].total_cmp(&ln_joint[*b]));
        let draws = fit.array("sample_stats/lp").map_or(1, |(shape, _)| shape[1]);
        best.unwrap_or(0) / draws.max(1)
    });
    let mut all: Vec<(String, Vec<Shares>)> = Vec::new();
    for latent in fit.latents() {
        let axes = fit.axes(latent)?;
        let [first, second] = &axes[..] else { continue };
        let outside = [first, second].map(|(set, _)| !of_counts.contains(set));
        let (components, entries) = match outside {
            [true, false] => (0, 1),
            [false, true] => (1, 0),
            _ => continue,
        };
        let one_chain = || fit.mean_of_chain(latent, chain.unwrap_or(0));
        let of_all = fit.mean(latent);
        let is_of_one_chain = of_all.is_err();
        let Ok(mean) = of_all.or_else(|_| one_chain()) else {
            continue;
        };
        let sizes = [first.1, second.1];
        let (mut shares, mut sums) = (turned(mean.as_slice(), sizes, components), Vec::new());
        shares.iter_mut().for_each(|line| sums.push(normalized(line)));
        let (set, size) = &axes[entries];
        let labels = fit.labels(set).map(<[String]>::to_vec);
        let lines = Shares {
            latent: latent.to_owned(),
            set: set.clone(),
            labels: labels.unwrap_or_else(|| (1..=*size).map(|number| number.to_string()).collect()),
            shares,
            sums,
            is_of_one_chain,
            intervals: fit
                .draws(latent)
                .ok()
                .map(|draws| intervals(&draws, chain.unwrap_or(0), sizes, components)),
        };
        let set = &axes[components].0;
        match all.iter_mut().find(|(of, _)| of == set) {
            Some((_, lines_of)) => lines_of.push(lines),
            None => all.push((set.clone(), vec![lines])),
        }
    }
    let mut has_view = false;
    for (set, lines) in &mut all {
        page.heading(&format!("Components: {set}"));
        // What a component adds to the rates is the product of its sums.
        let mut masses: Vec<f64> = (0..lines[0].sums.len())
            .map(|k| lines.iter().map(|of| of.sums[k]).product())
            .collect();
        normalized(&mut masses);
        let order = top(&masses, masses.len());
        masses = order.iter().map(|k| masses[*k]).collect();
        lines.iter_mut().for_each(|of| of.put_in(&order));
        page.remark("Numbered by share, the product of the sums of what a component has: where rates are sums over components, what it adds to them.");
        if lines.iter().any(|of| of.is_of_one_chain) {
            page.remark("Each chain has found components of its own: these are of the chain with the highest joint density, one reading of several. In brackets the central 90 % of its draws.");
        } else if lines.iter().any(|of| of.intervals.is_some()) {
            page.remark("Means over all chains; in brackets the central 90 % of the draws of one.");
        }
        let is_labelled = |of: &Shares| fit.labels(&of.set).is_some();
        let any = lines.iter().any(is_labelled);
        for of in lines.iter().filter(|of| !any || is_labelled(of)) {
            page.subheading(&format!("The largest {} of each, by {}", of.set, of.latent));
            // One on a page: its parts have names.
            if !has_view {
                topics::add(page, of, &masses);
                has_view = true;
            }
            list(page, of, &masses);
        }
    }
    Ok(())
}

/// Components x entries of a matrix whose axis of components is given.
fn turned(values: &[f64], [height, width]: [usize; 2], components: usize) -> Vec<Vec<f64>> {
    match components {
        0 => values.chunks(width).map(<[f64]>::to_vec).collect(),
        _ => (0..width)
            .map(|k| (0..height).map(|i| values[i * width + k]).collect())
            .collect(),
    }
}

/// Divides by the sum, and returns it.
fn normalized(line: &mut [f64]) -> f64 {
    let sum: f64 = line.iter().sum();
    if sum > 0.0 {
        line.iter_mut().for_each(|x| *x /= sum);
    }
    sum
}

fn intervals(draws: &Array, chain: usize, sizes: [usize; 2], components: usize) -> Vec<Vec<[f64; 2]>> {
    let [entries, number] = [sizes[0] * sizes[1], draws.shape()[1]];
    let of_chain = draws.as_slice()[chain * number * entries..][..number * entries].chunks(entries);
    let lines: Vec<Vec<Vec<f64>>> = of_chain
        .map(|draw| {
            let mut lines = turned(draw, sizes, components);
            for line in &mut lines {
                normalized(line);
            }
            lines
        })
        .collect();
    let at = |k: usize, i: usize| {
        let mut all: Vec<f64> = lines.iter().map(|draw| draw[k][i]).collect();
        all.sort_by(f64::total_cmp);
        let place = |p: f64| all[((number - 1) as f64 * p).round() as usize];
        [place(0.05), place(0.95)]
    };
    (0..sizes[components])
        .map(|k| (0..sizes[1 - components]).map(|i| at(k, i)).collect())
        .collect()
}

/// The entries with the largest shares, the largest first.
pub(super) fn top(line: &[f64], number: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..line.len()).collect();
    order.sort_by(|a, b| line[*b].total_cmp(&line[*a]));
    order.truncate(number);
    order
}

fn list(page: &mut Page, of: &Shares, masses: &[f64]) {
    page.raw("<div class=\"components\">\n");
    for (k, line) in of.shares.iter().enumerate() {
        let mut out = format!("<div><h3>{}: {:.1} %</h3><table>\n", k + 1, 100.0 * masses[k]);
        let order = top(line, LISTED);
        let most = order.first().map_or(1.0, |first| line[*first]).max(f64::MIN_POSITIVE);
        for entry in order.into_iter().filter(|entry| line[*entry] > 0.0) {
            let interval = of.intervals.as_ref().map_or_else(String::new, |all| {
                let [low, high] = all[k][entry].map(|x| 100.0 * x);
                format!("[{low:.1}, {high:.1}]")
            });
            let _ = writeln!(
                out,
                "<tr><td>{}</td><td><span class=\"bar\" style=\"width:{:.0}%\"></span></td><td>{:.1} %</td><td class=\"remark\">{interval}</td></tr>",
                escaped(&of.labels[entry]),
                100.0 * line[entry] / most,
                100.0 * line[entry],
            );
        }
        out.push_str("</table></div>\n");
        page.raw(&out);
    }
    page.raw("</div>\n");
}
