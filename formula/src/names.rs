//! What a model calls the quantities of a cell.

use super::{Part, Quantity};

/// The names of what is at one cell, with their indices, in one notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellNames {
    /// The true count.
    pub truth: &'static str,
    /// What was observed.
    pub observed: &'static str,
    /// The rate.
    pub rate: &'static str,
    /// Its mean under q.
    pub mean_rate: &'static str,
    /// The rate at geometric means.
    pub geometric: &'static str,
    /// The smaller of the two Poisson counts.
    pub minimum: &'static str,
    /// What the noise adds, what it takes away, and either.
    pub noise: [&'static str; 3],
    /// Their rates.
    pub level: [&'static str; 3],
    /// The rate of count and noise that add up.
    pub total: &'static str,
    /// The argument of the Bessel law.
    pub argument: &'static str,
    /// What the cell adds to the bound.
    pub bound: &'static str,
    /// The two counts of a difference; `None` for any other count.
    pub sides: Option<SideNames>,
}

/// The names of what is on the two sides of a difference of counts: plus, minus, either.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SideNames {
    /// The counts.
    pub count: [&'static str; 3],
    /// Their rates.
    pub rate: [&'static str; 3],
    /// The same at geometric means.
    pub geometric: [&'static str; 3],
}

impl CellNames {
    /// Letters without indices, in plain text: those of a function about any cell.
    pub fn of_a_cell() -> Self {
        Self {
            truth: "y",
            observed: "c",
            rate: "μ",
            mean_rate: "E[μ]",
            geometric: "ρ",
            minimum: "m",
            noise: ["g⁺", "g⁻", "g±"],
            level: ["λ⁺", "λ⁻", "λ±"],
            total: "S",
            argument: "z",
            bound: "L",
            sides: Some(SideNames {
                count: ["c⁺", "c⁻", "c±"],
                rate: ["μ⁺", "μ⁻", "μ±"],
                geometric: ["ρ⁺", "ρ⁻", "ρ±"],
            }),
        }
    }

    /// The places of [`Self::fill`], of which other quantities have none: what is written with these is filled in later.
    pub fn places() -> Self {
        Self {
            truth: "{y}",
            observed: "{c}",
            rate: "{mu}",
            geometric: "{g}",
            ..Self::of_a_cell()
        }
    }

    pub(super) fn of(&self, quantity: Quantity) -> Option<&'static str> {
        let part = |of: Part| match of {
            Part::Plus => 0,
            Part::Minus => 1,
            Part::Either => 2,
        };
        Some(match quantity {
            Quantity::Truth => self.truth,
            Quantity::Observed => self.observed,
            Quantity::Rate => self.rate,
            Quantity::Geometric => self.geometric,
            Quantity::Minimum => self.minimum,
            Quantity::Noise(of) => self.noise[part(of)],
            Quantity::Level(of) => self.level[part(of)],
            Quantity::Total => self.total,
            Quantity::Argument => self.argument,
            Quantity::Side(of) => self.sides?.count[part(of)],
            Quantity::SideRate(of) => self.sides?.rate[part(of)],
            Quantity::SideGeometric(of) => self.sides?.geometric[part(of)],
            // The channel's own parameters, which have no index here.
            Quantity::Alpha | Quantity::Known => return None,
            // Of any entry.
            Quantity::First | Quantity::FirstInAll | Quantity::Second | Quantity::Any => return None,
        })
    }

    /// `line` with `{y}`, `{c}`, `{mu}` and `{g}` filled in, in one pass: a name that is filled in may look like one of them,
    /// as the `y_{c}` of a count with an index `c` does.
    pub fn fill(&self, line: &str) -> String {
        let places = [
            ("{y}", self.truth),
            ("{c}", self.observed),
            ("{mu}", self.rate),
            ("{g}", self.geometric),
        ];
        let (mut out, mut rest) = (String::new(), line);
        while let Some(at) = rest.find('{') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            rest = match places.iter().find(|(place, _)| from.starts_with(place)) {
                Some((place, name)) => {
                    out.push_str(name);
                    &from[place.len()..]
                }
                None => {
                    out.push('{');
                    &from[1..]
                }
            };
        }
        out + rest
    }
}

impl CellNames {
    /// Those of the count `y[d,v]` of a topic model, in plain text and in LaTeX: for tests.
    #[doc(hidden)]
    pub fn of_topics() -> [Self; 2] {
        let unicode = Self {
            truth: "y[d,v]",
            observed: "c[d,v]",
            rate: "μ[d,v]",
            mean_rate: "E[μ[d,v]]",
            geometric: "ρ[d,v]",
            minimum: "m[d,v]",
            noise: ["g⁺[d,v]", "g⁻[d,v]", "g±[d,v]"],
            level: ["λ⁺[d,v]", "λ⁻[d,v]", "λ±[d,v]"],
            total: "S[d,v]",
            argument: "z[d,v]",
            bound: "L[d,v]",
            sides: None,
        };
        let latex = Self {
            truth: "y_{d,v}",
            observed: "c_{d,v}",
            rate: r"\mu_{d,v}",
            mean_rate: r"\mathbb{E}[\mu_{d,v}]",
            geometric: r"\rho_{d,v}",
            minimum: "m_{d,v}",
            noise: ["g^{+}_{d,v}", "g^{-}_{d,v}", r"g^{\pm}_{d,v}"],
            level: [r"\lambda^{+}_{d,v}", r"\lambda^{-}_{d,v}", r"\lambda^{\pm}_{d,v}"],
            total: "S_{d,v}",
            argument: "z_{d,v}",
            bound: "L_{d,v}",
            sides: None,
        };
        [unicode, latex]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_called_c_is_no_place_to_fill_in() {
        let [_, latex] = CellNames::of_topics();
        let names = CellNames {
            truth: "y_{c}",
            observed: "c_{c}",
            rate: r"\mu_{c}",
            ..latex
        };
        assert_eq!(
            names.fill(r"{c} = {y}, \frac{{mu}^{{y}}}{2}"),
            r"c_{c} = y_{c}, \frac{\mu_{c}^{y_{c}}}{2}"
        );
    }
}
