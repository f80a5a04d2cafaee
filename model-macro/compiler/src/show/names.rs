//! What a model calls the quantities of a cell.

use super::formula::{Letters, indexed, symbol};
use crate::derive::DerivedModel;
use crate::resolve::{Channel, Count, Model, VarId};

/// The names of what is at a cell of one count, with their indices.
#[derive(Debug, Clone, PartialEq)]
pub struct CellNames {
    /// The true count.
    pub truth: String,
    /// What was observed.
    pub observed: String,
    /// The rate.
    pub rate: String,
    /// Its mean under q.
    pub mean_rate: String,
    /// The rate at geometric means.
    pub geometric: String,
    /// The smaller of the two Poisson counts that a noise makes of the observation.
    pub minimum: String,
    /// What the noise adds, what it takes away, and either.
    pub noise: [String; 3],
    /// Their rates.
    pub level: [String; 3],
    /// The rate of count and noise that add up.
    pub total: String,
    /// The argument of a Bessel law.
    pub argument: String,
    /// What the cell adds to a bound.
    pub bound: String,
    /// The two counts of a difference; `None` for any other count.
    pub sides: Option<SideNames>,
}

/// The names of what is on the two sides of a difference of counts: plus, minus, either.
#[derive(Debug, Clone, PartialEq)]
pub struct SideNames {
    /// The counts.
    pub count: [String; 3],
    /// Their rates.
    pub rate: [String; 3],
    /// The same at geometric means.
    pub geometric: [String; 3],
}

const SIGNS: [&str; 3] = ["⁺", "⁻", "±"];

impl CellNames {
    /// The names for `count`, changed where the model uses them.
    pub fn new(model: &Model, count: &Count) -> Self {
        let named = |names: &[&'static str]| of_cell(model, count, fresh(model, names), "");
        let signed = |names: &[&'static str]| {
            let name = fresh(model, names);
            SIGNS.map(|sign| of_cell(model, count, name, sign))
        };
        let rate = mean(model, count);
        let of_count = format!("{}_{}", fresh(model, &["L", "bound"]), count.name);
        let bound = match &model.counts[..] {
            [_] => fresh(model, &["L", "bound"]),
            _ => &of_count,
        };
        Self {
            truth: truth(count),
            observed: observed(model, count),
            mean_rate: format!("E[{rate}]"),
            rate,
            geometric: named(&["rho", "r", "geometric"]),
            minimum: named(&["m", "smaller"]),
            noise: signed(&["g", "noise"]),
            level: signed(&["lambda", "level"]),
            total: named(&["S", "total"]),
            argument: named(&["z", "argument"]),
            bound: cell(count, bound),
            sides: count.is_difference().then(|| SideNames::new(model, count)),
        }
    }
}

impl SideNames {
    /// The names for a difference.
    pub fn new(model: &Model, count: &Count) -> Self {
        let signed = |name: &str| SIGNS.map(|sign| of_cell(model, count, name, sign));
        Self {
            count: SIGNS.map(|sign| with_sign(count, &count.name.to_string(), sign)),
            rate: signed(fresh(model, &["mu", "rate"])),
            geometric: signed(fresh(model, &["rho", "r", "geometric"])),
        }
    }
}

/// `y[d,v]`, or another name at the indices of the count.
fn cell(count: &Count, name: &str) -> String {
    indexed(name, &letters(count))
}

fn letters(count: &Count) -> Vec<String> {
    let vars: Vec<VarId> = count.free_vars().collect();
    Letters::of(count).list(&vars)
}

/// `g⁺[d,v]`
fn with_sign(count: &Count, name: &str, sign: &str) -> String {
    cell(count, &format!("{}{sign}", symbol(name)))
}

/// `ρ[d,v]`, with signs or without; `ρ_y[d,v]` where another count has cells of the same indices, and so the same formula.
fn of_cell(model: &Model, count: &Count, name: &str, sign: &str) -> String {
    match has_twin(model, count) {
        false => with_sign(count, name, sign),
        true => with_sign(count, &format!("{}_{}", symbol(name), count.name), sign),
    }
}

/// Whether the cells of another count are named by the same letters, or run over the same index sets.
fn has_twin(model: &Model, count: &Count) -> bool {
    let of = |count: &Count| {
        let vars = &count.vars[..count.free];
        let mut letters: Vec<String> = vars.iter().map(|index| index.name.to_string()).collect();
        letters.sort_unstable();
        (letters, vars.iter().map(|index| index.set).collect::<Vec<_>>())
    };
    let (letters, sets) = of(count);
    let mut others = model.counts.iter().filter(|other| other.name != count.name).map(of);
    others.any(|(other, over)| other == letters || over == sets)
}

/// The true count of a cell: `y[d,v]`.
pub fn truth(count: &Count) -> String {
    cell(count, &count.name.to_string())
}

/// Its rate: `mu`, unless the model calls something else that.
pub(super) fn mean(model: &Model, count: &Count) -> String {
    of_cell(model, count, fresh(model, &["mu", "rate"]), "")
}

/// The weight of a cell: `w`, unless the model calls something else that, or something that begins with it.
fn weight_name(model: &Model) -> &'static str {
    fresh(model, &["w", "omega", "weight", "w'"])
}

