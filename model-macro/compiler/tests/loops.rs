//! Rates and updates that are written as loops: which models have them, and in which order closed forms are summed.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use skellam_compiler::diagnostics::Sink;
use skellam_compiler::{derivation, emit};

fn case(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(name);
    std::fs::read_to_string(path.with_extension("model")).unwrap()
}

fn source(declaration: &str) -> String {
    let derivation = derivation(declaration.parse().unwrap(), &mut Sink::default()).unwrap();
    emit::source(&derivation)
}

/// The lines between the braces of a function, without indentation.
fn body(source: &str, function: &str) -> Vec<String> {
    let after = source.split(&format!("fn {function}(")).nth(1).unwrap();
    let lines = after.lines().skip(1).take_while(|line| *line != "    }");
    lines.map(|line| line.trim().to_owned()).collect()
}

/// What is summed before an exposure, and the exposure itself where weights are products over indices, however their lines are broken.
fn closed(source: &str, latent: &str) -> String {
    let lines = body(source, &format!("exposure_of_{latent}"));
    let to = lines.iter().position(|line| line.contains(".correct_")).unwrap();
    let joined = lines[1..to].join("");
    let joined: String = joined.split_whitespace().collect();
    joined.replace(",)", ")").replace("|{", "|").replace("})", ")")
}

#[track_caller]
fn assert_closed(source: &str, latent: &str, statements: &[&str]) {
    let joined: String = statements.join("").split_whitespace().collect();
    assert_eq!(closed(source, latent), joined);
}

const GAMMA: &str = "~ Gamma(shape = 1.0, rate = 1.0)";

/// The string literals of some tokens, without those of attributes, which are documentation and reasons.
fn strings(tokens: TokenStream, into: &mut Vec<String>) {
    let mut is_attribute = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) if !is_attribute => strings(group.stream(), into),
            TokenTree::Literal(literal) => into.extend(Some(literal.to_string()).filter(|text| text.starts_with('"'))),
            TokenTree::Punct(ref mark) if mark.as_char() == '#' || (is_attribute && mark.as_char() == '!') => {
                is_attribute = true;
                continue;
            }
            _ => {}
        }
        is_attribute = false;
    }
}

#[test]
fn no_formula_is_a_string() {
    for name in [
        "matrix",
        "cp",
        "hierarchical",
        "background",
        "simplex",
        "known",
        "block",
        "tucker",
        "groups",
        "views",
        "skellam",
        "learned",
        "totals",
        "answers",
        "dynamics",
    ] {
        let mut all = Vec::new();
        strings(source(&case(name)).parse().unwrap(), &mut all);
        // Tokens were looked through: those of its name are among them.
        assert!(
            all.iter().any(|text| text.contains("every latent has counts")),
            "{name}: {all:?}"
        );
        for text in all {
            let is_formula = |c: char| "+-−*/=~|[]()Σ".contains(c) || ('α'..='ω').contains(&c);
            assert!(!text.contains(is_formula), "{name}: {text}");
        }
    }
}

#[test]
fn an_index_that_is_shared_is_summed_once() {
    let source = source(&format!(
        "pub model Shared {{
            index docs, words, topics;
            latent beta[d in docs] {GAMMA};
            latent theta[d in docs, k in topics] {GAMMA};
            latent phi[k in topics, v in words] {GAMMA};
            count y[d in docs, v in words] ~ Poisson(beta[d] * sum(k in topics) theta[d, k] * phi[k, v]);
        }}"
    ));
    assert_closed(
        &source,
        "phi",
        &[
            "let beta_theta = x.theta.sum::<1>(0, |d| w.at(0, d) * x.beta[[d]]);",
            "let mut exposure = rt::Entries::of([x.topics, x.words], |[k, v]| w.base() * w.at(1, v) * beta_theta[[k]]);",
        ],
    );
    // The index of words first, as that of topics would leave an array over documents and words.
    assert_closed(
        &source,
        "beta",
        &[
            "let phi = x.phi.sum::<1>(1, |v| w.at(1, v));",
            "let mut exposure = rt::Entries::of([x.docs], |[d]|",
            "w.base() * w.at(0, d) * (0..x.topics).map(|k| x.theta[[d, k]] * phi[[k]]).sum::<f64>());",
        ],
    );
}

