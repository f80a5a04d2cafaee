//! Dense data: blocks of rows x columns, whose operands are formed for them.
//!
//! Rows are cut in the lanes of [`crate::view::lanes`]. For each block of columns the right operand is formed once, and lanes run
//! beside each other, each through its blocks of rows. What they pull back to the columns is added in the order of the lanes and
//! handed down before the next block of columns begins, so that results do not depend on threads, and a lane holds no more of the
//! right operand than a block has. What is pulled back to rows waits in its lane for the end.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::contract::{At, Block, BlockSizes, Rate, Tile, add};
use crate::parallel::{Task, in_parallel};
use crate::view::View;
use crate::view::door::Run;
use crate::view::lanes::{LaneWork, lanes};
use crate::view::runs::LEAST_RATE;

use super::receive::Receive;

/// To which operands a pass pulls numbers back.
#[derive(Clone, Copy)]
pub(super) struct Pulls {
    pub left: bool,
    pub right: bool,
}

impl Pulls {
    pub const BOTH: Self = Self {
        left: true,
        right: true,
    };
    pub const NOTHING: Self = Self {
        left: false,
        right: false,
    };
    pub const LEFT: Self = Self {
        left: true,
        right: false,
    };
    pub const RIGHT: Self = Self {
        left: false,
        right: true,
    };
}

/// Cells of a lane, with their operands.
pub(super) struct TileCells<'a> {
    /// Which cells.
    pub block: Block,
    /// The number of the block in its lane, in the order of the rows; of one row, in that of the columns.
    pub number: usize,
    /// The number of the lane.
    pub lane: usize,
    /// The operands of the block.
    pub tile: Tile<'a>,
    view: &'a View,
    /// The visited cells of each row, by number.
    visited: &'a [Range<usize>],
}

impl<'a> TileCells<'a> {
    /// The runs of visited cells, with the number of their row in the block.
    pub fn runs(&self) -> impl Iterator<Item = (usize, Run<'a>)> + use<'a> {
        let (first, col) = (self.block.rows.start, &self.view.cells.col);
        let runs = self.visited.iter().enumerate();
        runs.filter(|(_, visited)| !visited.is_empty())
            .map(move |(i, visited)| {
                let run = Run {
                    first: visited.start,
                    row: first + i,
                    cols: &col[visited.clone()],
                };
                (i, run)
            })
    }

    /// Where the columns of a run lie in the block.
    pub fn places<'r>(&self, run: Run<'r>) -> impl Iterator<Item = usize> + Clone + use<'r> {
        let first = self.block.cols.start;
        run.cols.iter().map(move |&col| col as usize - first)
    }

    /// The rates of all cells of the block under another rate.
    pub fn rates_of(&self, rate: &dyn Rate, out: &mut Vec<f64>) {
        let (grid, inner) = (&self.view.grid, rate.inner());
        let rows: Vec<At> = self.block.rows.clone().map(|row| grid.row_at(row)).collect();
        let cols: Vec<At> = self.block.cols.clone().map(|col| grid.col_at(col)).collect();
        let [mut left, mut right] = [&rows, &cols].map(|places| vec![0.0; places.len() * inner]);
        rate.lefts(&rows, &mut left);
        rate.rights(&cols, &mut right);
        let tile = Tile {
            left: &left,
            right: &right,
            inner,
            size: self.tile.size,
        };
        tile.rates(out);
    }

    /// The line of row `i` of the block in numbers of all its cells.
    pub fn line(&self, i: usize) -> Range<usize> {
        i * self.block.width()..(i + 1) * self.block.width()
    }

    /// The rates of each side.
    pub fn rates_of_sides(&self, sides: &[Range<usize>], work: &mut LaneWork) {
        for (k, side) in sides.iter().zip(&mut work.sides) {
            self.tile.rates_of(k.clone(), &mut side.block);
        }
    }

    /// Picks the rates of a run out of those of the block, of each side.
    pub fn pick_sides(&self, i: usize, run: Run<'_>, sides: &[Range<usize>], work: &mut LaneWork) {
        for side in &mut work.sides[..sides.len()] {
            self.pick(i, run, &side.block, &mut side.rates);
        }
    }

    /// Picks the rates of a run out of those of the block, and raises them to the least.
    pub fn pick(&self, i: usize, run: Run<'_>, rates: &[f64], into: &mut Vec<f64>) {
        let line = &rates[self.line(i)];
        into.clear();
        into.extend(self.places(run).map(|at| line[at].max(LEAST_RATE)));
    }
}

