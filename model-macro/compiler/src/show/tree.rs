//! A layout in words: its product at the root, and the steps below.

use super::formula::{Letters, first_times, indexed, product, scalar, side_by_side, sum};
use crate::derive::{Layout, Operand, Step, Target};
use crate::resolve::{Count, Model, Side, VarId};

/// The whole layout, a line for the root and one for each step.
pub fn layout(model: &Model, count: &Count, layout: &Layout) -> String {
    let letters = Letters::of(count);
    let free: Vec<VarId> = count.free_vars().collect();
    let terms: Vec<String> = (0..layout.slots.len())
        .map(|slot| {
            let place = |target| target_name(layout, target, &letters);
            let mut factors = vec![place(Target::Left(slot)), place(Target::Right(slot))];
            if layout.slots[slot].weighted {
                factors.insert(0, place(Target::Weight(slot)));
            }
            sum(&letters.list(&layout.slots[slot].inner), &product(&factors))
        })
        .collect();
    let line = |name: &str, side: Side| {
        let mine = layout
            .slots
            .iter()
            .zip(&terms)
            .filter(|(slot, _)| count.side(slot.term) == side);
        let mine: Vec<&str> = mine.map(|(_, term)| term.as_str()).collect();
        let name = indexed(name, &letters.list(&free));
        format!("{name} = {}", mine.join(" + "))
    };
    let mut lines = match count.is_difference() {
        false => vec![line("rate", Side::Plus)],
        true => vec![line("rate⁺", Side::Plus), line("rate⁻", Side::Minus)],
    };
    lines.extend(
        layout
            .steps
            .iter()
            .map(|s| format!("  {}", step(model, count, layout, s))),
    );
    lines.join("\n")
}

/// `left[d,k] = theta[d,k]`
pub fn step(model: &Model, count: &Count, layout: &Layout, step: &Step) -> String {
    let letters = Letters::of(count);
    let summed: Vec<VarId> = step.axes.iter().filter(|a| !a.out).map(|a| a.var).collect();
    let operands: Vec<String> = [&step.left, &step.right]
        .into_iter()
        .filter(|o| **o != Operand::One)
        .map(|o| match o {
            Operand::Latent(id, vars) => indexed(&model.latents[id.0].name.to_string(), &letters.list(vars)),
            Operand::Data(id, vars) => indexed(&model.data[id.0].name.to_string(), &letters.list(vars)),
            Operand::Buffer(b) => target_name(layout, Target::Buffer(*b), &letters),
            Operand::Scalar(s) => side_by_side(scalar(model, s)),
            Operand::Started(..) | Operand::One => String::new(),
        })
        .collect();
    let start = step
        .start
        .map(|start| side_by_side(vec![first_times(&letters.list(&[start.var])[0], start.until)]));
    let operands: Vec<String> = start.into_iter().chain(operands).collect();
    let body = sum(&letters.list(&summed), &product(&operands));
    format!("{} = {body}", target_name(layout, step.target, &letters))
}

fn target_name(layout: &Layout, target: Target, letters: &Letters) -> String {
    let several = layout.slots.len() > 1;
    let (name, slot) = match target {
        Target::Left(slot) => ("left", Some(slot)),
        Target::Right(slot) => ("right", Some(slot)),
        Target::Weight(slot) => ("weight", Some(slot)),
        Target::Buffer(_) => ("node", None),
    };
    let name = match (slot, target) {
        (Some(slot), _) if several => format!("{name}{}", slot + 1),
        (_, Target::Buffer(b)) => format!("{name}{b}"),
        _ => name.to_string(),
    };
    indexed(&name, &letters.list(&layout.stored(target)))
}
