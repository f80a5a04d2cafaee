//! What happens to a latent once its sufficient statistics are known.

use super::{DirichletPrior, GammaPrior};
use crate::streams::Stream;

/// The entries of a latent that one call updates.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// Which latent.
    pub latent: usize,
    /// All of its entries, or some.
    pub slice: Option<Slice<'a>>,
}

impl Part<'_> {
    /// All entries of a latent.
    pub fn all(latent: usize) -> Self {
        Self { latent, slice: None }
    }
}

/// Entries of a latent that are conditionally independent of each other though not of the rest.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    /// Its number in the sequence of slices.
    pub number: usize,
    /// Its entries, row-major positions in the latent.
    pub entries: &'a [usize],
}

/// The slices of a latent that is used more than once in a term: one for every value of some of its
/// indices, updated one after another with current exposures (block models).
#[derive(Clone, Debug)]
pub struct Slices {
    shape: Vec<usize>,
    fixed: Vec<usize>,
}

/// A slice while it is updated.
#[derive(Clone, Debug)]
pub struct OneSlice {
    /// Its number.
    pub number: usize,
    /// The values of the fixed indices.
    pub at: Vec<usize>,
    /// Its entries, ascending.
    pub entries: Vec<usize>,
}

impl Slices {
    /// Slices of a latent of `shape` along its indices `fixed`.
    pub fn new(shape: &[usize], fixed: &[usize]) -> Self {
        Self {
            shape: shape.to_vec(),
            fixed: fixed.to_vec(),
        }
    }

    /// The slices in order.
    pub fn iter(&self) -> impl Iterator<Item = OneSlice> + '_ {
        let count: usize = self.fixed.iter().map(|&axis| self.shape[axis]).product();
        (0..count).map(|number| self.slice(number))
    }

    fn slice(&self, number: usize) -> OneSlice {
        let mut at = vec![0; self.fixed.len()];
        let mut rest = number;
        for (value, &axis) in at.iter_mut().zip(&self.fixed).rev() {
            (*value, rest) = (rest % self.shape[axis], rest / self.shape[axis]);
        }
        let mut entries = vec![0];
        for (axis, &size) in self.shape.iter().enumerate() {
            let values = match self.fixed.iter().position(|f| *f == axis) {
                Some(i) => at[i]..at[i] + 1,
                None => 0..size,
            };
            entries = entries
                .iter()
                .flat_map(|e| values.clone().map(move |v| e * size + v))
                .collect();
        }
        OneSlice { number, at, entries }
    }
}

impl OneSlice {
    /// Hands the slice to `step` with its own entries of every array, and puts what comes back in its place.
    pub fn gamma(
        &self,
        step: &mut dyn Step,
        latent: usize,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
    ) {
        self.run(latent, prior, counts, exposure, x, |part, prior, n, e, x| {
            step.gamma(part, prior, n, e, x);
        });
    }

    /// The same for an update of the user's own.
    #[expect(clippy::too_many_arguments, reason = "a conditional and whose it is")]
    pub fn own_gamma(
        &self,
        step: &mut dyn Step,
        update: &dyn Update,
        latent: usize,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
    ) {
        self.run(latent, prior, counts, exposure, x, |part, prior, n, e, x| {
            step.own_gamma(update, part, prior, n, e, x);
        });
    }

    fn run(
        &self,
        latent: usize,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
        step: impl FnOnce(Part<'_>, &GammaPrior, &[f64], &[f64], &mut [f64]),
    ) {
        let pick = |all: &[f64]| -> Vec<f64> { self.entries.iter().map(|&e| all[e]).collect() };
        let prior = GammaPrior {
            shape: prior.shape.pick(&self.entries),
            rate: prior.rate.pick(&self.entries),
        };
        let mut values = pick(x);
        let part = Part {
            latent,
            slice: Some(Slice {
                number: self.number,
                entries: &self.entries,
            }),
        };
        step(part, &prior, &pick(counts), &pick(exposure), &mut values);
        for (&entry, value) in self.entries.iter().zip(values) {
            x[entry] = value;
        }
    }
}

/// What an engine does with a latent once its sufficient statistics are known.
pub trait Step {
    /// Whether the latent is to be updated; frozen ones are not.
    fn wants(&self, latent: usize) -> bool {
        let _ = latent;
        true
    }

