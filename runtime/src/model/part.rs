//! The parts of a conditional: what a formula of generated code adds, and how that is computed.

use std::sync::Arc;

use skellam_formula::product::{Entry, Name, Side, Stated};

use super::formula::{About, Absent, Declared, Moment, Of, Product, Reader};
use super::{Bound, CountSpec, Factors, Positions, PriorSpec, Spec, Step, Values};
use crate::family::{FAMILIES, Family, Lines};
use crate::view::View;

/// The role of a formula in the conditional of a latent, or in the rate of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A parameter of its prior.
    Parameter(usize),
    /// Counts on a term of a rate.
    Allocation { count: usize, term: usize },
    /// The exposure from that term.
    Exposure { count: usize, term: usize },
    /// Shapes of a child.
    Shapes(usize),
    /// Values of a child.
    Values(usize),
    /// A term of the rate of a count.
    Share { count: usize, term: usize },
}

/// A formula: its latent or count, how that is written or how its prior is, its role, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asked {
    // Numbers before text: compared in this order, most others are told apart by a number.
    pub latent: usize,
    pub role: Role,
    pub text: &'static str,
    pub own: &'static str,
}

impl Asked {
    /// Whether it is an exposure from a count, or from table counts.
    pub fn is_exposure_from(self, count: usize) -> bool {
        matches!(self.role, Role::Exposure { count: of, .. } if of == count)
    }
}

/// The law of a prior, as a conditional begins with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct PriorLaw {
    pub family: &'static dyn Family,
    pub lines: Option<Lines>,
    /// How many parameters are written.
    pub parameters: usize,
}

/// A formula that was read.
#[derive(Debug)]
pub(super) struct Formula {
    products: Vec<Product>,
    pub has_means: bool,
    /// Whether it agrees with the declaration.
    pub is_declared: bool,
    /// The ways through the trees that compute it.
    pub ways: Vec<usize>,
}

