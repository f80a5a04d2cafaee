//! What a predictive check has found, and how it is printed.

use std::fmt;

/// A check is surprising where fewer than this share of the replicas lie on one side of the observation.
const TAIL: f64 = 0.025;

/// Observations of one count against replicas of them: data drawn from the posterior predictive distribution, through the channel by
/// which the count was observed. `Display` prints a table.
///
/// Replicas have the cells that inference saw. What a fit misses shows as an observation in the tail of its replicas: too few
/// zeros, less dispersion, totals that differ less. As the data were used twice, p-values are conservative: they are nearer to a
/// half than uniform, so that a surprising one is telling, and an unsurprising one is not proof (Gelman, Meng and Stern 1996).
#[derive(Clone, Debug, PartialEq)]
pub struct PredictiveCheck {
    pub(crate) count: &'static str,
    pub(crate) cells: usize,
    pub(crate) observed_cells: usize,
    pub(crate) discrepancies: Vec<Discrepancy>,
    pub(crate) totals: Vec<SliceTotals>,
}

/// One number that was computed of the observations and of every replica.
#[derive(Clone, Debug, PartialEq)]
pub struct Discrepancy {
    /// What it is.
    pub name: String,
    /// Of the observations.
    pub observed: f64,
    /// Of the replicas, ascending.
    pub replicated: Vec<f64>,
}

/// Totals of the slices along one mode: rows, columns.
#[derive(Clone, Debug, PartialEq)]
pub struct SliceTotals {
    /// What they are: `totals of docs`, or `totals of actors, mode 0` where two modes have one set.
    pub name: String,
    /// The index set of the mode.
    pub set: &'static str,
    /// Totals of the observations; zero where no cell of the slice takes part.
    pub observed: Vec<f64>,
    /// For each slice the share of replicas whose total is larger, those that are equal by half. NaN where no cell of the
    /// slice takes part.
    pub p_values: Vec<f64>,
}

impl PredictiveCheck {
    /// The count.
    pub fn count(&self) -> &'static str {
        self.count
    }

    /// How many cells take part, and how many were observed: from a large table whole rows at equal distances are taken.
    pub fn cells(&self) -> (usize, usize) {
        (self.cells, self.observed_cells)
    }

    /// Number of replicas.
    pub fn num_replicas(&self) -> usize {
        self.discrepancies.first().map_or(0, |first| first.replicated.len())
    }

    /// The share of zeros, the dispersion, and for each mode the spread of the totals of its slices.
    pub fn discrepancies(&self) -> &[Discrepancy] {
        &self.discrepancies
    }

    /// The discrepancy of that name: `zeros`, `dispersion`, `totals of docs`.
    pub fn get(&self, name: &str) -> Option<&Discrepancy> {
        self.discrepancies.iter().find(|one| one.name == name)
    }

    /// Totals of the slices along each mode.
    pub fn totals(&self) -> &[SliceTotals] {
        &self.totals
    }

    /// The discrepancies in which the observations lie in a tail of the replicas.
    pub fn surprising(&self) -> impl Iterator<Item = &Discrepancy> {
        self.discrepancies.iter().filter(|one| one.is_surprising())
    }
}

impl Discrepancy {
    /// The share of replicas in which it is larger than in the observations, those in which it is equal counted by half. Near
    /// zero, observations exceed what the fit predicts; near one, they fall short of it.
    pub fn p_value(&self) -> f64 {
        share(&self.replicated, self.observed)
    }

    /// Whether the observation lies outside of the central 95 % of the replicas.
    pub fn is_surprising(&self) -> bool {
        surprises(self.p_value())
    }

    /// The central interval that holds `mass` of the replicas.
    pub fn interval(&self, mass: f64) -> (f64, f64) {
        let last = self.replicated.len().saturating_sub(1) as f64;
        let at = |p: f64| {
            self.replicated
                .get((p * last).round() as usize)
                .copied()
                .unwrap_or(f64::NAN)
        };
        let tail = (1.0 - mass.clamp(0.0, 1.0)) / 2.0;
        (at(tail), at(1.0 - tail))
    }
}

impl SliceTotals {
    /// Slices whose total lies outside of the central 95 % of its replicas, by their place in the mode.
    pub fn surprising(&self) -> Vec<usize> {
        (0..self.p_values.len())
            .filter(|&at| surprises(self.p_values[at]))
            .collect()
    }
}

fn surprises(p: f64) -> bool {
    !(TAIL..=1.0 - TAIL).contains(&p) && !p.is_nan()
}

/// The share of `values` above `of`, and half of those that are equal.
fn share(values: &[f64], of: f64) -> f64 {
    let above = values.iter().filter(|&&value| value > of).count() as f64;
    let equal = values.iter().filter(|&&value| value == of).count() as f64;
    (above + equal / 2.0) / values.len() as f64
}

impl fmt::Display for PredictiveCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of = match self.cells == self.observed_cells {
            true => String::new(),
            false => format!(" of {} observed", self.observed_cells),
        };
        writeln!(
            f,
            "predictive check of `{}`: {} replicas of {} cells{of}",
            self.count,
            self.num_replicas(),
            self.cells
        )?;
        let width = self
            .discrepancies
            .iter()
            .map(|one| one.name.chars().count())
            .max()
            .unwrap_or(0);
        writeln!(
            f,
            "{:<width$}   {:>12}   {:>27}   {:>5}",
            "", "observed", "95 % of the replicas", "p"
        )?;
        for one in &self.discrepancies {
            let (low, high) = one.interval(1.0 - 2.0 * TAIL);
            let mark = if one.is_surprising() { "  surprising" } else { "" };
            writeln!(
                f,
                "{:<width$}   {:>12}   {:>12} .. {:>11}   {:>5.3}{mark}",
                one.name,
                short(one.observed),
                short(low),
                short(high),
                one.p_value()
            )?;
        }
        for totals in &self.totals {
            let taking_part = totals.p_values.iter().filter(|p| !p.is_nan()).count();
            writeln!(
                f,
                "{}: {} of {taking_part} outside of 95 % of their replicas",
                totals.name,
                totals.surprising().len()
            )?;
        }
        Ok(())
    }
}

/// Four digits.
fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        1e-3..1e5 => {
            let digits = (3 - value.abs().log10().floor() as i32).max(0) as usize;
            format!("{value:.digits$}")
        }
        _ => format!("{value:.3e}"),
    }
}
