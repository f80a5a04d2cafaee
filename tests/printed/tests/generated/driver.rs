//! Fits of three models on fixed data, as the bits of their numbers. Compiled twice: against the macro, and
//! against the source that it says it generated.

use skellam::channel::Varying;
use skellam::prelude::*;

use super::{Answers, AnswersData, Matrix, Noisy};

/// A line for each fit.
pub fn lines() -> Vec<String> {
    let gibbs = Gibbs {
        num_tune: 3,
        num_draws: 2,
        thin: Some(2),
        seed: 9,
        num_threads: Some(1),
        ..Gibbs::default()
    };
    let augmented = Gibbs {
        form: GibbsForm::Augmented,
        ..gibbs.clone()
    };
    let cavi = Cavi {
        max_iters: 12,
        anneal_iters: 4,
        check_every: 1,
        num_threads: Some(1),
        ..Cavi::default()
    };
    let values = |cells: i64| (0..cells).map(|i| i * i % 13 % 7 - 2).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    let released = Released::assert_mechanism(vec![6, 7], values(42), law).unwrap();
    let matrix = Matrix::new(&released).unwrap().topics(3);
    let noisy = Noisy::new(&Differences::dense(vec![5, 6], values(30)).unwrap());
    let noisy = noisy.unwrap().topics(2);
    let told = |numbers: [i64; 4]| numbers.iter().cycle().take(12).copied().collect::<Vec<_>>();
    let laplace = Varying::Uniform(Laplace::new(1.5, 1).unwrap());
    let truncated = Varying::Uniform(TruncatedGeometric::new(0.4).unwrap());
    let bought = told([-1, 3, 0, 7]).into_iter().map(|c| c as f64 / 2.0).collect();
    let liked = told([0, 1, 1, 0]).into_iter().map(|c| c == 1).collect();
    let answers = Answers::new(AnswersData {
        bought: &Released::assert_mechanism(vec![3, 4], bought, laplace).unwrap(),
        liked: &Released::assert_mechanism(vec![3, 4], liked, Varying::Uniform(AtLeastOne)).unwrap(),
        rated: &Released::assert_mechanism(vec![3, 4], told([0, 2, 1, 5]), truncated).unwrap(),
    });
    let answers = answers.unwrap().tastes(2);
    let bits = |numbers: &[f64]| numbers.iter().map(|x| format!("{:016x}", x.to_bits())).collect();
    vec![
        bits(answers.gibbs(&gibbs).unwrap().theta.as_slice().unwrap()),
        bits(answers.cavi(&cavi).unwrap().phi.mean().unwrap().as_slice().unwrap()),
        bits(noisy.gibbs(&gibbs).unwrap().minus.as_slice().unwrap()),
        bits(noisy.cavi(&cavi).unwrap().rate().unwrap().as_slice().unwrap()),
        bits(matrix.gibbs(&gibbs).unwrap().phi.as_slice().unwrap()),
        bits(matrix.gibbs(&augmented).unwrap().theta.as_slice().unwrap()),
        bits(matrix.cavi(&cavi).unwrap().theta.mean().unwrap().as_slice().unwrap()),
    ]
}
