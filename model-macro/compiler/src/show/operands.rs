//! How a rate is computed, in words: the product of its operands, and what each of these is.

use super::formula::{Letters, first_times, indexed, product, scalar, sum};
use crate::derive::{Formed, FormedSlot, Operand};
use crate::resolve::{Count, Model, Side, VarId};

/// A line for the rate, or for either side of a difference, and one for each operand and inner node.
pub fn operands(model: &Model, count: &Count, formed: &Formed) -> Vec<String> {
    let of = Of {
        model,
        count,
        formed,
        letters: Letters::of(count),
    };
    let slots = || formed.slots.iter().enumerate();
    let line = |name: &str, side: Side| {
        let mine = slots().filter(|(_, slot)| count.side(slot.term) == side);
        let mine: Vec<String> = mine.map(|(at, slot)| of.product(at, slot)).collect();
        let free: Vec<VarId> = count.free_vars().collect();
        format!("{} = {}", of.indexed(name, &free), mine.join(" + "))
    };
    let mut lines = match count.is_difference() {
        false => vec![line("rate", Side::Plus)],
        true => vec![line("rate⁺", Side::Plus), line("rate⁻", Side::Minus)],
    };
    let nodes = formed.nodes.iter().enumerate();
    let nodes = nodes.filter(|(_, node)| node.read().is_none());
    lines.extend(nodes.map(|(at, node)| {
        let name = of.indexed(&format!("node{at}"), &node.vars);
        let summed = Vec::from_iter(node.summed);
        format!("  {name} = {}", of.sum(&summed, &node.factors))
    }));
    for (at, slot) in slots() {
        for right in [false, true] {
            let (name, made) = (
                of.name(at, slot, right),
                of.sum(&slot.below[usize::from(right)], slot.side(right)),
            );
            lines.push(format!("  {name} = {made}"));
        }
    }
    lines
}

struct Of<'a> {
    model: &'a Model,
    count: &'a Count,
    formed: &'a Formed,
    letters: Letters,
}

impl Of<'_> {
    fn indexed(&self, name: &str, vars: &[VarId]) -> String {
        indexed(name, &self.letters.list(vars))
    }

    /// `left[d,k]`, or `left2[d,k]` of several terms.
    fn name(&self, at: usize, slot: &FormedSlot, right: bool) -> String {
        let name = if right { "right" } else { "left" };
        let number = if self.formed.slots.len() > 1 {
            (at + 1).to_string()
        } else {
            String::new()
        };
        let own = self.formed.indices(self.count, right);
        let vars: Vec<VarId> = own.into_iter().chain(slot.inner.iter().copied()).collect();
        self.indexed(&format!("{name}{number}"), &vars)
    }

    fn product(&self, at: usize, slot: &FormedSlot) -> String {
        let both = [false, true].map(|right| self.name(at, slot, right));
        sum(&self.letters.list(&slot.inner), &product(&both))
    }

    fn sum(&self, over: &[VarId], factors: &[Operand]) -> String {
        let factors: Vec<String> = factors.iter().map(|factor| self.factor(factor)).collect();
        sum(&self.letters.list(over), &product(&factors))
    }

    fn factor(&self, of: &Operand) -> String {
        match (of, of.leaf()) {
            (Operand::Scalar(of), _) => product(&scalar(self.model, of)),
            (Operand::Buffer(node), _) => match self.formed.nodes[*node].read() {
                Some(read) => self.factor(read),
                None => self.indexed(&format!("node{node}"), &self.formed.nodes[*node].vars),
            },
            (_, Some((source, at))) => {
                let read = self.indexed(&self.model.name_of(source).to_string(), at);
                match of {
                    Operand::Started(_, _, start) => {
                        let time = &self.letters.list(&[start.var])[0];
                        format!("{} {read}", first_times(time, start.until))
                    }
                    _ => read,
                }
            }
            (_, None) => String::new(),
        }
    }
}
