//! The engines and their forms, and what a derivation prints of each.

use std::fmt;
use std::str::FromStr;

use crate::error::{Error, FormError};

use super::derivation::{Derivation, DerivationBlock};
use super::written_count::WrittenCount;

/// An engine in one of its forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineForm {
    /// Gibbs sampling with the noise summed out: `GibbsForm::Collapsed`.
    Gibbs,
    /// Gibbs sampling with the noise as variables of every cell: `GibbsForm::Augmented`.
    GibbsAugmented,
    /// Gibbs sampling token by token, with the latents of the rates integrated out: `GibbsForm::Tokens`.
    GibbsTokens,
    /// Coordinate ascent with the noise summed out: `CaviForm::Collapsed`.
    Cavi,
    /// Coordinate ascent with the noise as variables of every cell: `CaviForm::Augmented`.
    CaviAugmented,
    /// Coordinate ascent as VI18 published it: `CaviForm::Published`.
    CaviPublished,
}

impl EngineForm {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 6] = [
        Self::Gibbs,
        Self::GibbsAugmented,
        Self::GibbsTokens,
        Self::Cavi,
        Self::CaviAugmented,
        Self::CaviPublished,
    ];

    /// The name in one word, as the examples take it on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gibbs => "gibbs",
            Self::GibbsAugmented => "gibbs-augmented",
            Self::GibbsTokens => "gibbs-tokens",
            Self::Cavi => "cavi",
            Self::CaviAugmented => "cavi-augmented",
            Self::CaviPublished => "cavi-published",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Gibbs => "Collapsed Gibbs sampling: GibbsForm::Collapsed",
            Self::GibbsAugmented => "Augmented Gibbs sampling: GibbsForm::Augmented",
            Self::GibbsTokens => "Gibbs sampling token by token: GibbsForm::Tokens",
            Self::Cavi => "Collapsed CAVI: CaviForm::Collapsed",
            Self::CaviAugmented => "Augmented CAVI: CaviForm::Augmented",
            Self::CaviPublished => "Published CAVI: CaviForm::Published",
        }
    }

    /// What it is, in a line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Gibbs => "the noise is summed out: a cell keeps nothing between sweeps",
            Self::GibbsAugmented => "ICML19, eq. 13–16: a cell keeps the rates of its noise between sweeps",
            Self::GibbsTokens => {
                "the latents of the rates are integrated out: a token moves given where all others are"
            }
            Self::Cavi => "the noise is summed out: q(y) is the law of a count given its observation",
            Self::CaviAugmented => "VI18, eq. 2–6 and 8, with the mean of the Bessel law where eq. 7 has its mode",
            Self::CaviPublished => {
                "VI18, eq. 2–7 and 27–33, as published: the mode of the Bessel law and the delta method"
            }
        }
    }

    /// Whether it is Gibbs sampling.
    pub fn is_gibbs(self) -> bool {
        matches!(self, Self::Gibbs | Self::GibbsAugmented | Self::GibbsTokens)
    }

    /// Whether the noise is summed out.
    pub fn is_collapsed(self) -> bool {
        matches!(self, Self::Gibbs | Self::GibbsTokens | Self::Cavi)
    }

    /// The same engine with the noise summed out: what there is for data without modelled noise.
    #[must_use]
    pub fn collapsed(self) -> Self {
        if self.is_gibbs() { Self::Gibbs } else { Self::Cavi }
    }
}

impl FromStr for EngineForm {
    type Err = FormError;

    /// By its [`name`](EngineForm::name).
    fn from_str(name: &str) -> Result<Self, FormError> {
        let known = Self::ALL.into_iter().find(|form| form.name() == name);
        known.ok_or_else(|| FormError::Unknown {
            given: name.to_owned(),
            known: Self::ALL.map(Self::name).to_vec(),
        })
    }
}

