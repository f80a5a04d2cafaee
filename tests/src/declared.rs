//! The declarations of every family that the language can say, each without a mechanism and with one.

use skellam_check::{SelfTest, Testable};

/// The iterations with which a family is tried, as a share of those of a self-test. What is derived for a family shows with as few
/// (`audit.rs`); what a channel or a custom update does wrong may not, and is tried with all of them, once.
pub const EFFORT: f64 = 0.15;

/// Asserts that a model passes a self-test with [`EFFORT`] of the iterations.
#[track_caller]
pub fn passes<T: Testable>() {
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    let report = settings.run::<T>();
    assert!(report.passed(), "{report}");
}

/// Calls a macro with every family: `test, Name, NameExact { declaration } by { release statements }`, released by
/// `mechanism`.
#[macro_export]
macro_rules! for_each_family {
    ($call:ident, $mechanism:ident) => {
        $call! {
            matrix, Matrix, MatrixExact {
                index docs, words, topics;
                hyper a: positive = 0.5, b: positive = 1.0;
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = b);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = b);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            } by { release y by $mechanism; }

            background, Background, BackgroundExact {
                index docs, words, topics;
                hyper a: positive = 0.5;
                data exposure[d in docs]: positive;
                latent base[v in words] ~ Gamma(shape = a, rate = 1.0);
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
                let mixture[d in docs, v in words] = sum(k in topics) theta[d, k] * phi[k, v];
                count y[d in docs, v in words] ~ Poisson(base[v] + exposure[d] * mixture[d, v]);
            } by { release y by $mechanism; }

            cp_of_three_modes, Cp3, Cp3Exact {
                index rows, cols, times, parts;
                hyper s: positive = 0.5;
                latent a[i in rows, k in parts] ~ Gamma(shape = s, rate = 1.0);
                latent b[j in cols, k in parts] ~ Gamma(shape = s, rate = 1.0);
                latent c[t in times, k in parts] ~ Gamma(shape = s, rate = 1.0);
                count y[i in rows, j in cols, t in times] ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k]);
            } by { release y by $mechanism; }

            cp_of_four_modes, Cp4, Cp4Exact {
                index rows, cols, times, sites, parts;
                hyper s: positive = 0.5;
                latent a[i in rows, k in parts] ~ Gamma(shape = s, rate = 1.0);
                latent b[j in cols, k in parts] ~ Gamma(shape = s, rate = 1.0);
                latent c[t in times, k in parts] ~ Gamma(shape = s, rate = 1.0);
                latent e[x in sites, k in parts] ~ Gamma(shape = s, rate = 1.0);
                count y[i in rows, j in cols, t in times, x in sites]
                    ~ Poisson(sum(k in parts) a[i, k] * b[j, k] * c[t, k] * e[x, k]);
            } by { release y by $mechanism; }

            tucker, Tucker, TuckerExact {
                index rows, cols, times, p, q, r;
                hyper s: positive = 0.5;
                latent a[i in rows, e in p] ~ Gamma(shape = s, rate = 1.0);
                latent b[j in cols, f in q] ~ Gamma(shape = s, rate = 1.0);
                latent c[t in times, g in r] ~ Gamma(shape = s, rate = 1.0);
                latent core[e in p, f in q, g in r] ~ Gamma(shape = s, rate = 1.0);
                count y[i in rows, j in cols, t in times]
                    ~ Poisson(sum(e in p, f in q, g in r) a[i, e] * b[j, f] * c[t, g] * core[e, f, g]);
            } by { release y by $mechanism; }

            tucker_with_a_partial_core, Partial, PartialExact {
                index rows, cols, times, p, q;
                hyper s: positive = 0.5;
                latent a[i in rows, e in p] ~ Gamma(shape = s, rate = 1.0);
                latent b[j in cols, e in p, f in q] ~ Gamma(shape = s, rate = 1.0);
                latent c[t in times, f in q] ~ Gamma(shape = s, rate = 1.0);
                latent core[e in p] ~ Gamma(shape = s, rate = 1.0);
                count y[i in rows, j in cols, t in times]
                    ~ Poisson(0.5 * sum(e in p, f in q) a[i, e] * b[j, e, f] * c[t, f] * core[e]);
            } by { release y by $mechanism; }

            hierarchical, Hierarchical, HierarchicalExact {
                index docs, words, topics;
                hyper a: positive = 0.5, b: positive = 1.0;
                latent xi[d in docs] ~ Gamma(shape = a, rate = b);
                latent eta[v in words] ~ Gamma(shape = a, rate = b);
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = xi[d]);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = eta[v]);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            } by { release y by $mechanism; }

            hierarchies_of_depth_three, Deep, DeepExact {
                index docs, words, topics;
                hyper a: positive = 0.5, b: positive = 1.0;
                latent level ~ Gamma(shape = a, rate = b);
                latent xi[d in docs] ~ Gamma(shape = a, rate = level);
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 2.0 * xi[d]);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = level);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            } by { release y by $mechanism; }

            parents_that_are_factors_too, Both, BothExact {
                index docs, words, topics;
                hyper a: positive = 0.5, b: positive = 1.0;
                latent u[k in topics] ~ Gamma(shape = a, rate = b);
                latent w[k in topics, d in docs] ~ Gamma(shape = a, rate = b);
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = w[k, d] * u[k]);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = u[k]);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v] * u[k]);
            } by { release y by $mechanism; }

            block_model, Block, BlockExact {
                index actors, groups;
                hyper a: positive = 0.5;
                latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
                latent pi[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors] where i != j
                    ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
            } by { release y by $mechanism; }

            undirected_block_model, Undirected, UndirectedExact {
                index actors, groups;
                hyper a: positive = 0.5;
                latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
                latent pi[c in groups, e in groups] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors] where i < j
                    ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
            } by { release y by $mechanism; }

            three_way_ordered, Ordered, OrderedExact {
                index actors, groups;
                hyper a: positive = 0.5;
                latent theta[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
                latent pi[c in groups, e in groups, f in groups] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors, k in actors] where i < j, j < k
                    ~ Poisson(sum(c in groups, e in groups, f in groups) theta[i, c] * theta[j, e] * theta[k, f] * pi[c, e, f]);
            } by { release y by $mechanism; }

            three_way_apart, Apart, ApartExact {
                index actors, groups;
                hyper a: positive = 0.5;
                latent u[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors, k in actors] where i != j, i != k, j != k
                    ~ Poisson(sum(c in groups) u[i, c] * u[j, c] * u[k, c]);
            } by { release y by $mechanism; }

            slices_along_two_indices, Crossed, CrossedExact {
                index actors, sites;
                hyper s: positive = 0.5;
                latent w[i in actors, a in sites] ~ Gamma(shape = s, rate = 1.0);
                count y[i in actors, j in actors] where i != j ~ Poisson(sum(a in sites, b in sites) w[i, a] * w[j, b]);
                count z[a in sites, b in sites] where a < b ~ Poisson(sum(i in actors, j in actors) w[i, a] * w[j, b]);
                count n[i in actors] ~ Poisson(sum(a in sites) w[i, a]);
            } by { release z by $mechanism; }

            positions_of_cells_and_of_sums, Seats, SeatsExact {
                index actors, kinds, groups;
                hyper a: positive = 0.5;
                data kind[i in actors]: kinds;
                data of[c in groups]: kinds;
                latent w[i in actors, c in groups] ~ Gamma(shape = a, rate = 1.0);
                latent b[k in kinds, c in groups] ~ Gamma(shape = a, rate = 1.0);
                latent h[k in kinds] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors] where i < j
                    ~ Poisson(sum(c in groups) w[i, c] * w[j, c] * b[kind[j], c] * h[of[c]]);
                count n[i in actors] ~ Poisson(0.5 * sum(c in groups) w[i, c] * h[of[c]]);
            } by { release y by $mechanism; release n by $mechanism; }

            ties_with_coefficients, Ties, TiesExact {
                index actors, times;
                hyper a: positive = 0.5;
                latent w[i in actors, t in times] ~ Gamma(shape = a, rate = 1.0);
                latent s[i in actors, j in actors] ~ Gamma(shape = a, rate = 1.0);
                count y[i in actors, j in actors, t in times] where i != j ~ Poisson(w[i, t] * w[j, t] * s[i, j] + s[j, i]);
            } by { release y by $mechanism; }

            simplex_along_a_free_index, Simplex, SimplexExact {
                index docs, words, topics;
                hyper a: positive = 0.5, eta[v in words]: positive = 0.5;
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
                latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta[v], along = v);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
            } by { release y by $mechanism; }

            simplices_along_contracted_indices, Lda, LdaExact {
                index docs, groups, topics, words;
                hyper a: positive = 0.5;
                latent n[d in docs] ~ Gamma(shape = a, rate = 1.0);
                latent theta[d in docs, k in groups] ~ Dirichlet(concentration = a, along = k);
                latent mix[k in groups, l in topics] ~ Dirichlet(concentration = 0.7, along = l);
                latent phi[l in topics, v in words] ~ Dirichlet(concentration = a, along = v);
                count y[d in docs, v in words]
                    ~ Poisson(n[d] * sum(k in groups, l in topics) theta[d, k] * mix[k, l] * phi[l, v]);
            } by { release y by $mechanism; }

            several_views, Views, ViewsExact {
                index docs, words, readers, topics;
                hyper a: positive = 0.5;
                data shown[d in docs, r in readers]: nonnegative;
                latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 1.0);
                latent phi[k in topics, v in words] ~ Gamma(shape = a, rate = 1.0);
                latent taste[k in topics, r in readers] ~ Gamma(shape = a, rate = 1.0);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                count marks[d in docs, r in readers] ~ Poisson(shown[d, r] * sum(k in topics) theta[d, k] * taste[k, r]);
                count length[d in docs] ~ Poisson(sum(k in topics) theta[d, k]);
            } by { release y by $mechanism; release length by $mechanism; }

            known_factors, Covariates, CovariatesExact {
                index docs, words, covariates;
                hyper a[p in covariates]: positive = 0.5, b[v in words]: positive = 1.0, scale: positive = 0.5;
                data x[d in docs, p in covariates]: positive;
                latent beta[p in covariates, v in words] ~ Gamma(shape = a[p], rate = 2.0 * b[v]);
                count y[d in docs, v in words] ~ Poisson(scale * sum(p in covariates) x[d, p] * beta[p, v]);
            } by { release y by $mechanism; }
        }
    };
}
