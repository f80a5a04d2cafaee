//! What is shown while a run lasts.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::{Deserialize, Serialize};

/// What is shown on standard error while a run lasts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Progress {
    /// A bar for each chain or start, with its speed and the time left, which for a variational start is the most that it can take: it
    /// ends before its last iteration where it converges. Where standard error is not a terminal, a line now and then once a run has
    /// lasted ten seconds. With several variational starts, a line for each with the bound that it
    /// reached. At the end, what keeps the fit from being believed.
    #[default]
    Bar,
    /// Nothing, not even what keeps the fit from being believed: `fit.doubts()` has that.
    Hidden,
}

impl Progress {
    /// Says what `doubts` has to say of a finished run, if it says anything.
    pub(crate) fn warn(self, doubts: impl FnOnce() -> String) {
        if self == Progress::Bar {
            eprint!("{}", doubts());
        }
    }
}

/// The bars of a run.
pub(crate) struct Board {
    bars: Option<MultiProgress>,
    lines: bool,
}

/// How many steps a chain or start makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepsToGo {
    /// So many, as sweeps of a chain.
    All(usize),
    /// So many unless it ends before, as an ascent that converges.
    AtMost(usize),
}

impl StepsToGo {
    fn number(self) -> usize {
        match self {
            Self::All(steps) | Self::AtMost(steps) => steps,
        }
    }

    /// The bar on a terminal. `{eta}` is the time that all steps take at the present speed.
    fn style(self) -> &'static str {
        match self {
            Self::All(_) => "{msg:<28} [{bar:28}] {pos}/{len}  {per_sec}, {eta} left",
            Self::AtMost(_) => "{msg:<28} [{bar:28}] {pos} of at most {len}  {per_sec}, at most {eta} left",
        }
    }
}

/// The bar of one chain or start.
pub(crate) struct Bar {
    bar: Option<ProgressBar>,
    lines: Option<PlainLines>,
    what: String,
    steps: StepsToGo,
    done: usize,
    before: usize,
}

/// When lines are printed instead of a bar.
struct PlainLines {
    begun: Instant,
    next: Duration,
}

/// The first line comes after this time, and each further one after as long again, up to a minute.
const FIRST_LINE: Duration = Duration::from_secs(10);
const MOST_APART: Duration = Duration::from_secs(60);

impl Board {
    pub fn new(progress: Progress) -> Self {
        let (shown, terminal) = (progress == Progress::Bar, std::io::stderr().is_terminal());
        Self {
            bars: (shown && terminal).then(|| MultiProgress::with_draw_target(ProgressDrawTarget::stderr_with_hz(8))),
            lines: shown && !terminal,
        }
    }

    /// A line that stays, above the bars where there are any.
    pub fn say(&self, line: &str) {
        match &self.bars {
            // A terminal that takes no more is not a reason to end a run.
            Some(bars) => drop(bars.println(line)),
            None if self.lines => eprintln!("{line}"),
            None => {}
        }
    }

    /// A bar of `steps`, of which `done` were made before the run was stopped and gone on with.
    pub fn bar(&self, steps: StepsToGo, done: usize, what: String) -> Bar {
        let bar = self.bars.as_ref().map(|bars| {
            let bar = bars.add(ProgressBar::new(steps.number() as u64).with_position(done as u64));
            // Speed and time left follow from the steps of this run.
            bar.reset_eta();
            if let Ok(style) = ProgressStyle::with_template(steps.style()) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.set_message(what.clone());
            bar
        });
        let lines = self.lines.then(|| PlainLines {
            begun: Instant::now(),
            next: FIRST_LINE,
        });
        Bar {
            bar,
            lines,
            what,
            steps,
            done,
            before: done,
        }
    }
}

impl Bar {
    pub fn step(&mut self) {
        self.done += 1;
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        let Some(lines) = &mut self.lines else { return };
        // The clock is asked once in a while: a step may take a microsecond.
        if !self.done.is_multiple_of(16) && self.steps.number() > 1000 {
            return;
        }
        let gone = lines.begun.elapsed();
        if gone >= lines.next {
            lines.next += lines.next.min(MOST_APART);
            eprintln!(
                "{}",
                line(&self.what, [self.done, self.before], self.steps, gone.as_secs_f64())
            );
        }
    }

    /// Sets a new number of steps.
    pub fn lengthen(&mut self, steps: usize) {
        if let Some(bar) = &self.bar {
            bar.set_length(steps as u64);
        }
        self.steps = StepsToGo::All(steps);
    }

    pub fn say(&mut self, what: String) {
        if let Some(bar) = &self.bar {
            bar.set_message(what.clone());
        }
        self.what = what;
    }
}

fn line(what: &str, [done, before]: [usize; 2], steps: StepsToGo, seconds: f64) -> String {
    let speed = (done - before) as f64 / seconds;
    let left = steps.number().saturating_sub(done) as f64 / speed;
    match steps {
        StepsToGo::All(steps) => format!("{what}: {done} of {steps}, {speed:.1} a second, about {left:.0} s left"),
        StepsToGo::AtMost(steps) => {
            format!("{what}: {done} of at most {steps}, {speed:.1} a second, at most {left:.0} s left")
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_fast_and_how_long() {
        assert_eq!(
            line("gibbs, chain 2", [300, 0], StepsToGo::All(900), 60.0),
            "gibbs, chain 2: 300 of 900, 5.0 a second, about 120 s left"
        );
        // Steps that were made before the run was stopped do not make it faster.
        assert_eq!(
            line("gibbs, chain 2", [300, 240], StepsToGo::All(900), 60.0),
            "gibbs, chain 2: 300 of 900, 1.0 a second, about 600 s left"
        );
    }

    /// An ascent may converge any time: how many iterations it is allowed says only how long it can last.
    #[test]
    fn an_ascent_has_a_most() {
        assert_eq!(
            line("cavi, start 2 of 4", [300, 0], StepsToGo::AtMost(5000), 60.0),
            "cavi, start 2 of 4: 300 of at most 5000, 5.0 a second, at most 940 s left"
        );
    }

    #[test]
    fn bars_have_speed_and_time_left() {
        for (steps, left) in [
            (StepsToGo::All(9), "{eta} left"),
            (StepsToGo::AtMost(9), "at most {eta} left"),
        ] {
            let style = steps.style();
            assert!(ProgressStyle::with_template(style).is_ok(), "{style}");
            assert!(
                style.contains("{per_sec}") && style.ends_with(&format!(", {left}")),
                "{style}"
            );
        }
    }
}
