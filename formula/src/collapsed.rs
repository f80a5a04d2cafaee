//! The law of a count under geometric noise that is summed out, as values: two truncated Poisson laws.

use super::{CellNames, Expr, Notation, Quantity};

use Notation::{Latex, Unicode};
use Quantity::{Alpha, Geometric, Observed, Rate, Truth};

/// `P(y | c)` in proportion to `rate^y / y! alpha^|c - y|`, where something was observed. Up to `c` that is a Poisson law at the rate
/// `rate / alpha`, above it one at `rate alpha`: the law that equations 13 to 16 of ICML19 leave when the noise is summed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollapsedGeometric {
    /// Whether what is observed need not be whole, so that laws are cut at its whole part.
    pub floored: bool,
}

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

impl CollapsedGeometric {
    /// What the probability of a count `y` is in proportion to, where a sampler draws at the rate or an ascent takes the rate at geometric
    /// means.
    pub fn weight(&self, is_gibbs: bool) -> Expr {
        let y = || Expr::from(Truth);
        let distance = (Expr::from(Observed) - y()).absolute();
        rate(is_gibbs).power(y()) / y().factorial() * Expr::from(Alpha).power(distance)
    }

    /// The masses of the two laws, up to what was observed and above it, likewise.
    pub fn masses(&self, is_gibbs: bool) -> [Mass; 2] {
        let observed: Expr = Observed.into();
        [
            Mass {
                exponent: observed.clone(),
                rate: rate(is_gibbs) / Alpha.into(),
                times: None,
                cut: Cut::UpTo,
            },
            Mass {
                exponent: -observed,
                rate: rate(is_gibbs) * Alpha.into(),
                times: None,
                cut: Cut::Above,
            },
        ]
    }

    /// The same with the count inside, whose sum over that of the masses is `E[y]`: `y rate^y / y!` is `rate` times the term before.
    pub fn moments(&self) -> [Mass; 2] {
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
    pub fn drawn(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        let masses = self.masses(true).map(|mass| {
            let (rate, cut) = (mass.rate.write(names, notation), self.cut(names, notation));
            let side = match mass.cut {
                Cut::UpTo | Cut::Below => "up to",
                Cut::Above | Cut::From => "above",
            };
            let of = self.mass(&mass, names, notation);
            match notation {
                Unicode => format!("    Poisson({rate}) {side} {cut}, of mass {of}"),
                Latex => {
                    format!(r"\mathrm{{Poisson}}\left({rate}\right) \text{{ {side} }} {cut} \text{{, of mass }} {of}")
                }
            }
        });
        let law = self.law(true, names, notation);
        let law = match notation {
            Unicode => format!("{law}, two truncated Poisson laws:"),
            Latex => law,
        };
        [law].into_iter().chain(masses).collect()
    }

    /// What a variational step computes, likewise.
    pub fn expected(&self, names: &CellNames, notation: Notation) -> Vec<String> {
        let [low, high] = self.moments().map(|mass| self.mass(&mass, names, notation));
        let [up_to, above] = self.masses(false).map(|mass| self.mass(&mass, names, notation));
        let (law, mean) = (
            self.law(false, names, notation),
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

    /// The law itself, up to a constant, and where it holds.
    pub fn law(&self, is_gibbs: bool, names: &CellNames, notation: Notation) -> String {
        let write = |of: Expr| of.write(names, notation);
        let p = if is_gibbs { "P" } else { "q" };
        let (y, c, weight) = (
            write(Truth.into()),
            write(Observed.into()),
            write(self.weight(is_gibbs)),
        );
        match notation {
            Unicode => format!("{c} > 0:  {p}({y}) ∝ {weight}"),
            Latex => format!(r"{c} > 0:\quad {p}({y}) \propto {weight}"),
        }
    }

    fn cut(&self, names: &CellNames, notation: Notation) -> String {
        let c = Expr::from(Observed);
        let cut = if self.floored { c.floor() } else { c };
        cut.write(names, notation)
    }

    fn mass(&self, of: &Mass, names: &CellNames, notation: Notation) -> String {
        let write = |of: &Expr| of.write(names, notation);
        let power = write(&Expr::from(Alpha).power(of.exponent.clone()));
        let (rate, cut) = (write(&of.rate), self.cut(names, notation));
        let times = of.times.as_ref().map(write);
        let relation = match (of.cut, notation) {
            (Cut::Below, _) => "<",
            (Cut::UpTo, Unicode) => "≤",
            (Cut::UpTo, Latex) => r"\le",
            (Cut::From, Unicode) => "≥",
            (Cut::From, Latex) => r"\ge",
            (Cut::Above, _) => ">",
        };
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
