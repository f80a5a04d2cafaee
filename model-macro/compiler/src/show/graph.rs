//! The model as a factor graph in DOT.

use std::fmt::Write;

use super::conditional::parts;
use super::formula::cells;
use super::totals::total_name;
use crate::derive::DerivedModel;
use crate::resolve::{Channel, Source, TotalOf};

/// Latents as circles, known arrays as diamonds, counts as boxes; an edge for every factor of a rate or of a
/// prior. Names are quoted: one of them may be `node`.
pub fn graph(derivation: &DerivedModel) -> String {
    let model = &derivation.model;
    let mut dot = format!(
        "digraph \"{}\" {{\n  rankdir = LR;\n  node [fontname = \"sans-serif\"];\n",
        model.name
    );
    let label = |name: &syn::Ident, indices: &[crate::resolve::Index]| {
        let list: Vec<String> = indices
            .iter()
            .map(|i| format!("{} in {}", i.name, model.set(i.set)))
            .collect();
        if list.is_empty() {
            name.to_string()
        } else {
            format!("{name}\\n[{}]", list.join(", "))
        }
    };
    // Writing to a string cannot fail.
    for latent in &model.latents {
        let _ = writeln!(
            dot,
            "  \"{}\" [shape = circle, label = \"{}\"];",
            latent.name,
            label(&latent.name, &latent.indices)
        );
    }
    for data in &model.data {
        let _ = writeln!(
            dot,
            "  \"{}\" [shape = diamond, label = \"{}\"];",
            data.name,
            label(&data.name, &data.indices)
        );
    }
    for latent in &model.latents {
        let mut seen = Vec::new();
        let learned = model
            .shapes
            .iter()
            .filter(|shape| model.latents[shape.of.0].name == latent.name);
        let shape = learned.flat_map(|shape| &shape.tables.terms);
        for factor in latent.prior.terms.iter().chain(shape).flat_map(|t| &t.factors) {
            if !seen.contains(&factor.of) && !matches!(factor.of, Source::Hyper(_)) {
                seen.push(factor.of);
                let from = model.name_of(factor.of);
                let _ = writeln!(dot, "  \"{from}\" -> \"{}\";", latent.name);
            }
        }
    }
    for (number, count) in model.counts.iter().enumerate() {
        let name = &count.name;
        let free = &count.vars[..count.free];
        let observed = matches!(count.channel, Channel::Exact);
        if let Some(total) = &count.total {
            let from = total_name(model, total);
            let node = format!("  \"{from}\" [shape = diamond, label = \"{from}\"];\n");
            if matches!(total.of, TotalOf::Hyper(_)) && !dot.contains(&node) {
                dot.push_str(&node);
            }
            let _ = writeln!(dot, "  \"{from}\" -> \"{name}\" [label = \"total\"];");
        }
        let style = if observed {
            ", style = filled, fillcolor = lightgrey"
        } else {
            ""
        };
        let rates = derivation.divisions_of(number);
        let rates: Vec<String> = rates.map(|of| parts(model, &of.rate)).collect();
        let _ = writeln!(
            dot,
            "  \"{name}\" [shape = box{style}, label = \"{}\\n{}\"];",
            label(name, free) + &cells(count),
            rates.join("\\n− ")
        );
        let mut seen = Vec::new();
        for factor in count.terms.iter().flat_map(|t| &t.factors) {
            if !seen.contains(&factor.of) && !matches!(factor.of, Source::Hyper(_)) {
                seen.push(factor.of);
                let from = model.name_of(factor.of);
                let _ = writeln!(dot, "  \"{from}\" -> \"{name}\";");
            }
        }
        if let Channel::Released(path) = &count.channel {
            let mechanism = path.segments.last().map_or_else(String::new, |s| s.ident.to_string());
            let _ = writeln!(
                dot,
                "  \"{name} released\" [shape = box, style = filled, fillcolor = lightgrey, label = \"released {name}\"];"
            );
            let _ = writeln!(dot, "  \"{name}\" -> \"{name} released\" [label = \"{mechanism}\"];");
        }
    }
    dot.push_str("}\n");
    dot
}