/// What a pass writes at a block.
pub(super) struct Writes<'a> {
    /// What is pulled back to its rows, (rows, inner), if the pass does so.
    pub left: &'a mut [f64],
    /// What is pulled back to its columns.
    pub right: &'a mut [f64],
    /// Buffers, and the total of the lane.
    pub work: &'a mut LaneWork,
}

/// What is done at a block.
type Pass<'a> = dyn Fn(&TileCells<'_>, Writes<'_>) + Sync + 'a;

/// A lane of rows between two blocks of columns.
struct DenseLane {
    rows: Range<usize>,
    /// Their left operand.
    left: Vec<f64>,
    /// Where the visited cells of each row begin that are not yet behind.
    next: Vec<usize>,
    /// What is pulled back to the rows, and to the columns of the block.
    pulled: [Vec<f64>; 2],
    total: f64,
}

/// A block of columns with its right operand.
struct Across<'a> {
    cols: Range<usize>,
    right: &'a [f64],
    /// Its number, and how many there are.
    number: usize,
    of: usize,
}

impl DenseLane {
    fn new(view: &View, inner: usize, pulls: Pulls, rows: Range<usize>) -> Self {
        let numbers = rows.len() * inner;
        Self {
            left: vec![0.0; numbers],
            next: view.cells.start[rows.clone()].to_vec(),
            pulled: [vec![0.0; if pulls.left { numbers } else { 0 }], Vec::new()],
            rows,
            total: 0.0,
        }
    }

    /// The visited cells of some rows before the end of a block of columns, of those that are not behind; they are then.
    fn advance(&mut self, view: &View, rows: Range<usize>, end: usize, visited: &mut Vec<Range<usize>>) {
        let cells = &view.cells;
        visited.clear();
        for row in rows {
            let next = &mut self.next[row - self.rows.start];
            let left = &cells.col[*next..cells.start[row + 1]];
            let here = match end == view.grid.cols {
                true => left.len(),
                false => left.partition_point(|&col| (col as usize) < end),
            };
            visited.push(*next..*next + here);
            *next += here;
        }
    }

    /// Runs `pass` on the blocks of the lane in some columns.
    fn run(
        &mut self,
        (view, index): (&View, usize),
        (inner, pulls): (usize, Pulls),
        across: &Across<'_>,
        work: &mut LaneWork,
        pass: &Pass<'_>,
    ) {
        let (most, width) = (BlockSizes::default().rows, across.cols.len());
        self.pulled[1].clear();
        self.pulled[1].resize(if pulls.right { width * inner } else { 0 }, 0.0);
        work.total = self.total;
        let mut visited = Vec::with_capacity(most);
        for (down, start) in self.rows.clone().step_by(most).enumerate() {
            let rows = start..(start + most).min(self.rows.end);
            self.advance(view, rows.clone(), across.cols.end, &mut visited);
            let operand = (start - self.rows.start) * inner..(rows.end - self.rows.start) * inner;
            let tile = Tile {
                left: &self.left[operand.clone()],
                right: across.right,
                inner,
                size: [rows.len(), width],
            };
            let cells = TileCells {
                block: Block {
                    rows,
                    cols: across.cols.clone(),
                },
                number: down * across.of + across.number,
                lane: index,
                tile,
                view,
                visited: &visited,
            };
            let [left, right] = &mut self.pulled;
            let writes = Writes {
                left: if pulls.left { &mut left[operand] } else { &mut [] },
                right,
                work: &mut *work,
            };
            pass(&cells, writes);
        }
        self.total = work.total;
    }
}

