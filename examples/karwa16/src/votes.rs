//! Party from votes: the congressional voting records of 1984, learned from a private release and tested on members who
//! were kept out of it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rand::RngExt;
use skellam::math::streams::{Purpose, Streams};

use super::Failure;
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
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join("data.tsv");
        let named = |fault: String| format!("{}{fault}", skellam::quoted(path.display()));
        let text = fs::read_to_string(&path).map_err(|error| named(format!(": {error}")))?;
        let (mut party, mut votes) = (Vec::new(), Vec::<Vec<usize>>::new());
        for (number, line) in text.lines().enumerate().skip(1) {
            let broken = |fault: String| named(format!(", line {}: {fault}", number + 1));
            let field = |field: &str| match field.parse::<usize>() {
                Ok(value) if value < 100 => Ok(value),
                _ => Err(broken(format!("`{field}` is not a number from 0 to 99"))),
            };
            let mut fields = line.split('\t').map(field).collect::<Result<Vec<usize>, _>>()?;
            party.push(fields.remove(0));
            let columns = votes.first().map_or(fields.len().max(1), Vec::len);
            if fields.len() != columns {
                Err(broken(format!("{} votes where {columns} are expected", fields.len())))?;
            }
            votes.push(fields);
        }
        if party.len() < 3 {
            let people = party.len();
            Err(named(format!(
                ": {people} people, but at least 3 are needed: two to learn from and one to be tested"
            )))?;
        }
        let most = |values: &[usize]| values.iter().max().map_or(0, |most| most + 1);
        let sizes = [most(&party), votes[0].len(), most(&votes.concat())];
        Ok(Self { party, votes, sizes })
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

/// Accuracy and log score of every estimator at every budget, as text.
///
/// # Errors
///
/// Data that are missing or broken, settings that make no sense.
pub fn run(flags: &Flags, folder: &Path) -> Result<String, Failure> {
    let data = Votes::read(folder)?;
    flags.check()?;
    let train = (2 * data.party.len() / 3).max(2);
    let model = Model::new(train, data.sizes)?;
    let splits: Vec<u64> = (0..flags.tables as u64).collect();
    let results = parallel::map(&splits, |&split| one_split(flags, &data, &model, split));
    let results: Vec<Vec<Outcome>> = results.into_iter().collect::<Result<_, _>>()?;
    let mut out = format!(
        "{train} of {} members are counted and released, the others tested; {} questions, so that the release costs {} \
         epsilon; splits: {}, releases of each: {}, with noise from the operating system\n\
         both tables compare with how members voted, which no release protects\n",
        data.party.len(),
        model.features,
        model.features,
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
fn one_split(flags: &Flags, data: &Votes, model: &Model, split: u64) -> Result<Vec<Outcome>, Failure> {
    let streams = Streams::new(flags.seed, split);
    let mut order: Vec<usize> = (0..data.party.len()).collect();
    let mut rng = streams.open(Purpose::Start, 0, 0);
    // Random order, by Fisher and Yates.
    for last in (1..order.len()).rev() {
        order.swap(last, rng.random_range(0..=last));
    }
    let (train, test) = order.split_at(model.people);
    let tables = data.tables(train);
    let mut results = Vec::new();
    for &epsilon in &flags.epsilons {
        let unit = epsilon.to_bits() as usize;
        for noise in 0..flags.noises as u64 {
            let released = draw::release_of_people(model, &tables, epsilon)?;
            let rng = streams.open(Purpose::Posterior, unit, noise);
            for estimator in estimators::all(&tables, rng, flags.engines) {
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[test]
    fn the_most_probable_party_is_predicted_and_a_tie_is_a_guess() {
        let votes = Votes {
            party: vec![0, 1, 0],
            votes: vec![vec![0, 1], vec![1, 1], vec![0, 0]],
            sizes: [2, 2, 2],
        };
        let tables = votes.tables(&[0, 1, 2]);
        assert_eq!((tables.n, tables.x), (vec![2, 1], vec![2, 0, 0, 1, 1, 1, 0, 1]));
        let parameters = Parameters {
            p: vec![0.5, 0.5],
            q: vec![0.9, 0.1, 0.2, 0.8, 0.5, 0.5, 0.5, 0.5],
        };
        let [accuracy, log] = votes.score(&[0, 1, 2], &parameters);
        assert!((accuracy - 1.0).abs() < 1e-12);
        assert!((log - (2.0 * (0.9f64 / 1.1).ln() + (0.8f64 / 0.9).ln()) / 3.0).abs() < 1e-12);
        let nothing = Parameters {
            p: vec![0.5, 0.5],
            q: vec![0.5; 8],
        };
        assert!((votes.score(&[0, 1, 2], &nothing)[0] - 0.5).abs() < 1e-12);
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
        let [first, again] = [(); 2].map(|()| one_split(&flags, &votes, &model, 0).unwrap());
        for (one, other) in first.iter().zip(&again) {
            match one.name {
                "non-private" => assert_eq!(one.values, other.values),
                "exact" => assert_ne!(one.values, other.values),
                _ => {}
            }
        }
    }

    #[test]
    fn a_broken_line_is_named() {
        let folder = std::env::temp_dir().join(format!("karwa16_votes_{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let read = |text: &str| {
            fs::write(folder.join("data.tsv"), text).unwrap();
            Votes::read(&folder).map(|votes| votes.sizes)
        };
        assert_eq!(read("class\ta\tb\n0\t1\t2\n1\t0\t0\n1\t0\t0\n").unwrap(), [2, 2, 3]);
        for (text, fault) in [
            ("class\ta\n0\t1\n1\ty\n", "line 3: `y` is not a number"),
            ("class\ta\n0\t1\n1\n", "line 3: 0 votes where 1 are expected"),
            ("class\ta\n", "0 people"),
        ] {
            let said = read(text).unwrap_err().to_string();
            assert!(said.contains(fault), "{text}: {said}");
        }
        fs::remove_dir_all(&folder).unwrap();
        assert!(Votes::read(&folder).is_err());
    }
}
