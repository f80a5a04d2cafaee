//! The law of a count under noise that falls exponentially on both sides and is summed out, as values: two truncated Poisson laws.

use super::{CellNames, Expr, Line, Notation, Quantity, Statement, StepLaw};

use Notation::{Latex, Unicode};
use Quantity::{Alpha, Geometric, Observed, Rate, Truth};
use Statement::{Drawn, Equal, Posterior};

/// The law of a count behind noise that falls exponentially on both sides: `P(y | c)` in proportion to `rate^y / y! alpha^|c - y|`, where
/// something was observed. Up to a cut that is a Poisson law at the rate `rate / alpha`, above it one at `rate alpha`: the law that equations 13 to 16
/// of ICML19 leave when the noise is summed out.
///
/// Its mean follows from one ratio. `(y + 1) P(y + 1) / P(y)` is the rate times a factor that depends on where `y` is, so that the mean is
/// the rate times the mean of this factor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollapsedNoise {
    /// The last count of the first law: what was observed, or its whole part.
    pub cut: Expr,
    /// What the rate is divided by below the cut.
    pub below: Expr,
    /// What it is multiplied by at the cut, where the two laws do not meet; `None` where they do.
    pub at: Option<Expr>,
    /// What it is multiplied by above, and at the cut where the laws meet there.
    pub above: Expr,
}

/// `alpha^exponent e^rate P(Poisson(rate) <= cut)`: how much of a law is on one side of the cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mass {
    /// The power of alpha.
    pub exponent: Expr,
    /// The rate of the Poisson law.
    pub rate: Expr,
    /// Which counts it is over.
    pub cut: Cut,
}

/// Counts on one side of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Below it.
    Below,
    /// The cut itself.
    At,
    /// Up to it, itself included.
    UpTo,
    /// From it on.
    From,
    /// Above it.
    Above,
}

impl Cut {
    /// The sign of the relation.
    pub(crate) fn sign(self, notation: Notation) -> &'static str {
        match (self, notation) {
            (Self::Below, _) => "<",
            (Self::At, _) => "=",
            (Self::UpTo, Unicode) => "≤",
            (Self::UpTo, Latex) => r"\le",
            (Self::From, Unicode) => "≥",
            (Self::From, Latex) => r"\ge",
            (Self::Above, _) => ">",
        }
    }
}

impl CollapsedNoise {
    /// Behind two-sided geometric noise, whose observations are whole: the two laws meet at what was observed.
    pub fn geometric() -> Self {
        let [below, above] = [Alpha, Alpha].map(Expr::from);
        Self {
            cut: Observed.into(),
            below,
            at: None,
            above,
        }
    }

    /// Behind Laplace noise, whose observations need not be whole. From the whole part `n` of `c` to the count after it `|c - y|` goes from `c - n` to
    /// `1 - (c - n)`.
    pub fn laplace() -> Self {
        let cut = Expr::from(Observed).floor();
        let rest = Expr::from(Observed) - cut.clone();
        Self {
            at: Some(Expr::from(Alpha).power(Expr::from(1) - Expr::from(2) * rest)),
            cut,
            ..Self::geometric()
        }
    }

    fn spliced(&self, is_gibbs: bool) -> StepLaw {
        StepLaw::SplicedPoisson {
            low: rate(is_gibbs) / self.below.clone(),
            cut: self.cut.clone(),
            at: self.at.is_some().then(|| self.ratio(is_gibbs)),
            high: rate(is_gibbs) * self.above.clone(),
        }
    }

    fn ratio(&self, is_gibbs: bool) -> Expr {
        Expr::Ratio {
            at: Box::new(self.cut.clone()),
            is_gibbs,
        }
    }

    /// How the two laws are joined, where they do not meet.
    fn joined(&self, is_gibbs: bool) -> Option<Line> {
        let at = self.at.clone()?;
        Some(Equal(self.ratio(is_gibbs), rate(is_gibbs) * at).from(""))
    }

    /// What a Gibbs step draws.
    pub fn gibbs(&self) -> Vec<Line> {
        let drawn = Drawn(Truth.into(), self.spliced(true)).from("");
        self.joined(true).into_iter().chain([drawn]).collect()
    }

    /// What a variational step computes.
    pub fn cavi(&self) -> Vec<Line> {
        let share = |cut| Expr::Probability(cut, Box::new(self.cut.clone()));
        let below = share(Cut::Below) / self.below.clone();
        let per_rate = match &self.at {
            None => below + self.above.clone() * share(Cut::From),
            Some(at) => below + at.clone() * share(Cut::At) + self.above.clone() * share(Cut::Above),
        };
        let lines = [
            Posterior(Truth.into(), self.spliced(false)).from(""),
            Equal(Expr::from(Truth).mean(), Expr::from(Geometric) * per_rate).from(""),
        ];
        self.joined(false).into_iter().chain(lines).collect()
    }

