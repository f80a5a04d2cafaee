//! Formulas are read as they are written, are those of the declaration only if they say the same, and are worth what loops make of them.

use std::panic::catch_unwind;

use skellam_formula::product::{Entry, Name};

use super::{About, Absent, Atom, Declared, Moment, Of, Place, Product, Reader};
use crate::model::{ArraySpec, CountSpec, Domain, FactorSpec, HyperSpec, LatentSpec, Lookup, Spec, TermSpec};

const ONE: TermSpec = TermSpec::number(1.0, &[]);

/// `2 boost θ[d,k] φ[k,v] style[author[d],k]`, summed over `k`.
const LOOKED_UP: TermSpec = TermSpec::new(
    2.0,
    &[0],
    &[
        FactorSpec::latent(0, &[0, 2]),
        FactorSpec::latent(1, &[2, 1]),
        FactorSpec::latent(2, &[3, 2]),
    ],
    &[2],
)
.looking_up(&[Lookup::new(3, 0, &[0])]);

/// `walk[d-1,k]`, summed over `k`.
const BEFORE: TermSpec =
    TermSpec::new(1.0, &[], &[FactorSpec::latent(3, &[4, 2])], &[2]).looking_up(&[Lookup::back(4, 1, &[0])]);

const COUNT: CountSpec = CountSpec {
    name: "y",
    vars: &[0, 1, 2, 3, 0],
    free: 2,
    guards: &[],
    terms: &[LOOKED_UP, BEFORE],
    layouts: 1,
    total: None,
    is_hidden: false,
};

const SPEC: Spec = Spec {
    name: "Model",
    sets: &["docs", "words", "topics", "authors"],
    hypers: &[
        HyperSpec::new("boost", Domain::Positive, None),
        HyperSpec::per_size("one over words", 1),
    ],
    arrays: &[ArraySpec::data("author", &[0], Domain::PositionIn(3))],
    latents: &[
        LatentSpec::gamma("theta", &[0, 2], ONE, ONE),
        LatentSpec::gamma("phi", &[2, 1], ONE, ONE),
        LatentSpec::gamma("style", &[3, 2], ONE, ONE),
        LatentSpec::gamma("walk", &[0, 2], ONE, ONE),
    ],
    custom_updates: &[],
    counts: &[COUNT],
};

/// The products of a formula where a cell is called so.
fn read(spec: &Spec, cell: Option<Name>, own: &str, text: &str) -> Vec<Product> {
    let own = &Entry::read(own).expect("an entry");
    About { spec, own, cell }.read(text)
}

/// The product of a formula that may have weights `w`, or counts `y₁`.
fn product(own: &'static str, text: &str) -> Product {
    let cell = match text.contains("y₁") {
        true => Name::of_term("y", &[None, None], 0),
        false => Name::plain("w"),
    };
    let mut all = read(&SPEC, Some(cell), own, text);
    assert_eq!(all.len(), 1, "{text}");
    all.remove(0)
}

