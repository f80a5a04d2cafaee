//! One file through both doors, which must agree.

use skellam_release::counts::{CountSlices, ReadError, ReadOptions, read_counts_from};

use super::write::Table;

/// All slices, one after the other.
pub fn sliced(bytes: &[u8], options: &ReadOptions) -> Result<Table, ReadError> {
    drain(CountSlices::from_bytes(bytes, options)?)
}

pub fn drain(mut slices: CountSlices) -> Result<Table, ReadError> {
    let shape = slices.shape().to_vec();
    let (mut counts, mut given) = (Vec::new(), 0);
    while let Some(slice) = slices.next()? {
        assert_eq!(slice.len(), shape[1..].iter().product::<usize>());
        counts.extend_from_slice(slice);
        given += 1;
    }
    assert_eq!(given, shape[0]);
    assert!(slices.next()?.is_none(), "the end is an end");
    Ok(Table { shape, counts })
}

/// The counts of a file, the same from both doors and for blocks of one slice, of two and of all.
pub fn both(bytes: &[u8], options: &ReadOptions) -> Result<Table, ReadError> {
    let whole = read_counts_from(bytes, options)?;
    let table = Table::new(whole.shape(), &whole.to_dense()?);
    let slice_bytes = 8 * table.shape[1..].iter().product::<usize>();
    for block_bytes in [0, slice_bytes, 2 * slice_bytes, 64 << 20] {
        let options = ReadOptions {
            block_bytes,
            ..options.clone()
        };
        assert_eq!(sliced(bytes, &options)?, table, "blocks of {block_bytes} bytes");
    }
    Ok(table)
}
