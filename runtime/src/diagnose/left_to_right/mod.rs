//! How probable held-out documents are under given topics, with the topics of their words summed out.

mod evidence;
mod filter;
#[cfg(test)]
mod tests;
mod topics;

pub use evidence::{DocumentEvidence, Evidence};
use filter::Filter;
use ndarray::Array2;
use topics::Topics;

use super::DiagnoseError;
use crate::counts::Counts;
use crate::memory::fits;
use crate::parallel::each_of;
use crate::streams::{Purpose, Streams};

/// How much work [`left_to_right`] does. Time is proportional to the product of all but the seed, times tokens, times topics.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftToRight {
    /// Particles of a run. The variance of a run is proportional to the length of the document over this number; the runs of a
    /// document should differ by about one.
    pub particles: usize,
    /// Independent runs of each document, at least two: their spread is the Monte Carlo error.
    pub runs: usize,
    /// How many earlier tokens draw their topics again before each token, in turn. The paper has all of them, `usize::MAX`:
    /// quadratic in the length of a document. For a long document more particles gain more than more redraws.
    pub redraws: usize,
    /// Seed of the random streams, one for each document.
    pub seed: u64,
}

impl Default for LeftToRight {
    fn default() -> Self {
        Self {
            particles: 20,
            runs: 4,
            redraws: 20,
            seed: 0,
        }
    }
}

/// Estimates `ln P(w | phi, alpha)` of documents that the topics have not seen, with shares of topics and topics of tokens summed out: for
/// each document `theta ~ Dirichlet(alpha)`, and each token has the topic `k` with probability `theta[k]` and then the word `v` with
/// probability `phi[k, v]`. `phi` is topics x words, from wherever topics come; `alpha` has a number for each topic, which may differ; `counts`
/// are documents x words, sparse or dense. Held-out cells of the counts count as well.
///
/// `P` is the probability of the tokens in an order; that of the counts is larger by the multinomial coefficient, whatever the topics.
///
/// The estimator is left-to-right (Wallach, Murray, Salakhutdinov and Mimno 2009, algorithm 3): particles go through the tokens, and each run multiplies the means over
/// particles of `P(w_n | z_<n) = sum_k phi[k, w_n] (n_k + alpha_k) / (n - 1 + sum alpha)`, where `n_k` counts the earlier tokens of
/// topic `k`. Before each token, earlier topics are drawn again by Gibbs steps. The algorithm as printed is not unbiased, because its particles do not have the
/// law `P(z_<n | w_<n)`. Here they are selected in proportion to `P(w_n | z_<n)` after each token (systematic resampling), which
/// makes the product an unbiased estimate of `P` for any number of particles and of redraws (Del Moral 2004; Gilks and Berzuini 2001).
/// That holds in every order of the tokens; each run shuffles them.
///
/// The log of an unbiased estimate is too low by about half its variance: see [`DocumentEvidence::ln_probability`].
/// Results do not depend on the number of threads.
///
/// ```
/// use skellam::counts::Counts;
/// use skellam::diagnose::{LeftToRight, left_to_right};
///
/// let phi = ndarray::array![[0.7, 0.2, 0.1], [0.1, 0.2, 0.7]];
/// let held_out = Counts::dense(vec![2, 3], vec![4, 1, 0, 0, 2, 3])?;
/// let evidence = left_to_right(&phi, &[0.5, 0.2], &held_out, &LeftToRight::default())?;
/// println!("{evidence}");
/// assert_eq!(evidence.tokens(), 10);
/// assert!(evidence.ln_probability() / 10.0 < -0.7 && evidence.error() < 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The counts do not have two modes or have no token; numbers of topics or words that differ; fewer than one particle or two runs; an
/// entry of `phi` that is negative or not finite, a row that does not sum to one (within 1e-6); a concentration that is not positive, or
/// above 1e12; a word that occurs but has probability zero under every topic; a document too long for memory.
pub fn left_to_right(
    phi: &Array2<f64>,
    alpha: &[f64],
    counts: &Counts,
    settings: &LeftToRight,
) -> Result<Evidence, DiagnoseError> {
    let topics = Topics::new(phi, alpha)?;
    if settings.particles < 1 || settings.runs < 2 {
        let (particles, runs) = (settings.particles, settings.runs);
        return Err(DiagnoseError::Unfit(format!(
            "{particles} particles and {runs} runs: give at least one particle, and two runs, whose spread is the error"
        )));
    }
    let documents = topics.tokens(counts)?;
    let longest = documents.iter().map(Vec::len).max().unwrap_or(0);
    if longest == 0 {
        return Err(DiagnoseError::Empty);
    }
    let of_particles = settings.particles as f64 * Filter::bytes_of_particle(longest, alpha.len());
    let of_runs = size_of::<f64>() as f64 * settings.runs as f64 * documents.len() as f64;
    fits(
        "the particles of all threads, and the estimates of all runs,",
        rayon::current_num_threads() as f64 * of_particles + of_runs,
        "take fewer particles or runs",
    )?;
    let streams = Streams::new(settings.seed, 0);
    let document = |(document, words): (usize, Vec<u32>)| {
        let mut rng = streams.open(Purpose::Evidence, document, 0);
        let tokens = words.len();
        let mut filter = Filter::new(&topics, words, settings.particles);
        let runs = (0..settings.runs).map(|_| filter.run(settings.redraws, &mut rng));
        DocumentEvidence {
            runs: runs.collect(),
            tokens,
        }
    };
    let documents = each_of(documents.into_iter().enumerate(), document);
    Ok(Evidence { documents })
}
