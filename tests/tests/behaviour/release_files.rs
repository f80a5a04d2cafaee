//! Counts that come from a file as positives and sums are fitted as if every value were there.

use rand::CryptoRng;
use serde::{Deserialize, Serialize};
use skellam::prelude::*;
use skellam::release::files::{Recorded, RecordedLaw};
use skellam::release::{FileError, FolderWriter, ReleaseError, ReleasedFolder};
use tempfile::tempdir;

/// One declaration for each law.
macro_rules! declared {
    ($($module:ident: $law:ident, $model:ident;)*) => {$(
        #[allow(dead_code, reason = "one of the engines is used here, and which parts that leaves is the compiler's business")]
        mod $module {
            use super::*;

            skellam::model! {
                /// Topics of documents.
                pub model $model {
                    index docs, words, topics;
                    latent theta[d in docs, k in topics] ~ Gamma(shape = 0.3, rate = 1.0);
                    latent phi[k in topics, v in words] ~ Gamma(shape = 0.3, rate = 1.0);
                    count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                    release y by $law;
                }
            }

            /// The bound of a short fit, and the posterior means.
            pub fn fit(released: &Released<$law>) -> (f64, Vec<f64>) {
                let settings = Cavi {
                    max_iters: 30,
                    anneal_iters: 5,
                    num_restarts: 1,
                    seed: 1,
                    num_threads: Some(1),
                    progress: Progress::Hidden,
                    ..Cavi::default()
                };
                let fit = $model::new(released).unwrap().topics(3).cavi(&settings).unwrap();
                (fit.elbo.unwrap(), fit.theta.mean().unwrap().into_iter().collect())
            }
        }
    )*};
}

declared! {
    geometric: TwoSidedGeometric, Geometric;
    truncated: TruncatedGeometric, Zeroed;
    laplace: Laplace, Lattice;
    skellam_noise: Skellam, Difference;
}

const SHAPE: [usize; 2] = [40, 30];

fn counts() -> Sensitive<Counts> {
    let values = (0..1200).map(|i| if i % 3 == i / 30 % 3 { i % 7 } else { 0 }).collect();
    Sensitive::new(Counts::dense(SHAPE.to_vec(), values).unwrap())
}

/// Whole and by sums, with a mask and without: the same bound to a part in 1e9, the same means.
fn same_fit<C: RecordedLaw>(folder: &ReleasedFolder, fit: impl Fn(&Released<C>) -> (f64, Vec<f64>), sums: bool) {
    let mask = Mask::random(&SHAPE, 0.15, 3).unwrap();
    let pairs = [
        (folder.whole::<C>().unwrap(), folder.load::<C>().unwrap()),
        (
            folder.whole::<C>().unwrap().hold_out(&mask).unwrap(),
            folder.load_with_mask::<C>(&mask).unwrap(),
        ),
    ];
    for (whole, loaded) in pairs {
        assert_eq!(loaded.is_whole(), !sums);
        let ((bound, means), (by_sums, others)) = (fit(&whole), fit(&loaded));
        assert!((bound - by_sums).abs() <= 1e-9 * bound.abs(), "{bound} {by_sums}");
        for (a, b) in means.iter().zip(&others) {
            assert!((a - b).abs() <= 1e-8 * a.abs(), "{a} {b}");
        }
    }
}

#[test]
fn loads_are_fitted_as_whole_releases_are() {
    let scratch = tempdir().unwrap();
    let (counts, at) = (counts(), |name: &str| scratch.path().join(name));
    let budget = Lplp::new(2, 1).unwrap();

    let released = counts.release_with_seed_for_simulation(&budget, 1).unwrap();
    released.save(at("geometric"), &budget.into()).unwrap();
    same_fit(&ReleasedFolder::open(at("geometric")).unwrap(), geometric::fit, true);

    let zeroed = Truncated(budget);
    let released = counts.release_with_seed_for_simulation(&zeroed, 1).unwrap();
    released.save(at("truncated"), &zeroed.into()).unwrap();
    same_fit(&ReleasedFolder::open(at("truncated")).unwrap(), truncated::fit, true);

    let lattice = LatticeLaplace::new(budget, 4).unwrap();
    let released = counts.release_with_seed_for_simulation(&lattice, 1).unwrap();
    released.save(at("laplace"), &lattice.into()).unwrap();
    same_fit(&ReleasedFolder::open(at("laplace")).unwrap(), laplace::fit, true);

    // No cell of this law can be summed up.
    let noise = SkellamNoise::promising(2, 1, 1e-5).unwrap();
    let released = counts.release_with_seed_for_simulation(&noise, 1).unwrap();
    released.save(at("skellam"), &noise.into()).unwrap();
    same_fit(&ReleasedFolder::open(at("skellam")).unwrap(), skellam_noise::fit, false);
}

