//! What is shown while a run lasts.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A bar with the time left, or nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Progress {
    /// A bar on standard error, if that is a terminal.
    #[default]
    Bar,
    /// Nothing.
    Hidden,
}

/// A bar that is being advanced.
pub(crate) struct Bar(ProgressBar);

impl Bar {
    pub fn new(progress: Progress, steps: usize, what: String) -> Self {
        let bar = ProgressBar::with_draw_target(
            Some(steps as u64),
            match progress {
                Progress::Bar => ProgressDrawTarget::stderr_with_hz(8),
                Progress::Hidden => ProgressDrawTarget::hidden(),
            },
        );
        let style = "{msg:<24} [{bar:32}] {pos}/{len}  {elapsed} gone, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(bar)
    }

    pub fn step(&self) {
        self.0.inc(1);
    }

    pub fn say(&self, what: String) {
        self.0.set_message(what);
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
