//! What a law is judged by: the largest of many numbers.

/// The largest of some numbers, a NaN above all, and where it was.
#[derive(Clone, Debug, Default)]
pub(super) struct Worst {
    pub value: f64,
    pub place: String,
    /// How many numbers there were.
    pub tried: usize,
}

impl Worst {
    /// Looks at one more number.
    pub fn add(&mut self, value: f64, place: impl FnOnce() -> String) {
        self.tried += 1;
        if !self.value.is_nan() && (self.place.is_empty() || value > self.value || value.is_nan()) {
            (self.value, self.place) = (value, place());
        }
    }

    /// What was tried, and where it was worst if that is too much.
    pub fn note(&self, limit: f64, tried: String) -> String {
        match self.value <= limit {
            true => tried,
            false => format!("{tried}; worst at {}", self.place),
        }
    }
}
