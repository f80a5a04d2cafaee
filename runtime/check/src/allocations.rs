//! Counts that fall on the factors, given the factors and the data: their law, entry by entry.
//!
//! Given rates and observations the counts of the cells are independent, each with the generating function of its channel
//! (see [`channel`](super::channel)), and each is split in proportion to the monomials of its rate. So the count on an entry
//! has a generating function that plain loops multiply out, and means of `s^n` over many sweeps are held against it.

use rand::SeedableRng;

use skellam::Error;
use skellam::infer::Chain;
use skellam::model::{FormKind, WAYS};
use skellam_math::streams::Stream;

use super::channel::{ln_generating, probes};
use super::conditional::{BOTH_WAYS, LEVELS, name_of_way, some_point};
use super::held_out::HeldOut;
use super::instance::Instance;
use super::lines::SeenLines;
use super::mechanism::Probe;
use super::report::{Check, Row};
use super::setting::ObservedValues;
use super::statistics::{MEAN_LIMIT, Mean};
use super::twin::Twin;
use super::worst::Worst;
use super::{SelfTest, load, values_of};

/// Sweeps for each way and each set of held-out cells.
const SWEEPS: f64 = 5000.0;

/// A visited cell as one entry sees it: what share of its count falls there.
struct Share {
    count: usize,
    cell: usize,
    /// Of the plus side, and of the minus side of a difference.
    share: [f64; 2],
}

/// The row of all entries.
pub(super) fn allocations(instance: &Instance, options: &SelfTest) -> Vec<Row> {
    let sweeps = (SWEEPS * options.effort).max(500.0) as usize;
    vec![match run(instance, sweeps, options.seed) {
        Ok(found) => {
            let note = format!(
                "mean of s^n, {} comparisons over {BOTH_WAYS}, {sweeps} sweeps each; worst at {}",
                found.tried, found.place
            );
            Row::tried(Check::Allocations, "collapsed", found.value, MEAN_LIMIT, note)
        }
        Err(error) => Row::error(Check::Allocations, "collapsed", &error),
    }]
}

fn run(instance: &Instance, sweeps: usize, seed: u64) -> Result<Worst, Error> {
    let (twin, mut found) = (&instance.twin, Worst::default());
    for (round, held_out) in [HeldOut::Some, HeldOut::None].into_iter().enumerate() {
        let mut rng = Stream::seed_from_u64(seed ^ (round as u64 + 1) << 24);
        let x = some_point(twin, LEVELS[round], &mut rng);
        let values = instance.observe(&x, false, &mut rng);
        let probes = probes(&instance.mechanisms, &values);
        let shares = visited(instance, &values, held_out, &x);
        let rates = twin.sides(&x);
        let lines = SeenLines::new(instance, &values, held_out);
        for way in 0..WAYS {
            let setting = instance.setting(values.clone(), false, held_out);
            let model = instance.assemble(&setting, FormKind::Collapsed, Some(way))?;
            let mut start = model.factors();
            load(&mut start, &x);
            let mut chain = Chain::starting_at(&*model, start, seed ^ 0x616c, (2 * way + round) as u64);
            let mut entries: Vec<Vec<[PowerMoments; 2]>> = Vec::new();
            for shares in &shares {
                let each = shares.iter().map(|shares| of_entry(&probes, &lines, &rates, shares));
                entries.push(each.collect());
            }
            for _ in 0..sweeps {
                chain.settle(1);
                for (counts, entries) in values_of(chain.counts()).iter().zip(&mut entries) {
                    for (n, moments) in counts.iter().zip(entries) {
                        moments.iter_mut().for_each(|moment| moment.add(*n));
                    }
                }
            }
            for (latent, entries) in entries.iter().enumerate() {
                for (entry, moment) in entries
                    .iter()
                    .enumerate()
                    .flat_map(|(e, all)| all.iter().map(move |m| (e, m)))
                {
                    let place = || {
                        format!(
                            "entry {entry} of {}, {}",
                            twin.spec.latents[latent].name,
                            name_of_way(way)
                        )
                    };
                    found.add(moment.mean.deviation(), place);
                }
            }
        }
    }
    Ok(found)
}

