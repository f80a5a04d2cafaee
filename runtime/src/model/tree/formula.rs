//! Indices of a formula, to be compared whatever their names.

/// The lists of indices in a formula in order, each index by the number of its first appearance: `"w[d,v] phi[k,v]"` after
/// `"theta[d,k]"` is `[[0, 2], [1, 2]]`. What has no indices, `Sum_{..}` and `E[..]` are passed over.
pub(in crate::model) fn pattern(own: &str, formula: &str) -> Vec<Vec<usize>> {
    let mut known: Vec<&str> = Vec::new();
    let mut lists = groups(own, &mut known);
    let own = lists.len();
    lists.extend(groups(formula, &mut known));
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

/// Lists between brackets that hold no other brackets.
fn groups<'a>(formula: &'a str, known: &mut Vec<&'a str>) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for part in formula.split('[').skip(1) {
        if let Some((list, _)) = part.split_once(']') {
            all.push(list.split(',').map(|index| number(known, index.trim())).collect());
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_not_matter() {
        let first = pattern("theta[i,c]", "Σ_{j,e} w[i,j] theta[j,e] pi[c,e]");
        assert_eq!(first, [vec![0, 2], vec![2, 3], vec![1, 3]]);
        let second = pattern("theta[i,c]", "Σ_{i',c'} w[i',i] theta[i',c'] pi[c',c]");
        assert_eq!(second, [vec![2, 0], vec![2, 3], vec![3, 1]]);
        // Indices of the count y[i,j] with the term theta[i,c] theta[j,e] pi[c,e], read at theta[j,e].
        assert_eq!(numbered(&[1, 3], &[&[0, 1], &[0, 2], &[2, 3]]), second);
    }

    #[test]
    fn means_and_numbers_are_passed_over() {
        let plain = pattern("xi[doc]", "Σ_k 0.5 b theta[doc,k]");
        assert_eq!(plain, pattern("xi[doc]", "Σ_k 0.5 b E[theta[doc,k]]"));
        assert_eq!(plain, numbered(&[7], &[&[], &[7, 2]]));
    }
}
