//! A count of a printed derivation: its channel, what each form does at a cell, what cells add to a bound.

use crate::channel::formula::{CellNames, CountDifference, Expr, Line, LinearText, Notation};
use crate::channel::{Augmentation, Channel, ChannelText, Exact, Level, NoiseText, PoissonDifference};
use crate::error::Formless;

use super::derivation::DerivationBlock;
use super::forms::EngineForm;

/// A count of a printed derivation, with what its channel says.
#[derive(Clone, Debug)]
pub struct WrittenCount {
    pub(super) name: &'static str,
    seen: Seen,
    pub(super) is_augmented: bool,
    names: [CellNames; 2],
    /// Whether no cell may be summed out, because a Dirichlet factor needs weights of one.
    is_drawn: bool,
}

/// What stands between a count and its data.
#[derive(Clone, Debug)]
enum Seen {
    /// A channel.
    Through(ChannelText),
    /// Nothing: a difference of two counts is observed as it is.
    Difference,
    /// A channel, or nothing at all; and cells of a line add up to a known total.
    Line(Option<ChannelText>, LineText),
}

/// What the compiler writes of counts with a known total, each in plain text and in LaTeX: a draw of a line, the means of its cells, what
/// it adds to the bound.
pub type LineText = [[&'static [&'static str]; 2]; 3];

/// Lines of a channel in the letters of a model.
fn words(lines: &[&str], names: &CellNames) -> Vec<String> {
    lines.iter().map(|line| names.fill(line)).collect()
}

impl WrittenCount {
    /// The count called `name`, seen through the channel `C`; `names` are what the model calls the quantities of a cell, in plain
    /// text and in LaTeX.
    pub fn new<C: Channel>(name: &'static str, names: [CellNames; 2], is_drawn: bool) -> Self {
        Self {
            name,
            seen: Seen::Through(C::text()),
            is_augmented: <C::Augmentation as Augmentation<C>>::SUPPORTED,
            names,
            is_drawn,
        }
    }

    /// The count called `name`, a difference of two counts.
    pub fn difference(name: &'static str, names: [CellNames; 2]) -> Self {
        Self {
            name,
            seen: Seen::Difference,
            is_augmented: false,
            names,
            is_drawn: false,
        }
    }

    /// The count called `name`, whose total is known, seen through `C` unless it is hidden.
    pub fn totalled<C: Channel>(name: &'static str, names: [CellNames; 2], is_hidden: bool, line: LineText) -> Self {
        Self {
            name,
            seen: Seen::Line((!is_hidden).then(C::text), line),
            is_augmented: false,
            names,
            is_drawn: false,
        }
    }

    /// Whether whole lines of it are drawn.
    pub(super) fn is_line(&self) -> bool {
        matches!(self.seen, Seen::Line(..))
    }

    /// Whether nobody observed it.
    pub(super) fn is_hidden(&self) -> bool {
        matches!(self.seen, Seen::Line(None, _))
    }

    /// Whether it is observed as it is.
    pub(super) fn is_known(&self) -> bool {
        match &self.seen {
            Seen::Through(text) => text.name == Exact::text().name,
            Seen::Difference => true,
            Seen::Line(..) => false,
        }
    }

    pub(super) fn formless(&self) -> Formless {
        match &self.seen {
            Seen::Through(text) => Formless::Channel(text.name),
            Seen::Line(..) => Formless::Total,
            Seen::Difference => Formless::Difference,
        }
    }

    fn written(&self, lines: &[Line]) -> [Vec<String>; 2] {
        let [unicode, latex] = &self.names;
        let write = |names: &CellNames, notation| lines.iter().map(|line| line.write(names, notation)).collect();
        [write(unicode, Notation::Unicode), write(latex, Notation::Latex)]
    }

    /// The law of the observation, and what the noise is made of.
    pub(super) fn channel(&self) -> DerivationBlock {
        let [names, latex_names] = &self.names;
        let (Seen::Through(text) | Seen::Line(Some(text), _)) = &self.seen else {
            if matches!(self.seen, Seen::Line(..)) {
                let words =
                    "nobody observed it: what is known of it is what was observed of the counts whose total it is";
                return DerivationBlock::lines(&format!("Law of {}", self.name), "", vec![words.into()], Vec::new());
            }
            let [mut unicode, latex] = self.written(&CountDifference.declared());
            unicode.push(OBSERVED.into());
            return DerivationBlock::lines(&format!("Law of {}", self.name), "", unicode, latex);
        };
        let mut unicode = vec![names.fill(text.law)];
        let mut latex = vec![latex_names.fill(text.law_latex)];
        if !says_something(&unicode[0]) {
            (unicode, latex) = (vec![OBSERVED.into()], Vec::new());
        }
        let is_line = matches!(self.seen, Seen::Line(..));
        if let Some(noise) = noise_of(text).filter(|noise| noise.level != Level::Known && !is_line) {
            let [words, formulas] = self.written(&noise.declared());
            unicode.push("the same noise as a declaration, for the augmented forms:".into());
            unicode.extend(words.into_iter().map(|line| format!("  {line}")));
            latex.extend(formulas);
        }
        let heading = format!("Channel {}", text.name);
        DerivationBlock::lines(&heading, &names.fill(text.source), unicode, latex)
    }

