//! The study as one SVG: a column for each number of people; below each other, errors of `p` and `q` and coverage of both against
//! the budget.

use plotters::coord::Shift;
use plotters::prelude::*;

use super::Failure;
use super::report::distinct;
use super::score::Mean;
use super::study::Row;

/// Of the estimators, told apart also by those who do not see all colours (Okabe and Ito). By name: pictures with the engines and without
/// them have the same colours.
const COLOURS: [(&str, RGBColor); 7] = [
    ("non-private", RGBColor(90, 90, 90)),
    ("exact", RGBColor(0, 114, 178)),
    ("gibbs", RGBColor(213, 94, 0)),
    ("cavi", RGBColor(230, 159, 0)),
    ("published", RGBColor(0, 158, 115)),
    ("naive", RGBColor(204, 121, 167)),
    ("prior", RGBColor(86, 180, 233)),
];
const GREY: RGBColor = RGBColor(95, 102, 110);
const FAINT: RGBColor = RGBColor(205, 209, 214);

/// One row of panels: its title, what it shows, and whether by powers of ten.
type Measure = (&'static str, fn(&Row) -> Mean, bool);

const MEASURES: [Measure; 4] = [
    ("squared error of p", |row| row.error[0], true),
    ("squared error of q", |row| row.error[1], true),
    ("coverage of 90 % intervals of p", |row| row.coverage[0], false),
    ("coverage of 90 % intervals of q", |row| row.coverage[1], false),
];

/// Draws the rows.
///
/// # Errors
///
/// Those of the backend, which refuses nothing while it writes to memory.
pub fn svg(rows: &[Row]) -> Result<String, Failure> {
    let sizes = distinct(rows.iter().map(|row| row.people));
    let names = distinct(rows.iter().map(|row| row.name));
    // The legend has to go beside each other.
    let width = (260 * sizes.len()).max(880) as u32;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, 1000)).into_drawing_area();
        area.fill(&WHITE)?;
        let (head, panels) = area.split_vertically(88);
        let text = |words: &str, at: (i32, i32), size: i32, colour: RGBColor| {
            let style = ("sans-serif", size).into_font().color(&colour);
            head.draw(&Text::new(words.to_owned(), at, style))
        };
        text("Private naive Bayes", (20, 12), 24, BLACK)?;
        let remark = "means over tables with two standard errors; the truth is drawn from the prior; epsilon is that of one table";
        text(remark, (20, 42), 14, GREY)?;
        for (number, name) in names.iter().enumerate() {
            let x = 20 + 110 * number as i32;
            let line = colour_of(name).stroke_width(3);
            head.draw(&PathElement::new([(x, 72), (x + 22, 72)], line))?;
            text(name, (x + 28, 65), 14, BLACK)?;
        }
        let panels = panels.split_evenly((MEASURES.len(), sizes.len()));
        for (measure, panels) in MEASURES.iter().zip(panels.chunks(sizes.len())) {
            let ends = vertical(rows, measure);
            for (&people, area) in sizes.iter().zip(panels) {
                let here: Vec<&Row> = rows.iter().filter(|row| row.people == people).collect();
                panel(area, &here, &names, measure, ends)?;
            }
        }
        area.present()?;
    }
    // Without attributes that have their default value, which take a tenth of the bytes.
    Ok(svg.replace(" opacity=\"1\"", "").replace(" stroke=\"none\"", ""))
}

/// Where a value stands: at its logarithm, or at itself.
fn place(value: f64, logarithmic: bool) -> f64 {
    if logarithmic {
        value.max(f64::MIN_POSITIVE).log10()
    } else {
        value
    }
}

/// One scale for a row of panels, so that they can be compared: by means alone, as two standard errors below one there may be nothing positive.
fn vertical(rows: &[Row], &(_, of, logarithmic): &Measure) -> [f64; 2] {
    if !logarithmic {
        return [0.0, 1.0];
    }
    let means = rows.iter().map(|row| of(row).value).filter(|value| *value > 0.0);
    let [low, high] = least_and_most(means.map(f64::log10));
    [low - 0.2, high + 0.2]
}

fn least_and_most(values: impl Iterator<Item = f64>) -> [f64; 2] {
    values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}

fn panel(
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    rows: &[&Row],
    names: &[&str],
    &(title, of, logarithmic): &Measure,
    [low, high]: [f64; 2],
) -> Result<(), Failure> {
    let [left, right] = least_and_most(rows.iter().map(|row| row.epsilon.log10())).map(|end| end.clamp(-12.0, 3.0));
    let mut chart = ChartBuilder::on(area)
        .margin(8)
        .caption(format!("{title}, {} people", rows[0].people), ("sans-serif", 13))
        .x_label_area_size(34)
        .y_label_area_size(50)
        .build_cartesian_2d(left - 0.4..right + 0.4, low..high)?;
    let power = |power: &f64| format!("{:.0e}", 10f64.powf(*power));
    let share = |share: &f64| format!("{share:.1}");
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .x_desc("epsilon")
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&power)
        .y_label_formatter(if logarithmic { &power } else { &share })
        .draw()?;
    if !logarithmic {
        chart.draw_series([PathElement::new([(left - 0.4, 0.9), (right + 0.4, 0.9)], BLACK)])?;
    }
    for (number, name) in names.iter().enumerate() {
        let colour = colour_of(name);
        // A little apart, or bars would hide each other.
        let aside = 0.05 * (number as f64 - (names.len() as f64 - 1.0) / 2.0);
        let mut points = Vec::new();
        for row in rows.iter().filter(|row| row.name == *name) {
            let Mean { value, error } = of(row);
            let at = |times: f64| {
                let value = place(value + times * error, logarithmic);
                (row.epsilon.log10() + aside, value.clamp(low, high))
            };
            if error > 0.0 {
                chart.draw_series([PathElement::new([at(-2.0), at(2.0)], colour)])?;
            }
            points.push((row.epsilon.log10() + aside, place(value, logarithmic).clamp(low, high)));
        }
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 2, colour.filled())))?;
        chart.draw_series([PathElement::new(points, colour.stroke_width(2))])?;
    }
    Ok(())
}

fn colour_of(name: &str) -> RGBColor {
    let found = COLOURS.iter().find(|(known, _)| *known == name);
    found.map_or(BLACK, |(_, colour)| *colour)
}
