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

/// Lists between brackets, without those of `E[..]` if these are means, whose inside is read in their place. What is looked up has the
/// indices at which it is: `style[author[d],k]` has `d,k`, and `[author[d]=a]` has `d,a`.
fn groups<'a>(formula: &'a str, means: bool, known: &mut Vec<&'a str>) -> Vec<Vec<usize>> {
    let (mut all, mut rest) = (Vec::new(), formula);
    while let Some((before, after)) = rest.split_once('[') {
        let (inside, behind) = closed(after);
        let name = before
            .rsplit(|letter: char| !letter.is_alphanumeric() && letter != '_')
            .next();
        match means && name == Some("E") {
            true => all.extend(groups(inside, means, known)),
            false => all.push(indices(inside).into_iter().map(|index| number(known, index)).collect()),
        }
        rest = behind;
    }
    all
}

/// What stands before the bracket that closes, and behind it.
fn closed(after: &str) -> (&str, &str) {
    let mut open = 1;
    for (at, letter) in after.char_indices() {
        open += i32::from(letter == '[') - i32::from(letter == ']');
        if open == 0 {
            return (&after[..at], &after[at + 1..]);
        }
    }
    (after, "")
}

/// The indices of a list. A name before a bracket is that of an array.
fn indices(list: &str) -> Vec<&str> {
    let is_end = |letter: char| matches!(letter, ',' | '=' | ']' | '[');
    let mut all = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let end = rest.find(is_end).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        // `t-1` and `t+1` are the index `t` at other times, and `t<1` is about it.
        let index = word.split(['-', '+', '<']).next().unwrap_or_default().trim();
        if !index.is_empty() && !behind.starts_with('[') {
            all.push(index);
        }
        rest = behind.get(1..).unwrap_or("");
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
    fn what_is_looked_up_has_the_indices_at_which_it_is() {
        let own = pattern("style[a,k]", "Σ_{d,v} [author[d]=a] w[d,v] E[φ[k,v]]", true);
        assert_eq!(own, numbered(&[0, 1], &[&[2, 0], &[2, 3], &[1, 3]]));
        let other = pattern("φ[k,v]", "Σ_d w[d,v] E[style[author[d],k]]", true);
        assert_eq!(other, numbered(&[1, 3], &[&[2, 3], &[2, 1]]));
    }

    #[test]
    fn other_times_are_the_same_index() {
        let formula = "Σ_v [t<1] w[t+1,v] psi[t] x[group[t+1]] φ[k,v]";
        let lists = numbered(&[0, 2], &[&[0], &[0, 1], &[0], &[0], &[2, 1]]);
        assert!(agrees("theta[t,k]", formula, &lists));
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
