//! What each name of a declaration stands for.

use syn::Ident;

use super::model::*;
use crate::diagnostics::{Diagnostic, Sink, nearest};
use crate::syntax::{Bind, Declaration, Domain, Item, Place, no_domain};

/// What a name stands for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Meaning {
    Set(SetId),
    Hyper(HyperId),
    /// A known array, and whether it was declared as a hyperparameter.
    Data(DataId, bool),
    Latent(LatentId),
    Count,
    Let(usize),
    /// Declared by a statement that could not be parsed, and reported there.
    Broken,
}

impl Meaning {
    pub(super) fn noun(&self) -> &'static str {
        match self {
            Meaning::Set(_) => "an index set",
            Meaning::Hyper(_) => "a hyperparameter",
            Meaning::Data(_, false) => "a data array",
            Meaning::Data(_, true) => "a hyperparameter",
            Meaning::Latent(_) => "a latent",
            Meaning::Count => "a count",
            Meaning::Let(_) => "a definition",
            Meaning::Broken => "declared by a statement with a mistake",
        }
    }
}

/// Every name of a declaration, first come first served; a second use is reported.
#[derive(Debug)]
pub(super) struct Names {
    all: Vec<(Ident, Meaning)>,
    /// Sets over which each latent, then each data array, is declared, for messages about indices.
    pub latent_binds: Vec<Vec<Bind>>,
    pub data_binds: Vec<Vec<Bind>>,
    /// The index set of which the entries of each data array are positions, if they are.
    pub data_positions: Vec<Option<Ident>>,
    /// Every count with its indices, in order.
    pub count_binds: Vec<(Ident, Vec<Bind>)>,
    /// The numbers and arrays without fractions, which may be totals.
    pub whole: Vec<Ident>,
    /// Whether each index set is ordered.
    pub ordered: Vec<bool>,
    /// Whether some name could not be read: one that is not found may be that.
    nameless: bool,
}

/// Names of methods and fields that are generated for every model.
const RESERVED: [&str; 31] = [
    "new",
    "exact",
    "naive",
    "bind",
    "bind_with",
    "gibbs",
    "gibbs_with_checks",
    "predictive_check",
    "predictive_draws",
    "rate_draws",
    "cavi",
    "labels",
    "plan",
    "derivation",
    "derivation_of",
    "generated",
    "graph",
    "factors",
    "rate",
    "elbo",
    "trace",
    "restarts",
    "iterations",
    "converged",
    "sweeps",
    "collapse",
    "sizes",
    "with_data",
    "clone",
    "seed",
    "sum",
];

