//! What a run holds in memory, summed before it starts.

use crate::contract::{BlockSizes, Ways};
use crate::error::Error;
use crate::memory::Memory;
use crate::model::{Latent, Model};

use super::ascent::bytes_of_leaps;
use super::keep::{KeepRates, Kept, KeptLatent};
use super::monitored::MONITORED;
use super::moves::{bytes_per_entry, bytes_per_row};
use super::settings::{Cavi, CaviForm, Gibbs, Moves};
use crate::view::{View, bytes_of_slopes, lanes_at_a_time};

/// What the memory of a run follows from. Sizes are floats, which do not overflow: they are summed before anybody has
/// checked them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Load {
    /// Numbers that the rates of all counts hold.
    pub numbers: f64,
    /// The latents.
    pub latents: Vec<KeptLatent>,
    /// Entries of the latents whose shapes are learned.
    pub learned: f64,
    /// Entries of the latents that are in their own shapes.
    pub in_time: f64,
    pub counts: Vec<CountLoad>,
}

/// Bytes that a sweep holds for each entry of a latent with a learned shape: its table count (4), and its exposure there, the shape twice,
/// the exposure of the latent and its counts with those of tables (8 each), which a block of draws reads again.
const BYTES_OF_TABLES: f64 = 52.0;

/// What is held besides where tables are drawn backwards in time: the shape, the cell of every entry, the counts before, what comes from later
/// times, and the weights once more (8 each).
const BYTES_OF_TIMES: f64 = 40.0;

/// One count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CountLoad {
    pub name: &'static str,
    /// Rows and columns of its cells, and the length of the inner index.
    pub product: [f64; 3],
    /// Numbers that each lane of rows has for itself.
    pub lane: f64,
    /// Numbers that a pass has in another order.
    pub turned: f64,
    /// Whether those of columns are formed at cells.
    pub by_cell: bool,
    /// Whether true counts are known.
    pub exact: bool,
    /// Whether blocks are multiplied whole.
    pub dense: bool,
    /// Cells that are visited.
    pub visited: f64,
    /// Bytes of the auxiliary variables of a chain, and of the variational parameters of a start.
    pub auxiliary: [f64; 2],
    /// Held-out cells that are scored.
    pub scored: f64,
}

/// `3.2`, `41`
fn short(ratio: f64) -> String {
    match ratio < 10.0 {
        true => format!("{ratio:.1}"),
        false => format!("{ratio:.0}"),
    }
}

impl CountLoad {
    pub fn cells(&self) -> f64 {
        self.product[..2].iter().product()
    }

    /// Multiplications of one product of the rates that are computed: those of `moves::plan::work`, by which moves are chosen.
    fn work(&self) -> f64 {
        let inner = self.product[2];
        match self.dense {
            true => self.cells() * inner,
            false => self.visited * inner,
        }
    }

    /// Rows and columns.
    fn lines(&self) -> f64 {
        let [rows, cols, _] = self.product;
        rows + cols
    }

    fn ways(&self, visited: f64) -> Ways {
        Ways {
            cells: self.cells().max(1.0),
            visited,
            inner: self.product[2],
            exact: self.exact,
        }
    }

    /// Whether blocks are multiplied whole where so many cells are visited, or weigh otherwise than most.
    pub fn is_dense(&self, visited: f64) -> bool {
        self.ways(visited).is_dense()
    }

    /// By which way cells are gone over, and how much more work a sweep or an iteration would be by the other, where latents have so many
    /// entries.
    pub fn way(&self, entries: f64) -> String {
        let ratio = self.ways(self.visited).stored_over_blocks(entries);
        let (way, other) = match self.dense {
            _ if self.by_cell => return "by visited cells: operands are formed at each, and not held".to_owned(),
            true => (
                "blocks of cells",
                format!("visited cells one by one would be {} times the work", short(ratio)),
            ),
            false => (
                "visited cells",
                format!("blocks of all cells would be {} times the work", short(ratio.recip())),
            ),
        };
        format!("by {way}: operands are formed for each, and not held; {other}")
    }

