//! Real processes: killed at any moment, stopped by Ctrl-C, where files may not grow.
//!
//! A child is this test binary itself, asked for the test `child` and told by the environment what to do.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use skellam::Error;
use skellam::infer::Saved;
use skellam::prelude::*;
use skellam::private::file::SavedError;

use super::{Scratch, topics};

const TASK: &str = "SKELLAM_TEST_CHILD";
const FOLDER: &str = "SKELLAM_TEST_FOLDER";
const THREADS: &str = "SKELLAM_TEST_THREADS";
const HELD_AT: &str = "SKELLAM_TEST_HELD_AT";

fn settings(folder: &Path) -> Gibbs {
    Gibbs {
        num_tune: 20,
        num_draws: 20,
        thin: Some(2),
        num_chains: Some(2),
        seed: 3,
        checkpoint: Some(Checkpoint::new(folder.join("run.ckpt")).every_sweeps(4)),
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Says `held` and waits, when it is called the so many-th time, if the environment says so.
fn held() -> Option<Callback> {
    let at = std::env::var(HELD_AT).ok()?.parse::<usize>().ok()?;
    let seen = AtomicUsize::new(0);
    Some(Callback::new(move |_| {
        if seen.fetch_add(1, Ordering::Relaxed) == at {
            println!("held");
            std::thread::sleep(Duration::from_secs(60));
        }
    }))
}

/// What a child does. Without the environment it is nobody's child, and passes.
#[test]
fn child() {
    let (Ok(task), Ok(folder)) = (std::env::var(TASK), std::env::var(FOLDER)) else {
        return;
    };
    let folder = Path::new(&folder);
    let threads = std::env::var(THREADS).ok().and_then(|threads| threads.parse().ok());
    match &*task {
        "fit" => {
            let settings = Gibbs {
                num_threads: threads,
                callback: held(),
                ..settings(folder)
            };
            let fit = topics(12, 10).gibbs(&settings).unwrap();
            fit.save(folder.join("fit.npz")).unwrap();
        }
        "stream" => {
            let settings = Gibbs {
                num_draws: 20_000,
                checkpoint: None,
                draws_in: Some(folder.join("fit.zarr")),
                ..settings(folder)
            };
            match topics(12, 10).gibbs(&settings) {
                Err(Error::Saved(SavedError::Write { path, source })) => {
                    println!("named {} {source}", path.display());
                    std::process::exit(7);
                }
                other => panic!("{:?}", other.map(|_| ())),
            }
        }
        "interrupt" => {
            let interrupt = Interrupt::on_ctrl_c().unwrap();
            let drawing = AtomicUsize::new(0);
            let settings = Gibbs {
                num_draws: 20_000,
                thin: Some(50),
                keep: Keep::default()
                    .latent("theta", Kept::Moments)
                    .latent("phi", Kept::Moments),
                interrupt: interrupt.clone(),
                checkpoint: None,
                // Said when each of the two chains has a draw: a fit has as many as the shorter of them.
                callback: Some(Callback::new(move |partial| {
                    if partial.ln_joint.len() == 1 && drawing.fetch_add(1, Ordering::Relaxed) == 1 {
                        println!("drawing");
                    }
                })),
                ..settings(folder)
            };
            let fit = topics(12, 10).gibbs(&settings).unwrap();
            fit.save(folder.join("fit.npz")).unwrap();
            println!("saved");
            std::process::exit(if interrupt.is_requested() { 130 } else { 1 });
        }
        "deaf" => {
            Interrupt::on_ctrl_c().unwrap();
            println!("drawing");
            std::thread::sleep(Duration::from_secs(30));
            std::process::exit(1);
        }
        "full" => {
            let longer = Gibbs {
                num_draws: 200,
                ..settings(folder)
            };
            match topics(12, 10).gibbs(&longer) {
                Err(Error::Saved(SavedError::Write { path, source })) => {
                    println!("named {} {source}", path.display());
                    std::process::exit(7);
                }
                other => panic!("{:?}", other.map(|_| ())),
            }
        }
        other => panic!("{other}"),
    }
}

fn command(task: &str, folder: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["files::processes::child", "--exact", "--nocapture"]);
    command.env(TASK, task).env(FOLDER, folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Forty runs, each killed, gone on with until it ends, every third time on another number of threads.
///
/// Every other run is held at one of so many calls of its callback, chosen at random, until it is killed, so that half of them die between
/// their first checkpoint and their end however fast the machine is. The others die at a random moment: before
/// the first checkpoint, while one is written, after the end.
#[test]
fn killed_runs_end_with_the_bytes_of_one_that_was_not() {
    let (task, rounds, calls) = ("fit", 40, 2 * 20 - 1);
    let scratch = Scratch::new("killed");
    let fit = scratch.path("fit.npz");
    let begun = Instant::now();
    let quiet = command(task, &scratch.0).stderr(Stdio::piped()).output().unwrap();
    assert!(quiet.status.success());
    assert_eq!(String::from_utf8_lossy(&quiet.stderr), "", "progress is hidden");
    let whole = begun.elapsed();
    let expected = fs::read(&fit).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut killed = 0;
    for round in 0..rounds {
        let _ = fs::remove_file(scratch.path("run.ckpt"));
        let _ = fs::remove_file(&fit);
        let mut one = command(task, &scratch.0);
        one.env(THREADS, "1");
        let mut child = if round % 2 == 0 {
            let at = rng.next_u64() % calls;
            one.env(HELD_AT, at.to_string()).stdout(Stdio::piped());
            let mut child = one.spawn().unwrap();
            let _said = wait_for(&mut child, "held");
            child.kill().unwrap();
            child
        } else {
            let mut child = one.spawn().unwrap();
            std::thread::sleep(whole.mul_f64(0.1 + 0.8 * (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64));
            child.kill().unwrap();
            child
        };
        child.wait().unwrap();
        killed += usize::from(scratch.path("run.ckpt").exists() && !fit.exists());
        let threads = if round % 3 == 0 { "3" } else { "1" };
        assert!(
            command(task, &scratch.0)
                .env(THREADS, threads)
                .status()
                .unwrap()
                .success()
        );
        assert!(fs::read(&fit).unwrap() == expected, "round {round}");
    }
    println!("{killed} of {rounds} were killed between their first checkpoint and their end");
    assert!(killed >= rounds / 2, "{killed} of {rounds}");
    let mut left: Vec<_> = fs::read_dir(&scratch.0)
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        // A run that was killed while it wrote has left that file, under a name of its own.
        .filter(|name| !name.to_string_lossy().ends_with(".partial"))
        .collect();
    left.sort();
    assert_eq!(left, [".run.ckpt.lock", "fit.npz", "run.ckpt"]);
}

/// Waits for a child to say a word. It may say more as long as what is returned lives.
fn wait_for(child: &mut Child, word: &str) -> impl Sized + use<> {
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    // The harness of the child may print before it on the same line.
    let found = lines.find(|line| line.as_ref().is_ok_and(|line| line.trim_end().ends_with(word)));
    assert!(found.is_some(), "the child ended without `{word}`");
    lines
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn ctrl_c_ends_the_sweep_and_saves() {
    let scratch = Scratch::new("ctrl-c");
    let mut child = command("interrupt", &scratch.0).stdout(Stdio::piped()).spawn().unwrap();
    let _said = wait_for(&mut child, "drawing");
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let saved = Saved::load(scratch.path("fit.npz")).unwrap();
    assert_eq!(saved.ended(), "interrupted");
    let draws = saved.ln_joint().unwrap().len() / 2;
    assert!((1..20_000).contains(&draws), "{draws}");
}

#[test]
fn a_second_ctrl_c_ends_the_program() {
    let scratch = Scratch::new("twice");
    let mut child = command("deaf", &scratch.0).stdout(Stdio::piped()).spawn().unwrap();
    let _said = wait_for(&mut child, "drawing");
    let begun = Instant::now();
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(child.try_wait().unwrap(), None);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Does a task where files may have so many blocks of 512 bytes, which it ends with an error that names one.
fn limited(task: &str, blocks: usize, scratch: &Scratch) -> String {
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" files::processes::child --exact --nocapture");
    let output = Command::new("sh")
        .args(["-c", &limited])
        .arg(std::env::current_exe().unwrap())
        .env(TASK, task)
        .env(FOLDER, &scratch.0)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{said}{stderr}");
    said
}

#[test]
fn a_file_that_may_not_grow_is_named_and_the_checkpoint_before_intact() {
    let scratch = Scratch::new("full");
    let checkpoint = scratch.path("run.ckpt");
    assert!(command("fit", &scratch.0).status().unwrap().success());
    let before = fs::read(&checkpoint).unwrap();
    let blocks = before.len() / 512 + 50;
    let said = limited("full", blocks, &scratch);
    assert!(said.contains("run.ckpt"), "{said}");
    // Some checkpoints of the longer run fitted; whichever is there is whole, and the run goes on from it.
    let after = fs::read(&checkpoint).unwrap();
    assert!(after.len() >= before.len() && after.len() <= 512 * blocks);
    let longer = Gibbs {
        num_draws: 200,
        ..settings(&scratch.0)
    };
    let never = Gibbs {
        checkpoint: None,
        ..longer.clone()
    };
    let model = topics(12, 10);
    let (gone_on, never) = (model.gibbs(&longer).unwrap(), model.gibbs(&never).unwrap());
    assert_eq!(gone_on.ln_joint(), never.ln_joint());
}

/// A chunk of draws that does not fit is an error that names its file.
#[test]
fn a_store_that_may_not_grow_is_named() {
    let scratch = Scratch::new("full-stream");
    let said = limited("stream", 40, &scratch);
    assert!(said.contains("fit.zarr"), "{said}");
}

/// What the texts of a store say of an array: its sizes.
fn shape(store: &Path, array: &str) -> Vec<usize> {
    let text = fs::read_to_string(store.join(array).join(".zarray")).unwrap();
    let (_, sizes) = text.split_once("\"shape\":[").unwrap();
    let (sizes, _) = sizes.split_once(']').unwrap();
    sizes.split(',').map(|size| size.parse().unwrap()).collect()
}

/// The draws of a latent that a store shows, of which chunks have 256 of a chain.
fn shown(store: &Path, latent: &str) -> Vec<Vec<f64>> {
    let shape = shape(store, &format!("posterior/{latent}"));
    let size: usize = shape[2..].iter().product();
    let chain = |chain: usize| {
        let chunks =
            (0..shape[1].div_ceil(256)).map(|chunk| store.join(format!("posterior/{latent}/{chain}.{chunk}.0.0")));
        let bytes: Vec<u8> = chunks.flat_map(|path| fs::read(path).unwrap()).collect();
        let numbers = bytes.chunks_exact(8).take(shape[1] * size);
        numbers
            .map(|bytes| f64::from_le_bytes(bytes.try_into().unwrap()))
            .collect()
    };
    (0..shape[0]).map(chain).collect()
}

/// Runs that write draws to a store, killed as soon as they show some: what is shown is what a run that was not killed has drawn.
#[test]
fn a_killed_run_has_left_its_draws() {
    let scratch = Scratch::new("killed-stream");
    let store = scratch.path("fit.zarr");
    for pause in [0, 700] {
        let mut child = command("stream", &scratch.0).spawn().unwrap();
        let begun = Instant::now();
        let [chains, draws] = loop {
            let shown = store.exists().then(|| shape(&store, "posterior/theta"));
            match shown.as_deref() {
                Some([chains, draws, ..]) if *draws > 0 => break [*chains, *draws],
                _ if begun.elapsed() > Duration::from_secs(120) => panic!("no draw is shown"),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
        let theta = shown(&store, "theta");
        let number = theta[0].len() / 36;
        assert!(theta.len() * number >= chains * draws);
        let alike = Gibbs {
            num_draws: number,
            checkpoint: None,
            ..settings(&scratch.0)
        };
        let fit = topics(12, 10).gibbs(&alike).unwrap();
        for (chain, theta) in theta.iter().enumerate() {
            assert!(
                *theta == fit.theta.as_slice().unwrap()[chain * number * 36..][..number * 36],
                "chain {chain}"
            );
        }
        println!("{} chains with {number} draws were left", theta.len());
        fs::remove_dir_all(&store).unwrap();
    }
}
