//! What a self-test sees of a model with one thing wrong.

use std::marker::PhantomData;

use rand::Rng;
use skellam::Error;
use skellam::model::{Bound, CountRate, ElboParts, Factors, FormKind, Model, Spec, State, Step};
use skellam::private::Declared;
use skellam::private::view::{DifferenceCell, PlainDifference};
use skellam_check::{SelfTest, Setting, Testable, TestedMechanism, tested_difference};
use skellam_tests::declared::EFFORT;

use super::{Noisy, NoisyModel};

macro_rules! steps {
    ($($(#[$doc:meta])* $name:ident: |$c:ident, $plus:ident, $minus:ident, $rng:ident| $draw:expr, $ascend:expr;)*) => { $(
        $(#[$doc])*
        pub struct $name;

        impl DifferenceCell for $name {
            fn draw<R: Rng + ?Sized>($c: i64, $plus: f64, $minus: f64, $rng: &mut R) -> [u64; 2] {
                $draw
            }

            fn ascend($c: i64, $plus: f64, $minus: f64) -> [f64; 2] {
                $ascend
            }
        }
    )* };
}

/// The counts of a difference whose order is one too large.
fn one_more<const N: usize, T>(c: i64, step: impl Fn(i64) -> [T; N], down: impl Fn(T, bool) -> T) -> [T; N] {
    // The law of order |c| + 1 is that of a difference further out, with a count less on its larger side.
    let further = if c < 0 { c - 1 } else { c + 1 };
    let mut side = 0;
    step(further).map(|count| {
        side += 1;
        down(count, (side == 1) == (c >= 0))
    })
}

steps! {
    /// A Bessel law of order `|c| + 1`.
    OrderUp: |c, plus, minus, rng| {
        let counts = PlainDifference::draw(if c < 0 { c - 1 } else { c + 1 }, plus, minus, rng);
        one_more(c, |_| counts, |count, larger| count - u64::from(larger))
    }, one_more(c, |c| PlainDifference::ascend(c, plus, minus), |count, larger| count - f64::from(u8::from(larger)));
    /// Both counts on the other side.
    Swapped: |c, plus, minus, rng| {
        let [a, b] = PlainDifference::draw(c, plus, minus, rng);
        [b, a]
    }, {
        let [a, b] = PlainDifference::ascend(c, plus, minus);
        [b, a]
    };
    /// The expected count of the minus side without `max(-c, 0)`.
    WithoutBelow: |c, plus, minus, rng| PlainDifference::draw(c, plus, minus, rng), {
        let [a, b] = PlainDifference::ascend(c, plus, minus);
        [a, b - (-c).max(0) as f64]
    };
}

/// What is wrong with the update of `minus`, which alone is on the minus side.
trait Updates: Send + Sync + 'static {
    /// Whether its exposure is left out.
    const NO_EXPOSURE: bool = false;
    /// Whether its counts are.
    const NO_COUNTS: bool = false;
}

struct Right;
struct NoExposure;
struct NoCounts;

impl Updates for Right {}

impl Updates for NoExposure {
    const NO_EXPOSURE: bool = true;
}

impl Updates for NoCounts {
    const NO_COUNTS: bool = true;
}

/// The model with custom steps of a cell and custom updates.
struct Mistaken<S, U>(PhantomData<fn() -> (S, U)>);

struct MistakenModel<U>(NoisyModel, PhantomData<fn() -> U>);

impl<S: DifferenceCell, U: Updates> Testable for Mistaken<S, U> {
    const SPEC: &'static Spec = <Noisy as Testable>::SPEC;

    fn mechanisms() -> Vec<Box<dyn TestedMechanism>> {
        vec![tested_difference::<S>()]
    }

    fn assemble(setting: &Setting, form: FormKind, way: Option<usize>) -> Result<Box<dyn Model>, Error> {
        let given = skellam_check::given(Self::SPEC, &Self::mechanisms(), setting)?;
        let model = Declared::<NoisyModel>::from(given).bind_with(form, way)?;
        Ok(Box::new(MistakenModel::<U>(model, PhantomData)))
    }
}

impl<U: Updates> Model for MistakenModel<U> {
    fn bound(&self) -> &Bound {
        self.0.bound()
    }

    fn elbo(&self, of: &ElboParts<'_>) -> f64 {
        self.0.elbo(of)
    }

    fn update(&self, x: &mut Factors, counts: &mut Factors, count_rates: &mut [CountRate], step: &mut dyn Step) {
        let drawn = self.0.bound().undrawn_tables();
        let mut s = State::new(self.0.bound(), x, counts, count_rates, step, &drawn);
        match s.is_ascent() {
            true => NoisyModel::expect_c(&mut s),
            false => NoisyModel::allocate_c(&mut s),
        }
        if U::NO_COUNTS {
            counts[NoisyModel::MINUS].fill(0.0);
        }
        let mut s = State::new(self.0.bound(), x, counts, count_rates, step, &drawn);
        let is_ascent = s.is_ascent();
        if is_ascent {
            NoisyModel::ascend_theta(&mut s);
            NoisyModel::ascend_phi(&mut s);
            NoisyModel::ascend_odds(&mut s);
            NoisyModel::ascend_plus(&mut s);
        } else {
            NoisyModel::draw_theta(&mut s);
            NoisyModel::draw_phi(&mut s);
            NoisyModel::draw_odds(&mut s);
            NoisyModel::draw_plus(&mut s);
        }
        // `minus[d,v] | − ~ Gamma(2 + c⁻[d,v], odds + w[d,v])`
        let counted = s.counted().latent(NoisyModel::MINUS);
        let exposure = match U::NO_EXPOSURE {
            true => vec![0.0; counted.len()],
            false => NoisyModel::exposure_of_minus(s.reading(), &s.weights()).into_inner(),
        };
        let odds = s.reading().latent(NoisyModel::ODDS)[0];
        let law = [
            counted.iter().map(|n| 2.0 + n).collect(),
            exposure.iter().map(|w| odds + w).collect(),
        ];
        match is_ascent {
            true => s.ascend(NoisyModel::MINUS, law),
            false => s.draw(NoisyModel::MINUS, law),
        }
    }
}

/// The laws that fail.
fn failing<T: Testable>(name: &str) -> Vec<String> {
    let settings = SelfTest {
        effort: EFFORT,
        ..SelfTest::default()
    };
    let report = settings.run::<T>();
    let mut laws: Vec<String> = (report.rows.iter().filter(|row| !row.passed))
        .map(|row| format!("{:?}", row.check))
        .collect();
    laws.dedup();
    println!("{name}: {}", laws.join(", "));
    laws
}

/// Five mistakes, each with the laws that see it. The model without any passes.
#[test]
fn mistakes_are_seen() {
    assert_eq!(failing::<Mistaken<PlainDifference, Right>>("nothing"), [""; 0]);
    let seen = [
        ("Bessel of order |c| + 1", failing::<Mistaken<OrderUp, Right>>("order")),
        (
            "counts on the other side",
            failing::<Mistaken<Swapped, Right>>("swapped"),
        ),
        ("no max(-c, 0)", failing::<Mistaken<WithoutBelow, Right>>("below")),
        (
            "no exposure",
            failing::<Mistaken<PlainDifference, NoExposure>>("exposure"),
        ),
        ("no counts", failing::<Mistaken<PlainDifference, NoCounts>>("counts")),
    ];
    for (mistake, laws) in seen {
        assert!(laws.len() > 1, "{mistake}: {laws:?}");
    }
}
