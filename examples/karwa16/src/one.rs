//! One table, released once: what every estimator makes of it.

use std::fmt::Write;

use skellam::math::streams::{Purpose, Streams};

use super::Failure;
use super::exact::Hidden;
use super::flags::Flags;
use super::model::Model;
use super::published::Ascent;
use super::score::score;
use super::{declared, draw, estimators};

/// People, and the budget of each table.
const PEOPLE: usize = 200;
const EPSILON: f64 = 0.1;

/// Draws, releases and compares, as text.
///
/// # Errors
///
/// Settings that make no sense, an estimator that refuses.
pub fn run(flags: &Flags) -> Result<String, Failure> {
    let model = Model::simulated(PEOPLE)?;
    let streams = Streams::new(flags.seed, 0);
    let mut rng = streams.open(Purpose::Start, 0, 0);
    let truth = draw::parameters(&model, &mut rng);
    let tables = draw::tables(&model, &truth, &mut rng);
    let released = draw::release(&model, &tables, EPSILON, &mut rng)?;
    let mut out = format!(
        "{} people in {} classes, {} tables of {} answers; each table {}-private (noise of standard deviation {:.1}), the \
         release {}-private\n\n",
        model.people,
        model.classes,
        model.features,
        model.answers,
        EPSILON,
        released.noise.variance().sqrt(),
        // As it is written, not with the last bits of a product.
        format_args!("{:.4}", EPSILON * model.features as f64),
    );
    let heads = ["error of p", "error of q", "p covered", "q covered", "width of q"];
    let _ = write!(out, "{:>12}", "");
    heads.iter().for_each(|head| out.push_str(&format!("{head:>13}")));
    let mut chain = None;
    for estimator in estimators::all(&tables, streams.open(Purpose::Posterior, 0, 0), true) {
        let estimate = estimator.estimate(&released)?;
        (estimate.doubts.iter()).for_each(|doubt| eprintln!("warning: {}: {doubt}", estimator.name()));
        let [p, q, p_covered, q_covered, _, width] = score(&model, &estimate, &truth);
        let _ = write!(
            out,
            "\n{:>12}{p:>13.4}{q:>13.4}{p_covered:>13.2}{q_covered:>13.2}{width:>13.3}",
            estimator.name()
        );
        chain = estimate.effective.map(|draws| (estimator.name(), draws)).or(chain);
    }
    if let Some((name, draws)) = chain {
        let _ = write!(out, "\n\n{name}: draws worth {draws:.0} independent ones of p");
    }
    let _ = writeln!(
        out,
        "\n\nlog evidence {:.3}; at the true parameters {:.3}; bound of the declared model {:.3}; published bound {:.3}",
        Hidden::integrated(&released).ln_evidence(),
        Hidden::given(&released, &truth).ln_evidence(),
        declared::bound(&released)?,
        Ascent::new(&released).climb(),
    );
    Ok(out)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;

    use super::*;

    /// The page shows what the program prints without flags, to the last digit. `UPDATE_EXPECT=1` rewrites it.
    #[test]
    fn the_page_shows_what_is_printed() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/families/karwa16.md");
        let page = fs::read_to_string(path).unwrap();
        let text = run(&Flags::try_parse_from(["karwa16"]).unwrap()).unwrap();
        let (before, rest) = page.split_once("```output\n").unwrap();
        let (shown, after) = rest.split_once("```").unwrap();
        if std::env::var("UPDATE_EXPECT").is_ok_and(|value| value != "0") {
            fs::write(path, format!("{before}```output\n{text}```{after}")).unwrap();
        } else {
            assert_eq!(shown, text, "UPDATE_EXPECT=1 rewrites it");
        }
    }
}
