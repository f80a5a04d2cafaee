//! A hierarchical model against JAGS, where it is installed: its `sum` node is the one sampler elsewhere that knows that
//! counts add up. The program is `jags`, or what the environment variable `JAGS` names.

use std::path::Path;
use std::process::Command;

use skellam::prelude::*;
use skellam_tests::statistics::batch_means;

skellam::model! {
    model Hierarchical {
        index docs, words, topics;
        latent xi[d in docs] ~ Gamma(shape = 3.0, rate = 2.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = xi[d]);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
    }
}

const Y: [i64; 6] = [3, 0, 1, 5, 2, 0];

/// The model in the language of JAGS: each count is the sum of two parts.
const MODEL: &str = "model {
  for (d in 1:2) {
    xi[d] ~ dgamma(3, 2)
    for (k in 1:2) { theta[d,k] ~ dgamma(1.5, xi[d]) }
    for (v in 1:3) {
      y[d,v] ~ sum(n[d,v,1], n[d,v,2])
      for (k in 1:2) { n[d,v,k] ~ dpois(theta[d,k] * phi[k,v]) }
      mu[d,v] <- theta[d,1] * phi[1,v] + theta[d,2] * phi[2,v]
    }
  }
  for (k in 1:2) { for (v in 1:3) { phi[k,v] ~ dgamma(1.5, 1) } }
}
";

/// The counts as R writes them, columns first; and starting values that add up: the first part takes everything.
fn data_and_starts() -> [String; 2] {
    let turned: Vec<String> = (0..6).map(|i| Y[i % 2 * 3 + i / 2].to_string()).collect();
    let list = turned.join(", ");
    [
        format!("y <- structure(c({list}), .Dim = c(2, 3))\n"),
        format!("n <- structure(c({list}, 0, 0, 0, 0, 0, 0), .Dim = c(2, 3, 2))\n"),
    ]
}

/// Chains by name from the index and the one chain that JAGS writes (CODA).
fn coda(index: &str, chain: &str) -> Vec<(String, Vec<f64>)> {
    let values: Vec<f64> = chain
        .lines()
        .filter_map(|l| l.split_whitespace().nth(1)?.parse().ok())
        .collect();
    let entry = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?.to_string();
        let [first, last] = [words.next()?, words.next()?].map(|w| w.parse::<usize>().ok());
        Some((name, values.get(first? - 1..last?)?.to_vec()))
    };
    index.lines().filter_map(entry).collect()
}

/// Runs JAGS; `None` if it is not installed.
fn run() -> Option<Vec<(String, Vec<f64>)>> {
    let program = std::env::var("JAGS").unwrap_or_else(|_| "jags".into());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("jags");
    std::fs::create_dir_all(&folder).unwrap();
    let script = "load bugs\nmodel in model.bug\ndata in data.R\ncompile, nchains(1)\nparameters in inits.R\ninitialize\n\
                  update 2000\nmonitor mu\nupdate 100000\ncoda *, stem(out)\nexit\n";
    let [data, starts] = data_and_starts();
    let inits = format!("{starts}.RNG.name <- \"base::Mersenne-Twister\"\n.RNG.seed <- 1\n");
    let files = [
        ("model.bug", MODEL),
        ("data.R", &data),
        ("inits.R", &inits),
        ("run.cmd", script),
    ];
    files
        .iter()
        .for_each(|(file, text)| std::fs::write(folder.join(file), text).unwrap());
    let output = match Command::new(&program).arg("run.cmd").current_dir(&folder).output() {
        Err(_) => {
            println!("{program} is not installed: skipped");
            return None;
        }
        Ok(output) => output,
    };
    let read = |file: &str| std::fs::read_to_string(folder.join(file));
    let (Ok(index), Ok(chain)) = (read("outindex.txt"), read("outchain1.txt")) else {
        panic!("{program} wrote no chain:\n{}", String::from_utf8_lossy(&output.stdout));
    };
    Some(coda(&index, &chain))
}

fn settings() -> Gibbs {
    Gibbs {
        num_tune: 1000,
        num_draws: 100_000,
        thin: Some(1),
        num_chains: Some(1),
        seed: 2,
        num_threads: Some(1),
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Within 4 standard errors, each of 100 batches: 1.2e-4 a mean by Student's law.
#[test]
fn the_hierarchical_model_agrees() {
    let Some(theirs) = run() else {
        return;
    };
    let counts = Counts::dense(vec![2, 3], Y.to_vec()).unwrap();
    let fit = Hierarchical::new(&counts).unwrap().topics(2).gibbs(&settings());
    let fit = fit.unwrap();
    let (theta, phi) = (fit.theta.as_slice().unwrap(), fit.phi.as_slice().unwrap());
    for (d, v) in (0..6).map(|cell| (cell / 3, cell % 3)) {
        let draws = theta.chunks_exact(4).zip(phi.chunks_exact(6));
        let ours: Vec<f64> = draws.map(|(t, f)| t[2 * d] * f[v] + t[2 * d + 1] * f[3 + v]).collect();
        let name = format!("mu[{},{}]", d + 1, v + 1);
        let (_, other) = theirs.iter().find(|(n, _)| *n == name).unwrap();
        let ((a, va), (b, vb)) = (batch_means(&ours, 100), batch_means(other, 100));
        let z = (a - b) / (va + vb).sqrt();
        println!("{name}: {a:.4} here, {b:.4} there, z = {z:.2}");
        assert!(z.abs() < 4.0, "{name}: {a} here, {b} there, z = {z}");
    }
}