    /// The masses of the two laws in a Gibbs step, up to the cut and above it.
    pub fn masses(&self) -> [Mass; 2] {
        let mass = |exponent, rate, cut| Mass { exponent, rate, cut };
        let observed = || Expr::from(Observed);
        [
            mass(observed(), rate(true) / self.below.clone(), Cut::UpTo),
            mass(-observed(), rate(true) * self.above.clone(), Cut::Above),
        ]
    }

    /// What a Gibbs step draws of, a line each.
    pub fn drawn(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        let [up_to, above] = self.masses().map(|mass| mass.write(&self.cut, names, notation));
        let masses = match notation {
            Unicode => vec![format!("      of mass {up_to}"), format!("      and {above}")],
            Latex => vec![format!(r"\text{{of masses }} {up_to} \text{{ and }} {above}")],
        };
        let mut all = vec![two_laws(true, names, notation)];
        all.extend(indented(&self.gibbs(), names, notation));
        all.extend(masses);
        all
    }

    /// What a variational step computes, likewise.
    pub fn expected(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        let mut all = vec![two_laws(false, names, notation)];
        all.extend(indented(&self.cavi(), names, notation));
        all
    }
}

fn indented(lines: &[Line], names: &CellNames, notation: Notation) -> Vec<String> {
    let line = |line: &Line| match notation {
        Unicode => {
            let all = by_terms(line, names).unwrap_or_else(|| vec![line.write(names, notation)]);
            all.iter().map(|part| format!("    {part}")).collect()
        }
        Latex => vec![line.write(names, notation)],
    };
    lines.iter().flat_map(line).collect()
}

/// The mean as a sum of three probabilities, which is too long for one line: a line for each.
fn by_terms(line: &Line, names: &CellNames) -> Option<Vec<String>> {
    let write = |of: &Expr| of.write(names, Unicode);
    let Equal(mean, Expr::Product(factors)) = &line.statement else {
        return None;
    };
    let [rate, Expr::Sum(terms)] = &factors[..] else {
        return None;
    };
    let [below, at, above] = &terms[..] else {
        return None;
    };
    Some(vec![
        format!("{} = {} ({}", write(mean), write(rate), write(below)),
        format!("  + {}", write(at)),
        format!("  + {})", write(above)),
    ])
}

/// What the probability of a count `y` is in proportion to, where a sampler draws at the rate or an ascent takes the rate at geometric
/// means.
pub fn weight(is_gibbs: bool) -> Expr {
    let y = || Expr::from(Truth);
    let distance = (Expr::from(Observed) - y()).absolute();
    rate(is_gibbs).power(y()) / y().factorial() * Expr::from(Alpha).power(distance)
}

/// The law itself, up to a constant, and where it holds.
pub fn law(is_gibbs: bool, names: &CellNames, notation: Notation) -> String {
    let write = |of: Expr| of.write(names, notation);
    let p = if is_gibbs { "P" } else { "q" };
    let (y, c, weight) = (write(Truth.into()), write(Observed.into()), write(weight(is_gibbs)));
    match notation {
        Unicode => format!("{c} > 0:  {p}({y}) ∝ {weight}"),
        Latex => format!(r"{c} > 0:\quad {p}({y}) \propto {weight}"),
    }
}

/// The same, where its two parts follow.
fn two_laws(is_gibbs: bool, names: &CellNames, notation: Notation) -> String {
    let law = law(is_gibbs, names, notation);
    match notation {
        Unicode => format!("{law}, two truncated Poisson laws:"),
        Latex => law,
    }
}

impl Mass {
    fn write(&self, cut: &Expr, names: &CellNames, notation: Notation) -> String {
        let write = |of: &Expr| of.write(names, notation);
        let power = write(&Expr::from(Alpha).power(self.exponent.clone()));
        let (rate, cut, relation) = (write(&self.rate), write(cut), self.cut.sign(notation));
        match notation {
            Unicode => format!("{power} e^({rate}) P(Poisson({rate}) {relation} {cut})"),
            Latex => {
                format!(
                    r"{power} \, e^{{{rate}}} \, P\left(\mathrm{{Poisson}}\left({rate}\right) {relation} {cut}\right)"
                )
            }
        }
    }
}

fn rate(is_gibbs: bool) -> Expr {
    if is_gibbs { Rate } else { Geometric }.into()
}
