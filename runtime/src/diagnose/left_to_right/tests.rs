use approx::assert_relative_eq;

use super::*;

fn phi() -> Array2<f64> {
    let rows = [0.70, 0.20, 0.05, 0.05, 0.05, 0.05, 0.30, 0.60, 0.00, 0.50, 0.50, 0.00];
    Array2::from_shape_vec((3, 4), rows.to_vec()).unwrap()
}

const ALPHA: [f64; 3] = [0.9, 0.1, 0.3];

/// Documents of up to six tokens, one of them empty.
fn counts() -> Counts {
    let values = vec![3, 0, 1, 2, 0, 0, 0, 0, 1, 2, 2, 1, 0, 1, 3, 1, 0, 0, 0, 1];
    Counts::dense(vec![5, 4], values).unwrap()
}

/// The sum of `P(w, z)` over all topics of all tokens.
fn enumerated(words: &[usize], topic_counts: &mut [f64; 3]) -> f64 {
    let Some((&word, later)) = words.split_first() else {
        return 1.0;
    };
    let concentration = ALPHA.iter().sum::<f64>() + topic_counts.iter().sum::<f64>();
    let of_topic = |k: usize| {
        let p = phi()[(k, word)] * (topic_counts[k] + ALPHA[k]) / concentration;
        topic_counts[k] += 1.0;
        let p = p * enumerated(later, topic_counts);
        topic_counts[k] -= 1.0;
        p
    };
    (0..3).map(of_topic).sum()
}

fn settings() -> LeftToRight {
    LeftToRight {
        particles: 20_000,
        runs: 16,
        redraws: usize::MAX,
        seed: 5,
    }
}

/// Nine estimates, of three documents and three numbers of redraws, within three standard errors that have 15 degrees of freedom: another seed
/// would fail in 8 % of cases. `tests/mutants/list` has the changes that must be seen.
#[test]
fn evidence_is_the_sum_over_all_topics_of_all_tokens() {
    for redraws in [usize::MAX, 1, 0] {
        let evidence = left_to_right(&phi(), &ALPHA, &counts(), &LeftToRight { redraws, ..settings() }).unwrap();
        for (number, document) in evidence.documents().iter().enumerate() {
            let row = counts().to_dense().unwrap()[4 * number..][..4].to_vec();
            let words: Vec<usize> = (0..4).flat_map(|v| vec![v; row[v] as usize]).collect();
            let exact = enumerated(&words, &mut [0.0; 3]).ln();
            let (found, error) = (document.ln_probability(), document.error());
            assert_eq!(document.tokens, words.len());
            assert!(error < 0.004, "{error}");
            // Sums over particles round in the last digits, also where all particles agree.
            let off = (found - exact).abs();
            assert!(
                off <= 3.0 * error + 1e-12,
                "document {number}: {found} for {exact}, error {error}"
            );
        }
    }
}

/// Where each topic has its own word, the probability is that of a Dirichlet-multinomial, and no particle differs from another.
#[test]
fn topics_that_are_seen_have_a_closed_form() {
    let counts = Counts::sparse(vec![1, 9], vec![(vec![0, 0], 3), (vec![0, 8], 1)]).unwrap();
    let alpha: Vec<f64> = (1..10).map(|k| 0.25 * f64::from(k)).collect();
    let evidence = left_to_right(&Array2::eye(9), &alpha, &counts, &LeftToRight::default()).unwrap();
    // Topics have alpha 0.25 and 2.25, of 11.25 in all.
    let exact = 0.25 * 1.25 * 2.25 * 2.25 / (11.25 * 12.25 * 13.25 * 14.25);
    assert_relative_eq!(evidence.ln_probability(), f64::ln(exact), max_relative = 1e-12);
    assert!(evidence.error() < 1e-12);
    assert!(
        evidence.to_string().contains("of 4 tokens in 1 documents"),
        "{evidence}"
    );
}

/// The same on any number of threads; other numbers with another seed; sparse counts as dense ones.
#[test]
fn threads_change_nothing() {
    let at = |threads, seed, counts: &Counts| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let settings = LeftToRight {
            seed,
            ..LeftToRight::default()
        };
        pool.install(|| left_to_right(&phi(), &ALPHA, counts, &settings))
            .unwrap()
    };
    let cells = counts()
        .iter_nonzero()
        .map(|(at, n)| (vec![at / 4, at % 4], n))
        .collect();
    let sparse = Counts::sparse(vec![5, 4], cells).unwrap();
    assert_eq!(at(1, 1, &counts()), at(2, 1, &sparse));
    assert_ne!(at(1, 1, &counts()), at(1, 2, &counts()));
}

#[test]
fn what_has_no_evidence_is_refused() {
    let refused = |phi: &Array2<f64>, alpha: &[f64], counts: &Counts| {
        left_to_right(phi, alpha, counts, &LeftToRight::default()).unwrap_err()
    };
    let changed = |topic, word, value| {
        let mut phi = phi();
        phi[(topic, word)] = value;
        phi
    };
    assert_eq!(
        refused(&changed(1, 3, 0.7), &ALPHA, &counts()).to_string(),
        "the probabilities of topic 1, numbered from 0, sum to 1.1: divide them by their sum"
    );
    let value = DiagnoseError::Value {
        what: "probability of a word",
        position: 6,
        value: -0.3,
    };
    assert_eq!(refused(&changed(1, 2, -0.3), &ALPHA, &counts()), value);
    let concentration = DiagnoseError::Concentration { topic: 2, value: 0.0 };
    assert_eq!(refused(&phi(), &[0.9, 0.1, 0.0], &counts()), concentration);
    let impossible = DiagnoseError::ImpossibleWord { document: 1, word: 0 };
    let one_topic = Array2::from_shape_vec((1, 2), vec![0.0, 1.0]).unwrap();
    let two = Counts::dense(vec![2, 2], vec![0, 2, 1, 0]).unwrap();
    assert_eq!(refused(&one_topic, &[1.0], &two), impossible);
    let says = |error: DiagnoseError, words: &str| assert!(error.to_string().contains(words), "{error}");
    says(refused(&phi(), &ALPHA[1..], &counts()), "2 concentrations for 3 topics");
    says(refused(&phi(), &ALPHA, &two), "counts of 2 words, but topics over 4");
    let flat = Counts::dense(vec![3], vec![1; 3]).unwrap();
    assert_eq!(
        refused(&phi(), &ALPHA, &flat),
        DiagnoseError::Reference { shape: vec![3] }
    );
    let nothing = Counts::dense(vec![1, 4], vec![0; 4]).unwrap();
    assert_eq!(refused(&phi(), &ALPHA, &nothing), DiagnoseError::Empty);
    let with = |settings| left_to_right(&phi(), &ALPHA, &counts(), &settings).unwrap_err();
    says(
        with(LeftToRight { runs: 1, ..settings() }),
        "20000 particles and 1 runs",
    );
    for [particles, runs] in [[usize::MAX, 2], [1, usize::MAX]] {
        let refused = with(LeftToRight {
            particles,
            runs,
            ..settings()
        });
        assert!(matches!(refused, DiagnoseError::TooLarge(_)), "{refused}");
    }
}
