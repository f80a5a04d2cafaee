//! Trees of lines by the formulas that are printed of them, each evaluated as it is read: sums, products and powers in plain loops.

use skellam_formula::line::{
    Equation, Function, LineCell, LineDraw, LineExpr, LineMeans, LineQuantity, LineSums, MultinomialLine, PoissonTotal,
    TotalWeights, Variable,
};

use LineExpr::{At, Equal, Factorial, Known, Ln, Minus, Number, Over, OverLines, Plus, Power, Product, Quotient, Runs};

/// How a count was observed.
#[derive(Clone, Copy, Debug)]
pub enum Observing {
    /// As it is.
    Exact,
    /// With two-sided geometric noise of this parameter.
    Geometric(f64),
    /// The same, negative numbers set to zero.
    Truncated(f64),
}

impl Observing {
    /// `P(c | y)` by its definition.
    fn probability(self, c: i64, y: i64) -> f64 {
        let geometric = |alpha: f64, noise: i64| (1.0 - alpha) / (1.0 + alpha) * alpha.powi(noise.abs() as i32);
        match self {
            Self::Exact => f64::from(c == y),
            Self::Geometric(alpha) => geometric(alpha, c - y),
            // Every noise of -y and less; what is left out is less than a rounding error.
            Self::Truncated(alpha) if c == 0 => (y..y + 200).map(|noise| geometric(alpha, noise)).sum(),
            Self::Truncated(alpha) => geometric(alpha, c - y),
        }
    }
}

/// A line, or one Poisson count, with the lines whose totals its cells are.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The rates of its cells.
    pub rates: Vec<f64>,
    /// What was observed of them.
    pub observed: Option<(Observing, Vec<i64>)>,
    /// The lines below each cell; nothing if there are none at all.
    pub below: Vec<Vec<Tree>>,
}

/// What a line adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Above {
    /// A number.
    Number,
    /// A cell of another line.
    Count,
    /// It is no line, but a Poisson count.
    Nothing,
}

/// What is printed of a line, or of a Poisson count.
#[derive(Clone, Debug, PartialEq)]
pub enum Printed {
    /// In a sweep, in an ascent, and in the bound.
    Line(LineDraw, Box<LineMeans>, Option<Equation>),
    /// The same of a Poisson count.
    Total(TotalWeights, TotalWeights, Equation),
}

impl Printed {
    pub fn new(tree: &Tree, above: Above) -> Self {
        let is_observed = tree.observed.is_some();
        match above {
            Above::Nothing => {
                let law = PoissonTotal { is_observed };
                Self::Total(law.gibbs(), law.cavi(), law.bound())
            }
            _ => {
                let law = MultinomialLine {
                    is_observed,
                    is_total: !tree.below.is_empty(),
                    is_known: above == Above::Number,
                };
                Self::Line(law.gibbs(), Box::new(law.cavi()), law.bound())
            }
        }
    }

    fn sums(&self, is_gibbs: bool) -> Option<&LineSums> {
        match self {
            Self::Line(gibbs, cavi, _) => Some(if is_gibbs { &gibbs.sums } else { &cavi.sums }),
            Self::Total(..) => None,
        }
    }

    fn weight(&self, is_gibbs: bool) -> &Equation {
        match (self, self.sums(is_gibbs)) {
            (_, Some(sums)) => &sums.weight,
            (Self::Total(gibbs, cavi, _), _) => &if is_gibbs { gibbs } else { cavi }.weight,
            _ => unreachable!("a line has sums"),
        }
    }

    fn said(&self, is_gibbs: bool) -> Option<&Equation> {
        match (self, self.sums(is_gibbs)) {
            (_, Some(sums)) => sums.said.as_ref(),
            (Self::Total(gibbs, cavi, _), _) => Some(&if is_gibbs { gibbs } else { cavi }.said),
            _ => unreachable!("a line has sums"),
        }
    }
}

/// Where a formula is read: the cell, from 1, what its letters stand for, the total, and the line below.
#[derive(Clone, Copy, Debug, Default)]
struct Here {
    cell: usize,
    x: f64,
    s: f64,
    total: f64,
    line: usize,
}

/// A tree with the values of its functions, at whole numbers from 0 to some largest.
pub struct Solved<'a> {
    tree: &'a Tree,
    printed: Printed,
    is_gibbs: bool,
    most: usize,
    weights: Vec<Vec<f64>>,
    forward: Vec<Vec<f64>>,
    backward: Vec<Vec<f64>>,
    total_law: Vec<f64>,
    /// By cell, line below and number.
    pub said: Vec<Vec<Vec<f64>>>,
    below: Vec<Vec<Solved<'a>>>,
}

