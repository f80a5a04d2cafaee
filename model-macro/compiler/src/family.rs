//! Families of priors as the language knows them, one value each: how they are written, what is said of them, and what they are
//! called in generated code.

use syn::Path;

/// A family of priors that are conjugate to Poisson allocations: counts are added to its first parameter, exposure to its second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Family {
    /// As it is written.
    pub name: String,
    /// In the middle of a sentence.
    pub noun: String,
    /// Its learned parameters, by their names in a declaration.
    pub parameters: &'static [&'static str],
    /// All that is written between its parentheses. `along` is an index of the latent.
    pub keys: [&'static str; 2],
    /// Why these are named.
    pub why: &'static str,
    /// How a prior is written.
    pub form: String,
    /// `E[x]`, `G[x]` and `E[x²]` of an entry where `q(x)` has the parameters `A` and `B`; `None` of a user's own family, which knows them itself.
    pub moments: Option<[&'static str; 3]>,
    /// The constructor of a latent with such a prior, where the declaration is written as data.
    pub constructor: &'static str,
    /// The value of a user's own that the family is, as its path is written.
    pub own: Option<Path>,
}

impl Family {
    /// Independent entries, any positive numbers.
    pub fn gamma() -> Self {
        Self {
            name: "Gamma".into(),
            noun: "gamma".into(),
            parameters: &["shape", "rate"],
            keys: ["shape", "rate"],
            why: "libraries disagree on whether the second parameter of a gamma is a rate or a scale",
            form: "Gamma(shape = a, rate = b)".into(),
            moments: Some(["A/B", "exp(ψ(A))/B", "A (A + 1)/B²"]),
            constructor: "gamma",
            own: None,
        }
    }

    /// Entries that sum to one along an index.
    pub fn dirichlet() -> Self {
        Self {
            name: "Dirichlet".into(),
            noun: "Dirichlet".into(),
            parameters: &["concentration"],
            keys: ["concentration", "along"],
            why: "a factor with several indices is a simplex along one of them, which is named beside the concentration",
            form: "Dirichlet(concentration = a, along = v)".into(),
            moments: Some(["A/ΣA", "exp(ψ(A) − ψ(ΣA))", "A (A + 1)/(ΣA (ΣA + 1))"]),
            constructor: "dirichlet",
            own: None,
        }
    }

    /// A value of the user's own, whose type implements `Family`.
    pub fn own(of: Path) -> Self {
        let words: Vec<String> = of.segments.iter().map(|of| of.ident.to_string()).collect();
        let name = words.join("::");
        Self {
            noun: format!("`{name}`"),
            form: format!("{name}(shape = a, rate = b)"),
            moments: None,
            constructor: "of",
            own: Some(of),
            name,
            ..Self::gamma()
        }
    }

    /// What q of an entry is, and its moments; with `E[x²]` for the published form.
    pub fn moments_in_words(&self, with_second: bool) -> String {
        let parameters = if self.is_simplex() { "A" } else { "A, B" };
        let name = &self.name;
        let said = match (&self.moments, with_second) {
            (Some([mean, geometric, second]), true) => format!("E[x] = {mean},  G[x] = {geometric},  E[x²] = {second}"),
            (Some([mean, geometric, _]), false) => format!("E[x] = {mean},  G[x] = {geometric}"),
            (None, true) => format!("E[x], G[x] and E[x²] are those of `{name}`"),
            (None, false) => format!("E[x] and G[x] are those of `{name}`"),
        };
        format!("q(x) = {name}({parameters}):  {said}")
    }

    /// Those that need not be in scope.
    pub fn known() -> [Self; 2] {
        [Self::gamma(), Self::dirichlet()]
    }

    /// Whether entries may be any positive numbers, so that they have a scale.
    pub fn is_gamma(&self) -> bool {
        self.own.is_none() && !self.is_simplex()
    }

    /// Whether entries sum to one along an index: their exposure must be the same all along it, and drops out.
    pub fn is_simplex(&self) -> bool {
        self.keys[1] == "along"
    }
}