impl Names {
    pub fn collect(declaration: &Declaration, sink: &mut Sink) -> Self {
        let mut names = Self {
            all: Vec::new(),
            latent_binds: Vec::new(),
            data_binds: Vec::new(),
            data_positions: Vec::new(),
            count_binds: Vec::new(),
            whole: Vec::new(),
            ordered: Vec::new(),
            nameless: false,
        };
        let (mut sets, mut hypers, mut data, mut latents, mut lets) = (0, 0, 0, 0, 0);
        let next = |n: &mut usize| {
            *n += 1;
            *n - 1
        };
        for item in &declaration.items {
            match item {
                Item::Index(all) => all.iter().for_each(|s| {
                    names.ordered.push(s.ordered);
                    names.add(&s.name, Meaning::Set(SetId(next(&mut sets))), sink);
                }),
                Item::Hyper(all) => {
                    for hyper in all {
                        if hyper.domain == Domain::Whole {
                            names.whole.push(hyper.name.clone());
                        }
                        // One with indices is a known array like any other.
                        if hyper.binds.is_empty() {
                            names.add(&hyper.name, Meaning::Hyper(HyperId(next(&mut hypers))), sink);
                        } else {
                            names.add(&hyper.name, Meaning::Data(DataId(next(&mut data)), true), sink);
                            names.data_binds.push(hyper.binds.clone());
                            names.data_positions.push(None);
                        }
                    }
                }
                Item::Data(d) => {
                    if d.domain == Domain::Whole && d.positions.is_none() {
                        names.whole.push(d.name.clone());
                    }
                    names.add(&d.name, Meaning::Data(DataId(next(&mut data)), false), sink);
                    names.data_binds.push(d.binds.clone());
                    names.data_positions.push(d.positions.clone());
                }
                Item::Latent(l) => {
                    names.add(&l.name, Meaning::Latent(LatentId(next(&mut latents))), sink);
                    names.latent_binds.push(l.binds.clone());
                }
                Item::Count(c) => {
                    names.add(&c.name, Meaning::Count, sink);
                    names.count_binds.push((c.name.clone(), c.binds.clone()));
                }
                Item::Let(l) => names.add(&l.name, Meaning::Let(next(&mut lets)), sink),
                Item::Release(_) | Item::Update(_) | Item::Broken { .. } => {}
            }
        }
        // Last, so that they do not stand in the way of a name that was declared without mistakes.
        for item in &declaration.items {
            if let Item::Broken {
                names: broken,
                nameless,
            } = item
            {
                names.nameless |= nameless;
                let known = |name: &Ident| names.all.iter().any(|(known, _)| known == name);
                let new: Vec<_> = broken.iter().filter(|name| !known(name)).cloned().collect();
                names.all.extend(new.into_iter().map(|name| (name, Meaning::Broken)));
            }
        }
        names
    }

    fn add(&mut self, name: &Ident, meaning: Meaning, sink: &mut Sink) {
        let word = name.to_string();
        if RESERVED.contains(&word.as_str()) || word.starts_with("__") || word.starts_with("freeze_") {
            let list: Vec<String> = RESERVED.iter().map(|r| format!("`{r}`")).collect();
            sink.push(
                Diagnostic::new(name.span(), format!("`{name}` cannot name {}", meaning.noun()))
                    .why(format!(
                        "the name is taken by what is generated for every model: {}, and all that begin with `__` or `freeze_`",
                        list.join(", ")
                    ))
                    .help(format!("choose another name, such as `my_{}`", word.trim_start_matches('_'))),
            );
        }
        if let Some((_, other)) = self.all.iter().find(|(known, _)| known == name) {
            let other = other.noun();
            sink.push(
                Diagnostic::new(name.span(), format!("`{name}` is declared twice"))
                    .why(format!("it is {other} already, and names of one model share one space"))
                    .help(format!("rename one of the two: `{name}2`")),
            );
        }
        let symbol = |name: &Ident| skellam_formula::symbol(&name.to_string()).to_owned();
        let alike = |known: &Ident| known != name && symbol(known) == symbol(name);
        if let Some((other, _)) = self.all.iter().find(|(known, _)| alike(known)) {
            sink.push(
                Diagnostic::new(name.span(), format!("`{name}` and `{other}` are printed alike"))
                    .why(format!("formulas write both as {}", symbol(name)))
                    .help(format!("rename one of the two: `{name}2`")),
            );
        }
        self.all.push((name.clone(), meaning));
    }

    /// Whether something is called `start`, or begins so and goes on with `_`.
    pub fn begins(&self, start: &str) -> bool {
        let mut names = self.all.iter().map(|(known, _)| known.to_string());
        names.any(|known| {
            known
                .strip_prefix(start)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
        })
    }

