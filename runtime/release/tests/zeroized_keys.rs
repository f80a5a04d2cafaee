//! What is left of the key of a release, with which its noise can be taken off, once the release is done: nothing.
//!
//! One test and no other in this program: threads share their memory. Releases run on a thread of their own, whose stack
//! is searched while it waits.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};

use chacha20::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use skellam_release::channel::Varying;
use skellam_release::counts::Counts;
use skellam_release::release::{FolderWriter, Lplp, Released, Sensitive};

#[path = "common/memory.rs"]
mod memory;

const SEED: u64 = 20_261_121;

/// Every state of a ChaCha generator begins so, whatever its key.
const STATE: &[u8] = b"expand 32-byte k";

/// What a generator of [`SEED`] is seeded with.
struct Key([u8; 32]);

impl SeedableRng for Key {
    type Seed = [u8; 32];

    fn from_seed(key: Self::Seed) -> Self {
        Self(key)
    }
}

fn counts() -> Sensitive<Counts> {
    Sensitive::new(Counts::dense(vec![2, 2], vec![3, 0, 1, 4]).unwrap())
}

fn budget() -> Lplp {
    Lplp::new(1, 0.5).unwrap()
}

fn into_folder(folder: &Path, seeded: bool, middle: &dyn Fn()) {
    let budget = Varying::Uniform(budget());
    let mut writer = if seeded {
        FolderWriter::create_with_seed_for_simulation(folder, &[2, 2], &budget, SEED).unwrap()
    } else {
        FolderWriter::create(folder, &[2, 2], &budget).unwrap()
    };
    writer.push_slice(&[3, 0]).unwrap();
    middle();
    writer.push_slice(&[1, 4]).unwrap();
    writer.finish().unwrap();
    std::fs::remove_dir_all(folder).unwrap();
}

/// Each way to release, with a word for it. `stop` says that memory can be searched, and waits until it was.
fn releases(folder: &Path, stop: &dyn Fn(&'static str)) {
    stop("nothing");
    let kept: [Released<_>; 2] = [
        counts().release_with_seed_for_simulation(&budget(), SEED),
        counts().release(&budget()),
    ]
    .map(|released| released.unwrap());
    stop("in memory");
    into_folder(folder, true, &|| stop("a folder half written"));
    stop("into a folder");
    into_folder(folder, false, &|| ());
    stop("into a folder, seeded by the operating system");
    drop(kept);
}

#[test]
fn nothing_is_left_of_the_key_of_a_release() {
    let key = Key::seed_from_u64(SEED).0;
    let mut stream = [0; 128];
    ChaCha20Rng::from_seed(key).fill_bytes(&mut stream);
    // The few draws of these releases end in the first of the blocks that a generator keeps.
    let block: [u8; 32] = stream[96..].try_into().unwrap();

    let folder = std::env::temp_dir().join(format!("skellam-zeroized-keys-{}", std::process::id()));
    let (reached, at): (Sender<&'static str>, Receiver<_>) = channel();
    let (go_on, go): (Sender<()>, Receiver<_>) = channel();
    let releasing = std::thread::spawn(move || {
        releases(&folder, &|what| {
            reached.send(what).unwrap();
            go.recv().unwrap();
        });
    });
    let (mut left, mut half) = (Vec::new(), None);
    for what in at {
        let found = memory::copies([&key, &block, STATE]);
        println!("{found:?} {what}");
        if what == "a folder half written" {
            half = Some(found);
        } else if found != [0; 3] {
            left.push((what, found));
        }
        go_on.send(()).unwrap();
    }
    releasing.join().unwrap();
    assert!(
        half.is_some_and(|found| found[0] > 0 && found[1] > 0),
        "the search finds nothing: {half:?}"
    );
    assert!(left.is_empty(), "{left:#?}");
}
