//! The law of a count under noise that falls exponentially on both sides and is summed out, as values: two truncated Poisson laws.

use super::{CellNames, Expr, Line, Notation, Quantity, Statement, StepLaw};

use Notation::{Latex, Unicode};
use Quantity::{Alpha, Geometric, Observed, Rate, Truth};
use Statement::{Drawn, Equal, Posterior};

/// Behind two-sided geometric noise: `P(y | c)` in proportion to `rate^y / y! alpha^|c - y|`, where something was observed. Up to `c` that is a
/// Poisson law at the rate `rate / alpha`, above it one at `rate alpha`, and the two meet at `c`: the law that equations 13 to 16 of ICML19 leave when
/// the noise is summed out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CollapsedGeometric {
    /// What the rate is divided by up to what was observed.
    pub below: Expr,
    /// What it is multiplied by above.
    pub above: Expr,
}

/// Behind Laplace noise: the same where `c` need not be whole, so that laws are cut at its whole part and do not meet there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollapsedLaplace;

/// `alpha^exponent e^rate P(Poisson(rate) <= c)`, times a factor: how much of a law is on one side of what was observed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mass {
    /// The power of alpha.
    pub exponent: Expr,
    /// The rate of the Poisson law.
    pub rate: Expr,
    /// What it is multiplied by.
    pub times: Option<Expr>,
    /// Which counts it is over.
    pub cut: Cut,
}

/// Counts on one side of what was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Below it.
    Below,
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
            (Self::UpTo, Unicode) => "≤",
            (Self::UpTo, Latex) => r"\le",
            (Self::From, Unicode) => "≥",
            (Self::From, Latex) => r"\ge",
            (Self::Above, _) => ">",
        }
    }
}

impl Default for CollapsedGeometric {
    fn default() -> Self {
        let [below, above] = [Alpha, Alpha].map(Expr::from);
        Self { below, above }
    }
}

/// How noise that falls off geometrically is observed where what was negative was set to zero.
pub const CUT_AT_ZERO: &str = "{c} = max(0, {y} + τ),  P(τ) = (1−α)/(1+α) · α^|τ|";

impl CollapsedGeometric {
    /// The law behind noise of the prelude that is summed out and nothing else, by the name of its law; `None` for others. As with
    /// [`PoissonDifference::of_law`](super::PoissonDifference::of_law), a custom law may have that name.
    pub fn of_law(name: &str) -> Option<Self> {
        (name == "TruncatedGeometric").then(Self::default)
    }

    fn spliced(&self, is_gibbs: bool) -> StepLaw {
        StepLaw::SplicedPoisson {
            low: rate(is_gibbs) / self.below.clone(),
            cut: Observed.into(),
            high: rate(is_gibbs) * self.above.clone(),
        }
    }

    /// What a Gibbs step draws.
    pub fn gibbs(&self) -> Vec<Line> {
        vec![Drawn(Truth.into(), self.spliced(true)).from("")]
    }

    /// What a variational step computes. The mean is that of the law: `y rate^y / y!` is `rate` times the term before, which is `1 / alpha` times as
    /// large for the law up to what was observed, and alpha times as large above.
    pub fn cavi(&self) -> Vec<Line> {
        let share = |cut| Expr::Probability(cut, Box::new(Observed.into()));
        let per_rate = share(Cut::Below) / self.below.clone() + self.above.clone() * share(Cut::From);
        vec![
            Posterior(Truth.into(), self.spliced(false)).from(""),
            Equal(Expr::from(Truth).mean(), Expr::from(Geometric) * per_rate).from(""),
        ]
    }

    /// The masses of the two laws in a Gibbs step, up to what was observed and above it.
    pub fn masses(&self) -> [Mass; 2] {
        masses(rate(true) / self.below.clone(), rate(true) * self.above.clone())
    }

    /// What a Gibbs step draws of, a line each.
    pub fn drawn(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        let [up_to, above] = self.masses().map(|mass| mass.write(&Observed.into(), names, notation));
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
        Unicode => format!("    {}", line.write(names, notation)),
        Latex => line.write(names, notation),
    };
    lines.iter().map(line).collect()
}

