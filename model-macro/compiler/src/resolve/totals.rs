//! Totals of counts: what they are, and whether a rate sums to one.

use syn::Ident;

use super::count::*;
use super::model::*;
use super::names::{Meaning, Names};
use crate::diagnostics::{Diagnostic, Sink};
use crate::syntax::{self, Bind};

/// The total of the count called `count`, whose free indices are `vars`; none if it has a mistake, which is reported.
pub(super) fn total(
    total: &syntax::Total,
    along: &Ident,
    count: &Ident,
    vars: &[Index],
    names: &Names,
    sink: &mut Sink,
) -> Option<Total> {
    let (of, binds) = meaning(total, names, sink)?;
    let place = |index: &Ident| vars.iter().position(|var| var.name == *index).map(VarId);
    let form = |binds: &[Bind]| {
        let all: Vec<String> = binds.iter().map(|bind| bind.var.to_string()).collect();
        match all.is_empty() {
            true => format!("`{}`", total.name),
            false => format!("`{}[{}]`", total.name, all.join(", ")),
        }
    };
    let Some(axis) = place(along) else {
        let list: Vec<String> = vars.iter().map(|var| format!("`{}`", var.name)).collect();
        sink.push(
            Diagnostic::new(along.span(), format!("`{along}` is not an index of `{count}`"))
                .why("the counts along one of its own indices add up to the total")
                .help(format!("use {}", list.join(" or "))),
        );
        return None;
    };
    if total.indices.len() != binds.len() {
        let what = format!(
            "`{}` has {} indices here, and {} in its declaration",
            total.name,
            total.indices.len(),
            binds.len()
        );
        sink.push(
            Diagnostic::new(total.name.span(), what)
                .why("each line of counts has one total")
                .help(form(&binds)),
        );
        return None;
    }
    let mut found = Vec::new();
    for (index, bind) in total.indices.iter().zip(&binds) {
        let expected = names.set(&bind.set, sink)?;
        let mistake = |what: String, help: String| {
            Diagnostic::new(index.span(), what)
                .why("a total is that of one line, named by the other indices of the count")
                .help(help)
        };
        match place(index) {
            Some(var) if var == axis => {
                let what = format!("`{count}` adds up along `{index}`: its total does not have that index");
                sink.push(mistake(what, format!("a total without `{index}`")));
                return None;
            }
            Some(var) if vars[var.0].set == SetId::UNKNOWN => return None,
            Some(var) if vars[var.0].set != expected => {
                let of = names.set_name(vars[var.0].set);
                let what = format!(
                    "index `{index}` runs over `{of}`, but `{}` has `{}` here",
                    total.name, bind.set
                );
                sink.push(mistake(what, form(&binds)));
                return None;
            }
            Some(var) if found.contains(&var) => {
                sink.push(mistake(format!("`{index}` is used twice"), form(&binds)));
                return None;
            }
            Some(var) => found.push(var),
            None => {
                sink.push(mistake(format!("`{index}` is not an index of `{count}`"), form(&binds)));
                return None;
            }
        }
    }
    Some(Total {
        of,
        vars: found,
        along: axis,
        span: total.name.span(),
    })
}

/// What a total is, and the indices of its declaration.
fn meaning(total: &syntax::Total, names: &Names, sink: &mut Sink) -> Option<(TotalOf, Vec<Bind>)> {
    let name = &total.name;
    let why = "a total is a known whole number, an array of whole numbers, or another count";
    let help = format!("`total {name};`, `data {name}[..]: whole;` or `hidden {name}[..] ~ ..;`");
    let is_whole = names.whole.contains(name);
    let what = match names.get(name) {
        Some(Meaning::Hyper(id)) if is_whole => return Some((TotalOf::Hyper(*id), Vec::new())),
        Some(Meaning::Data(id, _)) if is_whole => {
            return Some((TotalOf::Data(*id), names.data_binds[id.0].clone()));
        }
        Some(Meaning::Count) => {
            let mut counts = names.count_binds.iter().enumerate();
            let found = counts.find(|(_, (count, _))| count == name);
            return found.map(|(number, (_, binds))| (TotalOf::Count(number), binds.clone()));
        }
        Some(Meaning::Broken) => return None,
        Some(Meaning::Hyper(_) | Meaning::Data(..)) => {
            format!("`{name}` may have fractions, and a total is a whole number")
        }
        Some(other) => format!("`{name}` is {}, not a total", other.noun()),
        None => format!("unknown total `{name}`"),
    };
    sink.push(Diagnostic::new(name.span(), what).why(why).help(help));
    None
}

/// What is left of a rate that does not sum to one.
#[derive(Debug, Clone)]
pub enum Remainder {
    /// It is a sum of several products.
    Terms,
    /// Numbers or hyperparameters stand before it.
    Coefficient,
    /// A factor that no sum takes away.
    Factor(Access),
    /// An index that is summed over, and along which no simplex of the product sums to one.
    Sum(VarId),
}

/// Whether the rate of a count sums to one along an index whatever the values of its latents; or what is left.
///
/// A simplex along an index that no other factor carries sums to one along it and is gone; then another may be alone along an index that
/// the rate sums over.
pub fn sums_to_one(model: &Model, count: &Count, along: VarId) -> Result<(), Remainder> {
    let [term] = &count.terms[..] else {
        return Err(Remainder::Terms);
    };
    if !term.coefficient.is_one() {
        return Err(Remainder::Coefficient);
    }
    let simplex = |access: &Access| match access.of {
        Source::Latent(id) => model.latents[id.0].along().map(|along| access.vars[along]),
        Source::Data(_) | Source::Hyper(_) => None,
    };
    let mut left: Vec<&Access> = term.factors.iter().collect();
    let mut sums = vec![along];
    sums.extend(&term.summed);
    while let Some((at, sum)) = left.iter().enumerate().find_map(|(at, access)| {
        let var = simplex(access)?;
        let sum = sums.iter().position(|of| *of == var)?;
        let others = left.iter().enumerate().filter(|(other, _)| *other != at);
        let is_alone = others.into_iter().all(|(_, other)| !count.vars.depends(other, var));
        let is_once = access.vars.iter().filter(|of| **of == var).count() == 1;
        (is_alone && is_once && count.vars.lookup(var).is_none()).then_some((at, sum))
    }) {
        left.remove(at);
        sums.remove(sum);
    }
    match (left.first(), sums.first()) {
        (Some(access), _) => Err(Remainder::Factor((*access).clone())),
        (None, Some(var)) => Err(Remainder::Sum(*var)),
        (None, None) => Ok(()),
    }
}