    /// Buffers of the passes on so many threads: sums of what columns reach and some blocks for each lane at a time.
    fn lanes(&self, threads: usize) -> f64 {
        let [rows, cols, _] = self.product;
        let sizes = BlockSizes::default();
        let block = rows.min(sizes.rows as f64) * cols.min(sizes.cols as f64);
        let blocks = if self.dense { 3.0 * block } else { 0.0 };
        8.0 * lanes_at_a_time(rows, threads) * (self.lane + blocks)
    }

    /// Latents in another order: values once, and sums for each lane at a time.
    fn in_another_order(&self, threads: usize) -> f64 {
        let [rows, ..] = self.product;
        8.0 * (1.0 + lanes_at_a_time(rows, threads)) * self.turned
    }

    /// Cells whose mean rate is kept. `small` is whether every count is.
    fn kept(&self, rates: &KeepRates, small: bool) -> f64 {
        match rates {
            KeepRates::All => self.cells(),
            KeepRates::Auto if small => self.cells(),
            KeepRates::Auto | KeepRates::Nothing => 0.0,
            KeepRates::HeldOut => self.scored,
            KeepRates::At(cells) => cells.len() as f64,
        }
    }
}

impl Load {
    pub fn of(model: &dyn Model) -> Self {
        let latents = model.latents();
        let spec = model.bound().spec();
        let entries = |(latent, of): (usize, &Latent)| KeptLatent {
            name: of.name,
            number: of.shape.iter().map(|n| *n as f64).product(),
            per_cell: spec.per_cell(latent),
        };
        Self {
            numbers: model.bound().numbers(),
            latents: latents.iter().enumerate().map(entries).collect(),
            learned: model.bound().entries_with_tables() as f64,
            in_time: model.bound().entries_in_time() as f64,
            counts: model
                .views()
                .into_iter()
                .enumerate()
                .map(|(at, view)| of_view(model, at, view))
                .collect(),
        }
    }

    fn entries(&self) -> f64 {
        self.latents.iter().map(|of| of.number).sum()
    }

    /// What one chain or start holds of rates and passes, if so many threads work on it.
    fn passes(&self, threads: usize) -> f64 {
        let lanes = self.counts.iter().map(|count| count.lanes(threads));
        8.0 * self.numbers + lanes.sum::<f64>()
    }

    /// What joint moves hold for each chain, and once for all chains, which share the tables of slopes.
    fn moves(&self, moves: Moves) -> [f64; 2] {
        let work = self.counts.iter().map(CountLoad::work).sum();
        let each = bytes_per_entry(moves, work);
        // A latent has no more slices in cells of their own than a count has rows and columns, nor than it has entries.
        let lines: f64 = self.counts.iter().map(CountLoad::lines).sum();
        let rows: f64 = self.latents.iter().map(|of| of.number.min(lines)).sum();
        let tables = self.counts.iter().map(|count| bytes_of_slopes(count.visited));
        let slopes = if each > 0.0 { tables.sum() } else { 0.0 };
        let of_rows = bytes_per_row(moves, work);
        // A move of rows keeps the values of its latent, to go back to them.
        let largest = self.latents.iter().map(|of| of.number).fold(0.0, f64::max);
        let saved = if of_rows > 0.0 { 8.0 * largest } else { 0.0 };
        [each * self.entries() + of_rows * rows + saved, slopes]
    }

