//! Reading the committed reference values, in tests.

/// One line of a reference file.
#[derive(Debug)]
pub struct ReferenceRow(Vec<String>);

impl ReferenceRow {
    pub fn text(&self, column: usize) -> &str {
        &self.0[column]
    }

    pub fn float(&self, column: usize) -> f64 {
        self.0[column].parse().unwrap()
    }

    pub fn integer<T: std::str::FromStr<Err: std::fmt::Debug>>(&self, column: usize) -> T {
        self.0[column].parse().unwrap()
    }
}

/// The lines of `tests/references/<file>`, without its header.
pub fn rows(file: &str) -> impl Iterator<Item = ReferenceRow> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/references")
        .join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let rows: Vec<ReferenceRow> = text
        .lines()
        .skip(1)
        .map(|line| ReferenceRow(line.split('\t').map(str::to_owned).collect()))
        .collect();
    assert!(rows.len() > 20, "{} is too short to test anything", path.display());
    rows.into_iter()
}

/// Asserts `|value - reference| <= tolerance max(1, |reference|)`.
pub fn check(row: &ReferenceRow, value: f64, reference: f64, tolerance: f64) {
    let error = (value - reference).abs() / reference.abs().max(1.0);
    assert!(error <= tolerance, "{row:?}: got {value:e}, error {error:e}");
}
