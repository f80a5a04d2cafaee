//! How far and how carefully the law of a total that nobody knows is summed: what one sum shows decides on the next.
//!
//! Own derivation: TOTALS, *Totals that nobody knows*. Far totals are bounded by Chernoff's inequality (MATH, *Sums in pairs*).

use super::message::Tails;
use super::open::{Open, Reach};
use super::tree::Totals;

/// How often a line is tilted to what was found of its total, before its tails are cut further out.
const MOVES: usize = 8;
/// Totals up to this are small: all their weights are wanted, as where they are is soon found.
const SMALL: usize = 256;
/// Numbers to be added up, as logarithms one by one, for which a law is summed whole: some ten seconds.
const WORTH: f64 = 1e9;

/// How carefully a law is summed, from the quickest on: as long as it shows that it may have lost something, the next is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Care {
    /// Tails that are enough where lines are tilted to where their total is.
    Close,
    /// The same, with bounds of far away totals.
    Bounded,
    /// With wider tails.
    Near,
    /// With tails as wide as products of two weights allow.
    Far,
    /// Nothing is cut off.
    Whole,
}

impl Care {
    fn next(self) -> Option<Self> {
        match self {
            Self::Close => Some(Self::Bounded),
            Self::Bounded => Some(Self::Near),
            Self::Near => Some(Self::Far),
            Self::Far => Some(Self::Whole),
            Self::Whole => None,
        }
    }
}

/// What one sum of a law shows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shown {
    /// Mean and variance; none where no number is possible so far.
    pub moments: Option<[f64; 2]>,
    /// Whether so little was cut off that it makes no difference.
    pub is_exact: bool,
    /// A number beyond which nothing adds to the evidence, if those beyond the last may add to it.
    pub further: Option<usize>,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SearchVerdict {
    /// The law is summed.
    Summed,
    /// It cannot be, within numbers and time that are worth it.
    Unsummed,
    /// It is summed once more, otherwise.
    Again,
}

/// How a law is summed next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Search {
    /// How many cells lie below.
    cells: f64,
    /// What the total is about.
    expected: f64,
    /// The largest number.
    most: usize,
    care: Care,
    moves: usize,
    is_small: bool,
}

impl Search {
    /// Of a total that is about `guess`. One that is not small is located by `settled` first: its tails are cut, so that what is far away costs
    /// next to nothing.
    pub fn new(cells: f64, guess: f64, rate: f64, settled: impl FnOnce() -> f64) -> Self {
        let most = Open::most(guess.max(rate));
        let is_small = most <= SMALL;
        let (expected, most, care) = match is_small {
            true => (guess, most, Care::Near),
            false => {
                let expected = settled();
                let most = (2 * Open::most(expected.max(rate))).min(Totals::MOST);
                (expected, most, Care::Close)
            }
        };
        Self {
            cells,
            expected,
            most,
            care,
            moves: MOVES,
            is_small,
        }
    }

    pub fn reach(&self) -> Reach {
        let is_bounded = !self.is_small && !matches!(self.care, Care::Close | Care::Whole);
        Reach::open(self.most, self.expected, is_bounded)
    }

    pub fn tails(&self) -> Tails {
        match self.care {
            Care::Close | Care::Bounded => Tails::close(self.cells, self.most),
            Care::Near => Tails::NEAR,
            Care::Far => Tails::FAR,
            Care::Whole => Tails::ALL,
        }
    }

    /// Whether nothing is cut off.
    pub fn is_whole(&self) -> bool {
        self.care == Care::Whole
    }

    /// The next care that is worth its time.
    fn next(&self) -> Option<Care> {
        let most = self.most as f64;
        let is_worth = self.cells * most * most <= WORTH;
        self.care.next().filter(|next| *next != Care::Whole || is_worth)
    }