    /// What a Gibbs run with `chains` chains holds besides its data.
    ///
    /// # Errors
    /// A latent or count of which something is to be kept and that the model does not have.
    pub fn gibbs(&self, settings: &Gibbs, chains: usize) -> Result<Memory, Error> {
        let (each, draws) = (chains as f64, settings.num_draws as f64);
        let kept = settings.keep.of_latents(&self.latents, each * draws)?;
        let small = self.counts.iter().all(|count| count.cells() <= KeepRates::SMALL as f64);
        let mut memory = Memory::default();
        // Chains share the threads.
        let threads = settings.num_threads.unwrap_or_else(rayon::current_num_threads);
        let threads = threads.div_ceil(chains.max(1));
        // An ascent holds them, too; without them its plan is a quarter above the peak already.
        let turned: f64 = self.counts.iter().map(|count| count.in_another_order(threads)).sum();
        let passes = self.passes(threads) + turned;
        memory.add("rates of the chains", each * passes);
        memory.add("latents and their counts", each * 16.0 * self.entries());
        if self.learned > 0.0 {
            // Table counts are handed down to arrays of the size of all latents.
            let tables = 8.0 * self.entries() + BYTES_OF_TABLES * self.learned + BYTES_OF_TIMES * self.in_time;
            memory.add("table counts of learned shapes", each * tables);
        }
        let [moves, slopes] = self.moves(settings.moves);
        memory.add("joint moves", each * moves + slopes);
        memory.add(
            "auxiliary variables",
            each * self.counts.iter().map(|count| count.auxiliary[0]).sum::<f64>(),
        );
        for (KeptLatent { name, number, .. }, kept) in self.latents.iter().zip(kept) {
            match kept {
                Kept::Draws => memory.add(format!("draws of `{name}`"), 8.0 * each * draws * number),
                Kept::Moments => memory.add(format!("moments of `{name}`"), 16.0 * each * number),
                Kept::Last => memory.add(format!("last draws of `{name}`"), 8.0 * each * number),
                Kept::Nothing => {}
            }
            if matches!(kept, Kept::Moments | Kept::Last) {
                memory.add(format!("most probable draw of `{name}`"), 8.0 * each * number);
            }
        }
        let names: Vec<&str> = self.counts.iter().map(|count| count.name).collect();
        for (count, rates) in self.counts.iter().zip(settings.keep.of_rates(&names)?) {
            // For each chain, and once more as an array of the shape of the count.
            let cells = count.kept(rates, small);
            memory.add(format!("mean rates of `{}`", count.name), 8.0 * (each + 1.0) * cells);
            let monitored = count.cells().min(MONITORED as f64);
            memory.add(
                format!("monitored rates and scores of `{}`", count.name),
                each * (8.0 * draws * (monitored + 2.0) + 24.0 * count.scored),
            );
        }
        if settings.checkpoint.is_some() {
            // A copy of every chain's state and of what it has kept, and one more of a chain that hands in its next.
            let rates = each * passes + each * 8.0 * self.entries();
            let copied = (memory.total() - rates) / each;
            memory.add("the checkpoint", (each + 1.0) * copied);
        }
        Ok(memory)
    }

    /// What a variational run holds besides its data, with `starts` starts at a time.
    pub fn cavi(&self, settings: &Cavi, starts: usize) -> Memory {
        let each = starts as f64;
        let mut memory = Memory::default();
        // At means, at geometric means, and as published at two more.
        let passes = if settings.form == CaviForm::Published { 4.0 } else { 2.0 };
        let threads = settings.num_threads.unwrap_or_else(rayon::current_num_threads);
        let share = threads.div_ceil(starts.max(1));
        memory.add("rates", each * passes * self.passes(share));
        // Shape, rate, mean, geometric mean, counts, what is expected at.
        memory.add("posteriors", each * 48.0 * self.entries());
        if settings.form == CaviForm::Collapsed {
            memory.add("leaps of the ascent", each * bytes_of_leaps(self.entries()));
        }
        memory.add(
            "auxiliary parameters",
            each * self.counts.iter().map(|count| count.auxiliary[1]).sum::<f64>(),
        );
        if settings.start.samples(settings.num_restarts) && settings.form != CaviForm::Published {
            // A chain is gone before its ascent begins; the tables stay.
            let [moves, slopes] = self.moves(Moves::Auto);
            let auxiliary = self.counts.iter().map(|count| count.auxiliary[0]).sum::<f64>();
            let chain = self.passes(share) + 16.0 * self.entries() + moves + auxiliary;
            memory.add(
                "chains of the starts",
                (each * chain - memory.total()).max(0.0) + slopes,
            );
        }
        let scored = self.counts.iter().map(|count| count.scored).sum::<f64>();
        // Four parts of the draws, the pooled score, and factors and rates at one draw.
        let drawing = if scored > 0.0 {
            8.0 * (self.entries() + self.numbers)
        } else {
            0.0
        };
        memory.add("scores of held-out cells", (4.0 * 16.0 + 24.0) * scored + drawing);
        if settings.num_restarts > 1 {
            // Of every worker the best start so far: its posteriors, and its rates.
            memory.add("the best starts", each * (16.0 * self.entries() + 8.0 * self.numbers));
        }
        if settings.checkpoint.is_some() {
            let auxiliary = self.counts.iter().map(|count| count.auxiliary[1]).sum::<f64>();
            // Mean, geometric mean, shape and rate of every start, and once more of one that hands in its next.
            memory.add(
                "the checkpoint",
                (settings.num_restarts as f64 + each) * (32.0 * self.entries() + auxiliary),
            );
        }
        memory
    }
}

