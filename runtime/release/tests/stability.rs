//! Draws from fixed seeds. A change here is value-breaking: it alters every fit that users have stored a seed for, and has
//! to be announced as such.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam_math::distribution::{bessel_draw, binomial, poisson, poisson_at_most, poisson_more_than, thin};
use skellam_release::channel::{Augmentation, Channel, SkellamBessel, TwoSidedGeometric};

fn eight(seed: u64, mut draw: impl FnMut(&mut Xoshiro256PlusPlus) -> u64) -> [u64; 8] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    std::array::from_fn(|_| draw(&mut rng))
}

#[test]
fn integer_draws_are_stable() {
    assert_eq!(eight(1, |rng| bessel_draw(1, 2.5, rng)), [1, 1, 0, 1, 0, 1, 3, 1]);
    assert_eq!(
        eight(2, |rng| bessel_draw(3, 200.0, rng)),
        [92, 111, 106, 96, 97, 101, 102, 92]
    );
    assert_eq!(eight(3, |rng| poisson(4.0, rng)), [1, 5, 6, 6, 4, 2, 2, 4]);
    assert_eq!(
        eight(4, |rng| binomial(100, 0.3, rng)),
        [30, 28, 25, 29, 26, 26, 27, 24]
    );
    assert_eq!(
        eight(5, |rng| poisson_at_most(50.0, 40, rng)),
        [39, 36, 40, 37, 38, 35, 40, 37]
    );
    assert_eq!(
        eight(6, |rng| poisson_more_than(50.0, 60, rng)),
        [66, 63, 67, 61, 68, 64, 62, 61]
    );
    let split = |rng: &mut Xoshiro256PlusPlus| {
        let mut first = 0;
        let whole = thin(20, &[1.0, 2.0, 0.5], 3.5, rng, |k, n| first += n * u64::from(k == 0));
        whole.map_or(u64::MAX, |()| first)
    };
    assert_eq!(eight(7, split), [10, 5, 6, 7, 5, 3, 6, 5]);
}

#[test]
fn imputed_counts_are_stable() {
    let channel = TwoSidedGeometric::new(0.37).unwrap();
    assert_eq!(eight(8, |rng| channel.impute(2.0, 3, rng)), [2, 3, 2, 3, 3, 4, 2, 3]);
    assert_eq!(
        eight(9, |rng| channel.impute(200.0, 180, rng)),
        [180, 183, 181, 182, 178, 180, 178, 180]
    );
    let mut state = SkellamBessel::start(&channel, 3, &mut Xoshiro256PlusPlus::seed_from_u64(10));
    let step = |rng: &mut Xoshiro256PlusPlus| SkellamBessel::impute(&channel, 2.0, 3, &mut state, rng);
    assert_eq!(eight(11, step), [2, 3, 3, 3, 2, 3, 4, 3]);
}
