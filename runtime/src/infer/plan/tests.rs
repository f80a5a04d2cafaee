use super::*;
use crate::error::QueryError;

/// A table of so many columns.
fn cost(cols: f64) -> CountCost {
    CountCost {
        sides: "rows and columns".into(),
        product: [1000.0, cols, 3.0],
        root: 3000.0 * cols,
        below: 7.0,
        memory: 100.0,
        by_cell: false,
    }
}

fn plan(counts: Vec<CountPlan>) -> Plan {
    Plan {
        model: "Topics",
        counts,
        updates: vec!["theta by Gamma".to_owned()],
        multiplications: 1e6,
        numbers: 100.0,
        latents: vec![("theta", 50.0)],
        arrays: vec![("exposure", 10.0)],
        learns_shapes: false,
    }
}

fn part(memory: &Memory, what: &str) -> Option<f64> {
    memory.parts().find(|(part, _)| *part == what).map(|(_, bytes)| bytes)
}

#[test]
fn every_count_is_listed_with_data_operands_and_a_draw() {
    let plan = plan(vec![CountPlan::new("y", cost(5.0)), CountPlan::new("z", cost(0.2))]);
    let text = plan.to_string();
    assert!(
        text.starts_with("plan of Topics\n  count y: 5000 cells\n    rows and columns\n"),
        "{text}"
    );
    assert!(text.contains("  count z: 200 cells\n"), "{text}");
    assert_eq!(text.matches("updates, in this order").count(), 1);
    assert_eq!(part(&plan.data(), "known array `exposure`"), Some(160.0));
    assert_eq!(part(&plan.operands(), "operands of the rates"), Some(800.0));
    assert_eq!(part(&plan.operands(), "latents and their counts"), Some(800.0));
    // 400 monitored rates of `y`, all of `z`, and the mean rate of each.
    assert_eq!(plan.draw().total(), 8.0 * (50.0 + 401.0 + 201.0 + 1.0));
}

#[test]
fn cells_that_are_not_positive_are_not_visited() {
    let of = |passes_over: bool| {
        let count = CountPlan::new("y", cost(1000.0));
        plan(vec![CountPlan { passes_over, ..count }])
    };
    let data = |plan: &Plan| part(&plan.data(), "data of `y`").unwrap();
    let few = of(true).with_positive("y", 1e5).unwrap();
    let lines = 24.0 * 1000.0 + 8.0 * 1000.0;
    assert_eq!(data(&few), 8e6 + 8e5 + lines);
    assert_eq!(data(&of(false).with_positive("y", 1e5).unwrap()), 16e6 + lines);
    assert_eq!(data(&of(true).with_stored("y", 1e4).unwrap()), 16e4 + 8e4 + lines);
    assert!(few.to_string().contains("  with 100000 positive cells of `y`\n"));
    assert!(of(true).to_string().contains("with_positive(\"y\", cells)?`\n"));
    let error = of(true).with_positive("z", 1.0);
    assert!(matches!(error, Err(Error::Query(QueryError::UnknownCount { known, .. })) if known == "y"));
}

#[test]
fn channels_say_which_cells_are_passed_over() {
    use crate::channel::{AtLeastOne, Laplace, Skellam, TwoSidedGeometric};
    assert_eq!(channel_load::<Exact>().weight, Some(1.0));
    assert!(
        channel_load::<TwoSidedGeometric>()
            .weight
            .is_some_and(|weight| weight < 1.0)
    );
    assert_eq!(channel_load::<Skellam>().weight, None);
    assert_eq!(channel_load::<Exact>().observation, [8, 4]);
    assert_eq!(channel_load::<Laplace>().observation, [8, 8]);
    assert_eq!(channel_load::<AtLeastOne>().observation, [1, 1]);
}