#[test]
fn one_budget_for_each_slice_of_either_mode() {
    let scratch = tempdir().unwrap();
    for (axis, size) in SHAPE.into_iter().enumerate() {
        let laws: Vec<Lplp> = (0..size)
            .map(|i| Lplp::new(2, [0.5, 1.0, 3.0][i % 3]).unwrap())
            .collect();
        let released = counts().release_by_slice_with_seed_for_simulation(axis, &laws, 1);
        let out = scratch.path().join(axis.to_string());
        released.unwrap().save(&out, &Varying::Slice { axis, laws }).unwrap();
        same_fit(&ReleasedFolder::open(&out).unwrap(), geometric::fit, true);
    }
}

#[test]
fn what_needs_each_value_says_how_to_load_it() {
    let scratch = tempdir().unwrap();
    let budget = Lplp::new(2, 1).unwrap();
    let released = counts().release_with_seed_for_simulation(&budget, 1).unwrap();
    released.save(scratch.path().join("out"), &budget.into()).unwrap();
    let folder = ReleasedFolder::open(scratch.path().join("out")).unwrap();
    let loaded = folder.load::<TwoSidedGeometric>().unwrap();
    let settings = Cavi {
        form: CaviForm::Augmented,
        max_iters: 2,
        anneal_iters: 1,
        progress: Progress::Hidden,
        ..Cavi::default()
    };
    let fit = |released: &Released<TwoSidedGeometric>| {
        geometric::Geometric::new(released)
            .unwrap()
            .topics(2)
            .cavi(&settings)
            .map(|_| ())
    };
    let error = fit(&loaded).unwrap_err();
    assert!(error.to_string().contains("load them with `whole()`"), "{error}");
    fit(&folder.whole().unwrap()).unwrap();
    let mask = Mask::random(&SHAPE, 0.1, 1).unwrap();
    assert!(matches!(loaded.hold_out(&mask), Err(ReleaseError::Summed { .. })));
    folder.load_with_mask::<TwoSidedGeometric>(&mask).unwrap();
}

/// A mechanism of a user's own: noise of a budget, in steps of ten for those who count in tens.
#[derive(Clone, Serialize, Deserialize)]
struct Tens(Lplp);

impl Mechanism for Tens {
    type Law = TwoSidedGeometric;

    fn law(&self) -> Result<TwoSidedGeometric, ReleaseError> {
        self.0.law()
    }

    fn randomise<R: CryptoRng + ?Sized>(&self, count: i64, rng: &mut R) -> Option<i64> {
        self.0.randomise(count / 10, rng)
    }

    fn promise(&self) -> Promise {
        self.0.promise()
    }
}

impl Recorded for Tens {
    const NAME: &'static str = "Tens";

    fn to_integer(&self, value: i64) -> Option<i64> {
        Some(value)
    }

    fn value_of(&self, integer: i64) -> Option<i64> {
        Some(integer)
    }
}

#[test]
fn a_mechanism_of_ones_own_is_written_and_read() {
    let scratch = tempdir().unwrap();
    let tens = Varying::Uniform(Tens(Lplp::new(2, 1).unwrap()));
    let mut writer = FolderWriter::create(scratch.path().join("out"), &[2, 2], &tens).unwrap();
    writer.push_slice(&[120, 0]).unwrap();
    writer.push_slice(&[0, 990]).unwrap();
    let folder = ReleasedFolder::open(writer.finish().unwrap()).unwrap();
    assert_eq!(folder.mechanism(), "Tens");
    // It says nothing about sums, so every value is loaded.
    assert_eq!(folder.load_by::<Tens>().unwrap().values().unwrap().len(), 4);
    let error = folder.load::<TwoSidedGeometric>().unwrap_err();
    assert!(
        matches!(error, FileError::Mechanism { ref found, .. } if found == "Tens"),
        "{error}"
    );
}