/// Runs `pass` on every block, hands to `receive` what it pulls back, and returns the sum of the totals of the lanes, of which each has
/// one of `items`.
pub(super) fn by_blocks<S: Send>(
    view: &View,
    rate: &dyn Rate,
    pulls: Pulls,
    items: impl IntoIterator<Item = S>,
    receive: &mut dyn Receive,
    pass: impl Fn(&TileCells<'_>, Writes<'_>, &mut S) + Sync,
) -> f64 {
    let items: Vec<Mutex<S>> = items
        .into_iter()
        .take(lanes(&view.grid).len())
        .map(Mutex::new)
        .collect();
    each_block(view, rate, pulls, receive, &|cells, writes| {
        // Nobody waits: a lane is run by one thread at a time.
        let mut item = items[cells.lane].lock().unwrap_or_else(PoisonError::into_inner);
        pass(cells, writes, &mut item);
    })
}

/// The same for a pass that keeps nothing. Not generic, so that it is compiled once and not for each pass.
fn each_block(view: &View, rate: &dyn Rate, pulls: Pulls, receive: &mut dyn Receive, pass: &Pass<'_>) -> f64 {
    let (grid, inner, size) = (&view.grid, rate.inner(), BlockSizes::default().cols);
    let row_places = |rows: Range<usize>| rows.map(|row| grid.row_at(row)).collect::<Vec<At>>();
    let lanes = lanes(grid).into_iter();
    let mut lanes: Vec<DenseLane> = lanes.map(|rows| DenseLane::new(view, inner, pulls, rows)).collect();
    // What pulls back to one side alone asks for no rates, and the operand of that side is never read.
    if pulls.right || !pulls.left {
        for_each(&mut lanes, |_, lane| {
            rate.lefts(&row_places(lane.rows.clone()), &mut lane.left);
        });
    }
    // As many as there are threads: what lies in a cache is used again by the next lane.
    let buffers = Mutex::new(Vec::<LaneWork>::new());
    let buffers = || buffers.lock().unwrap_or_else(PoisonError::into_inner);
    let one_thread = rayon::current_num_threads() == 1 || lanes.len() == 1;
    let (mut places, mut right) = (Vec::new(), Vec::new());
    for (number, start) in (0..grid.cols).step_by(size).enumerate() {
        let cols = start..(start + size).min(grid.cols);
        places.clear();
        places.extend(cols.clone().map(|col| grid.col_at(col)));
        right.resize(cols.len() * inner, 0.0);
        if pulls.left || !pulls.right {
            rate.rights(&places, &mut right);
        }
        let across = Across {
            cols,
            right: &right,
            number,
            of: grid.cols.div_ceil(size),
        };
        let mut sum = vec![0.0; if pulls.right { right.len() } else { 0 }];
        if one_thread {
            // Lanes share what they pull to, which stays in a cache.
            let (mut work, mut pulled) = (buffers().pop().unwrap_or_default(), Vec::new());
            for (index, lane) in lanes.iter_mut().enumerate() {
                std::mem::swap(&mut lane.pulled[1], &mut pulled);
                lane.run((view, index), (inner, pulls), &across, &mut work, pass);
                std::mem::swap(&mut lane.pulled[1], &mut pulled);
                add(&mut sum, &pulled);
            }
            buffers().push(work);
        } else {
            for_each(&mut lanes, |index, lane| {
                let taken = buffers().pop();
                let mut work = taken.unwrap_or_default();
                lane.run((view, index), (inner, pulls), &across, &mut work, pass);
                buffers().push(work);
            });
            lanes.iter().for_each(|lane| add(&mut sum, &lane.pulled[1]));
        }
        if pulls.right {
            receive.cols(&places, &right, &mut sum);
        }
    }
    if pulls.left {
        for lane in &mut lanes {
            receive.rows(&row_places(lane.rows.clone()), &lane.left, &mut lane.pulled[0]);
        }
    }
    lanes.iter().map(|lane| lane.total).sum()
}

/// Does something for every lane, on several threads.
fn for_each(lanes: &mut [DenseLane], each: impl Fn(usize, &mut DenseLane) + Sync) {
    let (mut tasks, each) = (Vec::<Task<'_>>::with_capacity(lanes.len()), &each);
    for (index, lane) in lanes.iter_mut().enumerate() {
        tasks.push(Box::new(move || each(index, lane)));
    }
    in_parallel(tasks);
}