impl fmt::Display for EngineForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the compiler writes of one form, a line each: moments and rates that the lines about cells use; how counts are divided
/// over the terms of their rates; the conditional of every latent, or q of it, in the order in which they are updated; the bound,
/// but for what cells add to it.
#[derive(Clone, Copy, Debug)]
pub struct WrittenForm {
    /// Which.
    pub form: EngineForm,
    /// These four.
    pub parts: [&'static str; 4],
}

/// A derivation in its parts.
#[derive(Clone, Debug)]
pub struct WrittenModel {
    /// Name of the model.
    pub title: &'static str,
    /// What comes before the channels.
    pub before: Vec<DerivationBlock>,
    /// The counts.
    pub counts: Vec<WrittenCount>,
    /// Every form, each once.
    pub forms: [WrittenForm; 6],
    /// What comes after the forms.
    pub after: Vec<DerivationBlock>,
    /// The first latent that is a simplex.
    pub simplex: Option<&'static str>,
    /// The first latent whose shape is learned.
    pub learned: Option<&'static str>,
    /// Why there are no tokens, if so.
    pub no_tokens: Option<&'static str>,
}

/// A declaration whose derivation is not at hand, such as one that was printed: generated types have a function of this name where it is.
pub trait Unexplained {
    /// Nothing.
    fn __written() -> Option<WrittenModel> {
        None
    }
}

impl<T> Unexplained for T {}

impl WrittenModel {
    /// The derivation, with some of the forms.
    pub fn derivation(self, forms: &[EngineForm]) -> Derivation {
        let mut blocks = self.before.clone();
        blocks.extend(self.counts.iter().map(WrittenCount::channel));
        blocks.extend(forms.iter().map(|form| self.form(*form)));
        blocks.extend(self.after);
        let said = Derivation::new(self.title, blocks.clone()).to_string();
        let cited = PAPERS.iter().filter(|(tag, _)| said.contains(tag));
        let papers: Vec<String> = cited.map(|(tag, title)| format!("{tag}: {title}")).collect();
        if !papers.is_empty() {
            blocks.push(DerivationBlock::lines("Papers", "", papers));
        }
        Derivation::new(self.title, blocks)
    }

    fn form(&self, form: EngineForm) -> DerivationBlock {
        if let Some(refusal) = self.refusal(form) {
            let lines = vec![
                "not for this model: a run refuses it with".into(),
                format!("  {refusal}"),
            ];
            return DerivationBlock::lines(form.title(), "", lines);
        }
        let Some(written) = self.forms.iter().find(|written| written.form == form) else {
            unreachable!("the compiler writes every form");
        };
        let mut all = Vec::new();
        let mut section = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                all.push(format!("{title}:"));
                all.extend(lines.into_iter().map(|line| format!("  {line}")));
            }
        };
        section("notation", written.part(0));
        for count in &self.counts {
            section(&format!("cells of {}", count.name), count.cells(form));
        }
        section("allocation", written.part(1));
        section("latents, in this order", written.part(2));
        let mut bound = written.part(3);
        for count in &self.counts {
            bound.extend(count.bound(form));
        }
        section("bound", bound);
        DerivationBlock::lines(form.title(), self.summary(form), all)
    }

    /// What a form does with cells. Where nothing is noisy there is no noise to sum out.
    fn summary(&self, form: EngineForm) -> &'static str {
        let all = |is: fn(&WrittenCount) -> bool| self.counts.iter().all(is);
        match form {
            EngineForm::Gibbs if all(WrittenCount::is_line) => {
                "whole lines are drawn given their totals, the noise summed out: a cell keeps nothing between sweeps"
            }
            EngineForm::Cavi if all(WrittenCount::is_line) => {
                "q of a line is its law given its total and what was observed of its cells, the noise summed out"
            }
            EngineForm::Gibbs if all(WrittenCount::is_known) => {
                "counts are observed as they are: a cell keeps nothing between sweeps"
            }
            EngineForm::Cavi if all(WrittenCount::is_known) => {
                "counts are observed as they are: there is no noise to sum out"
            }
            _ => form.summary(),
        }
    }

    /// Why a run in this form is refused; `None` where it is not.
    fn refusal(&self, form: EngineForm) -> Option<String> {
        let none = self.counts.iter().all(|count| !count.is_augmented);
        let mut observed = self.counts.iter().filter(|count| !count.is_hidden());
        if let (EngineForm::GibbsTokens, Some(why)) = (form, self.no_tokens) {
            return Some(FormError::NoTokens { why }.to_string());
        }
        let refused = match (observed.next(), self.simplex, self.learned) {
            (Some(count), ..) if none && !form.is_collapsed() => Error::Form(FormError::Missing {
                of: count.formless(),
                form: "augmented",
            }),
            (_, _, Some(latent)) if !form.is_gibbs() => Error::Form(FormError::NoBound { latent }),
            (_, Some(latent), _) if form == EngineForm::CaviPublished => {
                Error::Form(FormError::PublishedSimplex { latent })
            }
            _ => return None,
        };
        Some(refused.to_string())
    }
}

