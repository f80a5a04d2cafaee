//! Formulas about a line in two notations.

use super::{
    Equation, Function, LineCell, LineDraw, LineExpr, LineMeans, LineQuantity, LineSums, TotalWeights, Variable,
};
use crate::Notation::{self, Latex, Unicode};

use LineExpr::{At, Equal, Factorial, Known, Ln, Minus, Number, Over, OverLines, Plus, Power, Product, Quotient, Runs};

/// What a model calls the quantities of a line, in one notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineNames<'a> {
    /// The true count of a cell.
    pub truth: &'a str,
    /// What was observed of it.
    pub observed: &'a str,
    /// Its rate.
    pub rate: &'a str,
    /// The mean of that under q.
    pub mean_rate: &'a str,
    /// The rate at geometric means.
    pub geometric: &'a str,
    /// What the cells add up to; nothing of a Poisson count.
    pub total: &'a str,
    /// The index along which they do; nothing of a Poisson count, which is one cell.
    pub along: &'a str,
    /// What the line adds to the bound.
    pub bound: &'a str,
    /// The counts whose totals the cells are.
    pub below: &'a str,
}

/// How tightly a formula holds together: what is looser than its place gets parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Atom,
}

impl LineExpr {
    /// The formula in the letters of a model.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> String {
        let w = |of: &Self| of.write(names, notation);
        let product = |of: &Self| of.at_least(Binding::Product, names, notation);
        let atom = |of: &Self| of.at_least(Binding::Atom, names, notation);
        match (self, notation) {
            (Number(n), _) => n.to_string(),
            (Runs(of), _) => variable(*of).to_owned(),
            (Known(of), _) => quantity(*of, names, notation),
            (At(function, of), _) => applied(*function, &w(of), names, notation),
            (Plus(of), _) => format!("{} + {}", w(&of[0]), w(&of[1])),
            (Minus(of), Unicode) => format!("{} − {}", w(&of[0]), product(&of[1])),
            (Minus(of), Latex) => format!("{} - {}", w(&of[0]), product(&of[1])),
            (Product(all), _) => factors(all, names, notation),
            (Quotient(of), Unicode) => match of.iter().all(Self::is_short) {
                true => format!("{}/{}", w(&of[0]), w(&of[1])),
                false => format!("{} / {}", product(&of[0]), product(&of[1])),
            },
            // What has a large sign of its own stands beside a slash.
            (Quotient(of), Latex) => match of.iter().any(Self::is_large) {
                true => format!("{} / {}", product(&of[0]), product(&of[1])),
                false => format!(r"\frac{{{}}}{{{}}}", w(&of[0]), w(&of[1])),
            },
            (Power(of), _) => format!("{}^{}", atom(&of[0]), atom(&of[1])),
            (Factorial(of), _) => format!("{}!", atom(of)),
            (Ln(of), _) => {
                let of = if of.is_large() { w(of) } else { atom(of) };
                match notation {
                    Unicode => format!("ln {of}"),
                    Latex => format!(r"\ln {of}"),
                }
            }
            (Over(over, of), Unicode) => format!("Σ_{} {}", variable(*over), product(of)),
            (Over(over, of), Latex) => format!(r"\sum_{} {}", variable(*over), product(of)),
            (OverLines(of), Unicode) => format!("Π {}", product(of)),
            (OverLines(of), Latex) => format!(r"\prod {}", product(of)),
            (Equal(of), _) => format!("[{} = {}]", w(&of[0]), w(&of[1])),
        }
    }

    /// Whether a quotient of it takes no room.
    fn is_short(&self) -> bool {
        matches!(self, Number(_) | Runs(_) | Known(_) | At(..) | Equal(_))
    }

    /// Whether it begins with a large sign, which has room of its own around it.
    fn is_large(&self) -> bool {
        matches!(self, Over(..) | OverLines(_))
    }

    fn binding(&self) -> Binding {
        match self {
            Plus(_) | Minus(_) => Binding::Sum,
            Product(_) | Quotient(_) | Over(..) | OverLines(_) | Ln(_) => Binding::Product,
            _ => Binding::Atom,
        }
    }

    fn at_least(&self, least: Binding, names: &LineNames<'_>, notation: Notation) -> String {
        let written = self.write(names, notation);
        match (self.binding() < least, notation) {
            (false, _) => written,
            (true, Unicode) => format!("({written})"),
            (true, Latex) => format!(r"\left({written}\right)"),
        }
    }
}

/// Factors side by side; with dots where one of them is a quotient, which would seem to go on.
fn factors(all: &[LineExpr], names: &LineNames<'_>, notation: Notation) -> String {
    let has_quotient = all.iter().any(|of| matches!(of, Quotient(_)));
    let mut out = String::new();
    for (at, of) in all.iter().enumerate() {
        out += match (at, notation) {
            (0, _) => "",
            (_, Unicode) if has_quotient => " · ",
            (_, Unicode) => " ",
            (_, Latex) if of.is_large() => " ",
            (_, Latex) => r" \, ",
        };
        out += &of.at_least(Binding::Product, names, notation);
    }
    out
}

fn variable(of: Variable) -> &'static str {
    match of {
        Variable::Count => "x",
        Variable::Sum => "s",
    }
}

fn quantity(of: LineQuantity, names: &LineNames<'_>, notation: Notation) -> String {
    match (of, notation) {
        (LineQuantity::Rate, _) => names.rate.to_owned(),
        (LineQuantity::Geometric, _) => names.geometric.to_owned(),
        (LineQuantity::MeanRate, _) => names.mean_rate.to_owned(),
        (LineQuantity::Total, _) => names.total.to_owned(),
        (LineQuantity::Bound, _) => names.bound.to_owned(),
        (LineQuantity::Mean, Unicode) => format!("E[{}]", names.truth),
        (LineQuantity::Mean, Latex) => format!(r"\mathbb{{E}}[{}]", names.truth),
    }
}

