//! What a checkpoint holds of a count: auxiliary variables as numbers, and the digest of the data.

use hmac_sha256::Hash;

use super::Cells;
use super::door::Auxiliary;
use super::held_out::HeldOut;
use super::weights::Base;
use crate::channel::Numbers;

/// Variables of type `T`, one for each visited cell, as numbers.
pub(super) fn put<T: Numbers + 'static>(auxiliary: &Auxiliary) -> Vec<f64> {
    let Some(variables) = auxiliary.downcast_ref::<Vec<T>>() else {
        unreachable!("auxiliary variables are made by the view that reads them");
    };
    let mut numbers = Vec::with_capacity(T::LEN * variables.len());
    variables.iter().for_each(|variable| variable.put(&mut numbers));
    numbers
}

/// The variables of `cells` visited cells from their numbers.
pub(super) fn take<T: Numbers + Send + 'static>(numbers: &[f64], cells: usize) -> Option<Auxiliary> {
    if numbers.len() != T::LEN * cells {
        return None;
    }
    let at = |cell: usize| T::take(&numbers[cell * T::LEN..][..T::LEN]);
    Some(Box::new((0..cells).map(at).collect::<Vec<T>>()))
}

/// A law is known by what it says of a value at these rates.
const PROBED: [f64; 2] = [0.5, 3.0];

pub(super) fn digest(cells: &Cells, held_out: &HeldOut) -> String {
    let mut data = Data(Hash::new());
    data.sizes(&cells.start);
    data.columns(&cells.col);
    cells.door.kept().tell(&PROBED, &mut |number| data.number(number));
    match &cells.weights.base {
        Base::Uniform(weight) => data.number(*weight),
        Base::Axis { values, weights, .. } => {
            let positions = values.each(0..values.positions());
            positions.for_each(|value| data.number(weights[value]));
        }
        Base::Cells(weights) => weights.iter().for_each(|weight| data.number(*weight)),
    }
    let rows = cells.start.len().saturating_sub(1);
    for row in 0..rows {
        for (col, weight) in cells.weights.exceptions(row) {
            data.sizes(&[row, col]);
            data.number(weight);
        }
    }
    data.number(cells.constant);
    for (i, cell) in held_out.positions().enumerate() {
        data.sizes(&[cell]);
        data.number(held_out.number(i));
    }
    data.0.finalize()[..8]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

struct Data(Hash);

impl Data {
    fn number(&mut self, number: f64) {
        self.0.update(number.to_bits().to_le_bytes());
    }

    fn sizes(&mut self, sizes: &[usize]) {
        sizes
            .iter()
            .for_each(|size| self.0.update((*size as u64).to_le_bytes()));
    }

    fn columns(&mut self, columns: &[u32]) {
        columns.iter().for_each(|col| self.0.update(col.to_le_bytes()));
    }
}
