//! Priors as data (`SPEC`): what is emitted says what was declared.
//!
//! A model and its self-test both read their priors off `SPEC`, so that a mistake in writing it would be in both, and they would
//! agree. Here it is read back from the tokens, by rules of its own, and compared with the resolved declaration and with what a person
//! reads in it.

use std::fmt;

use proc_macro2::{Delimiter, Group, Literal, TokenStream, TokenTree};
use quote::ToTokens;
use skellam_compiler::derive::DerivedModel;
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::resolve::{Latent, Model, Source, Term};
use skellam_compiler::{derivation, emit};
use syn::visit::Visit;
use syn::{Expr, ExprStruct, Lit};

/// A declaration, and its priors as a person reads them: index sets of the latent, then each parameter as a product, in which an index
/// is its position among those of the latent.
const CASES: [(&str, &[&str]); 4] = [
    (
        "model Numbers {
            index docs, words, topics;
            hyper a: positive = 0.1, b: positive = 1.0, c: positive;
            latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 0.25);
            latent phi[k in topics, v in words] ~ Gamma(rate = 3.0 * c * b * b, shape = 0.5 * a);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        }",
        &[
            "theta[docs, topics] ~ Gamma(1.5, 0.25)",
            "phi[topics, words] ~ Gamma(0.5 a, 3 c b b)",
        ],
    ),
    (
        "model Products {
            index docs, words, topics;
            hyper a: positive = 0.1, of_word[v in words]: positive = 2.0;
            data length[d in docs]: positive;
            data known[k in topics, d in docs]: positive;
            latent zeta[k in topics] ~ Gamma(shape = 2.0, rate = a);
            latent xi[d in docs] ~ Gamma(shape = 3.0, rate = length[d]);
            latent theta[d in docs, k in topics] ~ Gamma(shape = a * known[k, d], rate = 0.5 * zeta[k] * a * xi[d] * length[d]);
            latent phi[k in topics, v in words] ~ Gamma(shape = of_word[v], rate = zeta[k]);
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        }",
        &[
            "zeta[topics] ~ Gamma(2, 1 a)",
            "xi[docs] ~ Gamma(3, 1 length[0])",
            "theta[docs, topics] ~ Gamma(1 a known[1, 0], 0.5 a zeta[1] xi[0] length[0])",
            "phi[topics, words] ~ Gamma(1 of_word[1], 1 zeta[0])",
        ],
    ),
    (
        "model Simplices {
            index docs, words, topics;
            hyper a: positive = 0.1;
            hyper base[v in words]: positive = 1.0;
            latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 0.25, along = k);
            latent phi[v in words, k in topics] ~ Dirichlet(concentration = 4.0 * a * base[v], along = v);
            data size[d in docs]: positive;
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) size[d] * theta[d, k] * phi[v, k]);
        }",
        &[
            "theta[docs, topics] ~ Dirichlet(0.25) along 1",
            "phi[words, topics] ~ Dirichlet(4 a base[0]) along 0",
        ],
    ),
    (
        "model Own {
            index sites, kinds;
            hyper b: positive = 0.5;
            latent theta[i in sites] ~ Gamma(shape = 2.0, rate = 0.02);
            latent share[j in kinds] ~ Share(shape = 1.5, rate = 6.0 * b);
            count y[i in sites, j in kinds] ~ Poisson(theta[i] * share[j]);
        }",
        &["theta[sites] ~ Gamma(2, 0.02)", "share[kinds] ~ Share(1.5, 6 b)"],
    ),
];

/// `number * hypers * factors`, summed over `summed`.
#[derive(Clone, Debug, PartialEq)]
struct Product {
    number: f64,
    hypers: Vec<String>,
    factors: Vec<(String, Vec<usize>)>,
    summed: Vec<usize>,
}

/// A latent and its prior, by names.
#[derive(Clone, Debug, PartialEq)]
struct Prior {
    latent: String,
    sets: Vec<String>,
    family: String,
    parameters: Vec<Product>,
    along: Option<usize>,
}

