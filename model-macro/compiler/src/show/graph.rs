//! The model as a factor graph in DOT.

use std::fmt::Write;

use super::conditional::parts;
use super::formula::cells;
use super::totals::total_name;
use crate::derive::DerivedModel;
use crate::resolve::{Channel, LatentId, Source, Term, TotalOf};

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
    let edges = |dot: &mut String, terms: &mut dyn Iterator<Item = &Term>, to: &syn::Ident| {
        let mut seen = Vec::new();
        for factor in terms.flat_map(|term| &term.factors) {
            if !seen.contains(&factor.of) && !matches!(factor.of, Source::Hyper(_)) {
                seen.push(factor.of);
                let _ = writeln!(dot, "  \"{}\" -> \"{to}\";", model.name_of(factor.of));
            }
        }
    };
    for (id, latent) in model.latents.iter().enumerate() {
        let shape = model.shape_of(LatentId(id)).into_iter();
        let shape = shape.flat_map(|shape| &shape.tables.terms);
        edges(&mut dot, &mut latent.prior.terms.iter().chain(shape), &latent.name);
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
        edges(&mut dot, &mut count.terms.iter(), name);
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
