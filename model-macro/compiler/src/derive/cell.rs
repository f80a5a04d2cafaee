//! What is drawn, or expected, at a cell of a count.

use skellam_formula::{CollapsedNoise, CountDifference, PoissonDifference, SummedOut};

use crate::resolve::{Channel, Model};

/// The conditional of a cell of a count, given its rates. Its steps are lines made of formulas, from which both the doc lines and the code of
/// a generated file are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// The count was observed as it is.
    Known,
    /// A difference of two Poisson counts was observed.
    Difference(CountDifference),
    /// Noise of a law that the language knows by its name. A custom law may have the same name, which only types can tell apart: see
    /// `SeenByCell` in the runtime.
    Noise {
        /// What the noise is made of: the steps that run where the noise is kept, or its level is known.
        made_of: PoissonDifference,
        /// The law of the count where the noise is summed out; `None` if the steps above are that form.
        summed: Option<CollapsedNoise>,
    },
    /// A law that the language knows by its name, and of which nothing is kept in any form.
    SummedOut(SummedOut),
    /// A law of which the macro sees nothing but its name: the channel says at run time what it draws and expects.
    Released,
    /// The cell is drawn together with the others of its line, whose total is known; see `show::line`.
    OfLine,
}

impl Cell {
    /// The law of the library for which its steps are written out, if they are.
    pub fn law(&self) -> Option<&'static str> {
        match self {
            Self::Noise { made_of, .. } => Some(made_of.law()),
            Self::SummedOut(of) => Some(of.name),
            Self::Known | Self::Difference(_) | Self::Released | Self::OfLine => None,
        }
    }

    /// Whether the count of a cell may be summed out, so that the cell is visited as its exposure alone: where noise is summed out, or
    /// where the macro does not know.
    pub fn may_be_summed_out(&self) -> bool {
        matches!(
            self,
            Self::Noise { summed: Some(_), .. } | Self::SummedOut(_) | Self::Released
        )
    }
}

/// The conditional of a cell of count `number`.
pub(super) fn cell(model: &Model, number: usize) -> Cell {
    let count = &model.counts[number];
    // A total that nobody knows is drawn with the lines that add up to it.
    let is_total = model.totalled_by(number).next().is_some();
    match &count.channel {
        _ if count.total.is_some() => Cell::OfLine,
        _ if count.is_difference() => Cell::Difference(CountDifference),
        Channel::Exact => Cell::Known,
        Channel::Hidden => Cell::OfLine,
        Channel::Released(_) if is_total => Cell::OfLine,
        Channel::Released(path) => {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            let name = name.unwrap_or_default();
            match (PoissonDifference::of_law(&name), SummedOut::of_law(&name)) {
                (Some(made_of), _) => Cell::Noise {
                    summed: made_of.is_augmented().then(CollapsedNoise::geometric),
                    made_of,
                },
                (None, Some(law)) => Cell::SummedOut(law),
                (None, None) => Cell::Released,
            }
        }
    }
}