impl WrittenForm {
    /// The lines of one of its parts.
    fn part(&self, at: usize) -> Vec<String> {
        self.parts[at].lines().map(str::to_owned).collect()
    }
}

/// The papers and books that lines may cite, as these cite them.
const PAPERS: [(&str, &str); 16] = [
    (
        "ICML19",
        "Schein, Wu, Schofield, Zhou and Wallach, Locally Private Bayesian Inference for Count Models",
    ),
    (
        "VI18",
        "Schofield, Schein, Wu and Wallach, A Variational Inference Approach for Locally Private Inference of Poisson Factorization Models",
    ),
    (
        "Cemgil 2009",
        "Bayesian Inference for Nonnegative Matrix Factorisation Models",
    ),
    (
        "Gopalan, Hofman and Blei 2015",
        "Scalable Recommendation with Hierarchical Poisson Factorization",
    ),
    (
        "Zhou, Hannah, Dunson and Carin 2012",
        "Beta-Negative Binomial Process and Poisson Factor Analysis",
    ),
    ("Bishop 2006", "Pattern Recognition and Machine Learning"),
    (
        "Zhou and Carin 2015",
        "Negative Binomial Process Count and Mixture Modeling",
    ),
    ("Griffiths and Steyvers 2004", "Finding Scientific Topics"),
    ("Schein, Wallach and Zhou 2016", "Poisson–Gamma Dynamical Systems"),
    (
        "Skellam 1946",
        "The Frequency Distribution of the Difference between Two Poisson Variates",
    ),
    ("Neal 2011", "MCMC Using Hamiltonian Dynamics"),
    (
        "Yuan and Kalbfleisch 2000",
        "On the Bessel Distribution and Related Problems",
    ),
    (
        "Ghosh, Roughgarden and Sundararajan 2012",
        "Universally Utility-Maximizing Privacy Mechanisms",
    ),
    (
        "Dwork, McSherry, Nissim and Smith 2006",
        "Calibrating Noise to Sensitivity in Private Data Analysis",
    ),
    (
        "Canonne, Kamath and Steinke 2020",
        "The Discrete Gaussian for Differential Privacy",
    ),
    (
        "Zhou 2015",
        "Infinite Edge Partition Models for Overlapping Community Detection and Link Prediction",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channel::{
        AtLeastOne, Channel, ContinuousLaplace, Exact, Laplace, Naive, Skellam, TruncatedGeometric, TwoSidedGeometric,
    };

    /// Who looks up where a law is from finds its title in the derivation.
    #[test]
    fn the_source_of_every_law_is_in_the_list() {
        let sources = [
            Exact::text().source,
            Naive::text().source,
            TwoSidedGeometric::text().source,
            TruncatedGeometric::text().source,
            Skellam::text().source,
            Laplace::text().source,
            ContinuousLaplace::text().source,
            AtLeastOne::text().source,
        ];
        for source in sources {
            let cited = PAPERS.iter().find(|(tag, _)| source.contains(tag));
            assert!(cited.is_some(), "{source}");
        }
    }
}
