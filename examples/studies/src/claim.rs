//! A claim of a paper, and what the numbers say of it.

use std::fmt;

/// What the numbers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The claim holds.
    Holds,
    /// It does not.
    DoesNotHold,
    /// The numbers cannot tell.
    CannotBeTold,
}

/// A claim with its verdict.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is claimed.
    pub what: String,
    /// What the numbers say.
    pub verdict: Verdict,
    /// The numbers.
    pub reason: String,
}

impl Claim {
    /// A claim that holds or does not.
    pub fn of(what: impl Into<String>, holds: bool, reason: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            verdict: if holds { Verdict::Holds } else { Verdict::DoesNotHold },
            reason: reason.into(),
        }
    }

    /// The same claim where the experiment cannot tell.
    #[must_use]
    pub fn unless_untold(mut self, untold: bool) -> Self {
        if untold {
            self.verdict = Verdict::CannotBeTold;
        }
        self
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::CannotBeTold => "cannot be told",
        })
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}. {}", self.what, self.verdict, self.reason)
    }
}
