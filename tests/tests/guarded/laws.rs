//! Self-tests that `tests/mutants/run` builds on a changed copy of the repository: a matrix, a factor that is used twice,
//! a hierarchy, topics without a scale symmetry, a lookup under a learned shape, known coefficients of cells and a lookup, an inner node, tables with known totals, lines with totals that nobody knows. Few and quick to build; `laws.rs` tries every family.

use skellam::prelude::*;
use skellam_check::{Report, SelfTest};

skellam::model! {
    model Matrix {
        index docs, words, topics;
        hyper a: positive = 0.5, b: positive = 1.0;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    model Undirected {
        index actors, groups;
        hyper a: positive = 0.5;
        latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
        count y[i in actors, j in actors] where i < j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    model Hierarchical {
        index docs, words, topics;
        hyper a: positive = 0.5, b: positive = 1.0;
        latent xi[d in docs] ~ Gamma(shape = a, rate = b);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Moves along symmetries, which renew what trajectories leave behind, have nothing to do here.
    model Topics {
        index docs, words, topics;
        hyper a: positive = 0.5, s: positive = 0.7;
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = s, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A line whose total is public, and a table that shares a hidden margin.
    model Tables {
        index classes, features, answers;
        total people;
        latent p[i in classes] ~ Dirichlet(concentration = 1.5, along = i);
        latent q[k in features, i in classes, j in answers] ~ Dirichlet(concentration = 1.5, along = j);
        latent r[k in features, j in answers] ~ Dirichlet(concentration = 1.5, along = j);
        hidden n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[k in features, i in classes, j in answers] ~ Multinomial(n[i], q[k, i, j], along = j);
        count s[k in features, j in answers] ~ Multinomial(people, r[k, j], along = j);
        release m by TwoSidedGeometric;
        release s by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Lines whose totals nobody knows.
    model Lengths {
        index docs, words;
        latent r[d in docs] ~ Gamma(shape = 2.0, rate = 0.4);
        latent phi[v in words] ~ Dirichlet(concentration = 1.5, along = v);
        hidden n[d in docs] ~ Poisson(r[d]);
        count y[d in docs, v in words] ~ Multinomial(n[d], phi[v], along = v);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A lookup in a rate, and a shape that is learned.
    model Authors {
        index docs, words, authors;
        data author[d in docs]: authors;
        latent r ~ Gamma(shape = 2.0, rate = 1.0);
        latent style[a in authors] ~ Gamma(shape = r, rate = 1.0);
        latent phi[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(style[author[d]] * phi[v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// A known coefficient in every cell, and styles of authors that are looked up.
    model Shown {
        index docs, words, authors, topics;
        hyper a: positive = 0.5;
        data shown[d in docs, v in words]: positive;
        data author[d in docs]: authors;
        latent style[a in authors] ~ Gamma(shape = a, rate = 1.0);
        latent base[v in words] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(shown[d, v] * (style[author[d]] * base[v] + sum(k in topics) theta[d, k] * phi[k, v]));
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// An operand with an inner node.
    model Tucker {
        index rows, cols, times, ps, qs, rs;
        latent a[i in rows, p in ps] ~ Gamma(shape = 1.0, rate = 1.0);
        latent b[j in cols, q in qs] ~ Gamma(shape = 1.0, rate = 1.0);
        latent c[t in times, r in rs] ~ Gamma(shape = 1.0, rate = 1.0);
        latent core[p in ps, q in qs, r in rs] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[i in rows, j in cols, t in times]
            ~ Poisson(0.5 * sum(p in ps, q in qs, r in rs) a[i, p] * b[j, q] * c[t, r] * core[p, q, r]);
    }
}

skellam::model! {
    /// A latent in its own shape, at the time before, and a chain of rates.
    model Dynamic {
        index times: ordered;
        index words;
        latent theta[t in times] ~ Gamma(shape = 1.5 * (theta[t - 1] or first) + base, rate = 1.5);
        latent first ~ Gamma(shape = 2.0, rate = 1.0);
        latent base ~ Gamma(shape = 2.0, rate = 2.0);
        latent level[t in times] ~ Gamma(shape = 2.0, rate = 2.0 * level[t - 1]);
        latent phi[v in words] ~ Gamma(shape = 2.0, rate = 1.0);
        count y[t in times, v in words] ~ Poisson(theta[t] * phi[v] + level[t]);
        release y by TwoSidedGeometric;
    }
}

#[test]
#[ignore = "tried by `laws.rs`; this is for `tests/mutants/run`"]
fn the_laws_hold() {
    let settings = SelfTest {
        stop_at_failure: true,
        ..SelfTest::default()
    };
    let models: [fn(&SelfTest) -> Report; 10] = [
        SelfTest::run::<Authors>,
        SelfTest::run::<Tables>,
        SelfTest::run::<Lengths>,
        SelfTest::run::<Dynamic>,
        SelfTest::run::<Shown>,
        SelfTest::run::<Tucker>,
        SelfTest::run::<Matrix>,
        SelfTest::run::<Undirected>,
        SelfTest::run::<Hierarchical>,
        SelfTest::run::<Topics>,
    ];
    // One model that sees a mistake is enough, and a mistake in what all of them share is seen by the first.
    for run in models {
        let report = run(&settings);
        println!("{report}\n");
        for row in report.failures() {
            println!("\nSEEN {} of {} ({})", row.check.name(), row.of, report.model);
        }
        assert!(report.passed(), "{report}");
    }
}

/// Every change of the list can still be made: what it replaces stands in its file, once.
#[test]
fn every_listed_change_has_its_place() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
    let list = read("tests/mutants/list");
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let fields: Vec<String> = line.split(" | ").map(|field| field.replace("\\|", "|")).collect();
        let [name, file, from, _] = &fields[..] else {
            panic!("a name, a file, what stands there and what replaces it: {line}");
        };
        assert_eq!(
            read(file).matches(from.as_str()).count(),
            1,
            "{name}: `{from}` in {file}"
        );
    }
}
