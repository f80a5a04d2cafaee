//! The nearest known name to a misspelt one.

/// The name of `known` that is fewest edits away from `wrong`, if that is at most a third of its length.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, name) = known.into_iter().map(|name| (edits(wrong, name), name)).min()?;
    (distance <= wrong.chars().count().max(3) / 3).then_some(name)
}

/// Insertions, deletions, substitutions and swaps of neighbours between two words.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let best = change.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped {
                    best.min(table[i - 2][j - 2] + 1)
                } else {
                    best
                }
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_nearest_and_refuses_the_far() {
        assert_eq!(nearest("tehta", ["theta", "phi", "eta"]), Some("theta"));
        assert_eq!(nearest("topic", ["topics", "docs"]), Some("topics"));
        assert_eq!(nearest("x", ["theta", "phi"]), None);
    }
}
