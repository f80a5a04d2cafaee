//! How long the noise of a release will take, said before it begins where somebody might not want to wait.

use std::time::Instant;

use rand::SeedableRng;
use rand::rngs::StdRng;
use skellam::counts::CountSlices;
use skellam::prelude::*;
use skellam::release::files::Recorded;

use super::flags::Flags;

/// Draws that are timed: a millisecond at most.
const DRAWS: u32 = 2000;
/// Who waits less need not be told.
const SHORT: f64 = 5.0;

/// Says it if it is long. The noise that is timed is thrown away: it comes from a seed, and no count is in it.
pub fn say<M: Recorded>(flags: &Flags, slices: &CountSlices, law: &Varying<M>) {
    let Some(mechanism) = law.all().first() else { return };
    let cells: f64 = slices.shape().iter().map(|&size| size as f64).product();
    let mut rng = StdRng::seed_from_u64(0);
    let start = Instant::now();
    for _ in 0..DRAWS {
        std::hint::black_box(mechanism.randomise(0, &mut rng));
    }
    let seconds = cells * start.elapsed().as_secs_f64() / f64::from(DRAWS);
    if seconds > SHORT {
        flags.say(&format!("the noise alone takes about {} to draw", in_words(seconds)));
    }
}

fn in_words(seconds: f64) -> String {
    match seconds {
        s if s < 100.0 => format!("{s:.0} seconds"),
        s if s < 6_000.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 360_000.0 => format!("{:.0} hours", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn times_are_said_in_a_unit_that_reads_well() {
        for (seconds, words) in [
            (7.3, "7 seconds"),
            (150.0, "2 minutes"),
            (7_300.0, "2 hours"),
            (1e6, "12 days"),
        ] {
            assert_eq!(in_words(seconds), words);
        }
    }
}