impl fmt::Display for Product {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.number)?;
        self.hypers.iter().try_for_each(|hyper| write!(f, " {hyper}"))?;
        self.factors
            .iter()
            .try_for_each(|(name, at)| write!(f, " {name}{at:?}"))?;
        self.summed.iter().try_for_each(|at| write!(f, " summed over {at}"))
    }
}

impl fmt::Display for Prior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters: Vec<String> = self.parameters.iter().map(Product::to_string).collect();
        let (sets, parameters) = (self.sets.join(", "), parameters.join(", "));
        write!(f, "{}[{sets}] ~ {}({parameters})", self.latent, self.family)?;
        self.along.map_or(Ok(()), |along| write!(f, " along {along}"))
    }
}

fn derived(declaration: &str) -> DerivedModel {
    let mut sink = Sink::default();
    let derived = derivation(declaration.parse().unwrap(), &mut sink);
    let mistakes = || sink.diagnostics().iter().map(|d| d.message()).collect::<String>();
    derived.unwrap_or_else(|_| panic!("{}", mistakes()))
}

/// The priors of the resolved declaration.
fn declared(model: &Model) -> Vec<Prior> {
    let product = |term: &Term| Product {
        number: term.coefficient.number,
        hypers: (term.coefficient.hypers.iter())
            .map(|id| model.hypers[id.0].name.to_string())
            .collect(),
        factors: (term.factors.iter())
            .map(|factor| {
                let name = match factor.of {
                    Source::Latent(id) => &model.latents[id.0].name,
                    Source::Data(id) => &model.data[id.0].name,
                    Source::Hyper(id) => &model.hypers[id.0].name,
                };
                (name.to_string(), factor.vars.iter().map(|var| var.0).collect())
            })
            .collect(),
        summed: term.summed.iter().map(|var| var.0).collect(),
    };
    let prior = |latent: &Latent| Prior {
        latent: latent.name.to_string(),
        sets: latent.indices.iter().map(|i| model.set(i.set).to_string()).collect(),
        family: latent.prior.family.name.clone(),
        parameters: latent.prior.terms.iter().map(product).collect(),
        along: latent.prior.along,
    };
    model.latents.iter().map(prior).collect()
}

/// The expression `Spec { .. }` of an expansion.
fn emitted(derived: &DerivedModel) -> ExprStruct {
    #[derive(Default)]
    struct Found(Vec<ExprStruct>);

    impl<'ast> Visit<'ast> for Found {
        fn visit_expr_struct(&mut self, found: &'ast ExprStruct) {
            if found.path.segments.last().is_some_and(|last| last.ident == "Spec") {
                self.0.push(found.clone());
            }
            syn::visit::visit_expr_struct(self, found);
        }
    }

    let mut found = Found::default();
    found.visit_file(&syn::parse2(emit::emit(derived)).unwrap());
    let [spec] = <[ExprStruct; 1]>::try_from(found.0).expect("one `Spec`");
    spec
}

