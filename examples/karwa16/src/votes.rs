//! Party from votes: the congressional voting records of 1984, learned from a private release and tested on members who
//! were kept out of it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use rand::{Rng, RngExt};
use skellam::math::streams::{Purpose, Streams};

use super::error::NaiveBayesError;
use super::flags::Flags;
use super::model::{Model, Parameters, Tables};
use super::report::distinct;
use super::score::Mean;
use super::{draw, estimators, parallel};

/// Members by party and votes.
pub struct Votes {
    /// Of each member.
    party: Vec<usize>,
    /// Of each member, by question.
    votes: Vec<Vec<usize>>,
    /// Numbers of parties, questions and answers.
    sizes: [usize; 3],
}

/// How one estimator did with one release: share of right answers, and mean log probability of the right party.
struct Outcome {
    epsilon: f64,
    name: &'static str,
    values: [f64; 2],
}

impl Votes {
    /// Reads `data.tsv`: a line of headings, then party and votes, numbered from 0.
    ///
    /// # Errors
    ///
    /// A file that is missing or broken.
    pub fn read(folder: &Path) -> Result<Self, NaiveBayesError> {
        let path = folder.join("data.tsv");
        let text = fs::read_to_string(&path).map_err(|source| NaiveBayesError::Io {
            path: path.clone(),
            source,
        })?;
        let (mut party, mut votes) = (Vec::new(), Vec::<Vec<usize>>::new());
        for (number, line) in text.lines().enumerate().skip(1) {
            let mut fields = fields(&path, number + 1, line)?;
            let first = fields.remove(0);
            let columns = votes.first().map_or(fields.len().max(1), Vec::len);
            if fields.len() != columns {
                let fault = format!("{} votes where {columns} are expected", fields.len());
                return Err(broken(&path, number + 1, fault));
            }
            party.push(first);
            votes.push(fields);
        }
        if party.len() < 3 {
            return Err(NaiveBayesError::FewPeople {
                path,
                people: party.len(),
            });
        }
        let most = |values: &[usize]| values.iter().max().map_or(0, |most| most + 1);
        let sizes = [
            most(&party),
            votes[0].len(),
            votes.iter().map(|votes| most(votes)).max().unwrap_or(0),
        ];
        Ok(Self { party, votes, sizes })
    }

    /// Number of members.
    fn len(&self) -> usize {
        self.party.len()
    }

    /// What these members would have counted.
    fn tables(&self, members: &[usize]) -> Tables {
        let [classes, features, answers] = self.sizes;
        let (mut n, mut x) = (vec![0; classes], vec![0; classes * features * answers]);
        for &member in members {
            let party = self.party[member];
            n[party] += 1;
            for (k, answer) in self.votes[member].iter().enumerate() {
                x[(k * classes + party) * answers + answer] += 1;
            }
        }
        Tables { n, x }
    }

    /// Share of these members whose party is the most probable one given their votes, and the mean log probability of
    /// their party. Where parties tie, a guess among them counts.
    fn score(&self, members: &[usize], Parameters { p, q }: &Parameters) -> [f64; 2] {
        let [classes, _, answers] = self.sizes;
        let mut sums = [0.0; 2];
        for &member in members {
            let votes = self.votes[member].iter().enumerate();
            let ln_joint = |i: usize| {
                let answered = votes
                    .clone()
                    .map(|(k, answer)| q[(k * classes + i) * answers + answer].ln());
                p[i].ln() + answered.sum::<f64>()
            };
            let ln_joints: Vec<f64> = (0..classes).map(ln_joint).collect();
            let top = ln_joints.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let party = self.party[member];
            let best = ln_joints.iter().filter(|value| **value >= top - 1e-9).count();
            if ln_joints[party] >= top - 1e-9 {
                sums[0] += 1.0 / best as f64;
            }
            let total: f64 = ln_joints.iter().map(|value| (value - top).exp()).sum();
            sums[1] += ln_joints[party] - top - total.ln();
        }
        sums.map(|sum| sum / members.len() as f64)
    }
}

/// The numbers of a line.
fn fields(path: &Path, line: usize, text: &str) -> Result<Vec<usize>, NaiveBayesError> {
    let number = |field: &str| match field.parse::<usize>() {
        Ok(value) if value < 100 => Ok(value),
        _ => Err(broken(path, line, format!("`{field}` is not a number from 0 to 99"))),
    };
    text.split('\t').map(number).collect()
}

fn broken(path: &Path, line: usize, fault: String) -> NaiveBayesError {
    let path = PathBuf::from(path);
    NaiveBayesError::Table { path, line, fault }
}