#[test]
fn modes_of_a_tensor_are_summed_one_by_one() {
    let source = source(&case("cp"));
    assert_closed(
        &source,
        "a",
        &[
            "let b = x.b.sum::<1>(0, |j| w.at(1, j));",
            "let c = x.c.sum::<1>(0, |t| w.at(2, t));",
            "let mut exposure = rt::Entries::of([x.rows, x.parts], |[i, k]| w.base() * w.at(0, i) * b[[k]] * c[[k]]);",
        ],
    );
    let right = body(&source, "right");
    assert_eq!(right, ["rt::multiply(right, self.0.b.row([j]), self.0.c.row([t]));"]);
}

#[test]
fn terms_of_a_definition_stand_side_by_side() {
    let source = source(&format!(
        "pub model Terms {{
            index docs, words, topics;
            latent theta[d in docs, k in topics] {GAMMA};
            latent phi[k in topics, v in words] {GAMMA};
            latent base[v in words] {GAMMA};
            latent size[d in docs] {GAMMA};
            let of[d in docs, v in words] = base[v] + sum(k in topics) theta[d, k] * phi[k, v];
            count y[d in docs, v in words] ~ Poisson(size[d] * of[d, v]);
        }}"
    ));
    assert_closed(
        &source,
        "size",
        &[
            "let base: f64 = (0..x.words).map(|v| w.at(1, v) * x.base[[v]]).sum();",
            "let phi = x.phi.sum::<1>(1, |v| w.at(1, v));",
            "let mut exposure = rt::Entries::of([x.docs], |[d]|",
            "w.base() * w.at(0, d) * (base + (0..x.topics).map(|k| x.theta[[d, k]] * phi[[k]]).sum::<f64>()));",
        ],
    );
    assert_eq!(body(&source, "inner"), ["1 + self.x.topics"]);
    assert_eq!(
        body(&source, "left")[..2],
        [
            "left[0] = self.x.size[[d]];",
            "for (k, left) in left[1..].iter_mut().enumerate() {"
        ]
    );
    let sides = source
        .split("sides: &[")
        .nth(1)
        .map(|after| after.split_whitespace().collect::<String>());
    let sides: String = sides.unwrap_or_default().chars().take(120).collect();
    assert!(
        sides.starts_with("rt::Sides{rows:&[0],cols:&[1],inner:&[&[],&[2]],right:&[1,2],.."),
        "{sides}"
    );
}

#[test]
fn a_latent_without_indices_is_a_number() {
    let source = source(&format!(
        "pub model Number {{
            index docs, words;
            latent scale {GAMMA};
            latent theta[d in docs] ~ Gamma(shape = 1.0, rate = scale);
            latent phi[v in words] {GAMMA};
            count y[d in docs, v in words] ~ Poisson(scale * theta[d] * phi[v]);
        }}"
    ));
    assert_closed(
        &source,
        "scale",
        &[
            "let theta: f64 = (0..x.docs).map(|d| w.at(0, d) * x.theta[[d]]).sum();",
            "let mut exposure = rt::Entries::of([], |[]|",
            "w.base() * theta * (0..x.words).map(|v| w.at(1, v) * x.phi[[v]]).sum::<f64>());",
        ],
    );
    let drawn = body(&source, "draw_scale");
    assert!(
        drawn
            .iter()
            .any(|line| line.contains("x.theta.row([]).iter().sum::<f64>()")),
        "{drawn:?}"
    );
    assert_eq!(body(&source, "left"), ["left[0] = self.0.scale * self.0.theta[[d]];"]);
    assert!(source.contains("scale: rt::Entries<0, &'a mut [f64]>"), "{source}");
    assert!(source.contains("self.scale[[]] += n.iter().sum::<f64>();"), "{source}");
}

