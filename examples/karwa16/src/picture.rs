//! The study as one SVG: a column for each number of people; below each other, errors of `p` and `q` and coverage of both against
//! the budget.
//!
//! The pictures of the crate are those of fits, and none of them is a curve with several lines: this one is written as text.

use std::fmt::Write;

use super::report::distinct;
use super::score::Mean;
use super::study::Row;

const LEFT: f64 = 76.0;
const TOP: f64 = 108.0;
const HEIGHT: f64 = 180.0;
const BETWEEN: [f64; 2] = [18.0, 40.0];
/// Of a panel at least, and of all panels of a row with the gaps behind them: the legend has to go beside each other.
const NARROWEST: f64 = 225.0;
const ACROSS: f64 = 840.0;

/// Of the estimators, told apart also by those who do not see all colours (Okabe and Ito). By name: pictures with the engines and without
/// them have the same colours.
const COLOURS: [(&str, &str); 7] = [
    ("non-private", "#5a5a5a"),
    ("exact", "#0072b2"),
    ("gibbs", "#d55e00"),
    ("cavi", "#e69f00"),
    ("published", "#009e73"),
    ("naive", "#cc79a7"),
    ("prior", "#56b4e9"),
];
const INK: &str = "#212529";
const GREY: &str = "#5f666e";
const FAINT: &str = "#cdd1d6";

/// A scale from values to pixels.
struct Scale {
    logarithmic: bool,
    ends: [f64; 2],
    pixels: [f64; 2],
}

impl Scale {
    fn at(&self, value: f64) -> f64 {
        let place = |value: f64| if self.logarithmic { value.log10() } else { value };
        let [low, high] = self.ends.map(place);
        let share = ((place(value) - low) / (high - low)).clamp(0.0, 1.0);
        self.pixels[0] + share * (self.pixels[1] - self.pixels[0])
    }

    /// Powers of ten, with 2 and 5 times these where there are few; or fifths.
    fn ticks(&self) -> Vec<f64> {
        if !self.logarithmic {
            return (0..=5).map(|i| f64::from(i) / 5.0).collect();
        }
        let [low, high] = self.ends.map(|end| end.log10());
        let steps: &[f64] = if high - low > 2.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let powers = low.floor() as i32..=high.ceil() as i32;
        let all = powers.flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
        all.filter(|tick| (self.ends[0]..=self.ends[1]).contains(tick))
            .collect()
    }
}

/// One row of panels.
struct Measure {
    title: &'static str,
    of: fn(&Row) -> Mean,
    logarithmic: bool,
}

const MEASURES: [Measure; 4] = [
    Measure {
        title: "squared error of p",
        of: |row| row.error[0],
        logarithmic: true,
    },
    Measure {
        title: "squared error of q",
        of: |row| row.error[1],
        logarithmic: true,
    },
    Measure {
        title: "coverage of 90 % intervals of p",
        of: |row| row.coverage[0],
        logarithmic: false,
    },
    Measure {
        title: "coverage of 90 % intervals of q",
        of: |row| row.coverage[1],
        logarithmic: false,
    },
];

/// Draws the rows.
pub fn svg(rows: &[Row]) -> String {
    let sizes = distinct(rows.iter().map(|row| row.people));
    let names = distinct(rows.iter().map(|row| row.name));
    let wide = NARROWEST.max(ACROSS / sizes.len() as f64 - BETWEEN[0]);
    let width = LEFT + sizes.len() as f64 * (wide + BETWEEN[0]) + 24.0;
    let height = TOP + MEASURES.len() as f64 * (HEIGHT + BETWEEN[1]) + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    text(&mut out, "Private naive Bayes", [LEFT, 32.0], "20px", "start", INK);
    let remark =
        "means over tables with two standard errors; the truth is drawn from the prior; epsilon is that of one table";
    text(&mut out, remark, [LEFT, 52.0], "12px", "start", GREY);
    for (number, name) in names.iter().enumerate() {
        let x = LEFT + 110.0 * number as f64;
        let colour = colour_of(name);
        let _ = writeln!(
            out,
            "<path d=\"M{x:.1} 70h22\" stroke=\"{colour}\" stroke-width=\"3\"/>"
        );
        text(&mut out, name, [x + 28.0, 74.0], "12px", "start", INK);
    }
    for (down, measure) in MEASURES.iter().enumerate() {
        let top = TOP + down as f64 * (HEIGHT + BETWEEN[1]);
        let up = vertical(rows, measure, top);
        for (across, &people) in sizes.iter().enumerate() {
            let left = LEFT + across as f64 * (wide + BETWEEN[0]);
            let here: Vec<&Row> = rows.iter().filter(|row| row.people == people).collect();
            panel(&mut out, &here, &names, measure, &up, [left, wide], across == 0);
            let title = match down {
                0 => format!("{people} people"),
                _ => String::new(),
            };
            text(&mut out, &title, [left + wide, top - 6.0], "12px", "end", INK);
            if down + 1 == MEASURES.len() {
                text(
                    &mut out,
                    "epsilon",
                    [left + wide / 2.0, top + HEIGHT + 32.0],
                    "12px",
                    "middle",
                    GREY,
                );
            }
        }
        text(&mut out, measure.title, [LEFT, top - 6.0], "12px", "start", GREY);
    }
    out.push_str("</svg>\n");
    out
}

