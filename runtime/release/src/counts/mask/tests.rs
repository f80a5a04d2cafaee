//! Tests of masks.

use super::*;

fn held(mask: &Mask) -> Vec<usize> {
    mask.indices().collect()
}

#[test]
fn none_and_all() {
    assert_eq!(held(&Mask::none()), Vec::<usize>::new());
    assert!(Mask::none().is_empty() && !Mask::none().is_held_out(0));
    let all = Mask::all(&[2, 2]).unwrap();
    assert_eq!(held(&all), [0, 1, 2, 3]);
    assert!(all.is_held_out(3) && !all.is_held_out(4));
    assert!(Mask::all(&[0]).is_err());
}

#[test]
fn few_and_many_cells_answer_alike() {
    // 3 of 1000 cells: searched; 3 of 10 cells: one bit per cell.
    for size in [1000, 10] {
        let mask = Mask::from_indices(&[size], vec![vec![7], vec![2], vec![7], vec![9]]).unwrap();
        assert_eq!(held(&mask), [2, 7, 9]);
        assert_eq!(
            (0..size).filter(|&cell| mask.is_held_out(cell)).collect::<Vec<_>>(),
            [2, 7, 9]
        );
        assert!(!mask.is_held_out(size + 500));
    }
}

#[test]
fn a_random_mask_has_its_size_and_follows_its_seed() {
    let shape = [40, 50];
    let mask = Mask::random(&shape, 0.1, 3).unwrap();
    assert_eq!(mask.len(), 200);
    assert_eq!(held(&mask).len(), 200);
    assert_eq!(
        (0..2000).filter(|&cell| mask.is_held_out(cell)).collect::<Vec<_>>(),
        held(&mask)
    );
    assert_eq!(mask, Mask::random(&shape, 0.1, 3).unwrap());
    assert_ne!(mask, Mask::random(&shape, 0.1, 4).unwrap());
    assert_eq!(Mask::random(&shape, 1.0, 3).unwrap().len(), 2000);
    assert_eq!(Mask::random(&shape, 0.0, 3).unwrap(), Mask::none());
}

/// Four bytes for each of two thousand million cells were allocated without being asked for, and the process aborted.
#[test]
fn a_mask_that_does_not_fit_is_refused_with_its_bytes() {
    for (shape, least) in [([usize::MAX / 4, 2], 1e19), ([1 << 30, 1 << 20], 1e15)] {
        match Mask::random(&shape, 0.5, 0) {
            Err(CountsError::OutOfMemory(error)) => assert!(error.bytes >= least, "{error}"),
            other => panic!("{shape:?}: {} cells", other.map_or(0, |mask| mask.len())),
        }
    }
    assert!(drawing_bytes(2_000_000_000, 1_000_000_000) >= 2e10);
}

#[test]
fn bad_fractions_and_indices_are_refused() {
    for fraction in [-0.1, 1.1, f64::INFINITY] {
        let expected = format!("the held-out fraction is {fraction}: give a number from 0 to 1");
        assert_eq!(Mask::random(&[5], fraction, 0), Err(CountsError::Mask(expected)));
    }
    assert!(Mask::random(&[5], f64::NAN, 0).is_err());
    let error = Mask::from_indices(&[2, 3], vec![vec![2, 0]]).unwrap_err();
    assert!(
        error.to_string().starts_with("index [2, 0] lies outside shape [2, 3]"),
        "{error}"
    );
}

/// A table of ten thousand million cells: listing those that are missing would take 80 GB.
#[test]
fn what_was_observed_is_listed_and_not_what_is_missing() {
    let shape = [100_000, 100_000];
    let observed = vec![vec![5, 7], vec![0, 0], vec![99_999, 99_999], vec![5, 7]];
    let mask = Mask::observed(&shape, observed).unwrap();
    assert_eq!(mask.len(), 10_000_000_000 - 3);
    assert_eq!(mask.listed_observed(), Some(&[0, 500_007, 9_999_999_999][..]));
    assert!(!mask.is_held_out(500_007) && mask.is_held_out(500_008) && !mask.is_held_out(10_000_000_000));
    assert_eq!(mask.indices().take(3).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(mask.scored().count(), 0);
    // Of three that were observed one is held out; a cell that is missing stays so.
    let second = Mask::from_indices(&shape, vec![vec![5, 7], vec![1, 1]]).unwrap();
    let both = mask.and_held_out(&second, &shape).unwrap();
    assert_eq!(both.scored().collect::<Vec<_>>(), [500_007]);
    assert_eq!(both.listed_observed(), Some(&[0, 9_999_999_999][..]));
    assert!(both.is_held_out(500_007) && both.len() == mask.len() + 1);
    assert!(second.and_held_out(&mask, &shape).is_err());
    assert_eq!((both.missing(), second.missing()), (Some(mask.len()), None));
}

#[test]
fn observed_and_held_out_are_two_sides_of_one_mask() {
    let shape = [3, 4];
    for observed in [vec![], vec![0], vec![3, 4, 11], (0..12).collect::<Vec<usize>>()] {
        let index = |cell: usize| vec![cell / 4, cell % 4];
        let missing: Vec<usize> = (0..12).filter(|cell| !observed.contains(cell)).collect();
        let one = Mask::observed(&shape, observed.iter().map(|&cell| index(cell)).collect()).unwrap();
        let other = Mask::from_indices(&shape, missing.iter().map(|&cell| index(cell)).collect()).unwrap();
        assert_eq!(held(&one), missing);
        assert_eq!(held(&other), missing);
        assert_eq!(one.len(), other.len());
        assert!(!one.is_all_by_name() && !other.is_all_by_name());
        assert!((0..14).all(|cell| one.is_held_out(cell) == other.is_held_out(cell)));
    }
    assert!(Mask::all(&shape).unwrap().is_all_by_name() && !Mask::random(&shape, 1.0, 0).unwrap().is_all_by_name());
}
