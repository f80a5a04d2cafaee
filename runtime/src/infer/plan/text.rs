//! A plan as it is printed.

use std::fmt;

use super::{CountPlan, Plan, short};

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
        for count in &self.counts {
            writeln!(f, "{count}    {}", count.way(self.entries()))?;
            if let Some([information, price]) = count.told {
                let price = short(price);
                writeln!(
                    f,
                    "    a release tells {information:.3} of its rate, and privacy costs {price} times more documents"
                )?;
            }
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
        for plan in self.counts.iter().filter(|count| count.passes_over) {
            let name = plan.count;
            match (plan.positive, plan.stored) {
                (Some(cells), _) => writeln!(f, "  with {cells} positive cells of `{name}`")?,
                (None, Some(cells)) => writeln!(f, "  with {cells} stored cells of `{name}`")?,
                (None, None) => writeln!(
                    f,
                    "  as if every cell of `{name}` were positive: where fewer are, add `.with_positive(\"{name}\", cells)?`"
                )?,
            }
        }
        writeln!(f, "  memory of the data\n{}", self.data())?;
        writeln!(f, "  memory of each chain\n{}", self.operands())?;
        write!(f, "  bytes of one draw of one chain\n{}", self.draw())?;
        match self.learns_shapes {
            true => write!(f, "\n  no `cavi`: with a learned shape no bound is known"),
            false => Ok(()),
        }
    }
}