fn of_view(model: &dyn Model, count: usize, view: &View) -> CountLoad {
    let grid = view.grid();
    CountLoad {
        name: view.name(),
        product: [grid.rows, grid.cols, grid.inner].map(|n| n as f64),
        lane: model.bound().lane(count),
        turned: model.bound().turned(count),
        by_cell: view.is_by_cell(),
        exact: view.is_exact(),
        dense: view.is_dense(),
        visited: view.visited() as f64,
        auxiliary: view.auxiliary_bytes().map(|bytes| bytes as f64),
        scored: view.num_scored() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::super::keep::Keep;
    use super::*;

    fn load() -> Load {
        Load {
            learned: 0.0,
            in_time: 0.0,
            numbers: 1000.0,
            latents: [("theta", 1e6), ("phi", 10.0)]
                .map(|(name, number)| KeptLatent {
                    name,
                    number,
                    per_cell: false,
                })
                .to_vec(),
            counts: vec![CountLoad {
                name: "y",
                product: [100.0, 50.0, 5.0],
                lane: 250.0,
                turned: 0.0,
                by_cell: false,
                exact: false,
                dense: false,
                visited: 500.0,
                auxiliary: [7.0, 9.0],
                scored: 0.0,
            }],
        }
    }

    #[test]
    fn the_largest_part_says_what_to_change() {
        let mut memory = Memory::default();
        memory.add("rates of the chains", 1e6);
        memory.add("draws of `phi`", 1e18);
        memory.add("nothing", 0.0);
        assert_eq!(memory.parts().count(), 2);
        let error = memory.afford("this run").unwrap_err().to_string();
        assert!(
            error.contains("draws of `phi` take") && error.contains("keep moments"),
            "{error}"
        );
        assert!(memory.to_string().contains("in all"));
    }

    #[test]
    fn what_is_kept_is_counted_for_every_chain() {
        let bytes = |keep: Keep, chains: usize, part: &str| {
            let settings = Gibbs {
                num_draws: 10,
                keep,
                ..Gibbs::default()
            };
            let memory = load().gibbs(&settings, chains).unwrap();
            memory.parts().find(|(what, _)| *what == part).map(|(_, bytes)| bytes)
        };
        let draws = Keep::default().latent("theta", Kept::Draws);
        assert_eq!(bytes(draws, 3, "draws of `theta`"), Some(8.0 * 3.0 * 10.0 * 1e6));
        // Ten draws of a million numbers in two chains are 160 MB, which is more than is kept unasked.
        assert_eq!(bytes(Keep::default(), 2, "moments of `theta`"), Some(16.0 * 2.0 * 1e6));
        assert_eq!(
            bytes(Keep::default(), 2, "most probable draw of `theta`"),
            Some(8.0 * 2.0 * 1e6)
        );
        assert_eq!(bytes(Keep::default(), 2, "most probable draw of `phi`"), None);
        assert_eq!(bytes(Keep::default(), 2, "mean rates of `y`"), Some(8.0 * 3.0 * 5000.0));
        let none = Keep::default().rates(KeepRates::Nothing).latent("theta", Kept::Nothing);
        assert_eq!(bytes(none.clone(), 2, "mean rates of `y`"), None);
        assert_eq!(bytes(none.clone(), 2, "moments of `theta`"), None);
        assert_eq!(bytes(none, 2, "most probable draw of `theta`"), None);
    }

    /// Without trajectories a chain holds numbers for each row that is scaled on its own, of which a latent has no more than
    /// the count has rows and columns; and the values of the largest latent once more, to go back to.
    #[test]
    fn moves_of_rows_are_counted_by_row() {
        let levels = load().moves(Moves::Levels { every: 1 });
        assert_eq!(levels, [64.0 * (150.0 + 10.0) + 8.0 * 1e6, 0.0]);
        assert_eq!(load().moves(Moves::Nothing), [0.0; 2]);
        // So small a model has trajectories, and a number of eight bytes ten times for each entry.
        assert_eq!(load().moves(Moves::Auto)[0], 80.0 * (1e6 + 10.0));
    }
}