impl Bound {
    fn declaration(&self) -> &'static Spec {
        match self.spec {
            Some(spec) => spec,
            None => unreachable!("only declared models have formulas"),
        }
    }

    /// A formula, read when it is first asked for.
    ///
    /// # Panics
    ///
    /// If the text is not a formula, or adds counts that are not handed down to the latent.
    pub(super) fn formula(&self, asked: Asked) -> Arc<Formula> {
        let layout = match asked.role {
            Role::Allocation { count, .. } | Role::Exposure { count, .. } => self.layouts.get(count).copied(),
            _ => None,
        };
        self.laid_out
            .formula((asked, layout), || Arc::new(self.read_formula(asked)))
    }

    /// The formulas that were asked for and that no walk computes.
    pub(crate) fn looped(&self) -> Vec<&'static str> {
        let all = self.laid_out.formulas().into_iter();
        let looped = all.filter(|(_, formula)| !formula.is_declared);
        looped.map(|(asked, _)| asked.text).collect()
    }

    /// Asserts that the terms of the rate of a count are `shares`.
    ///
    /// # Panics
    ///
    /// If they are not: no walk divides cells otherwise.
    pub(super) fn assert_shares(
        &self,
        count: usize,
        own: &'static str,
        shares: &'static [&'static str],
        is_ascent: bool,
    ) {
        let terms = self.declaration().counts[count].terms.len();
        assert_eq!(shares.len(), terms, "{own}: a share for every term of its rate");
        for (term, &text) in shares.iter().enumerate() {
            let formula = self.formula(Asked {
                latent: count,
                own,
                role: Role::Share { count, term },
                text,
            });
            assert!(formula.is_declared, "{own}: no term of its rate is `{text}`");
            assert!(is_ascent || !formula.has_means, "{own}: `{text}` has means in a sweep");
        }
    }

    /// The law that a statement such as `"φ[k,v] ~ Dirichlet_v(eta[v])"` has for a latent.
    ///
    /// # Panics
    ///
    /// If it is not a statement about the latent, or no family has such a law.
    pub(super) fn law(&self, latent: usize, statement: &'static str) -> PriorLaw {
        self.laid_out
            .law((latent, statement), || self.read_law(latent, statement))
    }

    fn read_law(&self, latent: usize, statement: &'static str) -> PriorLaw {
        let stated = self.stated(statement);
        let declared = &self.priors[latent];
        let is_declared = stated.write_family() == declared.written;
        let known = || FAMILIES.into_iter().find(|family| family.name() == stated.family);
        let Some(family) = Some(declared.family).filter(|_| is_declared).or_else(known) else {
            panic!("`{statement}`: no family of priors is `{}`", stated.family)
        };
        let parameters = stated.parameters.len();
        let wanted = family.parameters().len();
        assert_eq!(
            parameters,
            wanted,
            "`{statement}`: the parameters of a {}",
            family.name()
        );
        // The name of a custom family may end in the name of an index.
        let along = stated
            .along
            .as_ref()
            .filter(|_| !is_declared || declared.along.is_some());
        let along = along.map(|along| {
            let places = stated.of.at.iter().map(ToString::to_string);
            match places.into_iter().position(|place| place == *along) {
                Some(at) => at,
                None => panic!("`{statement}`: `{along}` is not an index of the latent"),
            }
        });
        assert_eq!(family.has_lines(), along.is_some(), "`{statement}`: along which index");
        PriorLaw {
            family,
            lines: along.map(|along| Lines::new(&self.latents[latent].shape, along)),
            parameters,
        }
    }

    fn stated(&self, statement: &str) -> Stated {
        let spec = self.declaration();
        Stated::read(statement, &|name| spec.has(name)).unwrap_or_else(|error| panic!("{error}"))
    }

    /// What a formula is about, at the indices by which it writes it.
    fn about(&self, asked: Asked) -> Entry {
        let Asked { latent, own, role, .. } = asked;
        let spec = self.declaration();
        let (declared, sets) = match role {
            Role::Share { count, .. } => (spec.counts[count].name, spec.counts[count].free),
            _ => (spec.latents[latent].name, spec.latents[latent].sets.len()),
        };
        let text = own.split(" ~ ").next().unwrap_or(own);
        let entry = Entry::read(text).unwrap_or_else(|error| panic!("{error}"));
        let is_it = entry.of.is(&Name::plain(declared)) && entry.at.len() == sets;
        assert!(is_it, "`{own}` is not `{declared}` at its indices");
        entry
    }

    /// What is called a cell in a formula: its weight, or the count on a term.
    fn cell(&self, role: Role) -> Option<Name> {
        match role {
            Role::Exposure { count, .. } => Some(Name::plain(self.weights[count])),
            Role::Allocation { count, term } => {
                let count = self.count_spec(count);
                let side = |minus| if minus { Side::Minus } else { Side::Plus };
                let sides = count
                    .terms
                    .iter()
                    .map(|term| count.is_difference().then(|| side(term.minus)));
                Some(Name::of_term(count.name, &sides.collect::<Vec<_>>(), term))
            }
            _ => None,
        }
    }

    fn read_formula(&self, asked: Asked) -> Formula {
        let Asked { latent, role, text, .. } = asked;
        let spec = self.declaration();
        let about = About {
            spec,
            own: &self.about(asked),
            cell: self.cell(role),
        };
        let products = match role {
            Role::Parameter(at) => about.resolve(text, &self.stated(text).parameters[at]),
            _ => about.read(text),
        };
        let mut ways = Vec::new();
        if let (Role::Allocation { count, term } | Role::Exposure { count, term }, [product]) = (role, &products[..]) {
            ways = match role {
                Role::Exposure { .. } => self.walks[count].exposed(latent, term, product),
                _ => self.walks[count].allocated(latent, term, product),
            };
        }
        let is_declared = match role {
            Role::Parameter(at) => is_said(
                &products,
                &parameter(&self.priors[latent], at, spec.latents[latent].sets.len()),
            ),
            Role::Shapes(child) => is_said(&products, &self.shapes_said(latent, child)),
            Role::Values(child) => is_said(&products, &self.values_said(latent, child)),
            Role::Share { count, term } => {
                let count = &spec.counts[count];
                is_said(&products, &[Declared::share(count, &count.terms[term])])
            }
            Role::Allocation { .. } if ways.is_empty() => {
                panic!("{}: no counts are handed down that `{text}` adds", asked.own)
            }
            Role::Allocation { .. } | Role::Exposure { .. } => !ways.is_empty(),
        };
        Formula {
            has_means: products.iter().any(|product| product.moments().next().is_some()),
            products,
            is_declared,
            ways,
        }
    }

    /// The products that the shape of a child adds by the declaration, in either order of their factors.
    fn shapes_said(&self, latent: usize, child: usize) -> Vec<[Product; 2]> {
        let (prior, indices) = (&self.priors[child], self.latents[child].shape.len());
        let [shape, rate] = &prior.parameters;
        let Some(read) = rate.reads(latent) else {
            return Vec::new();
        };
        match prior.shape {
            None => vec![Declared::shape(rate, read, shape, indices, false)],
            Some(tables) => {
                let terms = tables.terms.iter();
                terms
                    .map(|term| Declared::shape(rate, read, term, indices, true))
                    .collect()
            }
        }
    }

    fn values_said(&self, latent: usize, child: usize) -> Vec<[Product; 2]> {
        let [_, rate] = &self.priors[child].parameters;
        let read = rate.reads(latent).into_iter();
        read.map(|read| Declared::values(rate, read, child, self.latents[child].shape.len()))
            .collect()
    }

    /// A formula at every entry of its latent, by plain loops, at the values or means `x` and the geometric means of `step`. `view` has the weights of
    /// its cells, if it has cells.
    ///
    /// # Panics
    ///
    /// If the size of one of its indices follows from nothing in it.
    pub(super) fn loops(
        &self,
        asked: Asked,
        of: &Formula,
        (x, step): (&Factors, &dyn Step),
        view: Option<&View>,
    ) -> Vec<f64> {
        let spec = self.declaration();
        let cells: &[usize] = match asked.role {
            Role::Exposure { count, .. } | Role::Allocation { count, .. } => self.count_spec(count).sets(),
            _ => &[],
        };
        let sets = |of: Of| match of {
            Of::Latent(latent) => spec.latents[latent].sets.to_vec(),
            Of::Array(array) => spec.arrays[array].sets.to_vec(),
            Of::Hyper(_) => Vec::new(),
            Of::Cell => cells.to_vec(),
        };
        let entry = |of: Of, moment: Moment, at: &[usize]| {
            let all = sets(of);
            let number = at
                .iter()
                .zip(&all)
                .fold(0, |number, (at, &set)| number * self.sizes()[set] + at);
            match of {
                Of::Latent(latent) if moment == Moment::Geometric => match step.geometric(latent) {
                    Some(geometric) => geometric[number],
                    None => panic!("`{}` has geometric means, which a sweep does not have", asked.text),
                },
                Of::Latent(latent) => x[latent][number],
                Of::Array(array) => self.array(array)[number],
                Of::Hyper(hyper) => self.hypers()[hyper],
                Of::Cell => view.map_or(1.0, |view| view.weight(number)),
            }
        };
        let is_learned = |latent: usize| self.priors[latent].shape.is_some();
        let absent = match asked.role {
            Role::Parameter(0) if is_learned(asked.latent) => Absent::Zero,
            Role::Shapes(child) if is_learned(child) => Absent::Zero,
            Role::Parameter(_) | Role::Shapes(_) => Absent::One,
            Role::Values(_) => Absent::OneButLast,
            Role::Allocation { .. } | Role::Exposure { .. } | Role::Share { .. } => Absent::Zero,
        };
        let in_shape = |latent: usize| self.priors[latent].shape.map_or(&[][..], |shape| shape.vars);
        let others = match asked.role {
            Role::Exposure { count, .. } | Role::Allocation { count, .. } => self.count_spec(count).vars.to_vec(),
            Role::Shapes(child) | Role::Values(child) => [spec.latents[child].sets, in_shape(child)].concat(),
            Role::Parameter(_) => in_shape(asked.latent).to_vec(),
            Role::Share { .. } => Vec::new(),
        };
        let ahead = match asked.role {
            Role::Shapes(child) => self.ahead(asked.latent, child),
            _ => Vec::new(),
        };
        let reader = Reader {
            sizes: self.sizes(),
            ahead: &ahead,
            others: &others,
            own: spec.latents[asked.latent].sets,
            sets: &sets,
            entry: &entry,
            absent,
            hypers: self.hypers(),
        };
        let mut sum = vec![0.0; self.latents[asked.latent].shape.iter().product()];
        for product in &of.products {
            sum.iter_mut()
                .zip(reader.values(product))
                .for_each(|(sum, value)| *sum += value);
        }
        sum
    }

    /// For each index of a latent, by how much that of the child which reads it is ahead: `1` if the child reads it at `t-1`.
    fn ahead(&self, latent: usize, child: usize) -> Vec<usize> {
        let [_, rate] = &self.priors[child].parameters;
        let Some(read) = rate.reads(latent) else {
            return Vec::new();
        };
        let ahead = |&var: &usize| match rate.lookup(var).map(|lookup| lookup.of) {
            Some(Positions::Back(back)) => back,
            Some(Positions::In(_)) | None => 0,
        };
        rate.factors[read].vars.iter().map(ahead).collect()
    }

    /// A count, or the table counts of a shape, which are numbered after the counts.
    fn count_spec(&self, count: usize) -> &'static CountSpec {
        let spec = self.declaration();
        match count.checked_sub(spec.counts.len()) {
            None => &spec.counts[count],
            Some(shape) => match spec.latents[self.shapes[shape].latent].prior.shape {
                Some(tables) => tables,
                None => unreachable!("a shape that is learned has table counts"),
            },
        }
    }

    /// A parameter of the prior of a latent where its parents have the values or means `x`.
    pub(super) fn parameter(&self, asked: Asked, (x, step): (&Factors, &dyn Step)) -> Values {
        let formula = self.formula(asked);
        assert!(
            step.is_ascent() || !formula.has_means,
            "`{}` has means in a sweep",
            asked.text
        );
        match asked.role {
            Role::Parameter(at) if formula.is_declared && !step.is_by_loops() => {
                self.declared_parameter(asked.latent, at, x)
            }
            _ => Values::Each(self.loops(asked, &formula, (x, step), None)),
        }
    }
}

/// Whether each product is the declared one, in one of its orders.
fn is_said(products: &[Product], said: &[[Product; 2]]) -> bool {
    products.len() == said.len() && products.iter().zip(said).all(|(product, said)| said.contains(product))
}

/// A parameter of the declared prior of a latent with so many indices.
fn parameter(prior: &PriorSpec, at: usize, indices: usize) -> Vec<[Product; 2]> {
    match prior.shape {
        Some(tables) if at == 0 => {
            let terms = tables.terms.iter();
            terms.map(|term| Declared::parameter(term, indices, true)).collect()
        }
        _ => vec![Declared::parameter(&prior.parameters[at], indices, false)],
    }
}