    /// What follows from a sum. A law that lies elsewhere than was thought is tilted to where it lies before anything else; numbers beyond are
    /// taken in as far as the law tells, and more care is taken where tails were lost.
    pub fn judge(&mut self, shown: Shown) -> SearchVerdict {
        let next = self.next();
        let is_last = self.most >= Totals::MOST;
        let gives_up = match (shown.is_exact, shown.further) {
            (true, None) => return SearchVerdict::Summed,
            (true, Some(_)) => is_last || self.is_whole() && self.cells * (self.most as f64).powi(2) > WORTH,
            (false, further) => next.is_none() || is_last && further.is_some() && shown.moments.is_some(),
        };
        if gives_up {
            return SearchVerdict::Unsummed;
        }
        if let Some([mean, variance]) = shown.moments {
            let has_moved = (mean - self.expected).powi(2) > variance;
            self.expected = mean;
            if has_moved && self.moves > 0 {
                self.moves -= 1;
                return SearchVerdict::Again;
            }
        }
        if let Some(further) = shown.further
            && (shown.is_exact || shown.moments.is_some())
        {
            self.most = further;
        }
        if let (false, Some(next)) = (shown.is_exact, next) {
            self.care = next;
        }
        SearchVerdict::Again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Option<[f64; 2]> = Some([1000.0, 1000.0]);

    /// Of a thousand, with ten cells.
    fn search() -> Search {
        Search::new(10.0, 900.0, 900.0, || 1000.0)
    }

    fn shown(is_exact: bool, further: Option<usize>) -> Shown {
        Shown {
            moments: HERE,
            is_exact,
            further,
        }
    }

    #[test]
    fn what_is_located_is_summed_closely_first() {
        let of = search();
        assert_eq!((of.care, of.expected), (Care::Close, 1000.0));
        assert_eq!(of.most, 2 * Open::most(1000.0));
        let small = Search::new(10.0, 20.0, 30.0, || panic!("a small total is not located"));
        assert_eq!((small.care, small.most), (Care::Near, Open::most(30.0)));
    }

    #[test]
    fn what_loses_nothing_is_the_law() {
        assert_eq!(search().judge(shown(true, None)), SearchVerdict::Summed);
    }

    /// Five kinds of care, one after the other, none left out; then there is no other.
    #[test]
    fn care_rises_as_long_as_tails_are_lost() {
        let mut of = search();
        for care in [Care::Close, Care::Bounded, Care::Near, Care::Far] {
            assert_eq!(of.care, care);
            assert_eq!(of.judge(shown(false, None)), SearchVerdict::Again);
        }
        assert!(of.is_whole());
        assert_eq!(of.judge(shown(false, None)), SearchVerdict::Unsummed);
    }

    /// A hundred million numbers in each of ten cells are not added one by one.
    #[test]
    fn what_is_not_worth_its_time_is_not_summed_whole() {
        let mut of = Search {
            most: 100_000_000,
            ..search()
        };
        for _ in 0..3 {
            assert_eq!(of.judge(shown(false, None)), SearchVerdict::Again);
        }
        assert_eq!(of.care, Care::Far);
        assert_eq!(of.judge(shown(false, None)), SearchVerdict::Unsummed);
    }

    #[test]
    fn numbers_beyond_are_taken_in_with_the_same_care() {
        let mut of = search();
        assert_eq!(of.judge(shown(true, Some(5000))), SearchVerdict::Again);
        assert_eq!((of.most, of.care), (5000, Care::Close));
        of.most = Totals::MOST;
        assert_eq!(of.judge(shown(true, Some(Totals::MOST))), SearchVerdict::Unsummed);
    }

    /// Eight times it is tilted to where it lies; who then still moves is summed with more care.
    #[test]
    fn a_law_that_lies_elsewhere_is_tilted_there_before_anything_else() {
        let mut of = search();
        for step in 1..=MOVES {
            let mean = 1000.0 * (1 + step) as f64;
            let moved = Shown {
                moments: Some([mean, 100.0]),
                ..shown(false, Some(9000))
            };
            assert_eq!(of.judge(moved), SearchVerdict::Again);
            assert_eq!((of.expected, of.care, of.most), (mean, Care::Close, search().most));
        }
        let moved = Shown {
            moments: Some([20_000.0, 100.0]),
            ..shown(false, Some(9000))
        };
        assert_eq!(of.judge(moved), SearchVerdict::Again);
        assert_eq!((of.expected, of.care, of.most), (20_000.0, Care::Bounded, 9000));
    }

    /// Where no number is possible, tails that were cut may be why, and no larger number is asked for before that is known.
    #[test]
    fn what_shows_nothing_is_looked_at_more_closely_before_it_is_looked_for_further_out() {
        let mut of = search();
        let none = |is_exact| Shown {
            moments: None,
            ..shown(is_exact, Some(9000))
        };
        assert_eq!(of.judge(none(false)), SearchVerdict::Again);
        assert_eq!((of.most, of.care), (search().most, Care::Bounded));
        assert_eq!(of.judge(none(true)), SearchVerdict::Again);
        assert_eq!((of.most, of.care), (9000, Care::Bounded));
    }
}
