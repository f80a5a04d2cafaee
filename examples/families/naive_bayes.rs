//! Private naive Bayes: people have classes and answer questions, and a table of answers by class is released for each question.
//!
//! `cargo run --release --example naive_bayes [-- --data FOLDER]`
//!
//! How many people are in each class is not released; every table says something of it. With the data set `house_votes_84` people are members
//! of the House of Representatives, the first class is that of Democrats, and questions are sixteen votes.

use std::path::Path;

use clap::Parser;
use skellam::counts::{largest, read_list};
use skellam::diagnose::{CellValues, mean_absolute_error};
use skellam::prelude::*;
use skellam::simulate::Simulation;
use skellam_examples::prelude::*;

skellam::model! {
    /// People with hidden classes, and tables of their answers by class.
    pub model NaiveBayes {
        index features, classes, answers;
        hyper a: positive = 1.0, b: positive = 1.0;
        /// How many people there are, which is public.
        total people;

        latent p[i in classes] ~ Dirichlet(concentration = a, along = i);
        latent q[k in features, i in classes, j in answers] ~ Dirichlet(concentration = b, along = j);

        hidden n[i in classes] ~ Multinomial(people, p[i], along = i);
        count m[k in features, i in classes, j in answers] ~ Multinomial(n[i], q[k, i, j], along = j);

        release m by TwoSidedGeometric;
    }
}

/// Learns shares of classes and answers from tables that were released. The data set is `house_votes_84`.
#[derive(Debug, Parser)]
#[command(name = "naive_bayes")]
pub struct Arguments {
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    folder: Folder,
}

const CLASSES: usize = 2;
const ANSWERS: usize = 3;

/// The shares of classes, and those of answers by question and class.
type Shares = [Vec<f64>; 2];

/// Answers of 200 people to ten questions by class, the true shares, and the names of questions with their answers.
fn drawn(seed: u64) -> Result<(Counts, Shares, Vec<String>), Failure> {
    let mut simulation = Simulation::new(seed);
    let (p, q) = (vec![0.65, 0.35], simulation.simplices([10 * CLASSES, ANSWERS], 1.0)?);
    let q = q.transpose().as_slice().to_vec();
    let mut cells = vec![0; q.len()];
    for _ in 0..200 {
        let class = simulation.category(&p)?;
        for line in (0..10).map(|question| (question * CLASSES + class) * ANSWERS) {
            cells[line + simulation.category(&q[line..][..ANSWERS])?] += 1;
        }
    }
    let name = |at| format!("question {}, answer {}", at / ANSWERS + 1, at % ANSWERS + 1);
    let names = (0..10 * ANSWERS).map(name).collect();
    Ok((Counts::dense(vec![10, CLASSES, ANSWERS], cells)?, [p, q], names))
}

/// Votes, in whose file the party comes before the question.
pub fn votes(folder: &Path) -> Result<(Counts, Shares, Vec<String>), Failure> {
    let names = read_list(folder.join("features.txt"))?;
    let table = read(folder, "class_vote_answer.tsv")?;
    let (shape, n) = (table.shape(), names.len());
    if shape != [CLASSES, n / ANSWERS, ANSWERS] || n % ANSWERS != 0 {
        return Err(format!("class_vote_answer.tsv has shape {shape:?}, and features.txt {n} answers").into());
    }
    let votes = |at: &[usize]| table.get(&[at[1], at[0], at[2]]).unwrap_or(0) as f64;
    let votes = Array::from_fn(vec![names.len() / ANSWERS, CLASSES, ANSWERS], votes)?;
    Ok((Counts::try_from(&votes)?, shares(votes.as_slice()), names))
}