    /// What a form does at a cell.
    pub(super) fn cells(&self, form: EngineForm) -> [Vec<String>; 2] {
        match &self.seen {
            Seen::Difference => self.of_difference(form),
            Seen::Line(_, [gibbs, cavi, _]) => {
                let lines = if form.is_gibbs() { gibbs } else { cavi };
                lines.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect())
            }
            Seen::Through(text) if form.is_collapsed() || !self.is_augmented => self.summed(text, form),
            Seen::Through(text) => self.augmented(text, form),
        }
    }

    fn of_difference(&self, form: EngineForm) -> [Vec<String>; 2] {
        let steps = match form.is_gibbs() {
            true => CountDifference.gibbs(),
            false => CountDifference.cavi(),
        };
        let [mut words, formulas] = self.written(&steps);
        words.push(VISITED.into());
        match form {
            EngineForm::Gibbs | EngineForm::GibbsAugmented => {}
            EngineForm::Cavi | EngineForm::CaviAugmented => words.push(BESSEL.into()),
            EngineForm::CaviPublished => {
                words.push("VI18 has no step for a difference: mean rates stand for ρ here".into())
            }
        }
        [words, formulas]
    }

    fn summed(&self, text: &ChannelText, form: EngineForm) -> [Vec<String>; 2] {
        let [mut names, mut latex_names] = self.names;
        let mut lines = [Vec::new(), Vec::new()];
        if !form.is_collapsed() {
            lines[0].push(format!(
                "{} has no augmented form: these cells stay collapsed",
                text.name
            ));
        }
        if form == EngineForm::CaviPublished {
            // The published pass asks such a channel at the mean.
            names.geometric = names.mean_rate;
            latex_names.geometric = latex_names.mean_rate;
        }
        if let Some(noise) = noise_of(text) {
            let steps = if form.is_gibbs() { noise.gibbs() } else { noise.cavi() };
            if !noise.is_augmented() {
                let write = |names: &CellNames, notation| steps.iter().map(|l| l.write(names, notation)).collect();
                let written: [Vec<String>; 2] =
                    [write(&names, Notation::Unicode), write(&latex_names, Notation::Latex)];
                for (to, from) in lines.iter_mut().zip(written) {
                    to.extend(from);
                }
            }
        }
        let (said, formulas) = match form.is_gibbs() {
            true => (text.impute, text.impute_latex),
            false => (text.expect, text.expect_latex),
        };
        match (self.linear(text), text.linear) {
            (Some(linear), _) => {
                lines[0].push(names.fill(&linear.line()));
                lines[1].extend(linear.latex().map(|line| latex_names.fill(&line)));
            }
            (None, None) => lines[0].push(VISITED.into()),
            (None, Some(_)) => {
                let rate = if form.is_gibbs() { "{mu}" } else { "{g}" };
                let drawn = DRAWN.map(|line| line.replace("{rate}", rate));
                lines[0].extend(drawn[..2].iter().map(|line| names.fill(line)));
                lines[1].push(latex_names.fill(&drawn[2]));
            }
        }
        lines[0].extend(words(said, &names).into_iter().map(|line| match says_something(&line) {
            true => line,
            false => format!("{} is what was observed", names.truth),
        }));
        lines[1].extend(
            words(formulas, &latex_names)
                .into_iter()
                .filter(|line| says_something(line)),
        );
        lines
    }

    /// The cells that are never visited in a collapsed form, if there may be any.
    fn linear(&self, text: &ChannelText) -> Option<LinearText> {
        text.linear.filter(|linear| !self.is_drawn || linear.weighs_one())
    }

    fn augmented(&self, text: &ChannelText, form: EngineForm) -> [Vec<String>; 2] {
        let mut lines = match &text.noise {
            NoiseText::PoissonDifference(noise) => match form {
                EngineForm::Gibbs | EngineForm::GibbsAugmented => self.written(&noise.gibbs()),
                EngineForm::Cavi | EngineForm::CaviAugmented => self.written(&noise.cavi()),
                EngineForm::CaviPublished => {
                    let method = [PoissonDifference::delta_method()];
                    self.written(&[&method[..], &noise.published()].concat())
                }
            },
            NoiseText::Custom(forms) => {
                let said = match form {
                    EngineForm::Gibbs | EngineForm::GibbsAugmented => forms.gibbs,
                    EngineForm::Cavi | EngineForm::CaviAugmented => forms.cavi,
                    EngineForm::CaviPublished => forms.published,
                };
                [words(said, &self.names[0]), Vec::new()]
            }
            NoiseText::Summed => {
                let line = format!("{} has auxiliary variables and says nothing of them", text.name);
                return [vec![line], Vec::new()];
            }
        };
        lines[0].push(VISITED.into());
        if form == EngineForm::CaviAugmented && noise_of(text).is_some() {
            lines[0].push(BESSEL.into());
        }
        lines
    }

    /// What the cells add to the bound that a form ascends.
    pub(super) fn bound(&self, form: EngineForm) -> [Vec<String>; 2] {
        let [names, latex_names] = &self.names;
        if form.is_gibbs() || form == EngineForm::CaviPublished {
            return [Vec::new(), Vec::new()];
        }
        let written = |of: Expr| {
            [
                broken(&format!("{} = {}", names.bound, of.write(names, Notation::Unicode))),
                vec![format!(
                    "{} = {}",
                    latex_names.bound,
                    of.write(latex_names, Notation::Latex)
                )],
            ]
        };
        let text = match &self.seen {
            Seen::Difference => return written(CountDifference.bound()),
            Seen::Line(_, [.., bound]) => {
                return bound.map(|lines| lines.iter().map(|line| (*line).to_owned()).collect());
            }
            Seen::Through(text) => text,
        };
        if form == EngineForm::CaviAugmented && self.is_augmented {
            return match noise_of(text) {
                Some(noise) => written(noise.bound()),
                None => [Vec::new(), Vec::new()],
            };
        }
        let (l, c, rho, mean) = (names.bound, names.observed, names.geometric, names.mean_rate);
        let is_any_summed_out = self.linear(text).is_some();
        let at = match is_any_summed_out {
            true => "visited cells",
            false => "every observed cell",
        };
        let mut visited = vec![format!("{l} = ln P({c} | {rho}) + {rho} − {mean}   at {at}")];
        if is_any_summed_out {
            visited.push(format!("{l} = ln P({c} | {mean})   at cells that are never visited"));
        }
        let (l, c, rho, mean) = (
            latex_names.bound,
            latex_names.observed,
            latex_names.geometric,
            latex_names.mean_rate,
        );
        let formula = match is_any_summed_out {
            false => format!(r"{l} = \ln P({c} \mid {rho}) + {rho} - {mean}"),
            true => format!(
                r"{l} = \begin{{cases}} \ln P({c} \mid {rho}) + {rho} - {mean} & \text{{visited}} \\ \ln P({c} \mid {mean}) & \text{{otherwise}} \end{{cases}}"
            ),
        };
        [visited, vec![formula]]
    }
}

