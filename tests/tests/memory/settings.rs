//! Settings of the runs that are measured: short, and with all that a long one holds.

use skellam::prelude::*;

pub fn gibbs() -> Gibbs {
    Gibbs {
        num_tune: 2,
        num_draws: 8,
        thin: Some(1),
        num_chains: Some(2),
        num_threads: Some(2),
        progress: Progress::Hidden,
        ..Gibbs::default()
    }
}

/// Whole lines take longer to draw than cells.
pub fn few_sweeps() -> Gibbs {
    Gibbs {
        max_retunes: 0,
        num_draws: 3,
        ..gibbs()
    }
}

/// Two replicas, of more than a third of the cells.
pub fn checks() -> Predictive {
    Predictive {
        num_replicas: 2,
        ..Predictive::default()
    }
}

/// As many as the README's command keeps.
pub fn forty_draws() -> Gibbs {
    Gibbs {
        max_retunes: 0,
        num_draws: 40,
        ..gibbs()
    }
}

pub fn cavi() -> Cavi {
    Cavi {
        max_iters: 4,
        anneal_iters: 1,
        // The last iteration meets the tolerance, and leaps: that is when most is held.
        check_every: 1,
        tol: 1e9,
        num_restarts: 2,
        // Both alike, and short, so that the two starts ascend at the same time.
        start: CaviStart::Sampled { sweeps: 4 },
        num_threads: Some(2),
        progress: Progress::Hidden,
        ..Cavi::default()
    }
}

/// So many that what is kept at every draw is all that counts.
pub fn many_draws() -> Gibbs {
    Gibbs {
        num_draws: 20_000,
        moves: Moves::Nothing,
        ..gibbs()
    }
}

pub fn form_of(augmented: bool, settings: Gibbs) -> Gibbs {
    let form = if augmented {
        GibbsForm::Augmented
    } else {
        GibbsForm::Collapsed
    };
    Gibbs { form, ..settings }
}

pub fn ascent_of(augmented: bool, settings: Cavi) -> Cavi {
    let form = if augmented {
        CaviForm::Augmented
    } else {
        CaviForm::Collapsed
    };
    Cavi { form, ..settings }
}
