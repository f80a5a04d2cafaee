//! Files of released values: the formats of counts, of either sign, and every cell there.

use std::path::Path;
use std::sync::Arc;

use super::super::CountsError;
use super::super::domain::Domain;
use super::super::read_error::{Place, ReadError, ReadFault};
use super::ReadOptions;
use super::collect::{by_row, sorted};
use super::entries::{Entries, Order, listed};
use super::prepared::Prepared;
use super::source::Source;
use crate::memory::with_room;

/// Shape and values of a file, row-major.
pub(crate) type Values = (Vec<usize>, Vec<i64>);

/// What [`read_values`](crate::release::read_values) reads.
pub(crate) fn released(path: &Path, options: &ReadOptions) -> Result<Values, ReadError> {
    whole(Source::file(path)?, options)
}

/// The same from the bytes of a file.
pub(crate) fn released_from(bytes: Arc<[u8]>, options: &ReadOptions) -> Result<Values, ReadError> {
    whole(Source::bytes(bytes), options)
}

fn whole(source: Source, options: &ReadOptions) -> Result<Values, ReadError> {
    let prepared = Prepared::new(source, options, Domain::Released)?;
    let mut entries = prepared.scan()?;
    let values = match entries.order() {
        Order::Any => complete(&mut *entries)?,
        order => by_row(&mut *entries, order)?.into_vec(),
    };
    prepared.source.unchanged()?;
    Ok((prepared.shape, values))
}

/// The values of a file that states cells one by one, if it states them all.
fn complete(entries: &mut dyn Entries) -> Result<Vec<i64>, ReadError> {
    let cells = sorted(entries)?;
    // The shape is checked, so that the product does not overflow.
    let all: usize = entries.shape().iter().product();
    if cells.len() < all {
        // Cells ascend strictly: the first that is not in its place has pushed a missing one aside.
        let missing = cells.iter().zip(0..).find(|(entry, at)| entry.at != *at);
        let index = listed(&entries.as_written(missing.map_or(cells.len(), |(_, at)| at)));
        return Err(Place::File.fault(
            ReadFault::Length,
            format!(
                "cell ({index}) has no value, and {} of {all} cells have one: released values have every cell, zeros included; add \
                 those that are missing or mend the shape",
                cells.len()
            ),
        ));
    }
    let mut values = with_room(all, &format!("{all} released values"), "split the file").map_err(CountsError::from)?;
    values.extend(cells.iter().map(|entry| entry.value));
    Ok(values)
}
