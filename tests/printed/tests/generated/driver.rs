//! Fits of six models on fixed data, as the bits of their numbers. Compiled twice: against the macro, and
//! against the source that it says it generated.

use skellam::channel::Varying;
use skellam::prelude::*;

use super::{Answers, AnswersData, Background, Cp3, Matrix, Noisy, Tucker};

fn released(shape: &[usize]) -> Released<TwoSidedGeometric> {
    let cells = shape.iter().product::<usize>() as i64;
    let values = (0..cells).map(|i| i * i % 13 % 7 - 2).collect();
    let law = Varying::Uniform(TwoSidedGeometric::new(0.4).unwrap());
    Released::assert_mechanism(shape.to_vec(), values, law).unwrap()
}

fn bits(numbers: impl IntoIterator<Item = f64>) -> String {
    numbers.into_iter().map(|x| format!("{:016x}", x.to_bits())).collect()
}

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
    let matrix = Matrix::new(&released(&[6, 7])).unwrap().topics(3);
    let tensor = Cp3::new(&released(&[4, 5, 3])).unwrap().parts(2);
    let core = Tucker::new(&released(&[4, 5, 3])).unwrap().ps(2).qs(3).rs(2);
    let exposure = vec![0.5, 1.0, 1.5, 2.0];
    let background = Background::new(&released(&[4, 9]))
        .unwrap()
        .topics(2)
        .exposure(exposure);
    let values = (0..30).map(|i| i * i % 13 % 7 - 2).collect();
    let noisy = Noisy::new(&Differences::dense(vec![5, 6], values).unwrap())
        .unwrap()
        .topics(2);
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
    let (v, w) = (answers.gibbs(&gibbs).unwrap(), answers.cavi(&cavi).unwrap());
    let (n, o) = (noisy.gibbs(&gibbs).unwrap(), noisy.cavi(&cavi).unwrap());
    let (m, a, c) = (
        matrix.gibbs(&gibbs).unwrap(),
        matrix.gibbs(&augmented).unwrap(),
        matrix.cavi(&cavi).unwrap(),
    );
    let (t, u) = (tensor.gibbs(&gibbs).unwrap(), core.gibbs(&gibbs).unwrap());
    let b = background.gibbs(&gibbs).unwrap();
    vec![
        bits(v.theta.as_slice().unwrap().iter().copied()),
        bits(w.phi.mean().unwrap().iter().copied().chain(w.elbo)),
        bits(
            n.minus
                .as_slice()
                .unwrap()
                .iter()
                .chain(n.rate().unwrap().iter())
                .copied(),
        ),
        bits(o.rate().unwrap().iter().copied().chain(o.elbo)),
        bits(
            m.theta
                .as_slice()
                .unwrap()
                .iter()
                .chain(m.phi.as_slice().unwrap())
                .copied(),
        ),
        bits(
            a.theta
                .as_slice()
                .unwrap()
                .iter()
                .chain(a.rate().unwrap().iter())
                .copied(),
        ),
        bits(
            c.theta
                .mean()
                .unwrap()
                .iter()
                .chain(c.phi.rate().iter())
                .copied()
                .chain(c.elbo),
        ),
        bits(t.a.as_slice().unwrap().iter().chain(t.c.as_slice().unwrap()).copied()),
        bits(
            u.core
                .as_slice()
                .unwrap()
                .iter()
                .chain(u.b.as_slice().unwrap())
                .copied(),
        ),
        bits(
            b.base
                .as_slice()
                .unwrap()
                .iter()
                .chain(b.phi.as_slice().unwrap())
                .copied(),
        ),
    ]
}