    /// Whether values are means, and the conditionals are those of coordinate ascent.
    fn is_ascent(&self) -> bool {
        false
    }

    /// The complete conditional of every entry is `Gamma(shape + counts, rate + exposure)`: writes the
    /// entry's new value, a draw or a mean, to `x`. All slices have one entry per entry of the part.
    fn gamma(&mut self, part: Part<'_>, prior: &GammaPrior, counts: &[f64], exposure: &[f64], x: &mut [f64]);

    /// The complete conditional of every line is `Dirichlet(concentration + counts)`: writes the entries'
    /// new values to `x`.
    fn dirichlet(&mut self, latent: usize, prior: &DirichletPrior, counts: &[f64], x: &mut [f64]);

    /// As [`Step::gamma`], by an update of the user's own. A step that looks at conditionals alone, whoever draws from them,
    /// leaves this as it is; one that infers must call `update`.
    fn own_gamma(
        &mut self,
        update: &dyn Update,
        part: Part<'_>,
        prior: &GammaPrior,
        counts: &[f64],
        exposure: &[f64],
        x: &mut [f64],
    ) {
        let _ = update;
        self.gamma(part, prior, counts, exposure, x);
    }

    /// As [`Step::dirichlet`], by an update of the user's own; see [`Step::own_gamma`].
    fn own_dirichlet(
        &mut self,
        update: &dyn Update,
        latent: usize,
        prior: &DirichletPrior,
        counts: &[f64],
        x: &mut [f64],
    ) {
        let _ = update;
        self.dirichlet(latent, prior, counts, x);
    }
}

/// A user's own update of one latent, named in a declaration: `update theta by Mine;`.
///
/// Every method has the conjugate update for its default, so that an implementation changes what it must
/// and no more. A draw may be anything that leaves the complete conditional invariant (a slice sampler, a
/// Metropolis step from the current values); `self_test()` of the model judges it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no update of a latent",
    label = "no update",
    note = "what stands behind `update .. by` is a value whose type implements `Update`: `impl Update for {Self} {{}}`, with the \
            methods that are to differ from the derived update"
)]
pub trait Update: Sync {
    /// Gibbs, gamma latents: overwrites `x`, which holds the current values. The complete conditional of
    /// entry `i` is `Gamma(shape[i], rate[i])`. Called on blocks of entries, each with a stream of its own.
    fn draw(&self, shape: &[f64], rate: &[f64], x: &mut [f64], rng: &mut Stream) {
        for ((x, &shape), &rate) in x.iter_mut().zip(shape).zip(rate) {
            let ln = crate::distribution::ln_gamma_draw(shape, rng) - rate.ln();
            *x = ln.exp().max(f64::MIN_POSITIVE);
        }
    }

    /// CAVI, gamma latents: `shape` and `rate` hold the conjugate parameters of every entry's posterior,
    /// which may be overwritten by others.
    fn ascend(&self, shape: &mut [f64], rate: &mut [f64]) {
        let _ = (shape, rate);
    }

    /// Gibbs, Dirichlet latents: overwrites the current point `x` of one simplex, whose complete conditional
    /// is `Dirichlet(concentration)`.
    fn draw_simplex(&self, concentration: &[f64], x: &mut [f64], rng: &mut Stream) {
        crate::distribution::dirichlet_draw(concentration, x, rng);
    }

    /// CAVI, Dirichlet latents: `concentration` holds the conjugate parameters of one simplex, which may be
    /// overwritten by others.
    fn ascend_simplex(&self, concentration: &mut [f64]) {
        let _ = concentration;
    }
}