/// What is read where an array of positions tells is added up by position, after every sum that needs no position.
#[test]
fn positions_are_looked_up_where_they_are_read() {
    let source = source(&format!(
        "pub model Seated {{
            index docs, sites, words, authors, topics;
            data seat[d in docs, s in sites]: authors;
            latent bias[a in authors, s in sites] {GAMMA};
            latent theta[d in docs, k in topics] {GAMMA};
            latent phi[k in topics, v in words] {GAMMA};
            count y[d in docs, s in sites, v in words]
                ~ Poisson(bias[seat[d, s], s] * sum(k in topics) theta[d, k] * phi[k, v]);
        }}"
    ));
    let right = body(&source, "right");
    assert_eq!(right[0], "let seat = self.0.seat.position([d, s]);");
    assert_eq!(right[2], "*right = self.0.bias[[seat, s]] * self.0.theta[[d, k]];");
    assert!(
        source.contains("self.bias[[seat, s]] += n.iter().sum::<f64>();"),
        "{source}"
    );
    assert_closed(
        &source,
        "bias",
        &[
            "let phi = x.phi.sum::<1>(1, |v| w.at(2, v));",
            "let theta_phi = x.theta.sum::<1>(1, |k| phi[[k]]);",
            "let mut theta_phi_of_a = rt::Entries::zeros([x.authors, x.sites]);",
            "for d in 0..x.docs { for s in 0..x.sites {",
            "let a = x.seat.position([d, s]);",
            "theta_phi_of_a[[a, s]] += w.at(0, d) * theta_phi[[d]]; } }",
            "let mut exposure = rt::Entries::of([x.authors, x.sites], |[a, s]|",
            "w.base() * w.at(1, s) * theta_phi_of_a[[a, s]]);",
        ],
    );
    let theta = closed(&source, "theta");
    assert!(
        theta.contains("w.at(1,s)*x.bias[[x.seat.position([d,s]),s]]"),
        "{theta}"
    );
}

/// Sums in an operand of columns are formed at a cell, but for inner nodes, which have at most one index of it.
#[test]
fn tucker_models_have_inner_nodes() {
    let source = source(&case("tucker"));
    assert_eq!(
        body(&source, "right")[..3],
        [
            "right.fill(0.0);",
            "for q in 0..self.x.qs {",
            "rt::add_multiple(right, self.x.b[[j, q]], self.c_core.row([t, q]));"
        ]
    );
    assert!(
        source.contains("/// `c_core[t,q,p] = Σ_r c[t,r] core[p,q,r]`"),
        "{source}"
    );
    // What a node has is divided over what makes it when all cells have added to it.
    let finish = body(&source, "finish");
    let divided = finish
        .iter()
        .position(|line| line.starts_with("let parts = parts.of("))
        .unwrap();
    assert!(
        finish[divided..].contains(&"self.core[[p, q, r]] += n;".to_owned()),
        "{finish:?}"
    );
    let core = body(&source, "exposure_of_core").join(" ");
    assert!(
        core.contains("let of_c_core = Self::exposure_of_c_core(of, w);"),
        "{core}"
    );
    assert!(
        core.contains("(0..x.times).map(|t| of_c_core[[t, q, p]] * x.c[[t, r]]).sum::<f64>()"),
        "{core}"
    );
}

/// An operand of rows is formed once a row: its sum needs no node.
#[test]
fn sums_of_both_sides_are_apart() {
    let source = source(&format!(
        "pub model Both {{
            index docs, words, authors, kinds, topics;
            data is_author[d in docs, a in authors]: nonnegative;
            data is_kind[v in words, c in kinds]: nonnegative;
            latent style[a in authors, k in topics] {GAMMA};
            latent level[c in kinds] {GAMMA};
            latent phi[k in topics, v in words] {GAMMA};
            count y[d in docs, v in words] ~ Poisson(
                sum(c in kinds, a in authors, k in topics) is_kind[v, c] * level[c] * is_author[d, a] * style[a, k] * phi[k, v]);
        }}"
    ));
    let left = body(&source, "left");
    assert_eq!(
        left[2],
        "rt::add_multiple(left, self.x.is_author[[d, a]], self.x.style.row([a]));"
    );
    assert!(
        source.contains("/// `is_kind_level[v] = Σ_c is_kind[v,c] level[c]`"),
        "{source}"
    );
    assert!(
        source.contains("*right = self.x.phi[[k, v]] * self.is_kind_level[[v]];"),
        "{source}"
    );
}

