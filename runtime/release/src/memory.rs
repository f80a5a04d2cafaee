//! How much memory this process may still take, and whether something fits in it.
//!
//! Linux grants more memory than there is, and the kernel kills whoever then uses it. So what a run needs is summed
//! before it starts and held against what is left: of the machine, of the control group and of the address space.

mod parts;

pub use parts::Memory;

use std::fs;

/// Less than this is not asked for: reading what the system says takes longer than a tiny model takes to be bound, and
/// self-tests bind one for every draw.
const SMALL: f64 = 1_048_576.0;

/// So much of the free memory is left alone: the allocator, threads and other programs take memory too.
const HEADROOM: f64 = 0.95;

/// Bytes that this process may still take: the least of what the machine, the control groups and the limit of the address
/// space leave. `None` where the system says nothing of it.
pub fn available() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let sources = [
        read("/proc/meminfo").and_then(|text| field(&text, "MemAvailable:")),
        control_group(&read),
        address_space(&read),
    ];
    sources.into_iter().flatten().min()
}

/// Below this nothing is asked: the allocator's own answer is enough.
const WORTH_ASKING: f64 = (1 << 24) as f64;

crate::plain_debug!(TooLarge);

/// More memory than there is.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[error(
    "{name} would take {}, {}: {instead}",
    in_words(*bytes),
    available.map_or("more than there is".to_owned(), |free| format!("and {} are free", in_words(free as f64)))
)]
pub struct TooLarge {
    /// What was to be held.
    pub name: String,
    /// How many bytes it would take.
    pub bytes: f64,
    /// How many this process may still take, where the system says so.
    pub available: Option<u64>,
    /// What to change.
    pub instead: String,
}

impl TooLarge {
    /// `what` is named in the sentence, and `instead` says what to change.
    pub fn new(what: &str, bytes: f64, instead: &str) -> Self {
        Self {
            name: what.to_owned(),
            bytes,
            available: available(),
            instead: instead.to_owned(),
        }
    }
}

/// Whether so little is asked for that it fits anywhere. What is not a number is not little.
pub fn is_small(bytes: f64) -> bool {
    bytes < SMALL
}

/// Refuses what does not fit: `what` is named in the error, with its `bytes`, and `instead` says what to change.
///
/// # Errors
/// [`TooLarge`].
pub fn fits(what: &str, bytes: f64, instead: &str) -> Result<(), TooLarge> {
    if is_small(bytes) {
        return Ok(());
    }
    let free = available().map_or(isize::MAX as f64, |bytes| HEADROOM * bytes as f64);
    // Not `bytes > free`: what is not a number does not fit.
    if bytes <= free.min(isize::MAX as f64) {
        return Ok(());
    }
    Err(TooLarge::new(what, bytes, instead))
}

/// Room for `more` values and no growth beyond, asked of the system where it is much.
///
/// # Errors
/// [`TooLarge`].
pub fn reserve_exact<T>(values: &mut Vec<T>, more: usize, what: &str, instead: &str) -> Result<(), TooLarge> {
    if more <= values.capacity() - values.len() {
        return Ok(());
    }
    let bytes = (values.len() as f64 + more as f64) * size_of::<T>() as f64;
    if bytes >= WORTH_ASKING {
        fits(what, bytes, instead)?;
    }
    values
        .try_reserve_exact(more)
        .map_err(|_| TooLarge::new(what, bytes, instead))
}

/// Room for `more` values in a vector that grows: by doubling, or where that does not fit by an eighth.
///
/// # Errors
/// [`TooLarge`].
pub fn reserve<T>(values: &mut Vec<T>, more: usize, what: &str, instead: &str) -> Result<(), TooLarge> {
    if more <= values.capacity() - values.len() {
        return Ok(());
    }
    let least = more.max(values.len() / 8);
    reserve_exact(values, more.max(values.len()), what, instead)
        .or_else(|_| reserve_exact(values, least, what, instead))
}

/// An empty vector with room for `len` values.
///
/// # Errors
/// [`TooLarge`].
pub fn with_room<T>(len: usize, what: &str, instead: &str) -> Result<Vec<T>, TooLarge> {
    let mut values = Vec::new();
    reserve_exact(&mut values, len, what, instead)?;
    Ok(values)
}

/// `len` times `value`, or an error where there is not that much memory.
///
/// # Errors
/// [`TooLarge`].
pub fn filled<T: Copy>(what: &str, len: usize, value: T) -> Result<Vec<T>, TooLarge> {
    let mut values = with_room(len, what, "lower the sizes")?;
    values.resize(len, value);
    Ok(values)
}

/// Bytes in words: `64.0 MiB`.
pub fn in_words(bytes: f64) -> String {
    const UNITS: [&str; 6] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let step = if bytes >= 1.0 {
        (bytes.log2() / 10.0) as usize
    } else {
        0
    };
    let unit = step.min(UNITS.len() - 1);
    let value = bytes / 1024f64.powi(unit as i32);
    match unit {
        0 => format!("{value:.0} bytes"),
        _ if value < 1e5 => format!("{value:.1} {}", UNITS[unit]),
        _ => format!("{value:.1e} {}", UNITS[unit]),
    }
}

/// The number of KiB behind a name, in bytes.
fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(name))?;
    let kib: u64 = line[name.len()..].split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// What the control groups leave: that of this process and those around it (version 2), or the one of version 1. Pages that
