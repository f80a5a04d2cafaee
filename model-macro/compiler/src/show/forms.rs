//! What is printed of each form of inference, but for what channels say of cells.

use super::conditional::statement;
use super::formula::{Letters, Style, access, allocation, product, scalar, sum, symbol};
use super::names::{CellNames, STYLES};
use super::shapes::{backwards, tables};
use super::totals;
use super::update::{in_sequence, own_update};
use super::wrap::{INDENT, fits, wrapped};
use crate::derive::{DerivedModel, Origin, Turn};
use crate::family::Family;
use crate::resolve::{Access, Count, Index, Model, Side, Source, Term, TotalOf};

/// An engine in one of its forms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Gibbs sampling, noise summed out.
    Gibbs,
    /// Gibbs sampling with the variables of the noise.
    GibbsAugmented,
    /// Coordinate ascent, noise summed out.
    Cavi,
    /// Coordinate ascent with the variables of the noise.
    CaviAugmented,
    /// Coordinate ascent as published.
    CaviPublished,
}

impl Form {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 5] = [
        Self::Gibbs,
        Self::GibbsAugmented,
        Self::Cavi,
        Self::CaviAugmented,
        Self::CaviPublished,
    ];

    fn is_gibbs(self) -> bool {
        matches!(self, Self::Gibbs | Self::GibbsAugmented)
    }
}

/// Lines in both notations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passage {
    /// A line each.
    pub unicode: Vec<String>,
    /// A displayed formula each.
    pub latex: Vec<String>,
}

impl Passage {
    fn formula(&mut self, [unicode, latex]: [String; 2]) {
        self.unicode.extend(wrapped(&unicode));
        self.latex.push(latex);
    }

    /// The place of the last formula in a paper.
    fn source(&mut self, place: &str) {
        if let Some(latex) = self.latex.last_mut() {
            latex.push_str(&format!(r" \qquad \text{{[{}]}}", place.replace('–', "--")));
        }
        match self.unicode.last_mut() {
            Some(line) if fits(&format!("{line}   [{place}]")) => line.push_str(&format!("   [{place}]")),
            _ => self.unicode.push(format!("{INDENT}[{place}]")),
        }
    }

    fn words(&mut self, words: impl Into<String>) {
        self.unicode.push(words.into());
    }
}

/// What is printed of one form.
#[derive(Debug, Clone, PartialEq)]
pub struct FormLines {
    /// Which.
    pub form: Form,
    /// Moments, and rates at them.
    pub definitions: Passage,
    /// How counts are divided over the terms of their rates.
    pub allocation: Passage,
    /// The conditional of every latent, or q of it.
    pub latents: Passage,
    /// The bound, but for what cells add to it.
    pub bound: Passage,
}

/// Every form.
pub fn forms(derivation: &DerivedModel) -> [FormLines; 5] {
    Form::ALL.map(|form| FormLines {
        form,
        definitions: definitions(derivation, form),
        allocation: allocations(&derivation.model, form),
        latents: latents(derivation, form),
        bound: bound(derivation, form),
    })
}

/// What a latent contributes to a moment of a rate.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    Mean,
    Geometric,
    Second,
    SquaredMean,
}

fn moment(of: &str, moment: Moment, style: Style) -> String {
    let (e, g) = match style {
        Style::Unicode => ("E", "G"),
        Style::Latex => (r"\mathbb{E}", r"\mathbb{G}"),
    };
    match (moment, style) {
        (Moment::Mean, _) => format!("{e}[{of}]"),
        (Moment::Geometric, _) => format!("{g}[{of}]"),
        (Moment::Second, Style::Unicode) => format!("{e}[{of}²]"),
        (Moment::Second, Style::Latex) => format!("{e}[{of}^2]"),
        (Moment::SquaredMean, Style::Unicode) => format!("{e}[{of}]²"),
        (Moment::SquaredMean, Style::Latex) => format!("{e}[{of}]^2"),
    }
}

fn is_latent(factor: &Access) -> bool {
    matches!(factor.of, Source::Latent(_))
}

/// Coefficient and known factors of a term.
fn known(model: &Model, term: &Term, letters: &Letters, style: Style) -> Vec<String> {
    let mut all = Vec::new();
    if !term.coefficient.is_one() {
        all.push(scalar(model, &term.coefficient, style));
    }
    let data = term.factors.iter().filter(|f| !is_latent(f));
    all.extend(data.map(|f| access(model, f, letters, style)));
    all
}