/// The weight of a cell of one count, or of a table count of a shape that is learned.
pub fn weight_of(model: &Model, count: usize) -> String {
    match count.checked_sub(model.counts.len()) {
        None if model.counts.len() == 1 => weight_name(model).to_owned(),
        None => format!("{}_{}", weight_name(model), model.counts[count].name),
        Some(shape) => {
            let name = fresh(model, &["zeta", "log_exposure", "zeta'"]);
            match &model.shapes[..] {
                [_] => name.to_owned(),
                all => format!("{name}_{}", model.latents[all[shape].of.0].name),
            }
        }
    }
}

/// The weight of a cell at its indices: `w[d,v]`.
pub fn weight(model: &Model, count: usize) -> String {
    cell(model.count(count), &weight_of(model, count))
}

/// What the weight of a cell is.
pub fn weight_in_words(derivation: &DerivedModel, number: usize) -> String {
    let count = &derivation.model.counts[number];
    let is_alike = derivation.weighs_alike(number);
    let is_summed_out = derivation.cells[number].may_be_summed_out();
    let outside = match count.guards.is_empty() {
        true => "",
        false => " or outside of `where`",
    };
    match (&count.total, is_alike) {
        (Some(_), _) => format!("0 if it is held out{outside}, 1 if its count is drawn, expected or known"),
        (None, _) if !is_summed_out => format!("0 if it is held out{outside}, else 1"),
        (None, true) => format!(
            "0 if it is held out{outside}, else 1; if every Dirichlet latent that needs this is frozen, what its mechanism says where its count is summed out"
        ),
        (None, false) => format!(
            "0 if it is held out{outside}, 1 if its count is drawn, expected or known, what its mechanism says if its count is summed out"
        ),
    }
}

fn is_declared(model: &Model, name: &str) -> bool {
    declared(model).any(|known| symbol(&known) == symbol(name))
}

/// The declared names of a model.
fn declared(model: &Model) -> impl Iterator<Item = String> + '_ {
    let latents = model.latents.iter().map(|l| &l.name);
    let data = model.data.iter().map(|d| &d.name);
    let hypers = model.hypers.iter().map(|h| &h.name);
    let counts = model.counts.iter().map(|c| &c.name);
    let all = latents.chain(data).chain(hypers).chain(counts);
    all.map(ToString::to_string)
}

/// Whether an index is called so: of a count, of a latent, of a sum in a prior, or of an array.
fn is_letter(model: &Model, name: &str) -> bool {
    let of_latents = model.latents.iter().flat_map(|l| &l.indices);
    let of_data = model.data.iter().flat_map(|data| &data.indices);
    let mut all = model.vars().chain(of_latents).chain(of_data);
    all.any(|index| symbol(&index.name.to_string()) == symbol(name))
}

/// The first of some names that the model uses for nothing, and with which no declared name begins, as a declared `mu_y` must not look like the rate of `y`;
/// or the last of them.
pub(super) fn fresh(model: &Model, names: &[&'static str]) -> &'static str {
    let begins =
        |name: &str| declared(model).any(|known| known.strip_prefix(name).is_some_and(|rest| rest.starts_with('_')));
    let is_free = |name: &&&str| !is_declared(model, name) && !is_letter(model, name) && !begins(name);
    names.iter().find(is_free).or(names.last()).copied().unwrap_or("w")
}

/// What was observed: the count itself, or its release, which is called `c` where nothing else is.
fn observed(model: &Model, count: &Count) -> String {
    match count.channel {
        Channel::Exact | Channel::Hidden => truth(count),
        Channel::Released(_) if fresh(model, &["c", ""]) == "c" => of_cell(model, count, "c", ""),
        Channel::Released(_) => with_sign(count, &count.name.to_string(), "'"),
    }
}
