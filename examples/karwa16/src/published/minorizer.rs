//! The absolute value of the noise, bounded by a square.

use clap::ValueEnum;

/// Which bound of `-E|d| / b`, each with one parameter a cell, given `E[d^2]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Minorizer {
    /// `-|d| <= -(d^2 / alpha + alpha) / 2`, from the concavity of the root; the parameter is `alpha`.
    Quadratic,
    /// Laplace noise as a normal mixture, with `q(beta)` inverse Gaussian of shape 1; the parameter is its mean.
    Mixture,
}

impl Minorizer {
    /// The parameter at which the bound is highest.
    pub fn best(self, square: f64, b: f64) -> f64 {
        // A cell that is certain, of one class with one answer, may have no error at all.
        let root = square.sqrt().max(1e-150);
        match self {
            Minorizer::Quadratic => root,
            Minorizer::Mixture => b / root,
        }
    }

    /// What `-d^2 / 2` is multiplied by.
    pub fn slope(self, parameter: f64, b: f64) -> f64 {
        match self {
            Minorizer::Quadratic => 1.0 / (b * parameter),
            Minorizer::Mixture => parameter / (b * b),
        }
    }

    /// The bound of `-E|d| / b` for a cell with `E[d^2] = square`.
    pub fn bound(self, parameter: f64, square: f64, b: f64) -> f64 {
        // Of the mixture, in full: with mean mu and shape 1, E[1 / beta] = 1 / mu + 1, and
        // E[ln p(d, beta)] - E[ln q(beta)] = -ln 2b - mu E[d^2] / (2 b^2) - E[1 / beta] / 2 + 1 / 2, as the terms in
        // E[ln beta] and ln 2 pi are those of q. The constant -ln 2b belongs to the Laplace law.
        let rest = match self {
            Minorizer::Quadratic => parameter / (2.0 * b),
            Minorizer::Mixture => 1.0 / (2.0 * parameter),
        };
        -0.5 * self.slope(parameter, b) * square - rest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bounds are one, at `alpha = b / E[beta]`; at `alpha = 1 / E[beta]`, as it is printed, they are not.
    #[test]
    fn quadratic_and_mixture_are_one_bound() {
        for (square, mean, b) in [(3.0, 0.7, 2.0), (1e6, 1e-3, 20.0), (0.1, 40.0, 0.2)] {
            let mixture = Minorizer::Mixture.bound(mean, square, b);
            let quadratic = Minorizer::Quadratic.bound(b / mean, square, b);
            assert!((mixture - quadratic).abs() < 1e-12 * mixture.abs());
            let printed = Minorizer::Quadratic.bound(1.0 / mean, square, b);
            assert!((mixture - printed).abs() > 1e-2 * mixture.abs());
        }
    }

    /// At its best it is `-sqrt(E[d^2]) / b`, which is below `-E|d| / b`, and no other parameter is better.
    #[test]
    fn the_best_parameter_is_best() {
        for minorizer in [Minorizer::Quadratic, Minorizer::Mixture] {
            for (square, b) in [(3.0f64, 2.0), (1e6, 20.0), (0.1, 0.2)] {
                let best = minorizer.best(square, b);
                let bound = minorizer.bound(best, square, b);
                assert!((bound + square.sqrt() / b).abs() < 1e-12 * bound.abs());
                for factor in [0.5, 0.99, 1.01, 2.0] {
                    assert!(minorizer.bound(factor * best, square, b) < bound);
                }
            }
        }
    }

    /// `E[ln p(d, beta)] - E[ln q(beta)]` by integration, against the closed form: the sign and the logarithm that
    /// equation 7 lacks. As printed, with `+ E[q(beta)]`, it is another number.
    #[test]
    fn the_entropy_is_that_of_the_inverse_gaussian() {
        let (square, mean, b) = (3.0f64, 0.7f64, 2.0f64);
        let tau = std::f64::consts::TAU;
        let [mut right, mut printed, mut mass] = [0.0; 3];
        // Over ln beta, by rectangles: the integrand vanishes with all its derivatives at both ends.
        let step = 1e-3;
        for i in -20_000..20_000 {
            let beta = (f64::from(i) * step).exp();
            let q = (1.0 / (tau * beta.powi(3))).sqrt() * (-(beta - mean).powi(2) / (2.0 * mean * mean * beta)).exp();
            let ln_q = -0.5 * tau.ln() - 1.5 * beta.ln() - (beta - mean).powi(2) / (2.0 * mean * mean * beta);
            // The law of d given beta is normal of variance b^2 / beta, and 1 / beta is exponential of mean 2.
            let ln_joint = -0.5 * tau.ln()
                - b.ln()
                - 2f64.ln()
                - 1.5 * beta.ln()
                - beta * square / (2.0 * b * b)
                - 1.0 / (2.0 * beta);
            mass += q * beta * step;
            right += q * (ln_joint - ln_q) * beta * step;
            printed += q * (ln_joint + q) * beta * step;
        }
        let closed = Minorizer::Mixture.bound(mean, square, b) - (2.0 * b).ln();
        assert!((mass - 1.0).abs() < 1e-9);
        assert!((right - closed).abs() < 1e-9, "{right} for {closed}");
        assert!((printed - closed).abs() > 0.1, "{printed} for {closed}");
    }

    /// As a Rayleigh variable, `beta` is the standard deviation `s` of the normal law that is mixed. Given `d`, the mean of what
    /// the updates compute, `b / |d|`, is that of `b^2 / s^2`. That of `s` grows with `|d|`.
    #[test]
    fn the_updates_are_those_of_an_inverse_variance() {
        let b = 2.0f64;
        let means = |d: f64| {
            let [mut mass, mut inverse, mut deviation] = [0.0; 3];
            // Over ln s, by rectangles.
            let step = 1e-3;
            for i in -10_000..10_000 {
                let s = (f64::from(i) * step).exp();
                let weight = (-d * d / (2.0 * s * s)).exp() / s * (s / (b * b)) * (-s * s / (2.0 * b * b)).exp() * s;
                mass += weight;
                inverse += weight * b * b / (s * s);
                deviation += weight * s;
            }
            [inverse / mass, deviation / mass]
        };
        let [near, far] = [means(0.5), means(3.0)];
        for (d, [inverse, _]) in [(0.5, near), (3.0, far)] {
            let update = Minorizer::Mixture.best(d * d, b);
            assert!((inverse - update).abs() < 1e-9, "{inverse} for {update}");
        }
        assert!(far[1] > near[1] && far[0] < near[0], "{near:?} {far:?}");
    }
}
