//! How one latent is updated, in words.

use std::fmt;

use crate::error::{Error, QueryError};

/// What was derived for one latent. `Display` is meant to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The latent.
    pub latent: &'static str,
    /// The rule that gave its conditional.
    pub rule: &'static str,
    /// Where the rule can be looked up.
    pub source: &'static str,
    /// The complete conditional, which Gibbs draws from.
    pub conditional: &'static str,
    /// The variational update.
    pub ascent: &'static str,
    /// The sufficient statistic: what data add to the first parameter.
    pub statistic: &'static str,
    /// The exposure: what data add to the second parameter.
    pub exposure: &'static str,
    /// Multiplications of one update.
    pub cost: &'static str,
    /// Further remarks.
    pub remarks: &'static [&'static str],
}

impl Explanation {
    /// The explanation of `latent`.
    ///
    /// # Errors
    ///
    /// [`QueryError::UnknownLatent`] with the names there are.
    pub fn find(all: &[Self], latent: &str) -> Result<Self, Error> {
        all.iter().find(|e| e.latent == latent).copied().ok_or_else(|| {
            Error::Query(QueryError::UnknownLatent {
                given: latent.into(),
                known: all.iter().map(|e| e.latent).collect::<Vec<_>>().join(", "),
            })
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.latent)?;
        let lines = [
            ("rule", format!("{} ({})", self.rule, self.source)),
            ("statistic", self.statistic.into()),
            ("exposure", self.exposure.into()),
            ("Gibbs", self.conditional.into()),
            ("CAVI", self.ascent.into()),
            ("cost", self.cost.into()),
        ];
        for (name, line) in lines {
            writeln!(f, "  {name:<10} {line}")?;
        }
        for remark in self.remarks {
            writeln!(f, "  {:<10} {remark}", "note")?;
        }
        Ok(())
    }
}