/// What a noise is made of, where it is a difference of two Poisson counts.
fn noise_of(text: &ChannelText) -> Option<&PoissonDifference> {
    match &text.noise {
        NoiseText::PoissonDifference(noise) => Some(noise),
        NoiseText::Summed | NoiseText::Custom(_) => None,
    }
}

/// Whether a line is more than that something equals itself: a count that is observed as it is has one name.
fn says_something(line: &str) -> bool {
    line.split_once(" = ").is_none_or(|(left, right)| left != right)
}

const OBSERVED: &str = "it is observed as it is: no noise, and no privacy";

const BESSEL: &str = "I(n, x) is the modified Bessel function of the first kind, of order n";

/// A sum that is too long for a line on two: the rates of the noise come second.
fn broken(sum: &str) -> Vec<String> {
    match sum.match_indices(" − E[").nth(1) {
        Some((at, _)) if sum.chars().count() > 94 => vec![sum[..at].into(), format!("   {}", &sum[at..])],
        _ => vec![sum.into()],
    }
}

/// What changes where a simplex needs every cell to weigh one: two lines and a formula.
const DRAWN: [&str; 3] = [
    "a Dirichlet factor that is not frozen needs an exposure that is constant along its simplex: a cell that could",
    "be summed out is visited, too, and weighs one; its {y} is drawn (in CAVI: expected) by P({y}) ∝ P({c} | {y}) {rate}^{y} / {y}!",
    r"P({y} \mid {c}) \propto P({c} \mid {y})\, {rate}^{{y}} / {y}! \quad \text{at every observed cell}",
];

const VISITED: &str = "every observed cell is visited and weighs one";
