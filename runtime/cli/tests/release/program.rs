//! The program as a process: killed at any moment, and its memory.

use super::*;

fn command(input: &str, out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skellam"));
    command
        .arg("release")
        .arg(input)
        .arg("--out")
        .arg(out)
        .args(["--n", "1", "--epsilon", "1", "--quiet"]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Triplets of `rows` rows over a thousand columns.
fn triplets(rows: usize) -> String {
    let cells = (0..rows).flat_map(|row| (0..20).map(move |i| (row, (row * 37 + i * 49) % 1000)));
    let mut lines: Vec<String> = cells
        .map(|(row, col)| format!("{row}\t{col}\t{}\n", 1 + col % 5))
        .collect();
    lines.dedup();
    "row\tcolumn\tcount\n".to_owned() + &lines.concat()
}

/// Killed a hundred times, at moments spread over the length of a run and a little beyond: what is under the name is
/// whole, and what is beside it is not a release, unless it is whole too.
#[test]
fn a_killed_run_leaves_nothing_that_is_wrong() {
    let scratch = Scratch::new();
    let input = scratch.write("cells.tsv", &triplets(300));
    let sound = |folder: &Path| {
        let folder = ReleasedFolder::open(folder)?;
        folder.verify()?;
        let released = folder.whole::<TwoSidedGeometric>()?;
        assert_eq!((folder.shape(), released.values()?.len()), (&[300, 1000][..], 300_000));
        Ok::<(), FileError>(())
    };
    let run = |name: &str| {
        let start = Instant::now();
        assert!(command(&input, &scratch.path(name)).status().unwrap().success());
        start.elapsed()
    };
    // The first run meets cold caches.
    let length = run("first").max(run("second"));
    sound(&scratch.path("second")).unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let (mut whole, mut none, mut partial) = (0, 0, 0);
    for turn in 0..100 {
        let out = scratch.path(&format!("out-{turn}"));
        let mut child = command(&input, &out).spawn().unwrap();
        std::thread::sleep(Duration::from_secs_f64(
            1.1 * length.as_secs_f64() * rng.random::<f64>(),
        ));
        child.kill().unwrap();
        child.wait().unwrap();
        if out.exists() {
            sound(&out).unwrap();
            whole += 1;
        } else {
            none += 1;
        }
        for left in leftovers(&out) {
            match ReleasedFolder::open(&left) {
                Ok(_) => sound(&left).unwrap(),
                Err(FileError::Damaged { .. }) => partial += 1,
                Err(other) => panic!("{other}"),
            }
        }
    }
    println!("{whole} whole, {none} none, {partial} left aside; a run takes {length:?}");
    assert!(none >= 10, "{none} of 100 runs were stopped early");
}

/// The peak of resident memory, as the system reports it of a process that has ended its work.
#[test]
fn memory_does_not_grow_with_the_file() {
    if !Path::new("/proc/self/status").exists() || !Path::new("/bin/sh").exists() {
        eprintln!("skipped: no /proc here");
        return;
    }
    let scratch = Scratch::new();
    let peak = |rows: usize| {
        let input = scratch.write(&format!("{rows}.tsv"), &triplets(rows));
        let out = scratch.path(&format!("out-{rows}"));
        let mut child = command(&input, &out).args(["--memory", "1"]).spawn().unwrap();
        let status = format!("/proc/{}/status", child.id());
        let mut most = 0u64;
        while child.try_wait().unwrap().is_none() {
            let text = fs::read_to_string(&status).unwrap_or_default();
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok());
            most = most.max(kilobytes.unwrap_or(0));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(ReleasedFolder::open(&out).is_ok());
        most
    };
    let (small, large) = (peak(400), peak(4_000));
    println!("{small} kB, {large} kB for ten times the rows");
    assert!(
        small > 0 && large < small + small / 5 + 4096,
        "{small} kB grew to {large} kB"
    );
}