impl<'a> Solved<'a> {
    /// The weights of a tree, from its lowest lines up; `change` makes what is printed another one.
    pub fn up(tree: &'a Tree, above: Above, is_gibbs: bool, most: usize, change: &dyn Fn(&mut Printed)) -> Self {
        let mut printed = Printed::new(tree, above);
        change(&mut printed);
        let lines = |lines: &'a Vec<Tree>| -> Vec<Solved<'a>> {
            let line = |line| Solved::up(line, Above::Count, is_gibbs, most, change);
            lines.iter().map(line).collect()
        };
        let mut solved = Self {
            tree,
            printed: printed.clone(),
            is_gibbs,
            most,
            weights: Vec::new(),
            forward: Vec::new(),
            backward: vec![Vec::new(); tree.rates.len() + 1],
            total_law: Vec::new(),
            said: Vec::new(),
            below: tree.below.iter().map(lines).collect(),
        };
        if let Some(said) = printed.said(is_gibbs) {
            // F is that of the line below.
            let of_line = |line: &Solved<'_>| line.tabulated(said, 0, Variable::Count);
            solved.said = (solved.below.iter())
                .map(|lines| lines.iter().map(of_line).collect())
                .collect();
        }
        for cell in 1..=tree.rates.len() {
            let weights = solved.tabulated(printed.weight(is_gibbs), cell, Variable::Count);
            solved.weights.push(weights);
        }
        if let Some(LineSums { start, forward, .. }) = printed.sums(is_gibbs) {
            solved.forward.push(solved.tabulated(start, 0, Variable::Sum));
            for cell in 1..=tree.rates.len() {
                let sums = solved.tabulated(forward, cell, Variable::Sum);
                solved.forward.push(sums);
            }
        }
        solved
    }

    /// The right side of an equation at every number.
    fn tabulated(&self, of: &Equation, cell: usize, over: Variable) -> Vec<f64> {
        self.values(&of.right, cell, 0.0, over)
    }

    fn values(&self, of: &LineExpr, cell: usize, total: f64, over: Variable) -> Vec<f64> {
        let here = Here {
            cell,
            total,
            ..Here::default()
        };
        (0..=self.most)
            .map(|n| self.of(of, here.with(over, n as f64)))
            .collect()
    }

    /// The mean of every cell of the tree where the line adds up to `total`, or to a count that has the law `total_law`.
    pub fn means(&mut self, total: usize, total_law: Vec<f64>) -> Vec<f64> {
        let (total, cells) = (total as f64, self.tree.rates.len());
        self.total_law = total_law;
        let at = |cell| Here {
            cell,
            total,
            ..Here::default()
        };
        let (mut means, laws): (Vec<f64>, Vec<Vec<f64>>) = match self.printed.clone() {
            Printed::Line(_, cavi, _) => {
                self.backward[cells] = self.values(&cavi.end.right, cells, total, Variable::Sum);
                for cell in (1..=cells).rev() {
                    self.backward[cell - 1] = self.values(&cavi.backward.right, cell, total, Variable::Sum);
                }
                let mean = cavi.mean().right;
                let law = |cell| self.values(&cavi.marginal, cell, total, Variable::Count);
                (1..=cells).map(|cell| (self.of(&mean, at(cell)), law(cell))).unzip()
            }
            Printed::Total(_, cavi, _) => {
                let law = self.values(&cavi.law, 1, total, Variable::Count);
                let whole: f64 = law.iter().sum();
                let law = law.iter().map(|weight| weight / whole).collect();
                (vec![self.of(&cavi.mean().right, at(1))], vec![law])
            }
        };
        for (lines, law) in self.below.iter_mut().zip(laws) {
            for line in lines {
                means.extend(line.means(0, law.clone()));
            }
        }
        means
    }

    /// What the tree adds to the bound where the line adds up to `total`.
    pub fn bound(&self, total: usize) -> f64 {
        let here = Here {
            cell: 1,
            total: total as f64,
            ..Here::default()
        };
        match &self.printed {
            Printed::Line(_, _, Some(bound)) | Printed::Total(_, _, bound) => self.of(&bound.right, here),
            Printed::Line(_, _, None) => panic!("the total of a line at the root is known"),
        }
    }

    /// The probability of a table of all cells of the tree, in order, of which it takes its own.
    pub fn probability(&self, total: usize, table: &mut &[usize]) -> f64 {
        let cells = self.tree.rates.len();
        let (own, rest) = table.split_at(cells);
        *table = rest;
        let mut here = Here {
            cell: cells,
            total: total as f64,
            ..Here::default()
        };
        let share = |law: &LineExpr, here: Here, x: usize| {
            let at = |x: usize| self.of(law, here.with(Variable::Count, x as f64));
            ratio(at(x), (0..=self.most).map(at).sum())
        };
        let mut probability = 1.0;
        match &self.printed {
            Printed::Line(gibbs, ..) => {
                here.s = self.of(&gibbs.from, here);
                for cell in (1..=cells).rev() {
                    (here.cell, here.x) = (cell, own[cell - 1] as f64);
                    probability *= share(&gibbs.law, here, own[cell - 1]);
                    here.s = self.of(&gibbs.rest, here);
                }
            }
            Printed::Total(gibbs, ..) => probability *= share(&gibbs.law, here, own[0]),
        }
        for (lines, x) in self.below.iter().zip(own) {
            for line in lines {
                probability *= line.probability(*x, table);
            }
        }
        probability
    }

