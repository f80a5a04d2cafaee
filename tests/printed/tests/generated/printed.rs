//! The same fits by what is printed.

use skellam_printed::answers::{Answers, AnswersData};
use skellam_printed::matrix::Matrix;
use skellam_printed::noisy::Noisy;

#[path = "driver.rs"]
pub mod driver;
