//! One epsilon for all rows, or one for each.

use super::error::PrivatizeError;
use super::flags::Flags;
use super::lines;

/// Epsilons as they were written, each with what is wrong when it cannot be kept.
pub enum Epsilons {
    /// The same for all rows.
    One(String),
    /// One for each row.
    Each(Vec<String>),
}

/// The epsilons that were asked for.
pub fn read(flags: &Flags, rows: usize) -> Result<Epsilons, PrivatizeError> {
    let Some(path) = &flags.budgets else {
        return Ok(Epsilons::One(flags.epsilon.clone().unwrap_or_default()));
    };
    let each = lines::read(path)?;
    lines::one_each(path, "epsilon", each.len(), rows)?;
    Ok(Epsilons::Each(each))
}
