//! The law of a count under geometric noise that is summed out, as values: two truncated Poisson laws.

use super::{CellNames, Expr, Notation, Quantity};

use Quantity::{Alpha, Geometric, Observed, Rate};

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
    pub side: Side,
}

/// Counts on one side of what was observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
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
    /// The masses of the two laws, up to what was observed and above it, where a sampler draws at the rate or an ascent takes the rate at
    /// geometric means.
    pub fn masses(&self, is_gibbs: bool) -> [Mass; 2] {
        let rate: Expr = if is_gibbs { Rate } else { Geometric }.into();
        let observed: Expr = Observed.into();
        [
            Mass {
                exponent: observed.clone(),
                rate: rate.clone() / Alpha.into(),
                times: None,
                side: Side::UpTo,
            },
            Mass {
                exponent: -observed,
                rate: rate * Alpha.into(),
                times: None,
                side: Side::Above,
            },
        ]
    }

    /// The same with the count inside, whose sum over that of the masses is `E[y]`: `y rate^y / y!` is `rate` times the term before.
    pub fn moments(&self) -> [Mass; 2] {
        self.masses(false).map(|mass| Mass {
            times: Some(mass.rate.clone()),
            side: match mass.side {
                Side::UpTo => Side::Below,
                _ => Side::From,
            },
            ..mass
        })
    }

    /// What a Gibbs step draws of, a line each, in the places of [`CellNames::fill`].
    pub fn drawn(&self) -> Vec<String> {
        let names = CellNames::places();
        let mut lines = vec![format!("{}, two truncated Poisson laws:", self.law(true))];
        for mass in self.masses(true) {
            let (rate, cut) = (mass.rate.write(&names, Notation::Unicode), self.cut());
            let side = match mass.side {
                Side::UpTo | Side::Below => "up to",
                Side::Above | Side::From => "above",
            };
            lines.push(format!(
                "    Poisson({rate}) {side} {cut}, of mass {}",
                self.written(&mass)
            ));
        }
        lines
    }

    /// What a variational step computes, likewise.
    pub fn expected(&self) -> Vec<String> {
        let [low, high] = self.moments().map(|mass| self.written(&mass));
        let [up_to, above] = self.masses(false).map(|mass| self.written(&mass));
        vec![
            format!("{}, and so", self.law(false)),
            format!("    E[{{y}}] = ({low}"),
            format!("              + {high}) / Z"),
            format!("    Z = {up_to}"),
            format!("        + {above}"),
        ]
    }

    /// The law itself, up to a constant, and where it holds.
    pub fn law(&self, is_gibbs: bool) -> String {
        let (p, rate) = if is_gibbs { ("P", "{mu}") } else { ("q", "{g}") };
        format!("{{c}} > 0:  {p}({{y}}) ∝ {rate}^{{y}} / {{y}}! · α^|{{c}} − {{y}}|")
    }

    fn cut(&self) -> &'static str {
        if self.floored { "⌊{c}⌋" } else { "{c}" }
    }

    fn written(&self, mass: &Mass) -> String {
        let names = CellNames::places();
        let write = |of: &Expr| of.write(&names, Notation::Unicode);
        let times = mass.times.as_ref().map(|of| write(of) + " ").unwrap_or_default();
        let relation = match mass.side {
            Side::Below => "<",
            Side::UpTo => "≤",
            Side::From => "≥",
            Side::Above => ">",
        };
        let (exponent, rate, cut) = (write(&mass.exponent), write(&mass.rate), self.cut());
        format!("α^{exponent} e^({rate}) {times}P(Poisson({rate}) {relation} {cut})")
    }
}
