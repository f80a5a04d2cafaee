//! What is said at the end: what was written, what it promises, and what to be careful about.

use std::io::{self, Write};

use skellam::counts::CountSlices;
use skellam::prelude::*;
use skellam::release::files::{leftovers as left_beside, remove_abandoned};
use skellam::release::{Delta, Provenance, Ratio, ReleasedFolder};

use super::flags::Flags;

/// Removes what interrupted runs have left, and warns of what may be one that goes on.
pub fn leftovers(flags: &Flags) {
    let before = left_beside(&flags.out);
    remove_abandoned(&flags.out);
    let still = left_beside(&flags.out);
    for path in before {
        let shown = skellam::quoted(path.display());
        // No progress, and so not for --quiet to hide.
        if still.contains(&path) {
            eprintln!(
                "warning: another run writes {shown}, or was interrupted within this minute: it holds a part of a release, and whoever sees \
                 it beside a complete one sees the same counts released twice. The next run removes it if nobody writes to it."
            );
        } else {
            eprintln!("{shown}, a part of a release that an interrupted run had left, was removed");
        }
    }
}

/// Says what is about to be released: whoever meant something else can still stop.
pub fn size(flags: &Flags, slices: &CountSlices) {
    let shape = slices.shape();
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    // What a file claims may be more than any number of cells there is.
    let cells: f64 = shape.iter().map(|&size| size as f64).product();
    let cells = if cells < 1e15 {
        grouped(cells as u64)
    } else {
        format!("{cells:.1e}")
    };
    flags.say(&format!(
        "{}: {} counts ({}), every one of them is released",
        skellam::quoted(flags.input.display()),
        cells,
        sizes.join(" x ")
    ));
}

