//! A count of a printed derivation: its channel, what each form does at a cell, what cells add to a bound.

use std::any::TypeId;

use crate::channel::{Augmentation, AugmentedText, Channel, ChannelText, Exact, LinearText};
use crate::error::Formless;

use super::cell_names::CellNames;
use super::derivation::DerivationBlock;
use super::forms::EngineForm;

/// A count of a printed derivation, with what its channel says.
#[derive(Clone, Debug)]
pub struct WrittenCount {
    pub(super) name: &'static str,
    seen: ObservedThrough,
    pub(super) is_augmented: bool,
    names: CellNames,
    /// Whether no cell may be summed out, because a Dirichlet factor needs weights of one.
    is_drawn: bool,
}

/// What stands between a count and its data.
#[derive(Clone, Debug)]
enum ObservedThrough {
    /// A channel, and the steps of its law if the compiler wrote them.
    Through(ChannelText, Option<WrittenCell>),
    /// Nothing: a difference of two counts is observed as it is.
    Difference(WrittenCell),
    /// A channel, or nothing at all; and cells of a line add up to a known total.
    Line(Option<ChannelText>, LineText),
}

/// What the compiler writes of a law that it knows.
#[derive(Clone, Copy, Debug)]
pub struct WrittenCell {
    /// How observation, count and noise are declared, for the augmented forms or of a difference.
    pub declared: &'static [&'static str],
    /// What each form does at a cell, as in [`EngineForm::ALL`].
    pub steps: [&'static [&'static str]; 6],
    /// What the cell adds to the bounds of a collapsed form and of the augmented one; nothing where that is the log likelihood.
    pub bound: [&'static [&'static str]; 2],
}

/// What the compiler writes of counts with a known total: a draw of a line, the means of its cells, what it adds to the bound.
pub type LineText = [&'static [&'static str]; 3];

fn own(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|&line| line.to_owned()).collect()
}

impl WrittenCount {
    fn seen(name: &'static str, names: CellNames, seen: ObservedThrough) -> Self {
        Self {
            name,
            seen,
            is_augmented: false,
            names,
            is_drawn: false,
        }
    }

    /// The count called `name`, seen through the channel `C`; `names` are what the model calls the quantities of a cell.
    pub fn new<C: Channel>(name: &'static str, names: CellNames, is_drawn: bool) -> Self {
        Self {
            is_augmented: <C::Augmentation as Augmentation<C>>::SUPPORTED,
            is_drawn,
            ..Self::seen(name, names, ObservedThrough::Through(C::text(), None))
        }
    }

    /// The same, with the steps of the law `L`, which a macro knows by its name: they are those of `C` if that is the same type.
    pub fn of<C: Channel, L: Channel>(name: &'static str, names: CellNames, is_drawn: bool, cell: WrittenCell) -> Self {
        let cell = (TypeId::of::<C>() == TypeId::of::<L>()).then_some(cell);
        Self {
            seen: ObservedThrough::Through(C::text(), cell),
            ..Self::new::<C>(name, names, is_drawn)
        }
    }

    /// The count called `name`, a difference of two counts.
    pub fn difference(name: &'static str, names: CellNames, cell: WrittenCell) -> Self {
        Self::seen(name, names, ObservedThrough::Difference(cell))
    }

    /// The count called `name`, whose total is known, seen through `C` unless it is hidden.
    pub fn totalled<C: Channel>(name: &'static str, names: CellNames, is_hidden: bool, line: LineText) -> Self {
        Self::seen(name, names, ObservedThrough::Line((!is_hidden).then(C::text), line))
    }

    /// Whether whole lines of it are drawn.
    pub(super) fn is_line(&self) -> bool {
        matches!(self.seen, ObservedThrough::Line(..))
    }

