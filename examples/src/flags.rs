//! Settings of engines, by the name of a form.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use skellam::prelude::*;

/// Settings of an engine.
#[derive(Clone, Debug)]
pub enum Run {
    /// Gibbs sampling.
    Gibbs(Gibbs),
    /// Coordinate ascent.
    Cavi(Cavi),
}

/// The engines in their forms, by name.
pub fn engines() -> impl TypedValueParser<Value = EngineForm> {
    let form = |form: EngineForm| {
        let engine = if form.is_gibbs() {
            "Gibbs sampling"
        } else {
            "coordinate ascent"
        };
        PossibleValue::new(form.name()).help(format!("{engine}; {}", form.summary()))
    };
    PossibleValuesParser::new(EngineForm::ALL.map(form)).try_map(|name| name.parse::<EngineForm>())
}

/// What Ctrl-C asks for an end; where it cannot be caught, it ends the program at once as it always does.
pub fn interrupt() -> Interrupt {
    Interrupt::on_ctrl_c().unwrap_or_default()
}
