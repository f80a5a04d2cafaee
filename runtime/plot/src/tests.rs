//! Tests of what is in the pictures.

use ndarray::{Array2, arr2};

use super::quantities::Quantity;
use super::rank::{Ranks, histograms};
use super::trace::Traces;
use super::*;

fn count(svg: &str, what: &str) -> usize {
    svg.matches(what).count()
}

fn quantity(name: &str, draws: Vec<f64>) -> Quantity {
    Quantity {
        name: name.to_owned(),
        draws,
    }
}

#[test]
fn a_trace_has_a_line_for_each_chain_of_each_quantity() {
    let draws: Vec<f64> = (0..60).map(|i| f64::from(i % 7)).collect();
    let part = Traces {
        num_chains: 3,
        quantities: vec![quantity("ln_joint", draws.clone()), quantity("mean of y", draws)],
    };
    let svg = Figure::new("Traces").part(part).draw().svg().to_owned();
    assert!(svg.contains("ln_joint") && svg.contains("mean of y"));
    // Lines of a grid are of another grey; those of chains have twenty points each.
    let lines: Vec<&str> = svg.lines().filter(|line| line.starts_with("<polyline")).collect();
    assert_eq!(lines.iter().filter(|line| line.matches(',').count() >= 20).count(), 6);
    for color in ["#0072B2", "#E69F00", "#009E73"] {
        assert_eq!(lines.iter().filter(|line| line.contains(color)).count(), 2, "{color}");
    }
}

/// A draw that is infinite or missing leaves a gap, and no NaN gets into the picture.
#[test]
fn draws_that_are_no_numbers_leave_no_mark() {
    let quantities = || {
        let draws = vec![1.0, f64::NAN, f64::INFINITY, 2.0, 3.0, f64::NEG_INFINITY];
        vec![quantity("x", draws)]
    };
    let traces = Traces {
        num_chains: 1,
        quantities: quantities(),
    };
    let ranks = Ranks {
        num_chains: 2,
        quantities: quantities(),
    };
    let svg = Figure::new("").part(traces).part(ranks).draw();
    assert!(!svg.svg().contains("NaN") && !svg.svg().contains("inf"));
}

#[test]
fn ranks_are_flat_where_chains_agree_and_split_where_they_do_not() {
    let alike: Vec<f64> = (0..400).map(|i| f64::from(i % 200)).collect();
    assert!(histograms(&alike, 2).iter().flatten().all(|&n| n == 10));
    let apart: Vec<f64> = (0..400).map(f64::from).collect();
    let bins = histograms(&apart, 2);
    assert_eq!(
        (bins[0][..10].iter().sum::<usize>(), bins[1][..10].iter().sum::<usize>()),
        (200, 0)
    );
    let part = Ranks {
        num_chains: 2,
        quantities: vec![quantity("x", apart)],
    };
    let svg = Figure::new("").part(part).draw().svg().to_owned();
    assert!(svg.contains("chain 1") && svg.contains("chain 2"));
    // The bars: ten of each chain are not empty, and the others have no height.
    let bars = |color: &str| -> usize {
        let path = svg.lines().find(|l| l.starts_with("<path") && l.contains(color));
        path.map_or(0, |path| path.matches('m').count() - path.matches("v0h").count())
    };
    assert_eq!((bars("#0072B2"), bars("#E69F00")), (10, 10));
}

#[test]
fn intervals_have_a_line_each_and_say_what_is_left_out() {
    let line = |i: usize| Interval {
        label: format!("entry {i}"),
        quantiles: [0.0, 1.0, 2.0, 3.0, i as f64 + 4.0],
    };
    let lines: Vec<Interval> = (0..90).map(line).collect();
    let svg = intervals("Rates", &lines[..3]).svg().to_owned();
    assert_eq!((count(&svg, "<circle"), count(&svg, "entry ")), (3, 3));
    assert!(svg.contains("Rates") && !svg.contains("not drawn"));
    let svg = intervals("Rates", &lines).svg().to_owned();
    assert_eq!(count(&svg, "<circle"), 80);
    assert!(svg.contains("and 10 more that are not drawn"));
}