/// Prints the report.
///
/// # Errors
/// What the system says, unless nobody is listening any more.
pub fn print(flags: &Flags, folder: &ReleasedFolder) -> io::Result<()> {
    let mut text = format!("{}{}\n\n{}\n", written(folder), noise(folder), promise(folder));
    for warning in warnings(flags, folder) {
        text.push_str(&format!("\nwarning: {warning}\n"));
    }
    if let Some(account) = account(flags) {
        text.push_str(&format!("\n{account}\n"));
    }
    match io::stdout().lock().write_all(text.as_bytes()) {
        // A reader that has gone away has read enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// What the rows have lost so far, and may still lose.
fn account(flags: &Flags) -> Option<String> {
    let path = flags.ledger.as_ref()?;
    let (data, ledger) = Ledger::read(path).ok()?;
    let owner = if ledger.users().is_some() { "user" } else { "row" };
    let cap = Promise::from(ledger.cap());
    let most = match (cap, ledger.spent()) {
        (Promise::Lplp { n, epsilon }, Some(spent)) => format!("({n}, {spent}) of ({n}, {epsilon})"),
        _ => return None,
    };
    let delta = match ledger.delta() {
        0.0 => String::new(),
        cap => {
            let spent = Delta::new(ledger.spent_delta()).map_or("0".to_owned(), |delta| delta.to_string());
            format!(", delta {spent} of {cap:e}")
        }
    };
    let number = ledger.entries().len();
    let (releases, begun) = match number {
        1 => ("release", ", begun with this one"),
        _ => ("releases", ""),
    };
    Some(format!(
        "{}: {number} {releases} of `{data}`{begun}; the {owner} that lost most has lost {most}{delta}.{}",
        skellam::quoted(path.display()),
        match ledger.names() {
            Some(_) => "",
            None => " Rows are known by their position alone: keep their order.",
        }
    ))
}

fn written(folder: &ReleasedFolder) -> String {
    let sizes: Vec<String> = folder.shape().iter().map(usize::to_string).collect();
    let cells = folder.num_cells();
    let bytes = folder.bytes();
    format!(
        "{}: {} counts ({}) released by {}, {} of them positive; {} bytes, {:.2} bits a count; read again and verified",
        skellam::quoted(folder.path().display()),
        grouped(cells as u64),
        sizes.join(" x "),
        folder.mechanism(),
        grouped(folder.num_positive()),
        grouped(bytes),
        8.0 * bytes as f64 / cells as f64
    )
}

/// How large the noise is.
pub fn noise(folder: &ReleasedFolder) -> String {
    let figure = |sd: f64| {
        if sd < 0.001 {
            format!("{sd:.1e}")
        } else if sd < 100.0 {
            format!("{sd:.3}")
        } else {
            format!("{sd:.0}")
        }
    };
    let by_row = if folder.varies_along().is_some() {
        ", by row"
    } else {
        ""
    };
    match folder.noise_sd() {
        Some([least, most]) if least == most => {
            format!("\nstandard deviation of the noise of a cell: {}", figure(least))
        }
        Some([least, most]) => format!(
            "\nstandard deviation of the noise of a cell: {} to {}{by_row}",
            figure(least),
            figure(most)
        ),
        None => String::new(),
    }
}

/// The promise in words, and what it means.
pub fn promise(folder: &ReleasedFolder) -> String {
    match folder.provenance() {
        Provenance::ReleasedHere(promise) => {
            let each = match folder.varies_along() {
                Some(_) => "Each row has the budget of its own line; what holds of all of them is\n",
                None => "",
            };
            format!("{each}{promise}.\n\n{}", meaning(promise))
        }
        Provenance::Simulated {
            promise: Promise::None,
            seed,
        } => format!(
            "A simulation: the noise follows seed {seed}, and anyone who knows it can take it off again. Nothing is promised, nor \
             would it be with noise from the operating system."
        ),
        Provenance::Simulated { promise, seed } => format!(
            "A simulation: the noise follows seed {seed}, and anyone who knows it can take it off again. Nothing is promised. \
             With noise from the operating system it would be\n{promise}."
        ),
        Provenance::Asserted => format!(
            "The mechanism, {}, is asserted by the user. Nothing is promised here: what the noise promises is for those to say who \
             drew it.",
            folder.mechanism()
        ),
    }
}

/// What a promise means for somebody in the data.
fn meaning(promise: &Promise) -> String {
    let (n, epsilon, unless) = match promise {
        Promise::Lplp { n, epsilon } => (*n, *epsilon, String::new()),
        Promise::Approximate { n, epsilon, delta } => (
            *n,
            *epsilon,
            format!(", except for a probability of {delta:.1} that more is told"),
        ),
        Promise::None => return String::new(),
    };
    // The exponent is exact; the number is said to be about right, as a bound must not be rounded down.
    let odds = |loss: Ratio| match loss.to_f64() {
        large if large > 13.0 => format!("exp({loss}) to 1, which protects next to nothing"),
        small => format!("exp({loss}), about {:.3}, to 1", small.exp()),
    };
    let twice = 2 * u128::from(n);
    let differ = match n {
        1 => "differ by 1 count in all".to_owned(),
        _ => format!("differ by {n} counts in all"),
    };
    let further = match promise {
        Promise::Lplp { .. } => match epsilon.plus(epsilon) {
            Ok(double) => format!(
                " Rows that differ by more are protected less: at {twice} counts the odds are at most {}.",
                odds(double)
            ),
            Err(_) => " Rows that differ by more are not protected.".to_owned(),
        },
        _ => String::new(),
    };
    format!(
        "In other words: whoever reads the release and wonders which of two rows is behind one of its rows, where the two \
         {differ}, can tell with odds of at most {} where guessing has 1 to 1{unless}.{further} That \
         holds whatever else they know, and whatever is computed from the release.",
        odds(epsilon)
    )
}

/// What to be careful about.
fn warnings(flags: &Flags, folder: &ReleasedFolder) -> Vec<String> {
    let mut warnings = Vec::new();
    if folder.shape_from_data() {
        warnings.push(
            "the shape was read off the counts and is in the release: it tells the largest index that occurs in each mode. \
             Give --shape with sizes that are known anyway."
                .to_owned(),
        );
    }
    if (0..folder.shape().len()).any(|axis| folder.labels(axis).is_some()) {
        warnings.push(
            "the names of rows and columns are in the release: they tell who is in the data and what occurs, and no noise hides that."
                .to_owned(),
        );
    }
    if matches!(folder.provenance(), Provenance::ReleasedHere(_)) && flags.ledger.is_none() {
        warnings.push(
            "the promise is about one release. Another release of the same rows adds its loss to this one; --ledger keeps the \
             account."
                .to_owned(),
        );
    }
    warnings
}

/// A number with its thousands apart: 1,681,910.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