/// The priors that a `Spec` says, with `latents` instead of its own if given; `None` for what is not data of a prior.
fn read(spec: &ExprStruct, latents: &Expr) -> Option<Vec<Prior>> {
    let names = |of: &str| -> Option<Vec<String>> {
        let each = list(field(spec, of)?)?;
        each.iter()
            .map(|one| string(one).or_else(|| string(call(one)?.1.first()?)))
            .collect()
    };
    let (sets, hypers, arrays) = (names("sets")?, names("hypers")?, names("arrays")?);
    let calls: Option<Vec<(String, Vec<Expr>)>> = list(latents)?.iter().map(call).collect();
    let calls = calls?;
    let own: Option<Vec<String>> = calls.iter().map(|(_, given)| string(given.first()?)).collect();
    let own = own?;

    let of = |names: &[String], at: Vec<usize>| -> Option<Vec<String>> {
        at.into_iter().map(|at| names.get(at).cloned()).collect()
    };
    let factor = |one: &Expr| -> Option<(String, Vec<usize>)> {
        let (kind, given) = call(one)?;
        let [at, vars] = &given[..] else { return None };
        let names = match &*kind {
            "Factor::latent" => &own,
            "Factor::array" => &arrays,
            _ => return None,
        };
        Some((names.get(number(at)?)?.clone(), numbers(vars)?))
    };
    let product = |one: &Expr| -> Option<Product> {
        let (kind, given) = call(one)?;
        let (first, scalars, factors, summed) = match (&*kind, &given[..]) {
            ("Term::number", [first, scalars]) => (first, scalars, Vec::new(), Vec::new()),
            ("Term::new", [first, scalars, factors, summed]) => (first, scalars, list(factors)?, numbers(summed)?),
            _ => return None,
        };
        Some(Product {
            number: float(first)?,
            hypers: of(&hypers, numbers(scalars)?)?,
            factors: factors.iter().map(factor).collect::<Option<_>>()?,
            summed,
        })
    };
    let prior = |(kind, given): &(String, Vec<Expr>)| -> Option<Prior> {
        let (family, parameters, along) = match (&**kind, &given[2..]) {
            ("LatentSpec::gamma", [shape, rate]) => ("Gamma".to_string(), vec![shape, rate], None),
            ("LatentSpec::dirichlet", [concentration, along]) => {
                ("Dirichlet".to_string(), vec![concentration], Some(number(along)?))
            }
            // The value, and how it is written.
            ("LatentSpec::of", [written, Expr::Reference(own), shape, rate]) => {
                let family = own.expr.to_token_stream().to_string();
                if string(written)? != family {
                    return None;
                }
                (family, vec![shape, rate], None)
            }
            _ => return None,
        };
        Some(Prior {
            latent: string(&given[0])?,
            sets: of(&sets, numbers(&given[1])?)?,
            family,
            parameters: parameters.into_iter().map(product).collect::<Option<_>>()?,
            along,
        })
    };
    calls.iter().map(prior).collect()
}

fn field<'a>(spec: &'a ExprStruct, name: &str) -> Option<&'a Expr> {
    let named = |member: &syn::Member| matches!(member, syn::Member::Named(ident) if ident == name);
    spec.fields.iter().find(|f| named(&f.member)).map(|f| &f.expr)
}

/// The last two names of a path that is called, and what it is given.
fn call(expr: &Expr) -> Option<(String, Vec<Expr>)> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    let names: Vec<String> = path.path.segments.iter().map(|s| s.ident.to_string()).collect();
    let last = names.len().checked_sub(2)?;
    Some((names[last..].join("::"), call.args.iter().cloned().collect()))
}

/// `&[..]`
fn list(expr: &Expr) -> Option<Vec<Expr>> {
    let Expr::Reference(of) = expr else { return None };
    let Expr::Array(array) = &*of.expr else { return None };
    Some(array.elems.iter().cloned().collect())
}

fn literal(expr: &Expr) -> Option<&Lit> {
    let Expr::Lit(literal) = expr else { return None };
    Some(&literal.lit)
}

fn string(expr: &Expr) -> Option<String> {
    let Lit::Str(text) = literal(expr)? else { return None };
    Some(text.value())
}

fn number(expr: &Expr) -> Option<usize> {
    let Lit::Int(number) = literal(expr)? else { return None };
    number.base10_parse().ok()
}

fn numbers(expr: &Expr) -> Option<Vec<usize>> {
    list(expr)?.iter().map(number).collect()
}

fn float(expr: &Expr) -> Option<f64> {
    let Lit::Float(number) = literal(expr)? else {
        return None;
    };
    number.base10_parse().ok()
}

