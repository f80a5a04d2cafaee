//! Two models of the same declaration and data: one of generated functions, one of walks.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::channel::{TwoSidedGeometric, Varying};
use skellam::counts::{Counts, Mask};
use skellam::model::{Factors, FormKind, Model};
use skellam::release::Released;

use super::{emitted_cp, emitted_topics, tuckers, walked_cp, walked_topics};

/// Both models.
pub struct Twins {
    pub name: String,
    pub walked: Box<dyn Model>,
    pub emitted: Box<dyn Model>,
    /// Whether blocks of cells are multiplied whole.
    pub is_dense: bool,
    /// Whether counts are divided in the same order, with the same random numbers.
    pub draws_alike: bool,
}

/// What was observed.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Seen {
    Released(FormKind),
    /// With a law for each value of the first index.
    ByRow,
    Exact,
}

/// Both models of a declaration.
macro_rules! twins {
    ($walked:ident, $emitted:ident, $Model:ident, [$($parts:ident($number:expr)),+], $shape:expr, $seen:expr, $data:expr) => {{
        let ((exact, released), seen) = ($data, $seen);
        let form = match seen {
            Seen::Released(form) => form,
            Seen::ByRow | Seen::Exact => FormKind::Collapsed,
        };
        let walked: Box<dyn Model> = Box::new(match seen {
            Seen::Exact => $walked::$Model::exact(&exact).unwrap()$(.$parts($number))+.bind(form).unwrap(),
            _ => $walked::$Model::new(&released).unwrap()$(.$parts($number))+.bind(form).unwrap(),
        });
        let is_dense = walked.views()[0].is_dense();
        // Loops go over the cells as walks do, whichever way they would choose.
        let way = Some(usize::from(!is_dense));
        let emitted: Box<dyn Model> = Box::new(match seen {
            Seen::Exact => $emitted::$Model::exact(&exact).unwrap()$(.$parts($number))+.bind_with(form, way).unwrap(),
            _ => $emitted::$Model::new(&released).unwrap()$(.$parts($number))+.bind_with(form, way).unwrap(),
        });
        // The one that walks is none of loops.
        assert_eq!([&walked, &emitted].map(|model| model.bound().is_emitted()), [false, true]);
        let name = format!("{} {:?}, {seen:?}, dense: {is_dense}", stringify!($Model), $shape);
        Twins {
            name,
            walked,
            emitted,
            is_dense,
            draws_alike: true,
        }
    }};
}

/// A model by blocks and by stored cells, which divide counts in another order.
macro_rules! ways {
    ($Model:ident, [$($parts:ident($number:expr)),+], $shape:expr, $seen:expr, $data:expr) => {{
        let ((exact, released), seen) = ($data, $seen);
        let form = match seen {
            Seen::Released(form) => form,
            Seen::ByRow | Seen::Exact => FormKind::Collapsed,
        };
        let [walked, emitted] = [0, 1].map(|way| -> Box<dyn Model> {
            let way = Some(way);
            Box::new(match seen {
                Seen::Exact => tuckers::$Model::exact(&exact).unwrap()$(.$parts($number))+.bind_with(form, way).unwrap(),
                _ => tuckers::$Model::new(&released).unwrap()$(.$parts($number))+.bind_with(form, way).unwrap(),
            })
        });
        assert_eq!([&walked, &emitted].map(|model| model.views()[0].is_dense()), [true, false]);
        Twins {
            name: format!("{} {:?}, {seen:?}", stringify!($Model), $shape),
            walked,
            emitted,
            is_dense: true,
            draws_alike: false,
        }
    }};
}

/// Topics and tensors, dense and sparse, with and without cells that are held out.
pub fn all() -> Vec<Twins> {
    let seen = [
        Seen::Released(FormKind::Collapsed),
        Seen::Released(FormKind::Augmented),
        Seen::ByRow,
        Seen::Exact,
    ];
    let mut all = Vec::new();
    for (number, seen) in seen.into_iter().enumerate() {
        for positive in [0.5, 0.02] {
            let masked = number % 2 == 0;
            let shape = [23, 31];
            let data = data(&shape, positive, seen, masked);
            all.push(twins!(
                walked_topics,
                emitted_topics,
                Topics,
                [topics(5)],
                shape,
                seen,
                data
            ));
            let shape = [9, 7, 12];
            let data = self::data(&shape, positive, seen, masked);
            all.push(twins!(walked_cp, emitted_cp, Cp, [parts(3)], shape, seen, data));
            let data = self::data(&shape, positive, seen, masked);
            all.push(ways!(Tucker, [ps(2), qs(3), rs(2)], shape, seen, data));
            let shape = [7, 6, 4, 5];
            let data = self::data(&shape, positive, seen, masked);
            all.push(ways!(TuckerOfFour, [ps(2), qs(3), rs(2), ss(3)], shape, seen, data));
        }
    }
    all
}

/// Counts of topics and releases of them, cells held out.
pub fn topics() -> (Counts, Released<TwoSidedGeometric>) {
    data(&[23, 31], 0.5, Seen::Released(FormKind::Collapsed), true)
}

fn data(shape: &[usize], positive: f64, seen: Seen, masked: bool) -> (Counts, Released<TwoSidedGeometric>) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let cells: usize = shape.iter().product();
    let values: Vec<i64> = (0..cells)
        .map(|_| match rng.random::<f64>() < positive {
            true => rng.random_range(1..9),
            false => -i64::from(rng.random_range(0..3u8)),
        })
        .collect();
    let mask = match masked {
        true => Mask::random(shape, 0.02, 3).unwrap(),
        false => Mask::none(),
    };
    let stored = values.iter().enumerate().filter(|(_, v)| **v > 0);
    let stored = stored.map(|(cell, v)| (cell as u64, *v)).collect();
    let counts = Counts::from_linear(shape.to_vec(), stored).unwrap();
    let law = match seen {
        Seen::ByRow => Varying::Slice {
            axis: 0,
            laws: (0..shape[0])
                .map(|i| TwoSidedGeometric::new(0.3 + 0.01 * i as f64).unwrap())
                .collect(),
        },
        _ => Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap()),
    };
    let released = Released::assert_mechanism(shape.to_vec(), values, law).unwrap();
    (counts.hold_out(&mask).unwrap(), released.hold_out(&mask).unwrap())
}

/// Values of ordinary size.
pub fn some_values(model: &dyn Model, seed: u64) -> Factors {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut x = model.factors();
    x.iter_mut().flatten().for_each(|x| *x = rng.random_range(0.1..1.5));
    x
}

/// How far two arrays are apart, relative to the largest number.
pub fn off<'a>(one: impl IntoIterator<Item = &'a f64>, other: impl IntoIterator<Item = &'a f64>) -> f64 {
    let (one, other): (Vec<f64>, Vec<f64>) = (one.into_iter().copied().collect(), other.into_iter().copied().collect());
    assert_eq!(one.len(), other.len());
    let size = one.iter().fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    let gaps = one.iter().zip(&other).map(|(one, other)| (one - other).abs() / size);
    gaps.fold(0.0, |most, gap| if gap > most || gap.is_nan() { gap } else { most })
}

/// All numbers of some factors.
pub fn flat(x: &Factors) -> Vec<f64> {
    x.iter().flatten().copied().collect()
}