/// `F_{j−1}(s − x)`
fn applied(of: Function, argument: &str, names: &LineNames<'_>, notation: Notation) -> String {
    match (of, notation) {
        (Function::Likelihood, Unicode) => format!("P({} | {argument})", names.observed),
        (Function::Likelihood, Latex) => format!(r"P({} \mid {argument})", names.observed),
        (Function::TotalLaw, _) => format!("q({} = {argument})", names.total),
        _ => format!("{}({argument})", function(of, names, notation)),
    }
}

/// `F_{j−1}`
fn function(of: Function, names: &LineNames<'_>, notation: Notation) -> String {
    let j = names.along;
    let here = |letter: &str| match (j, notation) {
        ("", _) => letter.to_owned(),
        (_, Unicode) => format!("{letter}_{j}"),
        (_, Latex) => format!("{letter}_{{{j}}}"),
    };
    let at = |letter: &str, cell: LineCell| match (cell, notation) {
        (LineCell::Start, _) => format!("{letter}_0"),
        (LineCell::Before, Unicode) => format!("{letter}_{{{j}−1}}"),
        (LineCell::Before, Latex) => format!("{letter}_{{{j}-1}}"),
        (LineCell::Here, _) => here(letter),
        (LineCell::Last, _) => letter.to_owned(),
    };
    match of {
        Function::Weight => here("w"),
        Function::Forward(cell) => at("F", cell),
        // That this is the last cell is said in words.
        Function::Backward(LineCell::Last) => at("B", LineCell::Here),
        Function::Backward(cell) => at("B", cell),
        Function::Said => "g".to_owned(),
        Function::Likelihood | Function::TotalLaw => unreachable!("they are written with their argument"),
    }
}

impl Equation {
    /// The equation in the letters of a model.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> String {
        let w = |of: &LineExpr| of.write(names, notation);
        match (&self.left, self.point(), notation) {
            (At(of, _), Some(([at, is], value)), Unicode) => {
                let (of, value) = (function(*of, names, notation), value.write(names, notation));
                match is {
                    Number(0) => format!("{of} = {value} at 0"),
                    is => format!("{of} = {value} at {} = {}, 0 elsewhere", w(at), w(is)),
                }
            }
            (At(of, _), Some(([_, Number(0)], Number(1))), Latex) => {
                format!(r"{} = [1, 0, \ldots]", function(*of, names, notation))
            }
            (left, ..) => format!("{} = {}", w(left), w(&self.right)),
        }
    }

    /// The two numbers that are equal in the one place where a function is not zero, and its value there.
    fn point(&self) -> Option<(&[LineExpr; 2], LineExpr)> {
        match &self.right {
            Equal(sides) => Some((sides, 1.into())),
            Quotient(of) => match &of[0] {
                Equal(sides) => Some((sides, LineExpr::from(1) / of[1].clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// The evidence of lines below, with what they are.
    fn write_said(&self, names: &LineNames<'_>, notation: Notation) -> String {
        let (formula, below) = (self.write(names, notation), names.below);
        match notation {
            Unicode => format!("{formula}, one for each line of {below} whose total it is"),
            Latex => format!(r"{formula} \quad \text{{for each line of {below} whose total it is}}"),
        }
    }
}

/// Two formulas in a line.
fn beside(one: &str, other: &str, notation: Notation) -> String {
    match notation {
        Unicode => format!("{one},  {other}"),
        Latex => format!(r"{one}, \quad {other}"),
    }
}

impl LineSums {
    /// A line each.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> Vec<String> {
        let forward = beside(
            &self.start.write(names, notation),
            &self.forward.write(names, notation),
            notation,
        );
        let forward = match notation {
            Unicode => {
                let whole = function(Function::Forward(LineCell::Last), names, notation);
                format!("{forward};  {whole} is the last of them")
            }
            Latex => forward,
        };
        let said = self.said.iter().map(|said| said.write_said(names, notation));
        let weight = self.weight.write(names, notation);
        [weight].into_iter().chain(said).chain([forward]).collect()
    }
}

impl LineDraw {
    /// The draw itself, without the sums.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> String {
        let w = |of: &LineExpr| of.write(names, notation);
        let (y, law, from, rest) = (names.truth, w(&self.law), w(&self.from), w(&self.rest));
        match notation {
            Unicode => format!("backwards from s = {from}:  P({y} = x) ∝ {law},  then {rest} takes the place of s"),
            Latex => format!(r"P({y} = x) \propto {law}, \quad s = {from}"),
        }
    }
}

impl LineMeans {
    /// The messages from behind, then the mean.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> [String; 2] {
        let [end, backward, mean] = [&self.end, &self.backward, &self.mean()].map(|of| of.write(names, notation));
        [beside(&end, &backward, notation), mean]
    }
}

impl TotalWeights {
    /// The weights, a line each.
    pub fn write(&self, names: &LineNames<'_>, notation: Notation) -> Vec<String> {
        vec![
            self.weight.write(names, notation),
            self.said.write_said(names, notation),
        ]
    }

    /// Its draw.
    pub fn write_draw(&self, names: &LineNames<'_>, notation: Notation) -> String {
        let (y, law) = (names.truth, self.law.write(names, notation));
        match notation {
            Unicode => {
                let w = function(Function::Weight, names, notation);
                format!("P({y} = x) ∝ {law},  for x = 0, 1, .. as far as {w} goes")
            }
            Latex => format!(r"P({y} = x) \propto {law}, \quad x = 0, 1, \ldots"),
        }
    }
}