#[test]
fn what_is_emitted_is_what_was_declared() {
    for (declaration, expected) in CASES {
        let derived = derived(declaration);
        let spec = emitted(&derived);
        let priors = read(&spec, field(&spec, "latents").unwrap()).expect("priors are data of a known form");
        assert_eq!(priors, declared(&derived.model));
        let texts: Vec<String> = priors.iter().map(Prior::to_string).collect();
        assert_eq!(texts, expected);
    }
}

/// One change of an expression each, and what it is: a literal that is another, two neighbours in a list that are exchanged, a
/// constructor or a family instead of another.
fn changes(tokens: &TokenStream) -> Vec<(String, TokenStream)> {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let with = |at: usize, new: TokenStream| -> TokenStream {
        let (before, after) = (trees[..at].iter().cloned(), trees[at + 1..].iter().cloned());
        before.chain(new).chain(after).collect()
    };
    let mut all = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Literal(literal) => {
                all.push((format!("`{literal}` is another"), with(at, another(literal))));
            }
            TokenTree::Ident(ident) => {
                let other = match &*ident.to_string() {
                    "latent" => "array",
                    "array" => "latent",
                    "gamma" => "dirichlet",
                    "dirichlet" => "gamma",
                    "Share" => "Shares",
                    _ => continue,
                };
                let other = syn::Ident::new(other, ident.span());
                all.push((format!("`{ident}` is `{other}`"), with(at, other.into_token_stream())));
            }
            TokenTree::Group(group) => {
                let regrouped = |inside: TokenStream| Group::new(group.delimiter(), inside).into_token_stream();
                let inside = changes(&group.stream()).into_iter();
                all.extend(inside.map(|(what, inside)| (what, with(at, regrouped(inside)))));
                if group.delimiter() != Delimiter::Brace {
                    let exchanged = exchanged(group.stream()).into_iter();
                    all.extend(exchanged.map(|(what, inside)| (what, with(at, regrouped(inside)))));
                }
            }
            TokenTree::Punct(_) => {}
        }
    }
    all
}

fn another(literal: &Literal) -> TokenStream {
    match syn::parse_str::<Lit>(&literal.to_string()).unwrap() {
        Lit::Str(text) => Literal::string(&format!("{}_", text.value())).into_token_stream(),
        Lit::Int(number) => Literal::usize_unsuffixed(number.base10_parse::<usize>().unwrap() + 1).into_token_stream(),
        Lit::Float(number) => Literal::f64_unsuffixed(2.0 * number.base10_parse::<f64>().unwrap()).into_token_stream(),
        other => unreachable!("a prior has no {other:?}"),
    }
}

/// A list with each two neighbours exchanged that differ.
fn exchanged(list: TokenStream) -> Vec<(String, TokenStream)> {
    let trees: Vec<TokenTree> = list.into_iter().collect();
    let comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(punct) if punct.as_char() == ',');
    let parts: Vec<TokenStream> = trees.split(comma).map(|part| part.iter().cloned().collect()).collect();
    let pairs = (1..parts.len()).filter(|&i| {
        let [one, other] = [&parts[i - 1], &parts[i]].map(TokenStream::to_string);
        one != other && !other.is_empty()
    });
    pairs
        .map(|i| {
            let mut parts = parts.clone();
            parts.swap(i - 1, i);
            let what = format!("`{}` before `{}`", parts[i - 1], parts[i]);
            (what, quote::quote!(#(#parts),*))
        })
        .collect()
}

/// The comparison sees every one of them.
#[test]
fn wrong_data_are_seen() {
    let mut tried = 0;
    for (declaration, _) in CASES {
        let derived = derived(declaration);
        let spec = emitted(&derived);
        let right = declared(&derived.model);
        for (what, latents) in changes(&field(&spec, "latents").unwrap().to_token_stream()) {
            let latents = syn::parse2(latents).unwrap();
            assert_ne!(read(&spec, &latents), Some(right.clone()), "{what}");
            tried += 1;
        }
    }
    println!("{tried} changes");
    assert!(tried > 100, "{tried} changes");
}