impl CollapsedLaplace {
    /// The masses of the two laws, up to what was observed and above it, where a sampler draws or an ascent expects.
    pub fn masses(self, is_gibbs: bool) -> [Mass; 2] {
        masses(rate(is_gibbs) / Alpha.into(), rate(is_gibbs) * Alpha.into())
    }

    /// The same with the count inside, whose sum over that of the masses is `E[y]`: `y rate^y / y!` is `rate` times the term before.
    pub fn moments(self) -> [Mass; 2] {
        self.masses(false).map(|mass| Mass {
            times: Some(mass.rate.clone()),
            cut: match mass.cut {
                Cut::UpTo => Cut::Below,
                _ => Cut::From,
            },
            ..mass
        })
    }

    /// What a Gibbs step draws of, a line each.
    pub fn drawn(self, names: &CellNames, notation: Notation) -> Vec<String> {
        let cut = Expr::from(Observed).floor();
        let masses = self.masses(true).map(|mass| {
            let (rate, at) = (mass.rate.write(names, notation), cut.write(names, notation));
            let side = match mass.cut {
                Cut::UpTo | Cut::Below => "up to",
                Cut::Above | Cut::From => "above",
            };
            let of = mass.write(&cut, names, notation);
            match notation {
                Unicode => format!("    Poisson({rate}) {side} {at}, of mass {of}"),
                Latex => {
                    format!(r"\mathrm{{Poisson}}\left({rate}\right) \text{{ {side} }} {at} \text{{, of mass }} {of}")
                }
            }
        });
        [two_laws(true, names, notation)].into_iter().chain(masses).collect()
    }

    /// What a variational step computes, likewise.
    pub fn expected(self, names: &CellNames, notation: Notation) -> Vec<String> {
        let cut = Expr::from(Observed).floor();
        let write = |mass: Mass| mass.write(&cut, names, notation);
        let ([low, high], [up_to, above]) = (self.moments().map(write), self.masses(false).map(write));
        let (law, mean) = (
            law(false, names, notation),
            Expr::from(Truth).mean().write(names, notation),
        );
        match notation {
            Unicode => vec![
                format!("{law}, and so"),
                format!("    {mean} = ({low}"),
                format!("              + {high}) / Z"),
                format!("    Z = {up_to}"),
                format!("        + {above}"),
            ],
            Latex => vec![
                law,
                format!(r"{mean} = \frac{{{low} + {high}}}{{Z}}"),
                format!("Z = {up_to} + {above}"),
            ],
        }
    }
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

fn masses(low: Expr, high: Expr) -> [Mass; 2] {
    let mass = |exponent, rate, cut| Mass {
        exponent,
        rate,
        times: None,
        cut,
    };
    let observed = || Expr::from(Observed);
    [mass(observed(), low, Cut::UpTo), mass(-observed(), high, Cut::Above)]
}

impl Mass {
    fn write(&self, cut: &Expr, names: &CellNames, notation: Notation) -> String {
        let write = |of: &Expr| of.write(names, notation);
        let power = write(&Expr::from(Alpha).power(self.exponent.clone()));
        let (rate, cut, relation) = (write(&self.rate), write(cut), self.cut.sign(notation));
        let times = self.times.as_ref().map(write);
        match notation {
            Unicode => {
                let times = times.map(|of| of + " ").unwrap_or_default();
                format!("{power} e^({rate}) {times}P(Poisson({rate}) {relation} {cut})")
            }
            Latex => {
                let times = times.map(|of| of + r" \, ").unwrap_or_default();
                format!(
                    r"{power} \, e^{{{rate}}} \, {times}P\left(\mathrm{{Poisson}}\left({rate}\right) {relation} {cut}\right)"
                )
            }
        }
    }
}

fn rate(is_gibbs: bool) -> Expr {
    if is_gibbs { Rate } else { Geometric }.into()
}
