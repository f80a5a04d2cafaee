//! The code of the page "Lines with public totals".

use super::*;

// [questions]
fn questions() -> Result<String, Error> {
    let mut said = String::new();
    // Four questions to the same seven people, by class and answer, each released on its own.
    let questions = [[3, 1, 1, 2], [2, 2, 3, 0], [4, 0, 1, 2], [1, 3, 2, 1]];
    let (one, all) = (Lplp::moving(1, 1)?, Lplp::moving(4, 1)?);
    for (what, cap, budget) in [
        ("cap and noise for one answer", one, one),
        ("cap for all, noise for one", all, one),
        ("cap and noise for all answers", all, all),
    ] {
        let (mut ledger, mut released) = (Ledger::new(4, cap), 0);
        for (row, counts) in questions.iter().enumerate() {
            let table = Sensitive::new(Counts::dense(vec![1, 2, 2], counts.to_vec())?);
            let account = ledger.rows(&[row])?;
            released += usize::from(table.release_on_account(&Varying::Uniform(budget), account).is_ok());
        }
        said += &format!("{what}: {released} of 4 released\n");
    }
    Ok(said)
}
// [/questions]

#[test]
fn answers_of_a_person_are_added_up() {
    let source = include_str!("totals.rs");
    let after = source.split("// [questions]\n").nth(1).unwrap();
    let code = after.split("// [/questions]\n").next().unwrap();
    let said = questions().unwrap();
    let mut page = Page::open("totals.md");
    page.block("rust,questions", code);
    page.block("text,questions", &said);
    let released: Vec<&str> = said.lines().filter_map(|line| line.split(": ").nth(1)).collect();
    assert_eq!(released, ["4 of 4 released", "0 of 4 released", "4 of 4 released"]);
}

/// A release for words covers no answer, and a cap for answers charges it twice.
#[test]
fn a_promise_for_words_is_half_of_one_for_answers() {
    let words = Lplp::new(1, 1).unwrap();
    assert_eq!(Promise::from(words).answers(), 0);
    let mut ledger = Ledger::new(1, Lplp::moving(1, 3).unwrap());
    let counts = Sensitive::new(Counts::dense(vec![1, 2], vec![3, 4]).unwrap());
    counts
        .release_on_account(&Varying::Uniform(words), ledger.all())
        .unwrap();
    assert_eq!(ledger.spent().map(|spent| spent.to_string()), Some("2".to_owned()));
}