    /// What `name` stands for. One that was declared twice may be either, and its uses are not reported.
    pub fn get(&self, name: &Ident) -> Option<&Meaning> {
        let mut found = self.all.iter().filter(|(known, _)| known == name).map(|(_, m)| m);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => Some(&Meaning::Broken),
            (first, _) => first,
        }
    }

    /// What `name` is, unless it is nothing or was reported.
    pub fn noun(&self, name: &Ident) -> Option<&'static str> {
        self.get(name).filter(|m| **m != Meaning::Broken).map(Meaning::noun)
    }

    /// Whether a name that is not found may be one that could not be read: it is then reported only if it is
    /// near one of `known`.
    fn excused(&self, name: &Ident, known: &[String]) -> bool {
        self.nameless && nearest(&name.to_string(), known.iter().map(String::as_str)).is_none()
    }

    /// Names whose meaning `is` true for.
    fn known(&self, is: impl Fn(&Meaning) -> bool) -> Vec<String> {
        self.all
            .iter()
            .filter(|(_, m)| is(m))
            .map(|(n, _)| n.to_string())
            .collect()
    }

    /// The index set called `name`; none for one that was reported.
    pub fn set(&self, name: &Ident, sink: &mut Sink) -> Option<SetId> {
        if name == "_" || name == Bind::UNTOLD {
            return None;
        }
        match self.get(name) {
            Some(Meaning::Set(id)) => Some(*id),
            Some(Meaning::Broken) => None,
            Some(other) => {
                let sets = self.known(|m| matches!(m, Meaning::Set(_)));
                let listed: Vec<String> = sets.iter().map(|set| format!("`{set}`")).collect();
                sink.push_once(
                    Diagnostic::new(name.span(), format!("`{name}` is {}, not an index set", other.noun()))
                        .why("an index runs over an index set, which a statement with `index` declares")
                        .help(match &listed[..] {
                            [] => "declare one: `index docs;`".into(),
                            listed => format!("use {}", listed.join(" or ")),
                        }),
                );
                None
            }
            None => {
                let sets = self.known(|m| matches!(m, Meaning::Set(_)));
                if self.excused(name, &sets) {
                    return None;
                }
                let found = Diagnostic::new(name.span(), format!("unknown index set `{name}`"))
                    .why("an index runs over an index set, which a statement with `index` declares")
                    .help(format!("declare it: `index {name};`"));
                sink.push_once(found.suggest(&name.to_string(), sets.iter().map(String::as_str)));
                None
            }
        }
    }

    /// Binds in order; those over unknown sets and those of one name are reported and poisoned.
    pub fn binds(&self, binds: &[Bind], sink: &mut Sink) -> Vec<Index> {
        let mut indices: Vec<Index> = Vec::new();
        for bind in binds {
            let twice = bind.var != "_" && indices.iter().any(|i| i.name == bind.var);
            if twice {
                sink.push(
                    Diagnostic::new(bind.var.span(), format!("index `{}` is bound twice", bind.var))
                        .why("each index of a bracket runs on its own, over its own set")
                        .help(format!(
                            "give this one another name, such as `{0}2 in {1}`",
                            bind.var, bind.set
                        )),
                );
            }
            if bind.is_untold() {
                sink.push(self.untold(&bind.var));
            }
            let set = match self.set(&bind.set, sink) {
                Some(set) if !twice => set,
                _ => SetId::UNKNOWN,
            };
            indices.push(Index::new(bind.var.clone(), set));
        }
        indices
    }

    /// The message for an index that a declaration binds without its set.
    fn untold(&self, var: &Ident) -> Diagnostic {
        let word = var.to_string();
        let sets = self.known(|m| matches!(m, Meaning::Set(_)));
        let letter: String = word.chars().take(1).collect();
        let begins: Vec<&String> = sets.iter().filter(|set| set.starts_with(&word)).collect();
        let help = match (sets.contains(&word), &begins[..], &sets[..]) {
            (true, ..) => format!("`{word} in {word}`, or a shorter name for the index: `{letter} in {word}`"),
            (false, [set], _) => format!("`{word} in {set}`"),
            (false, _, []) => format!("`{word} in docs`, with `index docs;`"),
            (false, _, sets) => {
                let each: Vec<String> = sets.iter().map(|set| format!("`{word} in {set}`")).collect();
                each.join(" or ")
            }
        };
        Diagnostic::new(var.span(), format!("which index set does `{word}` run over?"))
            .why("the brackets of a declaration bind indices, each to its set by `in`")
            .help(help)
    }

    /// The index set of which the entries of `array` are positions: any other word instead of its domain is reported.
    pub fn positions(&self, array: &Ident, set: &Ident, sink: &mut Sink) -> SetId {
        match self.get(set) {
            Some(Meaning::Set(id)) => return *id,
            Some(Meaning::Broken) => {}
            _ => sink.push(no_domain(array, set)),
        }
        SetId::UNKNOWN
    }

    /// Whether the entries of an array are positions in an index set.
    pub fn holds_positions(&self, array: DataId) -> bool {
        let set = self.data_positions[array.0].as_ref();
        set.is_some_and(|set| matches!(self.get(set), Some(Meaning::Set(_))))
    }

    /// The names of all arrays of positions.
    pub fn arrays_of_positions(&self) -> Vec<String> {
        self.known(|m| matches!(m, Meaning::Data(id, _) if self.holds_positions(*id)))
    }

    /// Position among `indices` of the index along which a latent is a simplex; past their end if there
    /// is none, which is reported.
    pub fn along(&self, along: &Ident, latent: &Ident, indices: &[Index], sink: &mut Sink) -> usize {
        let found = indices.iter().position(|i| i.name == *along);
        if found.is_none() {
            let list: Vec<String> = indices.iter().map(|i| format!("`{}`", i.name)).collect();
            let mistake = Diagnostic::new(along.span(), format!("`{along}` is not an index of `{latent}`"))
                .why("a Dirichlet factor sums to one along one of its own indices");
            let written = indices.iter().any(|i| i.name == "_");
            if written {
                return indices.len();
            }
            sink.push(match &list[..] {
                [] => mistake.help(format!(
                    "give it an index: `latent {latent}[{along} in ..] ~ Dirichlet(..)`"
                )),
                list => mistake.help(format!("`along` is one of {}", list.join(", "))),
            });
        }
        found.unwrap_or(indices.len())
    }

    /// The message for a name that stands for nothing, in a rate or in a prior; none where it was reported
    /// already.
    pub fn unknown(&self, name: &Ident, place: &str) -> Option<Diagnostic> {
        let known = self.known(|m| !matches!(m, Meaning::Set(_) | Meaning::Count | Meaning::Broken));
        if self.excused(name, &known) {
            return None;
        }
        let declare = match place {
            "a rate" => {
                format!("`latent {name}[..] ~ Gamma(shape = .., rate = ..);` or `data {name}[..]: positive;`")
            }
            _ => format!("`hyper {name}: positive = 1.0;`"),
        };
        let unknown = Diagnostic::new(name.span(), format!("unknown name `{name}`"))
            .why("a product is made of what the model declares: latents, data, hyperparameters and definitions")
            .help(format!("declare it: {declare}"));
        Some(unknown.suggest(&name.to_string(), known.iter().map(String::as_str)))
    }

    /// A count as known numbers: their declaration, and how they are read at the indices `at`.
    fn as_data(&self, count: &Ident, at: &[Place], called: &str) -> String {
        let declared = self.count_binds.iter().find(|(known, _)| known == count);
        let sets = declared
            .map_or(&[][..], |(_, binds)| binds)
            .iter()
            .map(|bind| bind.set.to_string());
        let indices: Vec<String> = at.iter().map(|place| place.name().to_string()).collect();
        let over = indices.iter().zip(sets).map(|(index, set)| format!("{index} in {set}"));
        let over: Vec<String> = over.collect();
        format!(
            "`data {called}[{}]: nonnegative;` and `{called}[{}]`",
            over.join(", "),
            indices.join(", ")
        )
    }

    /// The message for a `release` of something that is not a count; none where it was reported already.
    pub fn not_a_count(&self, name: &Ident) -> Option<Diagnostic> {
        Some(match self.get(name) {
            Some(Meaning::Broken) => return None,
            Some(other) => Diagnostic::new(
                name.span(),
                format!("`{name}` is {}: only counts are released", other.noun()),
            )
            .why("a release is what was published of a count; everything else is never observed")
            .help(self.one_of(
                |m| *m == Meaning::Count,
                "release",
                "by TwoSidedGeometric",
                "count y[..] ~ Poisson(..);",
            )),
            None => {
                let counts = self.known(|m| matches!(m, Meaning::Count));
                if self.excused(name, &counts) {
                    return None;
                }
                Diagnostic::new(name.span(), format!("unknown count `{name}`"))
                    .why("a release is what was published of a count, which a statement with `count` declares")
                    .help(format!("declare it: `count {name}[..] ~ Poisson(..);`"))
                    .suggest(&name.to_string(), counts.iter().map(String::as_str))
            }
        })
    }

    /// The message for an `update` of something that is not a latent; none where it was reported already.
    pub fn not_a_latent(&self, name: &Ident) -> Option<Diagnostic> {
        Some(match self.get(name) {
            Some(Meaning::Broken) => return None,
            Some(other) => Diagnostic::new(
                name.span(),
                format!("`{name}` is {}: only latents are updated", other.noun()),
            )
            .why("everything else is known or observed")
            .help(self.one_of(
                |m| matches!(m, Meaning::Latent(_)),
                "update",
                "by Mine",
                "latent theta[..] ~ Gamma(shape = .., rate = ..);",
            )),
            None => {
                let latents = self.known(|m| matches!(m, Meaning::Latent(_)));
                if self.excused(name, &latents) {
                    return None;
                }
                Diagnostic::new(name.span(), format!("unknown latent `{name}`"))
                    .why("an update changes a latent, which a statement with `latent` declares")
                    .help(format!(
                        "declare it: `latent {name}[..] ~ Gamma(shape = .., rate = ..);`"
                    ))
                    .suggest(&name.to_string(), latents.iter().map(String::as_str))
            }
        })
    }

    /// `keyword name rest` for the names whose meaning `is` true for; `declare` if there is none.
    fn one_of(&self, is: impl Fn(&Meaning) -> bool, keyword: &str, rest: &str, declare: &str) -> String {
        let known = self.known(is);
        match &known[..] {
            [] => format!("`{declare}`"),
            known => {
                let each: Vec<String> = known.iter().map(|name| format!("`{keyword} {name} {rest};`")).collect();
                each.join(" or ")
            }
        }
    }

    /// The message for a name that cannot be part of a rate or of a prior, with what stands in its brackets.
    pub fn not_a_factor(&self, name: &Ident, meaning: &Meaning, at: &[Place], place: &str) -> Diagnostic {
        Diagnostic::new(
            name.span(),
            format!("`{name}` is {}: it cannot be part of {place}", meaning.noun()),
        )
        .why("a product is made of latents, data, hyperparameters, numbers and definitions")
        .help(match meaning {
            Meaning::Count if place == "a rate" => {
                let is_earlier = at.iter().any(|place| matches!(place, Place::Shift { .. }));
                let known = self.as_data(name, at, if is_earlier { "lag" } else { "x" });
                match is_earlier {
                    true => format!("earlier counts that are known are data: {known}"),
                    false => {
                        format!("let the two counts share a latent, `theta[d]` in the rate of each; as known numbers: {known}")
                    }
                }
            }
            Meaning::Count => "a latent in its place: `rate = xi[d]`".to_string(),
            _ => format!("`sum(k in {name}) ..` sums over it"),
        })
    }

    /// Name of an index set.
    pub fn set_name(&self, id: SetId) -> String {
        let is = |(_, m): &&(Ident, Meaning)| *m == Meaning::Set(id);
        self.all
            .iter()
            .find(is)
            .map_or_else(String::new, |(name, _)| name.to_string())
    }
}
