//! CAVI: expected counts.

use crate::channel::RateMoments;
use crate::contract::{Handing, Rate};
use crate::view::View;
use crate::view::door::Auxiliary;
use crate::view::lanes::SideWork;
use crate::view::runs::LEAST_RATE;

use super::pull::{Pull, visited};

/// See [`View::expect`].
pub(super) fn expect(
    view: &View,
    rate: &dyn Rate,
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    score: bool,
    counts: &mut [Vec<f64>],
) -> f64 {
    let pull = Pull {
        view,
        rate,
        beside: &[],
        to,
        others: None,
    };
    let expecters = view.cells.door.one().expecters(auxiliary, &visited(view));
    pull.run(expecters, counts, &|expecter, run, work| {
        let [SideWork { rates, said, .. }, _] = &mut work.sides;
        said.resize(run.cols.len(), 0.0);
        expecter.expect(run, rates, said, score.then_some(&mut work.total));
    })
}

/// First and second moments of a rate, from its value at means, at second moments and at squared means:
/// `Σ_k V[x_k] = Σ_k E[x_k²] - Σ_k E[x_k]²`, which rounding can turn negative.
fn moments(mean: f64, second: f64, squared: f64) -> RateMoments {
    RateMoments {
        mean: mean.max(LEAST_RATE),
        variance: (second - squared).max(0.0),
    }
}

/// See [`View::publish`].
pub(super) fn publish(
    view: &View,
    rate: &dyn Rate,
    of: [&dyn Rate; 3],
    to: &Handing<'_>,
    auxiliary: &mut Auxiliary,
    counts: &mut [Vec<f64>],
) {
    let pull = Pull {
        view,
        rate,
        beside: &of,
        to,
        others: None,
    };
    let expecters = view.cells.door.one().expecters(auxiliary, &visited(view));
    pull.run(expecters, counts, &|expecter, run, work| {
        let [means, seconds, squares] = &work.beside;
        let moments = (0..run.cols.len()).map(|at| moments(means[at], seconds[at], squares[at]));
        let [SideWork { rates, said, .. }, _] = &mut work.sides;
        said.resize(run.cols.len(), 0.0);
        expecter.publish(run, &moments.collect::<Vec<_>>(), said);
        said.iter_mut().zip(rates).for_each(|(y, rate)| *y /= *rate);
    });
}
