use super::*;
use crate::error::QueryError;

const THETA: KeptLatent = KeptLatent {
    name: "theta",
    number: 50.0,
    per_cell: false,
};

/// A table of a million cells.
const MILLION: CountCost = CountCost {
    sides: Cow::Borrowed("rows and columns"),
    product: [1000.0, 1000.0, 3.0],
    root: 3e6,
    below: 0.0,
    memory: 100.0,
    lane: 3000.0,
    turned: 0.0,
    by_cell: false,
};

#[test]
fn every_count_is_listed_and_costs_add_up() {
    let cost = |sides: &'static str, cols| CountCost {
        sides: sides.into(),
        product: [10.0, cols, 3.0],
        root: 30.0 * cols,
        below: 7.0,
        memory: 100.0,
        lane: 3.0 * cols,
        turned: 0.0,
        by_cell: false,
    };
    let (first, second) = (cost("another", 5.0), cost("a third", 6.0));
    let plan = Plan::new(
        "Topics",
        &[("y", &first), ("z", &second)],
        &["theta by Gamma"],
        &[THETA],
    );
    assert_eq!(plan.multiplications, 5.0 * 30.0 * 11.0 + 14.0);
    let text = plan.to_string();
    assert!(
        text.starts_with("plan of Topics\n  count y: 50 cells\n    another\n"),
        "{text}"
    );
    assert!(text.contains("  count z: 60 cells\n    a third\n"), "{text}");
    assert_eq!(text.matches("updates, in this order").count(), 1);
}

#[test]
fn auxiliary_variables_held_out_cells_and_known_arrays_are_counted() {
    let cost = CountCost {
        sides: "rows and columns".into(),
        product: [10.0, 4.0, 3.0],
        root: 120.0,
        below: 0.0,
        memory: 100.0,
        lane: 12.0,
        turned: 0.0,
        by_cell: false,
    };
    let plan = Plan {
        auxiliary: vec![channel_load::<crate::channel::TwoSidedGeometric>().auxiliary],
        arrays: vec![("exposure", 10.0)],
        ..Plan::new("Topics", &[("y", &cost)], &[], &[THETA])
    };
    let part = |memory: &Memory, what: &str| memory.parts().find(|(part, _)| *part == what).map(|(_, bytes)| bytes);
    let augmented = Gibbs {
        form: GibbsForm::Augmented,
        num_chains: Some(2),
        ..Gibbs::default()
    };
    let collapsed = plan.gibbs(&Gibbs::default()).unwrap();
    assert_eq!(part(&collapsed, "auxiliary variables"), None);
    assert_eq!(part(&collapsed, "known array `exposure`"), Some(160.0));
    let each = channel_load::<crate::channel::TwoSidedGeometric>().auxiliary[0] as f64;
    assert!(each > 0.0);
    let bytes = plan.gibbs(&augmented).unwrap();
    assert_eq!(part(&bytes, "auxiliary variables"), Some(2.0 * 40.0 * each));
    let held_out = plan.with_held_out("y", 5.0).unwrap();
    let bytes = held_out.gibbs(&Gibbs::default()).unwrap();
    assert_eq!(part(&bytes, "held-out cells of `y`"), Some(200.0));
    assert!(matches!(
        held_out.with_held_out("z", 1.0),
        Err(Error::Query(QueryError::UnknownCount { .. }))
    ));
}

#[test]
fn cells_that_are_not_positive_are_not_visited_in_the_collapsed_form() {
    let plan = |passes_over: bool| Plan {
        passes_over: vec![passes_over],
        auxiliary: vec![channel_load::<crate::channel::TwoSidedGeometric>().auxiliary],
        ..Plan::new("Topics", &[("y", &MILLION)], &[], &[THETA])
    };
    let data = |plan: &Plan, form: GibbsForm| {
        let memory = plan
            .gibbs(&Gibbs {
                form,
                ..Gibbs::default()
            })
            .unwrap();
        let data = memory.parts().find(|(part, _)| *part == "data of `y`");
        data.map(|(_, bytes)| bytes).unwrap()
    };
    let few = plan(true).with_positive("y", 1e5).unwrap();
    let lines = 24.0 * 1000.0 + 8.0 * 1000.0;
    assert_eq!(data(&few, GibbsForm::Collapsed), 8e6 + 8e5 + lines);
    // Auxiliary variables are of every cell.
    assert_eq!(data(&few, GibbsForm::Augmented), 16e6 + lines);
    let visited = plan(false).with_positive("y", 1e5).unwrap();
    assert_eq!(data(&visited, GibbsForm::Collapsed), 16e6 + lines);
    let text = few.to_string();
    assert!(
        text.contains("  with 100000 positive cells of `y`\n  memory of"),
        "{text}"
    );
    let text = plan(true).to_string();
    assert!(
        text.contains("with_positive(\"y\", cells)?`\n  at most, memory of"),
        "{text}"
    );
    assert!(plan(true).with_positive("z", 1.0).is_err());
}

#[test]
fn checks_are_counted_up_to_the_cells_that_take_part() {
    let bytes = |most_cells: usize| {
        let checks = Predictive {
            most_cells,
            ..Predictive::default()
        };
        let plan = Plan::new("Topics", &[("y", &MILLION)], &[], &[THETA]).with_checks(&checks);
        let memory = plan.gibbs(&Gibbs::default()).unwrap();
        let part = memory.parts().find(|(part, _)| *part == "predictive check of `y`");
        part.map(|(_, bytes)| bytes).unwrap()
    };
    assert_eq!(bytes(1 << 22), 1e6 * Predictive::BYTES);
    assert_eq!(bytes(1000), 1e3 * Predictive::BYTES);
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
