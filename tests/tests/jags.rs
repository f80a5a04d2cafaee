//! Two models against JAGS, where it is installed: its `sum` node is the one sampler elsewhere that knows that
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

skellam::model! {
    model Views {
        index docs, words, readers, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.5, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.5, rate = 1.0);
        latent taste[k in topics, r in readers] ~ Gamma(shape = 1.5, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count marks[d in docs, r in readers] ~ Poisson(sum(k in topics) theta[d, k] * taste[k, r]);
    }
}

const Y: [i64; 6] = [3, 0, 1, 5, 2, 0];
const MARKS: [i64; 4] = [1, 2, 4, 0];

/// One count of two parts in the language of JAGS.
fn view(count: &str, columns: usize, factor: &str) -> String {
    format!(
        "  for (d in 1:2) {{ for (v in 1:{columns}) {{\n    {count}[d,v] ~ sum({count}n[d,v,1], {count}n[d,v,2])\n    \
         for (k in 1:2) {{ {count}n[d,v,k] ~ dpois(theta[d,k] * {factor}[k,v]) }}\n    \
         {count}mu[d,v] <- theta[d,1] * {factor}[1,v] + theta[d,2] * {factor}[2,v]\n  }} }}\n  \
         for (k in 1:2) {{ for (v in 1:{columns}) {{ {factor}[k,v] ~ dgamma(1.5, 1) }} }}\n"
    )
}

fn hierarchical() -> String {
    let theta =
        "  for (d in 1:2) {\n    xi[d] ~ dgamma(3, 2)\n    for (k in 1:2) { theta[d,k] ~ dgamma(1.5, xi[d]) }\n  }\n";
    format!("model {{\n{theta}{}}}\n", view("y", 3, "phi"))
}

fn views() -> String {
    let theta = "  for (d in 1:2) { for (k in 1:2) { theta[d,k] ~ dgamma(1.5, 1) } }\n";
    format!("model {{\n{theta}{}{}}}\n", view("y", 3, "phi"), view("m", 2, "taste"))
}

/// An array as R writes it: columns first, where `values` has rows first.
fn array(name: &str, shape: [usize; 2], values: &[i64]) -> String {
    let [rows, cols] = shape;
    let turned = (0..rows * cols).map(|i| values[i % rows * cols + i / rows].to_string());
    let list: Vec<String> = turned.collect();
    format!(
        "{name} <- structure(c({}), .Dim = c({rows}, {cols}))\n",
        list.join(", ")
    )
}

/// Starting values that add up: the first part takes everything.
fn parts(name: &str, shape: [usize; 2], values: &[i64]) -> String {
    let [rows, cols] = shape;
    let first = (0..rows * cols).map(|i| values[i % rows * cols + i / rows]);
    let list: Vec<String> = first
        .chain(std::iter::repeat_n(0, rows * cols))
        .map(|v| v.to_string())
        .collect();
    format!(
        "{name}n <- structure(c({}), .Dim = c({rows}, {cols}, 2))\n",
        list.join(", ")
    )
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

/// Runs JAGS on a model; `None` if it is not installed.
fn run(name: &str, model: &str, data: &str, inits: &str, monitors: &[&str]) -> Option<Vec<(String, Vec<f64>)>> {
    let program = std::env::var("JAGS").unwrap_or_else(|_| "jags".into());
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("jags-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut script = String::from("load bugs\nmodel in model.bug\ndata in data.R\ncompile, nchains(1)\n");
    script.push_str("parameters in inits.R\ninitialize\nupdate 2000\n");
    monitors.iter().for_each(|m| script.push_str(&format!("monitor {m}\n")));
    script.push_str("update 100000\ncoda *, stem(out)\nexit\n");
    let inits = format!("{inits}.RNG.name <- \"base::Mersenne-Twister\"\n.RNG.seed <- 1\n");
    let files = [
        ("model.bug", model),
        ("data.R", data),
        ("inits.R", &inits),
        ("run.cmd", &script),
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

/// Rates along a run from draws of both factors, named as JAGS names them.
fn rates(name: &str, theta: &[f64], factor: &[f64], columns: usize) -> Vec<(String, Vec<f64>)> {
    let cell = |d: usize, v: usize| {
        let draws = theta.chunks_exact(4).zip(factor.chunks_exact(2 * columns));
        let run = draws.map(|(t, f)| t[2 * d] * f[v] + t[2 * d + 1] * f[columns + v]);
        (format!("{name}[{},{}]", d + 1, v + 1), run.collect())
    };
    (0..2).flat_map(|d| (0..columns).map(move |v| cell(d, v))).collect()
}

/// Within 4 standard errors, each of 100 batches: 1.2e-4 a mean by Student's law.
fn compare(ours: &[(String, Vec<f64>)], theirs: &[(String, Vec<f64>)]) {
    for (name, run) in ours {
        let (_, other) = theirs
            .iter()
            .find(|(n, _)| n == name)
            .unwrap_or_else(|| panic!("no chain of {name}"));
        let ((a, va), (b, vb)) = (batch_means(run, 100), batch_means(other, 100));
        let z = (a - b) / (va + vb).sqrt();
        println!("{name}: {a:.4} here, {b:.4} there, z = {z:.2}");
        assert!(z.abs() < 4.0, "{name}: {a} here, {b} there, z = {z}");
    }
}

#[test]
fn the_hierarchical_model_agrees() {
    let (data, inits) = (array("y", [2, 3], &Y), parts("y", [2, 3], &Y));
    let Some(theirs) = run("hierarchical", &hierarchical(), &data, &inits, &["ymu"]) else {
        return;
    };
    let counts = Counts::dense(vec![2, 3], Y.to_vec()).unwrap();
    let fit = Hierarchical::new(&counts)
        .unwrap()
        .topics(2)
        .gibbs(&settings())
        .unwrap();
    compare(
        &rates("ymu", fit.theta.as_slice().unwrap(), fit.phi.as_slice().unwrap(), 3),
        &theirs,
    );
}

#[test]
fn the_two_view_model_agrees() {
    let data = array("y", [2, 3], &Y) + &array("m", [2, 2], &MARKS);
    let inits = parts("y", [2, 3], &Y) + &parts("m", [2, 2], &MARKS);
    let Some(theirs) = run("views", &views(), &data, &inits, &["ymu", "mmu"]) else {
        return;
    };
    let [y, marks] = [(3, &Y[..]), (2, &MARKS[..])].map(|(n, v)| Counts::dense(vec![2, n], v.to_vec()).unwrap());
    let data = ViewsData { y: &y, marks: &marks };
    let fit = Views::new(data).unwrap().topics(2).gibbs(&settings()).unwrap();
    let mut ours = rates("ymu", fit.theta.as_slice().unwrap(), fit.phi.as_slice().unwrap(), 3);
    ours.extend(rates(
        "mmu",
        fit.theta.as_slice().unwrap(),
        fit.taste.as_slice().unwrap(),
        2,
    ));
    compare(&ours, &theirs);
}
