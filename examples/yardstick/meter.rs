//! Wall time, processor time and peak memory of this process.

use std::time::Instant;

use cpu_time::ProcessTime;
use serde_json::{Map, Value, json};

/// Started when the data are ready.
pub struct Meter {
    wall: Instant,
    cpu: ProcessTime,
}

impl Meter {
    /// Starts.
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            cpu: ProcessTime::now(),
        }
    }

    /// Processor seconds since the start.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu.elapsed().as_secs_f64()
    }

    /// Adds what every object has.
    pub fn report(&self, object: &mut Map<String, Value>) {
        object.insert("seconds".into(), json!(self.wall.elapsed().as_secs_f64()));
        object.insert("cpu_seconds".into(), json!(self.cpu_seconds()));
        object.insert("peak_rss_mib".into(), json!(peak_rss_mib()));
    }
}

/// Times from one call to the next, in milliseconds.
#[derive(Default)]
pub struct Clock {
    last: Option<Instant>,
    milliseconds: Vec<f64>,
}

impl Clock {
    /// The end of one, and the beginning of the next.
    pub fn tick(&mut self) {
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            self.milliseconds.push((now - last).as_secs_f64() * 1e3);
        }
    }

    /// The median; `None` before the second call.
    pub fn median(&mut self) -> Option<f64> {
        median(&mut self.milliseconds)
    }
}

/// The median; `None` of nothing.
pub fn median(times: &mut [f64]) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// From the kernel's own account; null where there is none.
fn peak_rss_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024.0)
}