/// A cell that weighs otherwise is one value of every index of the cell, also of those that the latent has beside its line.
#[test]
fn a_cell_corrects_a_line_at_its_own_indices() {
    let source = source(&format!(
        "pub model Times {{
            index actors, times, groups;
            latent theta[i in actors, t in times, c in groups] {GAMMA};
            count y[i in actors, j in actors, t in times] where i != j ~ Poisson(sum(c in groups) theta[i, t, c] * theta[j, t, c]);
        }}"
    ));
    let lines = body(&source, "theta_in_turn").join(" ");
    let corrected = "rt::add_multiple(weighed_j.row_mut([t]), e, x.theta.row([j, t]))";
    assert!(
        lines.contains("&|[_, j, t, ..], e, weighed_j|") && lines.contains(corrected),
        "{lines}"
    );
}

/// A latent that is three times in a term, and in another count: only where it is at one other place is a sum kept current.
#[test]
fn lines_of_several_counts_are_updated_in_turn() {
    let source = source(&format!(
        "pub model Several {{
            index actors, days, groups;
            latent theta[i in actors, c in groups] {GAMMA};
            latent phi[t in days, c in groups] {GAMMA};
            count ties[i in actors, j in actors] where i != j ~ Poisson(sum(c in groups) theta[i, c] * theta[j, c]);
            count trios[i in actors, j in actors, k in actors] where i < j, j < k
                ~ Poisson(sum(c in groups) theta[i, c] * theta[j, c] * theta[k, c]);
            count visits[i in actors, t in days] ~ Poisson(sum(c in groups) theta[i, c] * phi[t, c]);
        }}"
    ));
    let lines = body(&source, "theta_in_turn");
    let of = |start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    let (start, end) = (of("for i in 0..x.actors {"), of("hand_over("));
    // What no line changes is summed before; what they change, at current values.
    assert!(of("let phi = x.phi.sum") < start, "{lines:?}");
    assert!((start..end).contains(&of("let theta = x.theta.sum")), "{lines:?}");
    let kept = lines.iter().filter(|line| line.starts_with("let mut over_"));
    assert_eq!(kept.count(), 2, "{lines:?}");
    let weights = ["w_ties", "w_trios", "w_visits"].map(|w| of(&format!("let {w} = &s.weights()")));
    assert!(weights.iter().all(|at| *at < start), "{lines:?}");
}

/// A row has one index: the operand of rows is formed once a row, that of columns at every cell.
#[test]
fn a_row_has_one_index_where_it_can() {
    let source = source(&format!(
        "pub model Rows {{
            index docs, sites, words, topics;
            latent theta[d in docs, s in sites, k in topics] {GAMMA};
            latent phi[k in topics, v in words] {GAMMA};
            count y[d in docs, v in words, s in sites] ~ Poisson(sum(k in topics) theta[d, s, k] * phi[k, v]);
        }}"
    ));
    assert!(source.contains("rows `v`, columns `(d,s)`"), "{source}");
}