#[test]
fn a_formula_is_that_of_the_declaration_only_if_it_says_the_same() {
    let is_said = |read: usize, own: &'static str, text: &str| {
        Declared::exposure(&COUNT, &LOOKED_UP, read).contains(&product(own, text))
    };
    // Whatever the indices are called, as it is and with means.
    for text in [
        "Σ_v w[d,v] 2 boost φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost E[φ[k,v] style[author[d],k]]",
    ] {
        assert!(is_said(0, "θ[d,k]", text), "{text}");
    }
    assert!(is_said(
        0,
        "theta[a,b]",
        "Σ_word w[a,word] 2 boost phi[b,word] style[author[a],b]"
    ));
    assert!(is_said(
        2,
        "style[a,k]",
        "Σ_{d,v} [author[d]=a] w[d,v] 2 boost θ[d,k] φ[k,v]"
    ));
    for wrong in [
        "Σ_v w[d,v] 3 boost φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost boost φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost φ[k,v]",
        "Σ_v w[d,v] 2 boost θ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost φ[v,k] style[author[d],k]",
        "Σ_v w[d,v] 2 boost φ[k,v] style[author[v],k]",
        "Σ_v w[v,d] 2 boost φ[k,v] style[author[d],k]",
        "Σ_{v,u} w[d,v] 2 boost φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost φ[k,v] style[author[d-1],k]",
        "Σ_v [d<1] w[d,v] 2 boost φ[k,v] style[author[d],k]",
        "Σ_v 2 boost φ[k,v] style[author[d],k]",
        "Σ_v w[d,v] 2 boost G[φ[k,v] style[author[d],k]]",
        "Σ_v w[d,v] 2 boost E[φ[k,v]] style[author[d],k]",
    ] {
        assert!(!is_said(0, "θ[d,k]", wrong), "{wrong}");
    }
    let shared = |text: &str| Declared::share(&COUNT, &LOOKED_UP).contains(&product("y[d,v]", text));
    assert!(shared("Σ_k 2 boost G[θ[d,k]] G[φ[k,v]] G[style[author[d],k]]"));
    assert!(shared("Σ_k 2 boost θ[d,k] φ[k,v] style[author[d],k]"));
    assert!(!shared("Σ_k 2 boost E[θ[d,k]] E[φ[k,v]] E[style[author[d],k]]"));
    assert!(!shared("Σ_k 2 boost θ[d,k] φ[k,v]"));
    let allocated = |text: &str| Declared::allocation(&COUNT, &LOOKED_UP, 0) == product("θ[d,k]", text);
    assert!(allocated("Σ_v y₁[d,v,k]"));
    assert!(!allocated("Σ_v y₁[d,k,v]"));
}

/// What is read at `d - 1` is the present one: what reads it is at `d + 1`.
#[test]
fn other_times_are_moved() {
    let exposure = Declared::exposure(&COUNT, &BEFORE, 0);
    assert!(exposure.contains(&product("walk[d,k]", "Σ_v w[d+1,v]")));
    for wrong in ["Σ_v w[d,v]", "Σ_v w[d-1,v]", "Σ_v w[d+2,v]"] {
        assert!(!exposure.contains(&product("walk[d,k]", wrong)), "{wrong}");
    }
}

#[test]
fn every_kind_of_factor_is_read() {
    let read = product(
        "θ[d,k]",
        "Σ_{v,c⁺} [d<2] y₁[d+1,v,c⁺] 0.25 |words|⁻¹ boost E[walk[d-1,k]^[d<3]]",
    );
    let at = |index: usize, by: i64| Place::At(index, by);
    let expected = Product {
        summed: 2,
        number: 0.25,
        hypers: vec![0, 1],
        atoms: vec![
            Atom::First { at: at(0, 0), until: 2 },
            Atom::Entry {
                of: Of::Cell,
                at: vec![at(0, 1), at(2, 0), at(3, 0)],
                at_first: None,
                moment: Moment::Value,
            },
            Atom::Entry {
                of: Of::Latent(3),
                at: vec![at(0, -1), at(1, 0)],
                at_first: Some((at(0, 0), 3)),
                moment: Moment::Mean,
            },
        ],
    };
    assert_eq!(read, expected);
    let sum = self::read(&SPEC, None, "θ[d,k]", "boost + Σ_v φ[k,v]");
    assert_eq!(sum.iter().map(|part| part.summed).collect::<Vec<_>>(), [0, 1]);
}

/// `G[d,v]` is a count where one is called so, and a mean elsewhere.
#[test]
fn a_count_may_be_called_as_a_mean_is() {
    const GRAPH: Spec = Spec {
        counts: &[CountSpec { name: "G", ..COUNT }],
        ..SPEC
    };
    let cell = Name::of_term("G", &[None], 0);
    let found = read(&GRAPH, Some(cell), "θ[d,k]", "Σ_v G[d,v,k]");
    assert_eq!(found, [product("θ[d,k]", "Σ_v y₁[d,v,k]")]);
}