#[test]
fn matrices_have_one_scale_in_two_colours() {
    let released = [4.0, -4.0, 0.0, 1.0];
    let rates = [4.0, 0.0, 0.0, 1.0];
    let part = Matrices::new([2, 2])
        .panel("released", "with noise", &released)
        .panel("recovered", "", &rates);
    let svg = matrices(&part).svg().to_owned();
    for text in ["released", "with noise", "recovered", "4 or less", "4 or more"] {
        assert!(svg.contains(text), "{text}");
    }
    // The darkest red in both panels and in the legend, the darkest blue in the first and in the legend.
    assert_eq!((count(&svg, "#B2182B"), count(&svg, "#2166AC")), (3, 2));
}

/// Rows in a custom order, some of them left out, and values that are NaN.
#[test]
fn rows_are_those_that_were_asked_for() {
    let values = [f64::NAN, 9.0, 9.0, 9.0, 0.0, 0.0];
    let part = |rows: &[usize]| {
        Matrices::new([3, 2])
            .panel("x", "", &values)
            .rows(rows)
            .columns(&[0, 1, 7])
    };
    let dark = |rows: &[usize]| count(matrices(&part(rows)).svg(), "#B2182B");
    // A row of one shade is one rectangle; the legend has one.
    assert_eq!((dark(&[1]), dark(&[2, 0]), dark(&[2, 99])), (2, 2, 1));
}

#[test]
fn groups_are_written_beside_their_rows() {
    let values = [1.0; 40];
    let groups = vec![Group::new(19, &["ship", "port"]).numbered(1), Group::new(1, &["lost"])];
    let part = Matrices::new([20, 2])
        .panel("x", "", &values)
        .groups(groups)
        .height(200);
    let svg = matrices(&part).svg().to_owned();
    assert!(svg.contains("ship") && svg.contains("port"));
    // Ten pixels hold no line of text.
    assert!(!svg.contains("lost"));
}

#[test]
fn components_have_their_largest_entries_with_labels() {
    let phi = arr2(&[[0.1, 0.6, 0.3, 0.0], [5.0, 0.0, 0.0, 15.0]]);
    let words = ["oil", "ship", "port", "wheat"];
    let svg = components("Topics", &phi, &words, 2).unwrap().svg().to_owned();
    for text in ["Topics", "ship", "60.0", "port", "30.0", "wheat", "75.0", "oil", "25.0"] {
        assert!(svg.contains(text), "{text}");
    }
    // Four bars.
    assert_eq!(count(&svg, "#96AFC8"), 4);
    // Without labels, numbers.
    let svg = components("Topics", &phi, &[""; 0], 2).unwrap().svg().to_owned();
    let labels: Vec<&str> = svg.lines().map(str::trim).filter(|line| *line == "3").collect();
    assert_eq!(labels.len(), 1);
}

/// A list that is shorter or longer than the values would label some of them wrongly, or not at all.
#[test]
fn as_many_labels_as_values() {
    let phi = Array2::from_elem([2, 3], 1.0);
    let refused = |error: PlotError| match error {
        PlotError::Labels { of, expected, given } => (of, expected, given),
        other => panic!("{other}"),
    };
    let of = |labels: &[&str]| refused(components("Topics", &phi, labels, 2).unwrap_err());
    assert_eq!(of(&["oil", "ship"]), ("entries of a component", 3, 2));
    assert_eq!(of(&["oil"; 4]), ("entries of a component", 3, 4));
}

/// Labels come from files: what they hold is text, and no markup.
#[test]
fn labels_are_no_markup() {
    let phi = arr2(&[[1.0]]);
    let svg = components("</svg><script>", &phi, &["<b>\u{202e}&\n"], 1)
        .unwrap()
        .svg()
        .to_owned();
    assert!(!svg.contains("<script>") && !svg.contains("<b>") && !svg.contains('\u{202e}'));
    assert_eq!(count(&svg, "</svg>"), 1);
}

#[test]
fn a_picture_that_cannot_be_written_says_where() {
    let picture = Figure::new("Empty").draw();
    assert!(picture.svg().starts_with("<svg") && picture.svg().ends_with("</svg>\n"));
    let error = picture.save("/nowhere/at/all.svg").unwrap_err();
    assert!(error.to_string().contains("/nowhere/at/all.svg") && error.to_string().contains("check the path"));
}
