//! How close each fit comes to the true counts, and how good its topics are.

use std::fmt;

use skellam::diagnose::{DiagnoseError, mean_absolute_error, poisson_deviance};

use skellam::prelude::*;

use super::fit::Fit;
use super::ranking::{Quality, Topic};
use crate::refused::Refused;

/// One line of the comparison.
pub struct Line {
    /// What is scored.
    pub name: &'static str,
    /// Mean absolute difference between fitted rate and true count.
    pub error: f64,
    /// Mean Poisson deviance of the true counts; infinite where a rate is 0 and its count is not.
    pub deviance: f64,
    /// Means over topics of NPMI and coherence, where there are topics.
    pub quality: Option<[f64; 2]>,
}

/// The comparison.
pub struct Scores {
    /// Non-private, modelled, naive, constant rate, all zero.
    pub lines: Vec<Line>,
}

impl Scores {
    /// Scores fits against the true counts: non-private, modelled, naive, each with its topics.
    pub fn new(truth: &Counts, fits: [(&Fit, &[Topic]); 3]) -> Result<Self, Refused> {
        let truth = numbers(truth)?;
        let [
            (exact, exact_topics),
            (modelled, modelled_topics),
            (naive, naive_topics),
        ] = fits;
        let cells = truth.len();
        let constant = vec![truth.iter().sum::<f64>() / cells as f64; cells];
        let zero = vec![0.0; cells];
        let rows = [
            ("non-private", &exact.rate, Some(exact_topics)),
            ("noise modelled", &modelled.rate, Some(modelled_topics)),
            ("naive", &naive.rate, Some(naive_topics)),
            ("constant rate", &constant, None),
            ("all zero", &zero, None),
        ];
        let lines = rows.into_iter().map(|(name, rate, topics)| {
            Ok(Line {
                name,
                error: mean_absolute_error(rate, &truth).map_err(unscored)?,
                deviance: poisson_deviance(&truth, rate).map_err(unscored)?,
                quality: topics.map(|topics| [mean(topics, |q| q.npmi), mean(topics, |q| q.coherence)]),
            })
        });
        Ok(Self {
            lines: lines.collect::<Result<_, Refused>>()?,
        })
    }

    /// By how much the NPMI of the modelled fit lies above that of the naive one.
    pub fn npmi_gain(&self) -> f64 {
        let npmi = |name| self.lines.iter().find(|l| l.name == name).and_then(|l| l.quality);
        match (npmi("noise modelled"), npmi("naive")) {
            (Some([modelled, _]), Some([naive, _])) => modelled - naive,
            _ => f64::NAN,
        }
    }

    /// Deviances of the modelled fit and of a constant rate, where the fit is no better.
    pub fn drowned(&self) -> Option<[f64; 2]> {
        let deviance = |name| self.lines.iter().find(|l| l.name == name).map(|l| l.deviance);
        let (modelled, constant) = (deviance("noise modelled")?, deviance("constant rate")?);
        (modelled >= constant).then_some([modelled, constant])
    }

    /// One line each, tab-separated, under a header.
    pub fn tsv(&self) -> String {
        let mut out = String::from("fit\treconstruction_error\tpoisson_deviance\tnpmi\tcoherence\n");
        for Line {
            name,
            error,
            deviance,
            quality,
        } in &self.lines
        {
            let [npmi, coherence] = quality.map_or([String::new(), String::new()], |q| q.map(|x| format!("{x:.6}")));
            out.push_str(&format!("{name}\t{error:.6}\t{deviance:.6}\t{npmi}\t{coherence}\n"));
        }
        out
    }
}

/// The complaint about a fit that has no score.
pub fn unscored(error: DiagnoseError) -> Refused {
    Refused::new(format!("the fit cannot be scored: {error}"))
}

fn mean(topics: &[Topic], score: impl Fn(&Quality) -> f64) -> f64 {
    let scores = topics.iter().filter_map(|topic| topic.quality.as_ref());
    scores.map(score).sum::<f64>() / topics.len() as f64
}

/// The true counts of every cell, row-major. Not private.
pub fn numbers(truth: &Counts) -> Result<Vec<f64>, Refused> {
    Ok(truth.to_dense()?.into_iter().map(|y| y as f64).collect())
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<16}{:>22}{:>18}{:>9}{:>11}",
            "", "reconstruction error", "Poisson deviance", "NPMI", "coherence"
        )?;
        for line in &self.lines {
            let deviance = if line.deviance.is_finite() {
                format!("{:.4}", line.deviance)
            } else {
                "infinite".into()
            };
            write!(f, "{:<16}{:>22.4}{deviance:>18}", line.name, line.error)?;
            match line.quality {
                Some([npmi, coherence]) => writeln!(f, "{npmi:>9.3}{coherence:>11.1}")?,
                None => writeln!(f, "{:>9}{:>11}", "-", "-")?,
            }
        }
        Ok(())
    }
}