#[test]
fn what_is_no_formula_is_told() {
    for (text, told) in [
        ("Σ_v w[d,v] ψ[k,v]", "nothing here is called `ψ`"),
        ("Σ_v omega[d,v] φ[k,v]", "nothing here is called `ω`"),
        ("Σ_v y₁[d,v] y₂[d,v]", "nothing here is called `y₂`"),
        ("Σ_v w[d,v] E[G[φ[k,v]]]", "a mean is of values"),
        ("|authors|⁻¹", "nothing is divided by the size of `authors`"),
        ("Σ_v w[d,u]", "index `u` is neither the latent's nor summed over"),
        ("Σ_v w[d,v", "expected `]`"),
        (
            "Σ_v w[d,v] style[group[d],k]",
            "the model has no array of positions `group`",
        ),
    ] {
        let told_here = catch_unwind(|| product("θ[d,k]", text)).expect_err(text);
        let told_here = told_here.downcast_ref::<String>().expect("a message");
        assert!(told_here.contains(told), "{text}: {told_here}");
    }
}

/// `Σ_v w[d,v] 2 boost φ[k,v] style[author[d],k]` by hand.
#[test]
fn loops_multiply_and_add() {
    let sizes = [2, 3, 2, 2];
    let author = [1.0, 0.0];
    let phi = |at: &[usize]| (1 + at[0] * 3 + at[1]) as f64;
    let style = |at: &[usize]| (10 + at[0] * 2 + at[1]) as f64;
    let weight = |at: &[usize]| f64::from(u8::from(at[0] != at[1]));
    let walk = |at: &[usize]| (at[0] * 2 + at[1]) as f64;
    let entry = |of: Of, _: Moment, at: &[usize]| match of {
        Of::Latent(1) => phi(at),
        Of::Latent(2) => style(at),
        Of::Latent(_) => walk(at),
        Of::Array(_) => author[at[0]],
        Of::Hyper(_) => unreachable!("it is a number here"),
        Of::Cell => weight(at),
    };
    let sets = |of: Of| match of {
        Of::Latent(latent) => SPEC.latents[latent].sets.to_vec(),
        Of::Array(_) => vec![0],
        Of::Hyper(_) => Vec::new(),
        Of::Cell => vec![0, 1],
    };
    let values_of = |text: &str, absent: Absent, ahead: &[usize]| {
        let reader = Reader {
            sizes: &sizes,
            ahead,
            others: &[0, 1, 2],
            own: &[0, 2],
            sets: &sets,
            entry: &entry,
            absent,
            hypers: &[0.5, 1.0 / 3.0],
        };
        reader.values(&product("θ[d,k]", text))
    };
    let values = |text: &str, absent: Absent| values_of(text, absent, &[]);
    let exposure = values("Σ_v w[d,v] 2 boost φ[k,v] style[author[d],k]", Absent::Zero);
    let by_hand = |d: usize, k: usize| {
        let author = [1, 0][d];
        let terms = (0..3).map(|v| weight(&[d, v]) * phi(&[k, v]) * style(&[author, k]));
        terms.sum::<f64>()
    };
    assert_eq!(exposure, [by_hand(0, 0), by_hand(0, 1), by_hand(1, 0), by_hand(1, 1)]);
    // Nothing is read at `v`: it is the index of the others that the latent lacks.
    assert_eq!(values("Σ_v 2", Absent::Zero), [6.0; 4]);
    // The last row has no child.
    assert_eq!(values_of("2", Absent::One, &[1, 0]), [2.0, 2.0, 0.0, 0.0]);
    // Before the first time a factor is one, and a term of a sum is zero.
    assert_eq!(values("walk[d-1,k] 3", Absent::Zero), [0.0, 0.0, 0.0, 3.0]);
    assert_eq!(values("walk[d-1,k] 3", Absent::One), [3.0, 3.0, 0.0, 3.0]);
    assert_eq!(
        values("walk[d-1,k] walk[d+1,k]", Absent::OneButLast),
        [2.0, 3.0, 0.0, 0.0]
    );
    assert_eq!(values("[d<1] walk[d,k]", Absent::Zero), [0.0, 1.0, 0.0, 0.0]);
    assert_eq!(values("walk[d,k]^[d<1]", Absent::Zero), [0.0, 1.0, 1.0, 1.0]);
}