    /// The value of a formula.
    fn of(&self, of: &LineExpr, here: Here) -> f64 {
        let at = |of: &LineExpr| self.of(of, here);
        match of {
            Number(n) => f64::from(*n),
            Runs(Variable::Count) => here.x,
            Runs(Variable::Sum) => here.s,
            Known(of) => self.known(*of, here),
            At(function, argument) => self.function(*function, at(argument), here),
            Plus(of) => at(&of[0]) + at(&of[1]),
            Minus(of) => at(&of[0]) - at(&of[1]),
            Product(all) => all.iter().map(at).product(),
            Quotient(of) => ratio(at(&of[0]), at(&of[1])),
            Power(of) => at(&of[0]).powi(at(&of[1]) as i32),
            Factorial(of) => (1..=at(of) as u64).map(|n| n as f64).product(),
            Ln(of) => at(of).ln(),
            Over(letter, of) => (0..=self.most).map(|n| self.of(of, here.with(*letter, n as f64))).sum(),
            OverLines(of) => {
                let lines = self.said.get(here.cell - 1).map_or(0, Vec::len);
                (0..lines).map(|line| self.of(of, Here { line, ..here })).product()
            }
            Equal(of) => f64::from(at(&of[0]) == at(&of[1])),
        }
    }

    fn known(&self, of: LineQuantity, here: Here) -> f64 {
        match (of, self.is_gibbs) {
            (LineQuantity::Rate, true) | (LineQuantity::Geometric | LineQuantity::MeanRate, false) => {
                self.tree.rates[here.cell - 1]
            }
            (LineQuantity::Total, _) => here.total,
            (of, is_gibbs) => panic!("{of:?} has no value here: Gibbs sampling is {is_gibbs}"),
        }
    }

    fn function(&self, of: Function, argument: f64, here: Here) -> f64 {
        if argument < 0.0 || argument > self.most as f64 {
            return 0.0;
        }
        let at = argument as usize;
        let cell = |of: LineCell| match of {
            LineCell::Start => 0,
            LineCell::Before => here.cell - 1,
            LineCell::Here => here.cell,
            LineCell::Last => self.tree.rates.len(),
        };
        match of {
            Function::Weight => self.weights[here.cell - 1][at],
            Function::Forward(of) => self.forward[cell(of)][at],
            Function::Backward(of) => self.backward[cell(of)][at],
            Function::Said => self.said[here.cell - 1][here.line][at],
            Function::TotalLaw => self.total_law[at],
            Function::Likelihood => match &self.tree.observed {
                Some((law, values)) => law.probability(values[here.cell - 1], at as i64),
                None => panic!("nothing was observed of these cells"),
            },
        }
    }
}

impl Here {
    fn with(self, letter: Variable, value: f64) -> Self {
        match letter {
            Variable::Count => Self { x: value, ..self },
            Variable::Sum => Self { s: value, ..self },
        }
    }
}

/// A quotient, of which nothing by nothing is nothing: what is impossible has no share.
fn ratio(of: f64, by: f64) -> f64 {
    if of == 0.0 && by == 0.0 { 0.0 } else { of / by }
}

/// A formula with `to` in every place where `from` stands.
pub fn replaced(of: &LineExpr, from: &LineExpr, to: &LineExpr) -> LineExpr {
    if of == from {
        return to.clone();
    }
    let again = |of: &LineExpr| replaced(of, from, to);
    let one = |of: &LineExpr| Box::new(again(of));
    let both = |of: &[LineExpr; 2]| Box::new([again(&of[0]), again(&of[1])]);
    match of {
        Number(_) | Runs(_) | Known(_) => of.clone(),
        At(function, of) => At(*function, one(of)),
        Plus(of) => Plus(both(of)),
        Minus(of) => Minus(both(of)),
        Product(all) => Product(all.iter().map(again).collect()),
        Quotient(of) => Quotient(both(of)),
        Power(of) => Power(both(of)),
        Factorial(of) => Factorial(one(of)),
        Ln(of) => Ln(one(of)),
        Over(letter, of) => Over(*letter, one(of)),
        OverLines(of) => OverLines(one(of)),
        Equal(of) => Equal(both(of)),
    }
}
