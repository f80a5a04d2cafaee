//! What samplers and fits find: chains against quadrature and each other, ranks of true values, rates that come back. Seeds are
//! fixed, and every file states its rate of false positives and what it sees.

mod calibration;
mod posterior;
mod recovery;
mod same;
mod starts;
mod strong_noise;
mod tiny;
