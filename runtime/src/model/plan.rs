//! What would run: layouts and their costs.

use std::fmt;

use crate::contract::SPARSE_COST;
use crate::error::Error;

/// A layout of a contraction tree and what it costs at given sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct LayoutCost {
    /// The layout in words: the product at the root, then its steps.
    pub tree: &'static str,
    /// Products at the root: batches, rows, columns and inner length.
    pub product: [f64; 4],
    /// Multiplications of one product at the root, were every cell computed.
    pub root: f64,
    /// Multiplications below the root in a sweep.
    pub below: f64,
    /// Numbers held.
    pub memory: f64,
}

/// Products at the root in a sweep.
const ROOT_PRODUCTS: f64 = 5.0;
/// What holding a number costs, in multiplications.
const NUMBER: f64 = 2.0;

/// The cheapest of some layouts for data of which a fraction `density` of the cells is visited.
pub fn cheapest(layouts: &[LayoutCost], density: f64) -> usize {
    let total =
        |l: &LayoutCost| ROOT_PRODUCTS * l.root * (SPARSE_COST * density).min(1.0) + l.below + NUMBER * l.memory;
    (0..layouts.len())
        .min_by(|&a, &b| total(&layouts[a]).total_cmp(&total(&layouts[b])))
        .unwrap_or(0)
}

/// Refuses sizes whose operands this machine cannot hold, before anything is multiplied or allocated.
///
/// # Errors
///
/// [`Error::TooLarge`] with the bytes it would take.
pub fn affordable(name: &'static str, layout: &LayoutCost) -> Result<(), Error> {
    let bytes = BYTES * layout.memory;
    // Sizes as `usize` are safe to multiply where their products as floats are far below its range.
    let addressable = bytes.max(layout.root) < isize::MAX as f64;
    // Asking is the only way to know; what is granted goes back at once.
    if addressable && Vec::<u8>::new().try_reserve_exact(bytes as usize).is_ok() {
        Ok(())
    } else {
        Err(Error::TooLarge {
            name: name.into(),
            bytes,
        })
    }
}

/// Operands and seeds, eight bytes each.
const BYTES: f64 = 16.0;

/// What a model would do at given sizes. `Display` is meant to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The model.
    pub model: &'static str,
    /// The counts in the order of declaration.
    pub counts: Vec<CountPlan>,
    /// The updates in the order in which they run.
    pub updates: Vec<String>,
    /// Multiplications of a dense sweep.
    pub multiplications: f64,
    /// Bytes held besides the data: factors, operands, nodes.
    pub bytes: f64,
}

/// How the rates of one count would be computed.
#[derive(Clone, Debug, PartialEq)]
pub struct CountPlan {
    /// The count.
    pub count: &'static str,
    /// The layout that was chosen, from 0.
    pub layout: usize,
    /// How many layouts there were to choose from.
    pub layouts: usize,
    /// The layout in words.
    pub tree: &'static str,
    /// Cells of the data.
    pub cells: f64,
    /// Products at the root: batches, rows, columns and inner length.
    pub product: [f64; 4],
}

impl Plan {
    /// The plan of some counts: for each its name, its layouts and which of them was chosen. `numbers` is how
    /// many numbers the latents hold.
    pub fn new(
        model: &'static str,
        counts: &[(&'static str, &[LayoutCost], usize)],
        updates: &[&str],
        numbers: f64,
    ) -> Self {
        let chosen = counts.iter().map(|(_, costs, layout)| &costs[*layout]);
        Self {
            model,
            updates: updates.iter().map(|u| (*u).to_string()).collect(),
            multiplications: chosen.clone().map(|cost| ROOT_PRODUCTS * cost.root + cost.below).sum(),
            // Operands are held twice, once as seeds; factors as values and as counts.
            bytes: BYTES * (chosen.map(|cost| cost.memory).sum::<f64>() + numbers),
            counts: counts
                .iter()
                .map(|&(count, costs, layout)| CountPlan {
                    count,
                    layout,
                    layouts: costs.len(),
                    tree: costs[layout].tree,
                    cells: costs[layout].product[..3].iter().product(),
                    product: costs[layout].product,
                })
                .collect(),
        }
    }
}

impl fmt::Display for CountPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [batch, rows, cols, inner] = self.product;
        writeln!(
            f,
            "  count {}: {} cells, layout {} of {}",
            self.count,
            self.cells,
            self.layout + 1,
            self.layouts
        )?;
        for line in self.tree.lines() {
            writeln!(f, "    {line}")?;
        }
        let times = if batch > 1.0 {
            format!("{batch} products")
        } else {
            "one product".to_string()
        };
        writeln!(f, "    at the root {times} of {rows} x {inner} by {inner} x {cols}")
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan of {}", self.model)?;
        for count in &self.counts {
            write!(f, "{count}")?;
        }
        writeln!(f, "  updates, in this order")?;
        for update in &self.updates {
            writeln!(f, "    {update}")?;
        }
        writeln!(
            f,
            "  at most {:.2e} multiplications a sweep, were every cell visited",
            self.multiplications
        )?;
        write!(f, "  {:.1} MiB besides the data", self.bytes / f64::from(1 << 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_count_is_listed_and_costs_add_up() {
        let cost = |tree, cols| LayoutCost {
            tree,
            product: [1.0, 10.0, cols, 3.0],
            root: 30.0 * cols,
            below: 7.0,
            memory: 100.0,
        };
        let (first, second) = ([cost("a tree", 4.0), cost("another", 5.0)], [cost("a third", 6.0)]);
        let plan = Plan::new(
            "Topics",
            &[("y", &first, 1), ("z", &second, 0)],
            &["theta by Gamma"],
            50.0,
        );
        assert_eq!(plan.multiplications, 5.0 * 30.0 * 11.0 + 14.0);
        assert_eq!(plan.bytes, 16.0 * 250.0);
        let text = plan.to_string();
        assert!(
            text.starts_with("plan of Topics\n  count y: 50 cells, layout 2 of 2\n    another\n"),
            "{text}"
        );
        assert!(
            text.contains("  count z: 60 cells, layout 1 of 1\n    a third\n"),
            "{text}"
        );
        assert_eq!(text.matches("updates, in this order").count(), 1);
    }
}
