//! Runs of examples, each made once however many tests look at it.

use std::any::type_name;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, OnceLock};

use skellam_examples::{Example, Failure, Study};

/// The runs by example and flags.
type Runs = HashMap<String, Arc<OnceLock<Study>>>;

static RUNS: LazyLock<Mutex<Runs>> = LazyLock::new(Mutex::default);

/// Runs an example with flags that are separated by spaces.
pub fn run<E: Example>(flags: &str) -> Result<Study, Failure> {
    E::try_parse_from(std::iter::once("example").chain(flags.split_whitespace()))
        .unwrap()
        .study()
}

/// A run that must not fail. A second test that asks for it waits for the first.
pub fn fit<E: Example>(flags: &str) -> Study {
    let name = format!("{} {flags}", type_name::<E>());
    let once = Arc::clone(RUNS.lock().unwrap().entry(name).or_default());
    once.get_or_init(|| run::<E>(flags).unwrap()).clone()
}