/// Moments of the latents of a term.
fn random(model: &Model, term: &Term, letters: &Letters, of: Moment, style: Style) -> Vec<String> {
    let latents = term.factors.iter().filter(|f| is_latent(f));
    latents
        .map(|f| moment(&access(model, f, letters, style), of, style))
        .collect()
}

/// The rate of a count, or of a side of a difference, with a moment in the place of every latent.
fn rate_of(model: &Model, count: &Count, side: Side, of: Moment, style: Style) -> String {
    let letters = Letters::of(count);
    let terms = count.terms[count.terms_of(side)].iter().map(|term| {
        let mut factors = known(model, term, &letters, style);
        factors.extend(random(model, term, &letters, of, style));
        sum(&letters.list(&term.summed), &product(&factors, style), style)
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// `Σ_k (E[θ²] E[φ²] − E[θ]² E[φ]²)`
fn variance_of(model: &Model, count: &Count, style: Style) -> String {
    let letters = Letters::of(count);
    let terms = count.terms.iter().map(|term| {
        let [second, squared] =
            [Moment::Second, Moment::SquaredMean].map(|of| product(&random(model, term, &letters, of, style), style));
        let minus = if style == Style::Unicode { "−" } else { "-" };
        let mut factors: Vec<String> = (known(model, term, &letters, style).iter())
            .map(|factor| square(factor, style))
            .collect();
        factors.push(format!("({second} {minus} {squared})"));
        sum(&letters.list(&term.summed), &product(&factors, style), style)
    });
    terms.collect::<Vec<_>>().join(" + ")
}

/// `exposure[d]²`, `(0.5 boost)²`
fn square(factor: &str, style: Style) -> String {
    let factor = match factor.contains(' ') {
        true => format!("({factor})"),
        false => factor.to_owned(),
    };
    match style {
        Style::Unicode => format!("{factor}²"),
        Style::Latex => format!("{factor}^2"),
    }
}

/// Whether two components of a rate have an entry of a latent in common.
fn shares_entries(count: &Count) -> bool {
    let mut seen = Vec::new();
    count.terms.iter().any(|term| {
        term.factors.iter().filter(|f| is_latent(f)).any(|factor| {
            let again = seen.contains(&factor.of);
            seen.push(factor.of);
            again || term.summed.iter().any(|var| !factor.vars.contains(var))
        })
    })
}

fn definitions(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    if form.is_gibbs() {
        return lines;
    }
    lines.words("G[x] = exp(E[ln x]);  ψ is the derivative of ln Γ");
    let second = match form {
        Form::CaviPublished => ",  E[x²] = A (A + 1)/B²",
        _ => "",
    };
    let mut families = vec![Family::gamma()];
    for latent in &model.latents {
        if !families.contains(&latent.prior.family) {
            families.push(latent.prior.family.clone());
        }
    }
    for family in families {
        let [unicode, latex] = family.moments.clone();
        let second = if family.is_gamma() { second } else { "" };
        lines.words(format!("{unicode}{second}"));
        lines.latex.push(latex);
    }
    for count in &model.counts {
        let names = CellNames::new(model, count);
        let equal = |left: &[String; 2], right: &dyn Fn(Style) -> String| {
            [0, 1].map(|at| format!("{} = {}", left[at], right(STYLES[at])))
        };
        let rate = |side, of| move |style| rate_of(model, count, side, of, style);
        if let Some(sides) = &names.sides {
            let [plus, minus, _] = &sides.geometric;
            lines.formula(equal(plus, &rate(Side::Plus, Moment::Geometric)));
            lines.formula(equal(minus, &rate(Side::Minus, Moment::Geometric)));
            continue;
        }
        lines.formula(equal(&names.geometric, &rate(Side::Plus, Moment::Geometric)));
        if form == Form::CaviPublished {
            lines.formula(equal(&names.mean_rate, &rate(Side::Plus, Moment::Mean)));
            let variance = [
                format!("V[{}]", names.rate[0]),
                format!(r"\mathbb{{V}}[{}]", names.rate[1]),
            ];
            lines.formula(equal(&variance, &|style| variance_of(model, count, style)));
            lines.source("VI18, eq. 32–33");
            if shares_entries(count) {
                lines.words("  covariances of components that share an entry are left out");
            }
        }
    }
    if form != Form::CaviPublished {
        lines.words("while a run anneals, G[x]^(1−t) E[x]^t is taken for G[x] of a latent, t falling from 1 to 0");
    }
    lines
}

/// A Poisson count that is divided over the terms of its rate.
struct Divided {
    count: [String; 2],
    rate: [String; 2],
    geometric: [String; 2],
    terms: std::ops::Range<usize>,
}

impl Divided {
    /// The count, or both counts of a difference.
    fn all(model: &Model, count: &Count) -> Vec<Self> {
        let names = CellNames::new(model, count);
        let Some(sides) = names.sides else {
            return vec![Self {
                count: names.truth,
                rate: names.rate,
                geometric: names.geometric,
                terms: 0..count.terms.len(),
            }];
        };
        let each = [Side::Plus, Side::Minus].into_iter().enumerate();
        each.map(|(at, side)| Self {
            count: sides.count[at].clone(),
            rate: sides.rate[at].clone(),
            geometric: sides.geometric[at].clone(),
            terms: count.terms_of(side),
        })
        .collect()
    }
}

fn allocations(model: &Model, form: Form) -> Passage {
    let mut lines = Passage::default();
    let counts = model.counts.iter();
    for (count, divided) in counts.flat_map(|c| Divided::all(model, c).into_iter().map(move |of| (c, of))) {
        let is_whole = matches!(&count.terms[divided.terms.clone()], [only] if only.summed.is_empty());
        if is_whole {
            continue;
        }
        let letters = Letters::of(count);
        let truth = &divided.count[0];
        if form.is_gibbs() {
            lines.words(format!(
                "parts of {truth} | {truth} ~ Multinomial({truth}), with shares   [VI18, eq. 1]"
            ));
        } else {
            lines.words(format!(
                "q(parts of {truth} | {truth}) is multinomial   [VI18, eq. 2 and 3]"
            ));
        }
        for t in divided.terms.clone() {
            let term = &count.terms[t];
            lines.formula([0, 1].map(|at| {
                let style = STYLES[at];
                let part = allocation(count, t, &letters, style);
                let mut factors = known(model, term, &letters, style);
                match (form.is_gibbs(), style) {
                    (true, _) => {
                        let latents = term.factors.iter().filter(|f| is_latent(f));
                        factors.extend(latents.map(|f| access(model, f, &letters, style)));
                        let of = product(&factors, style);
                        match style {
                            Style::Unicode => format!("  {part}:  {of} / {}", divided.rate[0]),
                            Style::Latex => format!(
                                r"({part}) \mid {} \sim \mathrm{{Multinomial}}\left({},\ {of} / {}\right)",
                                divided.count[1], divided.count[1], divided.rate[1]
                            ),
                        }
                    }
                    (false, _) => {
                        factors.extend(random(model, term, &letters, Moment::Geometric, style));
                        let of = product(&factors, style);
                        let [left, total] = [&part, &divided.count[at]].map(|y| moment(y, Moment::Mean, style));
                        let space = if style == Style::Unicode { " " } else { r" \, " };
                        format!("{left} = {total}{space}{of} / {}", divided.geometric[at])
                    }
                }
            }));
        }
    }
    lines
}

fn latents(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    for turn in &derivation.schedule {
        let update = match *turn {
            Turn::Latent(latent) | Turn::Forwards(latent, _) => &derivation.updates[latent.0],
            Turn::Tables(shape) | Turn::Backwards(shape, _) => {
                if form.is_gibbs() {
                    let [unicode, latex] = STYLES.map(|style| tables(derivation, shape, style));
                    let [[law, exposure], [law_latex, exposure_latex]] = [unicode, latex];
                    lines.formula([law, law_latex]);
                    lines.source("Zhou and Carin 2015");
                    lines.formula([exposure, exposure_latex]);
                    if let Some(order) = backwards(model, shape) {
                        lines.words(format!("  {order}"));
                    }
                }
                continue;
            }
        };
        let of = match form.is_gibbs() {
            true => &update.conditional,
            false => &update.posterior,
        };
        lines.formula(STYLES.map(|style| statement(model, of, !form.is_gibbs(), style)));
        let remarks = in_sequence(model, update).into_iter().chain(own_update(model, update));
        remarks.for_each(|remark| lines.words(format!("  {remark}")));
    }
    let is_shifted = |index: &Index| index.lookup.as_ref().is_some_and(|lookup| lookup.array().is_none());
    if model.vars().any(is_shifted) {
        lines.words(
            "what would be before the first time or after the last is left out: a term of a sum, a factor of a product",
        );
    }
    match form {
        Form::Gibbs if moves(derivation) => {
            lines.words("after a sweep: joint moves with every count summed out, as `Gibbs::moves` says");
        }
        Form::GibbsAugmented if !derivation.symmetries.is_empty() => {
            lines.words("after a sweep: moves along scale symmetries alone, unless `Gibbs::moves` is `Nothing`");
        }
        _ => {}
    }
    lines
}

/// Whether some latent takes part in joint moves.
fn moves(derivation: &DerivedModel) -> bool {
    derivation.updates.iter().any(|update| {
        let latent = &derivation.model.latents[update.latent.0];
        let is_gamma = update.conditional.law.family.is_gamma();
        let from = |wanted: fn(&Origin) -> bool| update.conditional.statistic().iter().any(|part| wanted(&part.from));
        let in_rates = from(|origin| matches!(origin, Origin::Rate(_)));
        let in_priors = from(|origin| matches!(origin, Origin::Child(_)));
        let in_shapes = derivation.model.is_in_shape(update.latent);
        is_gamma && in_rates && !in_priors && !in_shapes && latent.own.is_none()
    })
}

fn bound(derivation: &DerivedModel, form: Form) -> Passage {
    let (model, mut lines) = (&derivation.model, Passage::default());
    match form {
        Form::Gibbs | Form::GibbsAugmented => {
            lines.words("none: the chain draws from the posterior");
            return lines;
        }
        Form::CaviPublished => {
            lines.words("none: these steps ascend no bound, and a run ends when E[μ] settles");
            return lines;
        }
        Form::Cavi | Form::CaviAugmented => {}
    }
    lines.formula(STYLES.map(|style| elbo(model, style)));
    lines.words("sums are over observed cells");
    let own: Vec<String> = derivation
        .updates
        .iter()
        .filter_map(|update| model.latents[update.latent.0].own.as_ref())
        .map(|path| {
            path.segments
                .iter()
                .map(|s| s.ident.to_string())
                .collect::<Vec<_>>()
                .join("::")
        })
        .collect();
    lines.words(match &own[..] {
        [] => "it never falls once annealing has ended".to_owned(),
        own => format!(
            "it never falls once annealing has ended, if {} never lowers it",
            own.join(" or ")
        ),
    });
    lines
}

/// `ELBO = Σ L − KL(q(θ) ‖ p(θ)) + E[ln p(x | parents)] − E[ln q(x)]`
fn elbo(model: &Model, style: Style) -> String {
    let at = usize::from(style == Style::Latex);
    let mut terms: Vec<String> = Vec::new();
    for count in &model.counts {
        let vars: Vec<_> = count.free_vars().collect();
        let names = CellNames::new(model, count);
        let vars: Vec<_> = match &count.total {
            None => vars,
            Some(total) => vars.into_iter().filter(|var| *var != total.along).collect(),
        };
        if matches!(&count.total, Some(total) if matches!(total.of, TotalOf::Count(_))) {
            // What is said of it is part of the line whose cell its total is.
            continue;
        }
        let bound = match &count.total {
            None => names.bound[at].clone(),
            Some(_) => totals::bound(model, count, style),
        };
        let each = sum(&Letters::of(count).list(&vars), &bound, style);
        terms.push(if terms.is_empty() { each } else { format!(" + {each}") });
    }
    for latent in &model.latents {
        let name = symbol(&latent.name.to_string(), style);
        let mut parents: Vec<String> = Vec::new();
        for (parent, _) in latent.parents() {
            let parent = symbol(&model.latents[parent.0].name.to_string(), style);
            if !parents.contains(&parent) {
                parents.push(parent);
            }
        }
        let parents = parents.join(", ");
        terms.push(match (parents.is_empty(), style) {
            (true, Style::Unicode) => format!(" − KL(q({name}) ‖ p({name}))"),
            (true, Style::Latex) => format!(r" - \mathrm{{KL}}\left(q({name}) \,\|\, p({name})\right)"),
            (false, Style::Unicode) => format!(" + E[ln p({name} | {parents})] − E[ln q({name})]"),
            (false, Style::Latex) => {
                format!(r" + \mathbb{{E}}[\ln p({name} \mid {parents})] - \mathbb{{E}}[\ln q({name})]")
            }
        });
    }
    let elbo = if style == Style::Unicode {
        "ELBO"
    } else {
        r"\mathrm{ELBO}"
    };
    format!("{elbo} = {}", terms.concat())
}