/// One scale for a row of panels, so that they can be compared.
fn vertical(rows: &[Row], measure: &Measure, top: f64) -> Scale {
    let pixels = [top + HEIGHT, top];
    if !measure.logarithmic {
        return Scale {
            logarithmic: false,
            ends: [0.0, 1.0],
            pixels,
        };
    }
    // By means alone: two standard errors below one there may be nothing positive.
    let means = rows
        .iter()
        .map(|row| (measure.of)(row).value)
        .filter(|value| *value > 0.0);
    let ends = means.fold([f64::INFINITY, 0.0f64], |[low, high], mean| {
        [low.min(mean), high.max(mean)]
    });
    let [low, high] = if ends[0] <= ends[1] { ends } else { [0.1, 1.0] };
    Scale {
        logarithmic: true,
        ends: [low / 1.6, high * 1.6],
        pixels,
    }
}

fn panel(
    out: &mut String,
    rows: &[&Row],
    names: &[&str],
    measure: &Measure,
    up: &Scale,
    [left, wide]: [f64; 2],
    is_first: bool,
) {
    let epsilons = rows.iter().map(|row| row.epsilon);
    let ends = epsilons
        .clone()
        .fold([f64::INFINITY, 0.0f64], |[low, high], e| [low.min(e), high.max(e)]);
    let along = Scale {
        logarithmic: true,
        ends: [ends[0] / 2.5, ends[1] * 2.5],
        pixels: [left, left + wide],
    };
    let [bottom, top] = up.pixels;
    for tick in up.ticks() {
        let y = up.at(tick);
        let _ = writeln!(out, "<path d=\"M{left:.1} {y:.1}h{wide:.1}\" stroke=\"{FAINT}\"/>");
        if is_first {
            text(out, &format!("{tick}"), [left - 6.0, y + 4.0], "11px", "end", GREY);
        }
    }
    for epsilon in distinct(epsilons) {
        let x = along.at(epsilon);
        let _ = writeln!(out, "<path d=\"M{x:.1} {bottom:.1}v4\" stroke=\"{GREY}\"/>");
        text(out, &format!("{epsilon}"), [x, bottom + 16.0], "10px", "middle", GREY);
    }
    let _ = writeln!(
        out,
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{HEIGHT:.1}\" fill=\"none\" stroke=\"{FAINT}\"/>"
    );
    if !measure.logarithmic {
        let y = up.at(0.9);
        let _ = writeln!(
            out,
            "<path d=\"M{left:.1} {y:.1}h{wide:.1}\" stroke=\"{INK}\" stroke-dasharray=\"4 3\"/>"
        );
    }
    for (number, name) in names.iter().enumerate() {
        let colour = colour_of(name);
        // A little apart, or bars would hide each other.
        let aside = 3.0 * (number as f64 - (names.len() as f64 - 1.0) / 2.0);
        let mut path = String::new();
        for row in rows.iter().filter(|row| row.name == *name) {
            let Mean { value, error } = (measure.of)(row);
            let (x, y) = (along.at(row.epsilon) + aside, up.at(value));
            let _ = write!(path, "{}{x:.1} {y:.1}", if path.is_empty() { "M" } else { "L" });
            if error > 0.0 {
                let [low, high] = [-2.0, 2.0].map(|times| up.at((value + times * error).max(f64::MIN_POSITIVE)));
                let _ = writeln!(
                    out,
                    "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"{colour}\" stroke-width=\"1.2\"/>"
                );
            }
            let _ = writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"{colour}\"/>");
        }
        let _ = writeln!(
            out,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>"
        );
    }
}

fn colour_of(name: &str) -> &'static str {
    let found = COLOURS.iter().find(|(known, _)| *known == name);
    found.map_or(INK, |(_, colour)| colour)
}

/// Words of this program, which has none that would have to be escaped.
fn text(out: &mut String, words: &str, [x, y]: [f64; 2], size: &str, anchor: &str, colour: &str) {
    if !words.is_empty() {
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{words}</text>"
        );
    }
}
