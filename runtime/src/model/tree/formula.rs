//! Indices of a formula, to be compared whatever their names.

/// Whether a formula has the lists of indices `lists`, in that order, after `own`. What has no indices, `Sum_{..}` and means are passed
/// over: `E[level]` is the mean of a number, unless an array is called `E`.
pub(in crate::model) fn agrees(own: &str, formula: &str, lists: &[Vec<usize>]) -> bool {
    [false, true]
        .map(|means| pattern(own, formula, means) == lists)
        .contains(&true)
}

/// The lists of indices in a formula in order, each index by the number of its first appearance: `"w[d,v] phi[k,v]"` after
/// `"theta[d,k]"` is `[[0, 2], [1, 2]]`.
fn pattern(own: &str, formula: &str, means: bool) -> Vec<Vec<usize>> {
    let mut known: Vec<&str> = Vec::new();
    let mut lists = groups(own, false, &mut known);
    let own = lists.len();
    lists.extend(groups(formula, means, &mut known));
    lists.split_off(own)
}

/// The same of lists of indices as they are.
pub(in crate::model) fn numbered(own: &[usize], lists: &[&[usize]]) -> Vec<Vec<usize>> {
    let mut known: Vec<usize> = Vec::new();
    own.iter().for_each(|index| {
        number(&mut known, *index);
    });
    let lists = lists.iter().filter(|list| !list.is_empty());
    lists
        .map(|list| list.iter().map(|index| number(&mut known, *index)).collect())
        .collect()
}

fn number<T: PartialEq>(known: &mut Vec<T>, index: T) -> usize {
    match known.iter().position(|other| *other == index) {
        Some(at) => at,
        None => {
            known.push(index);
            known.len() - 1
        }
    }
}

/// Lists between brackets that hold no other brackets; without those of `E[..]` if these are means.
fn groups<'a>(formula: &'a str, means: bool, known: &mut Vec<&'a str>) -> Vec<Vec<usize>> {
    let (mut all, mut before) = (Vec::new(), "");
    for (at, part) in formula.split('[').enumerate() {
        let name = before
            .rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next();
        let is_mean = means && name == Some("E");
        if let (1.., false, Some((list, _))) = (at, is_mean, part.split_once(']')) {
            all.push(list.split(',').map(|index| number(known, index.trim())).collect());
        }
        before = part;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_matter() {
        let first = pattern("theta[i,c]", "Σ_{j,e} w[i,j] theta[j,e] pi[c,e]", false);
        assert_eq!(first, [vec![0, 2], vec![2, 3], vec![1, 3]]);
        let second = pattern("theta[i,c]", "Σ_{i',c'} w[i',i] theta[i',c'] pi[c',c]", false);
        assert_eq!(second, [vec![2, 0], vec![2, 3], vec![3, 1]]);
        // Indices of the count y[i,j] with the term theta[i,c] theta[j,e] pi[c,e], read at theta[j,e].
        assert_eq!(numbered(&[1, 3], &[&[0, 1], &[0, 2], &[2, 3]]), second);
    }

    #[test]
    fn means_and_numbers_are_passed_over() {
        let lists = numbered(&[7], &[&[], &[7, 2]]);
        for formula in [
            "Σ_k 0.5 b theta[doc,k]",
            "Σ_k 0.5 b E[theta[doc,k]]",
            "Σ_k 0.5 E[level] E[b theta[doc,k]]",
        ] {
            assert!(agrees("xi[doc]", formula, &lists), "{formula}");
        }
        assert!(!agrees("xi[doc]", "Σ_k theta[k,doc]", &lists));
        // An array may be called E.
        assert!(agrees("xi[doc]", "Σ_k E[doc,k]", &lists));
        assert!(!agrees("xi[doc]", "Σ_k E[k]", &lists));
    }
}
