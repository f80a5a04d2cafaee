//! What is drawn, or expected, at a cell of a count.

use crate::cells::{CellLaw, DIFFERENCE};
use crate::resolve::{Channel, Model};

/// The conditional of a cell of a count, given its rates.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a model has as many as counts")]
pub enum Cell {
    /// The count was observed as it is.
    Known,
    /// A law that the language knows by its name: of a difference of counts, or of what was observed. A law of a user's own may have the same name, which
    /// only types can tell apart: see `SeenByCell` in the runtime.
    Of(CellLaw),
    /// A law of which the macro sees nothing but its name: the channel says at run time what it draws and expects.
    Released,
    /// The cell is drawn together with the others of its line, whose total is known; see `show::line`.
    OfLine,
}

impl Cell {
    /// The law of observations of the library for which its steps are written out, if they are.
    pub fn law(&self) -> Option<&'static str> {
        match self {
            Self::Of(law) if *law != DIFFERENCE => Some(law.name),
            Self::Known | Self::Of(_) | Self::Released | Self::OfLine => None,
        }
    }

    /// Whether the count of a cell may be summed out, so that the cell is visited as its exposure alone: where its law says so, or where the macro does
    /// not know.
    pub fn may_be_summed_out(&self) -> bool {
        match self {
            Self::Of(law) => law.linear.is_some(),
            Self::Released => true,
            Self::Known | Self::OfLine => false,
        }
    }
}

/// The conditional of a cell of count `number`.
pub(super) fn cell(model: &Model, number: usize) -> Cell {
    let count = &model.counts[number];
    // A total that nobody knows is drawn with the lines that add up to it.
    let is_total = model.totalled_by(number).next().is_some();
    match &count.channel {
        _ if count.total.is_some() => Cell::OfLine,
        _ if count.is_difference() => Cell::Of(DIFFERENCE),
        Channel::Exact => Cell::Known,
        Channel::Hidden => Cell::OfLine,
        Channel::Released(_) if is_total => Cell::OfLine,
        Channel::Released(path) => {
            let name = path.segments.last().map(|segment| segment.ident.to_string());
            let law = name.as_deref().and_then(CellLaw::of_name);
            law.map_or(Cell::Released, Cell::Of)
        }
    }
}
