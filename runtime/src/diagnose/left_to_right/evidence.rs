//! Evidence of documents, with its Monte Carlo error.

use std::fmt;

/// The log probability of held-out documents under given topics; [`left_to_right`](super::left_to_right) estimates it.
#[derive(Clone, Debug, PartialEq)]
pub struct Evidence {
    pub(super) documents: Vec<DocumentEvidence>,
}

/// The log probability of one document.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DocumentEvidence {
    /// The log of each run's estimate. Each run is independent, and unbiased for the probability, not for its log.
    pub runs: Vec<f64>,
    /// Number of tokens.
    pub tokens: usize,
}

impl DocumentEvidence {
    /// `ln P(w | phi, alpha)`, in nats: the mean of `runs`, plus half their variance. The log of an unbiased estimate is too low by half
    /// its variance where it is normal, as it is for many tokens and particles in proportion (Bérard, Del Moral and Doucet 2014).
    pub fn ln_probability(&self) -> f64 {
        self.mean() + 0.5 * self.variance()
    }

    /// The Monte Carlo standard error of [`Self::ln_probability`]: `sqrt(s^2 / M + s^4 / (2 (M - 1)))` for `M` runs with variance `s^2`. The
    /// second term is that of half the variance. It says nothing of how far the topics are from others that the data allow.
    pub fn error(&self) -> f64 {
        let (runs, variance) = (self.runs.len() as f64, self.variance());
        (variance / runs + variance * variance / (2.0 * (runs - 1.0))).sqrt()
    }

    fn mean(&self) -> f64 {
        self.runs.iter().sum::<f64>() / self.runs.len() as f64
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.runs.iter().map(|ln| (ln - mean).powi(2)).sum::<f64>() / (self.runs.len() - 1) as f64
    }
}

impl Evidence {
    /// Runs that spread by more than this standard deviation are too far from normal for the correction of their mean.
    const WIDE: f64 = 2.0;

    /// All documents, in the order of the counts.
    pub fn documents(&self) -> &[DocumentEvidence] {
        &self.documents
    }

    /// `ln P` of all documents together, in nats: the sum over them.
    pub fn ln_probability(&self) -> f64 {
        self.documents.iter().map(DocumentEvidence::ln_probability).sum()
    }

    /// The Monte Carlo standard error of [`Self::ln_probability`]: documents are independent given the topics.
    pub fn error(&self) -> f64 {
        let errors = self.documents.iter().map(|document| document.error().powi(2));
        errors.sum::<f64>().sqrt()
    }

    /// Number of tokens of all documents.
    pub fn tokens(&self) -> usize {
        self.documents.iter().map(|document| document.tokens).sum()
    }

    /// How many documents have runs with a standard deviation above 2: more particles are needed for them.
    pub fn uncertain(&self) -> usize {
        let wide = |document: &&DocumentEvidence| document.variance() > Self::WIDE * Self::WIDE;
        self.documents.iter().filter(wide).count()
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tokens, per_token) = (self.tokens(), self.ln_probability() / self.tokens() as f64);
        write!(
            f,
            "held-out log probability {:.1} (Monte Carlo error {:.1}) of {tokens} tokens in {} documents: {per_token:.4} a token, perplexity {:.1}",
            self.ln_probability(),
            self.error(),
            self.documents.len(),
            (-per_token).exp()
        )?;
        match self.uncertain() {
            0 => Ok(()),
            few => write!(
                f,
                "\n  the runs of {few} documents differ by more than a factor of {:.0}: take more particles",
                Self::WIDE.exp()
            ),
        }
    }
}
