//! The numbers of a product, each within the limits of numbers, are together within them too.

use skellam_formula::is_extreme;

use crate::diagnostics::Sink;
use crate::resolve::{Model, extreme};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    let counts = model.counts.iter().flat_map(|count| &count.terms);
    let shapes = model.shapes.iter().flat_map(|shape| &shape.tables.terms);
    let priors = model.latents.iter().flat_map(|latent| &latent.prior.terms);
    for term in counts.chain(shapes).chain(priors) {
        let number = term.coefficient.number;
        // The least numbers multiply to zero.
        if is_extreme(number) || number == 0.0 {
            let whole = format!("the product {number:?} of the numbers of this term");
            sink.push(extreme(term.span, &whole, number));
        }
    }
}
