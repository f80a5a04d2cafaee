//! The same fits by what is printed.

use skellam_printed::answers::{Answers, AnswersData};
use skellam_printed::background::Background;
use skellam_printed::cp3::Cp3;
use skellam_printed::matrix::Matrix;
use skellam_printed::noisy::Noisy;
use skellam_printed::tucker::Tucker;

#[path = "driver.rs"]
pub mod driver;
