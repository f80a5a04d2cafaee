//! Settings of a self-test: which laws are tried, how much, and for how long.

use std::time::{Duration, Instant};

use skellam::infer::CaviForm;
use skellam::model::FormKind;

use super::cells;
use super::chains::{KINDS, joint_test};
use super::instance::{Instance, Subject};
use super::law::Check;
use super::report::Report;
use super::trial::{Found, Trial};
use super::work::{self, Job};
use super::{Testable, allocations, bound, channel, conditional, density, draws, family, symmetries};

/// Settings of a self-test.
///
/// ```
/// use skellam_check::{Check, SelfTest};
/// use std::time::Duration;
///
/// let quick = SelfTest {
///     laws: Some(vec![Check::Channel, "conditionals".parse()?]),
///     time_limit: Some(Duration::from_secs(20)),
///     ..SelfTest::default()
/// };
/// # Ok::<(), skellam_check::UnknownLaw>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SelfTest {
    /// Seed of everything random.
    pub seed: u64,
    /// How many iterations the statistical laws run, as a multiple of the usual number. Four times as many see
    /// deviations of half the size.
    pub effort: f64,
    /// Whether to end with the first law that fails. Laws that are quick to try come first; which others had been begun
    /// by then depends on the machine.
    pub stop_at_failure: bool,
    /// The laws that are tried: all, or these alone. A name of the table in the documentation of the [crate](crate) is parsed to its law.
    pub laws: Option<Vec<Check>>,
    /// When to end. Laws that are not finished by then are [named in the report](Report::unfinished), which then has not
    /// [passed](Report::passed). How far a law gets depends on the machine; without a limit, reports are the same everywhere.
    pub time_limit: Option<Duration>,
}

impl Default for SelfTest {
    fn default() -> Self {
        Self {
            seed: 1,
            effort: 1.0,
            stop_at_failure: false,
            laws: None,
            time_limit: None,
        }
    }
}

impl SelfTest {
    /// Runs the laws on a tiny instance of `T`.
    pub fn run<T: Testable>(&self) -> Report {
        self.run_on(&Subject::of::<T>())
    }

    fn run_on(&self, subject: &Subject) -> Report {
        let begin = Instant::now();
        let instance = &Instance::tiny(subject);
        let trial = &Trial {
            instance,
            seed: self.seed,
            effort: self.effort,
            until: self.time_limit.and_then(|limit| begin.checked_add(limit)),
        };
        let mut jobs = jobs(trial);
        jobs.retain(|job| job.laws.iter().any(|law| self.tries(*law)));
        let (mut rows, mut late) = (Vec::new(), Vec::new());
        for (job, found) in jobs.iter().zip(work::run(trial, &jobs, self.stop_at_failure)) {
            match found {
                Some(found) => rows.extend(
                    found
                        .into_iter()
                        .filter(|row| self.tries(row.check) || row.is_untried()),
                ),
                None => late.extend(job.laws),
            }
        }
        let mut unfinished = Check::ALL.to_vec();
        unfinished.retain(|law| self.tries(*law) && late.contains(law));
        Report {
            model: subject.spec.name,
            rows,
            unfinished,
            cells: cells::exercised(instance, self.seed),
            seconds: begin.elapsed().as_secs_f64(),
        }
    }

    fn tries(&self, law: Check) -> bool {
        self.laws.as_ref().is_none_or(|laws| laws.contains(&law))
    }
}

/// Every law of a model, those that are quick to try first.
fn jobs<'a>(trial: &'a Trial<'a>) -> Vec<Job<'a>> {
    type Law = fn(&Trial<'_>) -> Found;
    let plain: [(&[Check], &str, Law); 8] = [
        (&[Check::Family], "all", family::of_model),
        (&[Check::Channel], "all", channel::channels),
        (
            &[Check::JointRatio, Check::CustomUpdate],
            "all",
            conditional::conditional,
        ),
        (&[Check::Symmetries], "all", symmetries::symmetries),
        (&[Check::Density], "values", density::density),
        (&[Check::Density], density::TABLES, density::tables),
        (&[Check::Allocations], "collapsed", allocations::allocations),
        (&[Check::Draws], "all", draws::draws),
    ];
    let plain = plain.map(|(laws, of, law)| Job::new(laws, of, move || law(trial)));
    // No bound is known where a shape is learned.
    let has_bound = trial.instance.twin.spec.learns_shape_of().is_none();
    let is_augmented = !trial.instance.no_augmentation();
    let exists = |form: FormKind| is_augmented || form == FormKind::Collapsed;
    let forms = [("collapsed", CaviForm::Collapsed), ("augmented", CaviForm::Augmented)];
    let bounds = forms
        .into_iter()
        .filter(|(_, form)| has_bound && exists((*form).into()));
    let bounds =
        bounds.map(|(of, form)| Job::new(&[Check::Ascent, Check::Flat], of, move || bound::bound(trial, form, of)));
    let chains = KINDS.iter().filter(|kind| exists(kind.form));
    let chains = chains.map(|kind| Job::new(kind.laws, kind.name, move || joint_test(trial, kind)));
    plain.into_iter().chain(bounds).chain(chains).collect()
}

#[cfg(test)]
mod tests {
    use super::super::cases::Blocks;
    use super::*;

    fn quick() -> SelfTest {
        SelfTest {
            effort: 0.1,
            ..SelfTest::default()
        }
    }

    /// Values that many cells have, whose slopes come from tables, are there.
    #[test]
    fn a_right_model_passes_and_the_same_seed_gives_the_same_report() {
        let (report, again) = (quick().run::<Blocks>(), quick().run::<Blocks>());
        assert!(report.passed() && report.unfinished.is_empty(), "{report}");
        assert_eq!(format!("{:?}", report.rows), format!("{:?}", again.rows));
        let mut density = report.rows.iter().filter(|row| row.check == Check::Density);
        assert!(density.any(|row| row.of == "gradient, many cells" && row.statistic.is_finite()));
    }

    #[test]
    fn laws_are_chosen_by_name() {
        let laws = ["bound is flat", "channel"].map(|name| name.parse::<Check>().unwrap());
        let some = SelfTest {
            laws: Some(laws.to_vec()),
            ..quick()
        };
        let report = some.run::<Blocks>();
        assert!(report.passed() && laws.iter().all(|law| report.rows.iter().any(|row| row.check == *law)));
        assert!(report.rows.iter().all(|row| laws.contains(&row.check)), "{report}");
        let unknown = "rates".parse::<Check>().unwrap_err().to_string();
        let expected = "there is no law `rates`: the laws are `prior family`, `channel`,";
        assert!(unknown.starts_with(expected), "{unknown}");
    }

    /// At once nothing is finished, and a law that would take minutes ends in time.
    #[test]
    fn laws_that_time_leaves_out_are_named_and_have_not_passed() {
        let at_once = SelfTest {
            time_limit: Some(Duration::ZERO),
            ..quick()
        };
        let report = at_once.run::<Blocks>();
        assert!(report.rows.is_empty() && report.unfinished.len() == Check::choices().count() && !report.passed());
        let long = SelfTest {
            effort: 1e4,
            laws: Some(vec![Check::Geweke, Check::Symmetries]),
            time_limit: Some(Duration::from_millis(500)),
            ..quick()
        };
        let report = long.run::<Blocks>();
        assert!(
            report.unfinished == [Check::Geweke] && report.seconds < 10.0,
            "{report}"
        );
        assert!(report.failures().next().is_none() && !report.passed(), "{report}");
        let end = "the 1 checks that were finished hold, and 1 law is NOT FINISHED";
        assert!(report.to_string().contains(end), "{report}");
    }
}
