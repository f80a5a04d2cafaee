//! What samplers and fits find: the laws of every family and mechanism, mistakes that these see, chains against quadrature and each other, ranks of true values, rates that come back. Seeds are
//! fixed, and every file states its rate of false positives and what it sees.

mod audit;
mod calibration;
mod coverage;
mod differences;
mod false_alarms;
mod families;
mod laws;
mod mechanisms;
mod posterior;
mod power;
mod starts;
mod strong_noise;
mod tokens;