    /// Whether nobody observed it.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.seen, ObservedThrough::Line(None, _))
    }

    /// Whether it is observed as it is.
    pub(super) fn is_known(&self) -> bool {
        match &self.seen {
            ObservedThrough::Through(text, _) => text.name == Exact::text().name,
            ObservedThrough::Difference(_) => true,
            ObservedThrough::Line(..) => false,
        }
    }

    pub(super) fn formless(&self) -> Formless {
        match &self.seen {
            ObservedThrough::Through(text, _) => Formless::Channel(text.name),
            ObservedThrough::Line(..) => Formless::Total,
            ObservedThrough::Difference(_) => Formless::Difference,
        }
    }

    /// The law of the observation, and what the noise is made of.
    pub(super) fn channel(&self) -> DerivationBlock {
        let law = format!("Law of {}", self.name);
        let (text, cell) = match &self.seen {
            ObservedThrough::Difference(cell) => {
                let mut lines = own(cell.declared);
                lines.push(OBSERVED.into());
                return DerivationBlock::lines(&law, "", lines);
            }
            ObservedThrough::Line(None, _) => return DerivationBlock::text(&law, "", &[HIDDEN]),
            ObservedThrough::Line(Some(text), _) => (text, None),
            ObservedThrough::Through(text, cell) => (text, cell.as_ref()),
        };
        let mut lines = vec![self.names.fill(text.law)];
        if !says_something(&lines[0]) {
            lines = vec![OBSERVED.into()];
        }
        if let Some(WrittenCell { declared, .. }) = cell
            && !declared.is_empty()
        {
            lines.push("the same noise as a declaration, for the augmented forms:".into());
            lines.extend(declared.iter().map(|line| format!("  {line}")));
        }
        let heading = format!("Channel {}", text.name);
        DerivationBlock::lines(&heading, &self.names.fill(text.source), lines)
    }

    /// What a form does at a cell.
    pub(super) fn cells(&self, form: EngineForm) -> Vec<String> {
        let with = |mut lines: Vec<String>| {
            lines.push(VISITED.into());
            lines
        };
        match &self.seen {
            ObservedThrough::Difference(cell) => with(own(cell.steps[form as usize])),
            ObservedThrough::Line(_, [gibbs, cavi, _]) => own(if form.is_gibbs() { gibbs } else { cavi }),
            ObservedThrough::Through(text, cell) if form.is_collapsed() || !self.is_augmented => {
                self.summed(text, *cell, form)
            }
            ObservedThrough::Through(_, Some(cell)) => with(own(cell.steps[form as usize])),
            ObservedThrough::Through(text, None) => match &text.augmented {
                Some(of) => with(self.augmented(of, form)),
                None => vec![format!(
                    "{} has auxiliary variables and says nothing of them",
                    text.name
                )],
            },
        }
    }

    fn summed(&self, text: &ChannelText, cell: Option<WrittenCell>, form: EngineForm) -> Vec<String> {
        let mut names = self.names;
        let mut lines = Vec::new();
        if !form.is_collapsed() {
            lines.push(format!(
                "{} has no augmented form: these cells stay collapsed",
                text.name
            ));
        }
        if form == EngineForm::CaviPublished {
            // The published pass asks such a channel at the mean.
            names.geometric = names.mean_rate;
        }
        match (self.linear(text), text.linear) {
            (Some(linear), _) => lines.push(names.fill(&linear.line())),
            (None, None) => lines.push(VISITED.into()),
            (None, Some(_)) => {
                let rate = if form.is_gibbs() { "{mu}" } else { "{g}" };
                lines.extend(DRAWN.map(|line| names.fill(&line.replace("{rate}", rate))));
            }
        }
        let (said, function) = match form.is_gibbs() {
            true => (text.impute, "impute"),
            false => (text.expect, "expect"),
        };
        match cell {
            Some(cell) => lines.extend(own(cell.steps[form as usize])),
            None if said.is_empty() => lines.push(format!("by `{function}` of the channel {}", text.name)),
            None => lines.extend(said.iter().map(|line| match names.fill(line) {
                line if says_something(&line) => line,
                _ => format!("{} is what was observed", names.truth),
            })),
        }
        lines
    }

    /// The cells that are never visited in a collapsed form, if there may be any.
    fn linear(&self, text: &ChannelText) -> Option<LinearText> {
        text.linear.filter(|linear| !self.is_drawn || linear.weighs_one())
    }

    fn augmented(&self, of: &AugmentedText, form: EngineForm) -> Vec<String> {
        let said = match form {
            EngineForm::Gibbs | EngineForm::GibbsAugmented | EngineForm::GibbsTokens => of.gibbs,
            EngineForm::Cavi | EngineForm::CaviAugmented => of.cavi,
            EngineForm::CaviPublished => of.published,
        };
        said.iter().map(|line| self.names.fill(line)).collect()
    }

    /// What the cells add to the bound that a form ascends.
    pub(super) fn bound(&self, form: EngineForm) -> Vec<String> {
        if form.is_gibbs() || form == EngineForm::CaviPublished {
            return Vec::new();
        }
        let is_kept = form == EngineForm::CaviAugmented && self.is_augmented;
        let text = match &self.seen {
            ObservedThrough::Difference(cell) => return own(cell.bound[0]),
            ObservedThrough::Line(_, [.., bound]) => return own(bound),
            ObservedThrough::Through(_, cell) if is_kept => {
                return cell.map_or_else(Vec::new, |cell| own(cell.bound[1]));
            }
            ObservedThrough::Through(text, _) => text,
        };
        let CellNames {
            bound: l,
            observed: c,
            geometric: rho,
            mean_rate: mean,
            ..
        } = self.names;
        let is_any_summed_out = self.linear(text).is_some();
        let at = match is_any_summed_out {
            true => "visited cells",
            false => "every observed cell",
        };
        let mut visited = vec![format!("{l} = ln P({c} | {rho}) + {rho} − {mean}   at {at}")];
        if is_any_summed_out {
            visited.push(format!("{l} = ln P({c} | {mean})   at cells that are never visited"));
        }
        visited
    }
}

/// Whether a line is more than that something equals itself: a count that is observed as it is has one name.
fn says_something(line: &str) -> bool {
    line.split_once(" = ").is_none_or(|(left, right)| left != right)
}

const HIDDEN: &str = "nobody observed it: what is known of it is what was observed of the counts whose total it is";

const OBSERVED: &str = "it is observed as it is: no noise, and no privacy";

/// What changes where a simplex needs every cell to weigh one.
const DRAWN: [&str; 2] = [
    "a Dirichlet factor that is not frozen needs an exposure that is constant along its simplex: a cell that could",
    "be summed out is visited, too, and weighs one; its {y} is drawn (in CAVI: expected) by P({y}) ∝ P({c} | {y}) {rate}^{y} / {y}!",
];

const VISITED: &str = "every observed cell is visited and weighs one";