/// Letters of the declaration are kept; other locals make room for them, and nothing is in capitals, as a constant of the user's could be.
#[test]
fn locals_hide_no_index() {
    let source = source(
        "pub model Letters {
            index N, M, K;
            hyper A: positive = 1.0;
            latent w[x in N, k in K] ~ Gamma(shape = A, rate = A);
            latent of[n in M, k in K] ~ Gamma(shape = A, rate = A);
            count Y[x in N, n in M] ~ Poisson(sum(k in K) w[x, k] * of[n, k]);
        }",
    );
    assert!(source.contains("let [n, m, k] = of.sizes();"), "{source}");
    assert!(source.contains("let [a] = of.hypers();"), "{source}");
    assert!(source.contains("N: n,") && source.contains("A: a,"), "{source}");
    assert!(
        source.contains("fn left(&self, [x, ..]: rt::At, left: &mut [f64])"),
        "{source}"
    );
    let closed = closed(&source, "w");
    assert!(
        closed.starts_with("letsum_of_of=read.of.sum::<1>(0,|n|omega.at(1,n));"),
        "{closed}"
    );
}

/// A model of a network at several times with the latents that its rate names.
fn network(clause: &str, rate: &str) -> String {
    let latents = [
        ("theta", "theta[i in actors, c in groups]"),
        ("pi", "pi[c in groups, e in groups]"),
        ("phi", "phi[t in times, c in groups]"),
        ("back", "back"),
    ];
    let latents = latents.iter().filter(|(name, _)| rate.contains(name));
    let latents: String = latents
        .map(|(_, latent)| format!("latent {latent} {GAMMA};\n"))
        .collect();
    source(&format!(
        "pub model Network {{
            index actors, groups, times;
            {latents}
            count y[i in actors, j in actors, t in times] {clause} ~ Poisson({rate});
        }}"
    ))
}

/// What stands in the loop over lines is what changes there; of an order, one sum loses lines and the other gains them.
#[test]
fn lines_are_updated_in_turn() {
    let rate = "back + sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e] * phi[t, c]";
    let [unlike, below] = ["where i != j", "where i < j"].map(|clause| body(&network(clause, rate), "theta_in_turn"));
    let of = |lines: &[String], start: &str| lines.iter().position(|line| line.starts_with(start)).unwrap();
    for lines in [&unlike, &below] {
        let start = of(lines, "for i in 0..x.actors {");
        for sum in [
            "let mut over_j =",
            "let mut over_i2 =",
            "let phi = x.phi.sum",
            "let phi_2 = x.phi.sum",
        ] {
            assert!(of(lines, sum) < start, "{sum}");
        }
        for sum in [
            "let mut weighed_j",
            "w.correct_along(0, i, &mut weighed_j",
            "let mut weighed_i2",
            "hand_over(",
        ] {
            assert!(of(lines, sum) > start, "{sum}");
        }
    }
    let changes = |lines: &[String]| {
        lines
            .iter()
            .filter(|line| line.starts_with("rt::add_multiple(over_"))
            .count()
    };
    assert_eq!([changes(&unlike), changes(&below)], [4, 2]);
    assert!(of(&below, "rt::add_multiple(over_j.row_mut([]), -w.at(1, i)") < of(&below, "let mut weighed_j"));
    assert!(of(&below, "rt::add_multiple(over_i2.row_mut([]), w.at(0, i)") > of(&below, "hand_over("));
    assert!(below.contains(&"let mut over_i2 = rt::Entries::zeros([x.groups]);".to_owned()));
}

#[test]
fn sums_over_ordered_pairs_take_the_sums_above_or_below() {
    let source = network("where i < j", "sum(c in groups) theta[i, c] * phi[t, c]");
    assert!(source.contains("is_ordered: true"));
    assert_closed(
        &source,
        "phi",
        &[
            "let cells_above_i = rt::Entries::of([x.actors], |[j]| w.at(1, j)).sum_above(0, |_| 1.0);",
            "let theta_cells_above_i = x.theta.sum::<1>(0, |i| w.at(0, i) * cells_above_i[[i]]);",
            "let mut exposure = rt::Entries::of([x.times, x.groups], |[t, c]| w.base() * w.at(2, t) * theta_cells_above_i[[c]]);",
        ],
    );
}