/// Accuracy and log score of every estimator at every budget, as text.
///
/// # Errors
///
/// Data that are missing or broken, settings that make no sense.
pub fn run(flags: &Flags, folder: &Path) -> Result<String, NaiveBayesError> {
    let data = Votes::read(folder)?;
    let lists = [
        ("epsilons", flags.epsilons.len()),
        ("tables", flags.tables),
        ("noises", flags.noises),
    ];
    if let Some(&(name, _)) = lists.iter().find(|(_, number)| *number == 0) {
        return Err(NaiveBayesError::NoValues { name });
    }
    let train = (2 * data.len() / 3).max(2);
    let model = Model::new(train, data.sizes)?.priors(flags.class_prior, flags.answer_prior)?;
    let splits: Vec<u64> = (0..flags.tables as u64).collect();
    let results = parallel::map(&splits, |&split| one_split(flags, &data, &model, split));
    let results: Vec<Vec<Outcome>> = results.into_iter().collect::<Result<_, _>>()?;
    let mut out = format!(
        "{train} of {} members are counted and released, the others tested; {} questions, so that the release costs {} \
         epsilon; splits: {}, releases of each: {}, with noise from the operating system\n\
         both tables compare with how members voted, which no release protects\n",
        data.len(),
        model.features(),
        model.features(),
        flags.tables,
        flags.noises
    );
    let names = distinct(results[0].iter().map(|result| result.name));
    for (which, title, digits) in [(0, "accuracy", 3), (1, "mean log probability of the party", 2)] {
        let _ = write!(out, "\n{title}, with standard error over splits\n\n{:>8}", "epsilon");
        names.iter().for_each(|name| out.push_str(&format!("{name:>17}")));
        for &epsilon in &flags.epsilons {
            let _ = write!(out, "\n{epsilon:>8}");
            for name in &names {
                let of_split = |results: &Vec<Outcome>| {
                    let here = results.iter().filter(|r| r.epsilon == epsilon && r.name == *name);
                    Mean::of(&here.map(|r| r.values[which]).collect::<Vec<f64>>()).value
                };
                let Mean { value, error } = Mean::of(&results.iter().map(of_split).collect::<Vec<f64>>());
                let _ = write!(out, "{:>17}", format!("{value:.digits$} ± {error:.digits$}"));
            }
        }
        out.push('\n');
    }
    Ok(out)
}

/// One split, released at every budget.
fn one_split(flags: &Flags, data: &Votes, model: &Model, split: u64) -> Result<Vec<Outcome>, NaiveBayesError> {
    let streams = Streams::new(flags.seed, split);
    let order = shuffled(data.len(), &mut streams.open(Purpose::Start, 0, 0));
    let (train, test) = order.split_at(model.people());
    let tables = data.tables(train);
    let mut results = Vec::new();
    for &epsilon in &flags.epsilons {
        let unit = epsilon.to_bits() as usize;
        for noise in 0..flags.noises as u64 {
            let released = draw::release_of_people(model, &tables, epsilon)?;
            let rng = streams.open(Purpose::Posterior, unit, noise);
            for estimator in estimators::all(&tables, flags.bound, rng, flags.engines) {
                results.push(Outcome {
                    epsilon,
                    name: estimator.name(),
                    values: data.score(test, &estimator.estimate(&released)?.means()),
                });
            }
        }
    }
    Ok(results)
}

/// The numbers below `n` in random order (Fisher and Yates).
fn shuffled<R: Rng + ?Sized>(n: usize, rng: &mut R) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for last in (1..n).rev() {
        order.swap(last, rng.random_range(0..=last));
    }
    order
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    fn votes() -> Votes {
        Votes {
            party: vec![0, 1, 0],
            votes: vec![vec![0, 1], vec![1, 1], vec![0, 0]],
            sizes: [2, 2, 2],
        }
    }

    #[test]
    fn tables_count_members() {
        let tables = votes().tables(&[0, 1, 2]);
        assert_eq!(tables.n, [2, 1]);
        assert_eq!(tables.x, [2, 0, 0, 1, 1, 1, 0, 1]);
    }

    #[test]
    fn the_most_probable_party_is_predicted_and_a_tie_is_a_guess() {
        let parameters = Parameters {
            p: vec![0.5, 0.5],
            q: vec![0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5],
        };
        let [accuracy, log] = votes().score(&[0, 1, 2], &parameters);
        assert!((accuracy - 1.0).abs() < 1e-12);
        assert!((log - (2.0 * (0.9f64 / 1.1).ln() + (0.8f64 / 0.9).ln()) / 3.0).abs() < 1e-12);
        let nothing = Parameters {
            p: vec![0.5, 0.5],
            q: vec![0.5; 8],
        };
        assert!((votes().score(&[0, 1, 2], &nothing)[0] - 0.5).abs() < 1e-12);
    }

    /// The seed settles who is counted, and not the noise: equal by chance with probability below 1e-9.
    #[test]
    fn noise_of_members_does_not_follow_the_seed() {
        let votes = Votes {
            party: (0..30).map(|member| member % 2).collect(),
            votes: (0..30).map(|member| vec![member % 3 % 2, member % 5 % 2]).collect(),
            sizes: [2, 2, 2],
        };
        let flags = Flags::try_parse_from(["karwa16", "--epsilons", "0.01", "--noises", "1"]).unwrap();
        let model = Model::new(20, votes.sizes).unwrap();
        let scores = || {
            let outcomes = one_split(&flags, &votes, &model, 0).unwrap();
            let of = |name| {
                outcomes
                    .iter()
                    .find(|one| one.name == name)
                    .unwrap()
                    .values
                    .map(f64::to_bits)
            };
            [of("exact"), of("non-private")]
        };
        let ([exact, true_tables], [again, the_same]) = (scores(), scores());
        assert_eq!(true_tables, the_same);
        assert_ne!(exact, again);
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = std::env::temp_dir().join(format!("karwa16_votes_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let read = |text: &str| {
            fs::write(folder.join("data.tsv"), text).unwrap();
            Votes::read(&folder)
                .map(|votes| votes.sizes)
                .map_err(|error| error.to_string())
        };
        assert_eq!(read("class\ta\tb\n0\t1\t2\n1\t0\t0\n1\t0\t0\n"), Ok([2, 2, 3]));
        for (text, fault) in [
            ("class\ta\n0\t1\n1\ty\n", "line 3: `y` is not a number"),
            ("class\ta\n0\t1\n1\n", "line 3: 0 votes where 1 are expected"),
            ("class\n0\n", "line 2: 0 votes where 1 are expected"),
            ("class\ta\n", "0 people"),
            ("class\ta\n0\t-1\n", "`-1` is not a number"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(fault), "{text}: {said}");
        }
        fs::remove_dir_all(&folder).unwrap();
        assert!(Votes::read(&folder).is_err());
    }
}