/// The shares of classes in all tables together, and those of answers in each class.
fn shares(cells: &[f64]) -> Shares {
    let lines: Vec<f64> = cells.chunks(ANSWERS).map(|line| line.iter().sum()).collect();
    let class = |i: usize| lines.iter().skip(i).step_by(CLASSES).sum::<f64>() / lines.iter().sum::<f64>();
    let answers = cells.iter().enumerate().map(|(cell, n)| n / lines[cell / ANSWERS]);
    [(0..CLASSES).map(class).collect(), answers.collect()]
}

fn study(Arguments { flags, folder }: &Arguments) -> Result<Study, Failure> {
    let (counts, truth, names) = match folder.existing() {
        Some(folder) => votes(folder)?,
        None => drawn(flags.seed)?,
    };
    let (features, people) = (counts.shape()[0] as u64, counts.total() / counts.shape()[0] as u64);
    // Everybody is in every table, and moves one count in each.
    let released = folder.release(&counts, &Lplp::moving(features, flags.epsilon.as_str())?, flags.seed)?;
    let mut found = Vec::new();
    let model = NaiveBayes::new(&released)?.people(people);
    let both = vec![EngineForm::Gibbs, EngineForm::Cavi];
    for engine in flags.engine.map_or(both, |only| vec![only]) {
        let (name, p, q, sd) = match flags.or(engine).run() {
            Run::Gibbs(settings) => {
                let fit = model.gibbs(&settings)?;
                agree(&fit.doubts());
                ("Gibbs", fit.p.mean()?, fit.q.mean()?, fit.p.sd()?)
            }
            Run::Cavi(settings) => {
                let fit = model.cavi(&settings)?;
                agree(&fit.doubts());
                ("CAVI", fit.p.mean()?, fit.q.mean()?, fit.p.variance().map(f64::sqrt))
            }
        };
        let shares = [p.as_slice(), q.as_slice()].map(<[f64]>::to_vec);
        found.push((format!("noise modelled, {name}"), shares, format!(" ± {:.3}", sd[0])));
    }
    // What was released as it is, but at least a half: shares of counts below zero would make no sense.
    let seen: Vec<f64> = released.values()?.iter().map(|&c| (c as f64).max(0.5)).collect();
    found.push(("naive".into(), shares(&seen), String::new()));
    if !folder.is_own() {
        found.push(("true counts".into(), shares(&counts.row_major()?), String::new()));
    }
    let share = folder.if_simulated(format!(", share of the first {:.3}", truth[0][0]));
    let mut study = folder.study(&format!(
        "{people} people, a public number, in {CLASSES} classes{share}; {features} tables, epsilon = {} for a person",
        flags.epsilon
    ));
    let mut lines = String::from("mean absolute error     of p     of q   share of the first ± standard deviation\n");
    for (name, [p, q], sd) in &found {
        let (of_p, of_q) = (mean_absolute_error(p, &truth[0])?, mean_absolute_error(q, &truth[1])?);
        lines.push_str(&format!("{name:<21} {of_p:>6.4}   {of_q:>6.4}   {:.3}{sd}\n", p[0]));
        study.number(name, of_q);
        study.number(&format!("{name}, classes"), of_p);
    }
    study.compare(&lines);
    let title = folder.if_simulated("    true".into());
    lines = format!("answers that tell the classes apart       first fit{title}\n");
    let of = |q: &[f64], at: usize| [0, 1].map(|i| q[(at / ANSWERS * CLASSES + i) * ANSWERS + at % ANSWERS]);
    let q = &found[0].1[1];
    let apart: Vec<f64> = (0..names.len()).map(|at| (of(q, at)[0] - of(q, at)[1]).abs()).collect();
    for at in largest(&apart, 5) {
        let ([a, b], [c, d]) = (of(q, at), of(&truth[1], at));
        let exact = folder.if_simulated(format!("   {c:.2}  {d:.2}"));
        lines.push_str(&format!("{:<40}  {a:.2}  {b:.2}{exact}\n", names[at]));
    }
    study.say(&lines);
    Ok(study)
}

example!(Arguments, NaiveBayes, study);