/// The square of a sum is made of the squares of what is multiplied; the numbers of terms, which are not read, are multiplied once more.
#[test]
fn numbers_beside_sums_are_squared() {
    let squared = |rate: &str| {
        let source = network("where i != j", rate);
        let is_written = source.contains("fn square_numbers(");
        is_written.then(|| body(&source, "square_numbers"))
    };
    let sum = "sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e] * phi[t, c]";
    assert_eq!(squared(sum), None);
    assert_eq!(squared(&format!("back + {sum}")), None);
    assert_eq!(
        squared(&format!("2.0 * {sum}")).unwrap(),
        ["left.iter_mut().for_each(|left| *left *= 2.0);"]
    );
    assert_eq!(squared(&format!("3.0 * back + {sum}")).unwrap(), ["left[0] *= 3.0;"]);
    assert_eq!(
        squared("2.0 * sum(c in groups) theta[i, c] * theta[j, c] * phi[t, c]"),
        None
    );
}

/// A position that a summed index tells is looked up inside the sum.
#[test]
fn positions_of_summed_indices_are_looked_up_in_the_sum() {
    let source = source(&format!(
        "pub model Parents {{
            index docs, words, topics, parents;
            data parent[k in topics]: parents;
            latent theta[d in docs, k in topics] {GAMMA};
            latent phi[p in parents, v in words] {GAMMA};
            count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[parent[k], v]);
        }}"
    ));
    assert_eq!(
        body(&source, "right")[..2],
        [
            "for (k, right) in right.iter_mut().enumerate() {",
            "*right = self.0.phi[[self.0.parent.position([k]), v]];"
        ]
    );
    assert!(
        source.contains("self.phi[[self.x.parent.position([k]), v]] += n;"),
        "{source}"
    );
    assert_closed(
        &source,
        "phi",
        &[
            "let theta = x.theta.sum::<1>(0, |d| w.at(0, d));",
            "let mut theta_of_p = rt::Entries::zeros([x.parents]);",
            "for k in 0..x.topics { let p = x.parent.position([k]); theta_of_p[[p]] += theta[[k]]; }",
            "let mut exposure = rt::Entries::of([x.parents, x.words], |[p, v]| w.base() * w.at(1, v) * theta_of_p[[p]]);",
        ],
    );
}

/// The sum over all other lines holds what is looked up at them: a line leaves it with what it looks up itself.
#[test]
fn lines_leave_sums_with_what_they_look_up() {
    let source = source(&format!(
        "pub model Seats {{
            index actors, kinds, groups;
            data kind[i in actors]: kinds;
            latent u[i in actors, c in groups] {GAMMA};
            latent b[k in kinds, c in groups] {GAMMA};
            count y[i in actors, j in actors] where i != j ~ Poisson(sum(c in groups) u[i, c] * u[j, c] * b[kind[j], c]);
        }}"
    ));
    let lines = body(&source, "u_in_turn").join("");
    assert!(
        lines.contains("over_j[[c]] += -w.at(1, i) * x.u[[i, c]] * x.b[[x.kind.position([i]), c]];"),
        "{lines}"
    );
}

/// Lines along two indices take a pass over all cells each.
#[test]
fn lines_along_two_indices_take_passes() {
    let source = source(&format!(
        "pub model Crossed {{
            index actors, sites;
            latent u[i in actors, a in sites] {GAMMA};
            count y[i in actors, j in actors] where i != j ~ Poisson(sum(a in sites, b in sites) u[i, a] * u[j, b]);
            count z[a in sites, b in sites] where a < b ~ Poisson(sum(i in actors, j in actors) u[i, a] * u[j, b]);
        }}"
    ));
    assert_eq!(
        body(&source, "u_in_turn")[..6],
        [
            "for i in 0..CrossedRead::from(s.reading()).actors {",
            "for a in 0..CrossedRead::from(s.reading()).sites {",
            "let exposure = Self::exposure_of_u(s.reading(), &s.weights());",
            "let (x, n) = (CrossedRead::from(s.reading()), CrossedRead::from(s.counted()));",
            "let prior = Self::prior_of_u(x);",
            "let law = rt::conjugate([], move |[]| prior([i, a]), |[]| [n.u[[i, a]], exposure[[i, a]]]);",
        ]
    );
}