/// Means of `s^n` for one `s`.
struct PowerMoments {
    s: f64,
    first: f64,
    second: f64,
    mean: Mean,
}

impl PowerMoments {
    fn add(&mut self, n: f64) {
        // What is not a count is NaN from there on.
        let drawn = if n >= 0.0 && n.fract() == 0.0 {
            self.s.powf(n)
        } else {
            f64::NAN
        };
        self.mean.add(drawn, self.first, self.second);
    }
}

/// The moments of one entry at two numbers: one that sees most of the count, one that sees its small values.
fn of_entry(
    probes: &[Box<dyn Probe>],
    lines: &SeenLines<'_>,
    rates: &[Vec<[f64; 2]>],
    shares: &[Share],
) -> [PowerMoments; 2] {
    let (in_lines, shares): (Vec<&Share>, Vec<&Share>) = shares.iter().partition(|share| lines.has(share.count));
    // A share of a cell's count is marked by `s` where its rate is: the evidence of whole tables says what that is.
    let of_lines = |s: f64| -> f64 {
        if in_lines.is_empty() {
            return 0.0;
        }
        let mut marked = rates.to_vec();
        for share in &in_lines {
            marked[share.count][share.cell][0] *= 1.0 - share.share[0] * (1.0 - s);
        }
        lines.ln_evidence(&marked) - lines.ln_evidence(rates)
    };
    let generating = |s: f64| -> f64 {
        let logs = shares.iter().map(|share| {
            let rates = rates[share.count][share.cell];
            let s = share.share.map(|share| 1.0 - share * (1.0 - s));
            ln_generating(&*probes[share.count], rates, share.cell, s)
        });
        (logs.sum::<f64>() + of_lines(s)).exp()
    };
    let means = shares.iter().map(|share| {
        let expected = probes[share.count].expect(rates[share.count][share.cell], share.cell);
        share.share[0] * expected[0] + share.share[1] * expected[1]
    });
    let mean: f64 = means.sum::<f64>() - of_lines(1.0 - 1e-4) / 1e-4;
    [1.0, 3.0].map(|power| {
        let s = (-power / (1.0 + mean)).exp();
        PowerMoments {
            s,
            first: generating(s),
            second: generating(s * s),
            mean: Mean::default(),
        }
    })
}

/// For every entry of every latent the visited cells that it has a share in.
fn visited(instance: &Instance, values: &[ObservedValues], held_out: HeldOut, x: &[Vec<f64>]) -> Vec<Vec<Vec<Share>>> {
    let twin: &Twin = &instance.twin;
    let entries = twin.zeros();
    let mut all: Vec<Vec<Vec<Share>>> = entries
        .iter()
        .map(|entries| entries.iter().map(|_| Vec::new()).collect())
        .collect();
    for (number, count) in twin.counts.iter().enumerate() {
        let mask = instance.mask(number, held_out);
        let exposures = instance.mechanisms[number].exposures(&values[number], FormKind::Collapsed, count.simplex);
        for (cell, monomials) in count.rates.iter().enumerate() {
            let Some(monomials) = monomials else { continue };
            // Of a line with a known total every cell is visited.
            let is_exposure = exposures[cell].is_some() && !twin.in_lines(number);
            if mask.is_held_out(cell) || is_exposure {
                continue;
            }
            for (side, monomials) in count.sides(monomials).into_iter().enumerate() {
                let rate: f64 = monomials.iter().map(|m| m.at(x)).sum();
                for monomial in monomials.iter().filter(|_| rate > 0.0) {
                    let share = monomial.at(x) / rate;
                    for &(latent, entry) in &monomial.factors {
                        let of_entry = &mut all[latent][entry];
                        match of_entry.last_mut() {
                            Some(last) if (last.count, last.cell) == (number, cell) => last.share[side] += share,
                            _ => {
                                let mut of_sides = [0.0; 2];
                                of_sides[side] = share;
                                of_entry.push(Share {
                                    count: number,
                                    cell,
                                    share: of_sides,
                                });
                            }
                        }
                    }
                }
            }
        }
    }
    all
}
