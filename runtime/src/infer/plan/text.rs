//! A plan as it is printed.

use std::fmt;

use super::{CountPlan, Plan};
use crate::infer::settings::{Cavi, Gibbs};

impl fmt::Display for CountPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  count {}: {} cells", self.count, self.cells)?;
        for line in self.sides.lines() {
            writeln!(f, "    {line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "plan of {}", self.model)?;
        let load = self.load(false);
        let entries = load.latents.iter().map(|latent| latent.number).sum();
        for (count, load) in self.counts.iter().zip(&load.counts) {
            writeln!(f, "{count}    {}", load.way(entries))?;
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
        let mut most = "memory";
        for (at, count) in self.counts.iter().enumerate().filter(|(at, _)| self.passes_over[*at]) {
            let name = count.count;
            match (self.positive[at], self.stored[at]) {
                (Some(cells), _) => writeln!(f, "  with {cells} positive cells of `{name}`")?,
                (None, Some(cells)) => writeln!(f, "  with {cells} stored cells of `{name}`")?,
                (None, None) => {
                    most = "at most, memory";
                    writeln!(
                        f,
                        "  as if every cell of `{name}` were positive: where fewer are, add `.with_positive(\"{name}\", cells)?`"
                    )?;
                }
            }
        }
        if let Ok(memory) = self.gibbs(&Gibbs::default()) {
            writeln!(f, "  {most} of `gibbs` at its defaults\n{memory}")?;
        }
        match self.load.learned > 0.0 {
            true => write!(f, "  no `cavi`: with a learned shape no bound is known"),
            false => write!(f, "  {most} of `cavi` at its defaults\n{}", self.cavi(&Cavi::default())),
        }
    }
}