/// cache files are given back when memory is short, so they count as free.
fn control_group(read: &impl Fn(&str) -> Option<String>) -> Option<u64> {
    let groups = read("/proc/self/cgroup")?;
    let mut least: Option<u64> = None;
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(controllers), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let (root, names) = match controllers {
            "" => ("/sys/fs/cgroup", ["memory.max", "memory.current"]),
            c if c.split(',').any(|c| c == "memory") => (
                "/sys/fs/cgroup/memory",
                ["memory.limit_in_bytes", "memory.usage_in_bytes"],
            ),
            _ => continue,
        };
        // In a container the path is often that of the host, and the group itself is mounted at the root.
        let mut path = path.trim_end_matches('/');
        loop {
            let value = |name: &str| -> Option<u64> { read(&format!("{root}{path}/{name}"))?.trim().parse().ok() };
            if let (Some(limit), Some(used)) = (value(names[0]), value(names[1])) {
                let stat = read(&format!("{root}{path}/memory.stat")).unwrap_or_default();
                let cached: u64 = ["inactive_file ", "active_file "]
                    .iter()
                    .filter_map(|name| {
                        stat.lines()
                            .find_map(|line| line.strip_prefix(name)?.parse::<u64>().ok())
                    })
                    .sum();
                let left = limit.saturating_sub(used.saturating_sub(cached));
                least = Some(least.map_or(left, |least| least.min(left)));
            }
            match path.rfind('/') {
                Some(at) => path = &path[..at],
                None => break,
            }
        }
    }
    least
}

/// What the limit of the address space (`ulimit -v`) leaves.
fn address_space(read: &impl Fn(&str) -> Option<String>) -> Option<u64> {
    let limits = read("/proc/self/limits")?;
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    let limit: u64 = line["Max address space".len()..]
        .split_whitespace()
        .next()?
        .parse()
        .ok()?;
    let used = field(&read("/proc/self/status")?, "VmSize:")?;
    Some(limit.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn system(files: &'static [(&'static str, &'static str)]) -> impl Fn(&str) -> Option<String> {
        move |path| {
            files
                .iter()
                .find(|(name, _)| *name == path)
                .map(|(_, text)| (*text).to_owned())
        }
    }

    #[test]
    fn the_tightest_control_group_counts() {
        let read = system(&[
            ("/proc/self/cgroup", "0::/a/b\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/memory.current", "500\n"),
            ("/sys/fs/cgroup/a/memory.max", "4000\n"),
            ("/sys/fs/cgroup/a/memory.current", "3000\n"),
            (
                "/sys/fs/cgroup/a/memory.stat",
                "anon 2500\ninactive_file 300\nactive_file 200\n",
            ),
        ]);
        assert_eq!(control_group(&read), Some(1500));
        let first = system(&[
            ("/proc/self/cgroup", "5:cpu:/\n4:memory:/docker/x\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n"),
            ("/sys/fs/cgroup/memory/memory.usage_in_bytes", "1200\n"),
        ]);
        assert_eq!(control_group(&first), Some(0));
        assert_eq!(control_group(&system(&[])), None);
    }

    #[test]
    fn the_limit_of_the_address_space_counts() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax address space         2048000  unlimited  bytes\n";
        let read = move |path: &str| match path {
            "/proc/self/limits" => Some(limits.to_owned()),
            "/proc/self/status" => Some("VmPeak:  9 kB\nVmSize:     1000 kB\n".to_owned()),
            _ => None,
        };
        assert_eq!(address_space(&read), Some(1_024_000));
        let unlimited = |_: &str| Some("Max address space         unlimited  unlimited  bytes\n".to_owned());
        assert_eq!(address_space(&unlimited), None);
    }

    #[test]
    fn what_does_not_fit_is_refused_with_its_bytes() {
        fits("a run", 1e6, "lower K").unwrap();
        for bytes in [1e18, f64::INFINITY, f64::NAN] {
            let error = fits("a run", bytes, "lower K").unwrap_err().to_string();
            assert!(error.contains("lower K"), "{error}");
        }
        assert!(filled("a table", usize::MAX / 16, 0.0f64).is_err());
        assert_eq!(filled("a table", 2, 1u8).unwrap(), [1, 1]);
    }

    #[test]
    fn vectors_grow_by_doubling_and_by_less_where_that_does_not_fit() {
        let mut values: Vec<u8> = vec![0; 100];
        reserve(&mut values, 1, "a list", "split it").unwrap();
        assert!(values.capacity() >= 200);
        let error = reserve(&mut values, usize::MAX / 4, "a list", "split it").unwrap_err();
        assert_eq!((error.name.as_str(), error.instead.as_str()), ("a list", "split it"));
        assert!(
            error.bytes >= (usize::MAX / 4) as f64 && error.available.is_some(),
            "{error}"
        );
    }

    #[test]
    fn bytes_are_said_in_a_unit_that_reads_well() {
        assert_eq!(in_words(12.0), "12 bytes");
        assert_eq!(in_words(64.0 * 1024.0 * 1024.0), "64.0 MiB");
        assert_eq!(in_words(1.5 * 1024f64.powi(3)), "1.5 GiB");
        assert_eq!(in_words(0.0), "0 bytes");
    }
}
