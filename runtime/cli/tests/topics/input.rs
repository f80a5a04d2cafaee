//! Input and settings that are refused.

use super::*;

#[test]
fn columns_without_words_are_numbered() {
    let scratch = Scratch::new();
    run(&format!("--data {TINY} --k 2 --tune 2 --draws 2"), &scratch.path("out")).unwrap();
    let topics = fs::read_to_string(scratch.path("out/topics.tsv")).unwrap();
    let word = topics.lines().nth(1).and_then(|line| line.split('\t').nth(2)).unwrap();
    assert!(word.strip_prefix('w').unwrap().parse::<usize>().is_ok(), "{word}");
}

/// What is wrong with a file is said by the reader, and of this file.
#[test]
fn files_and_settings_without_sense_are_refused() {
    let scratch = Scratch::new();
    let broken = scratch.write("broken.mtx", &matrix("integer", "3 4 5\n1 1 2\n2 2 1\n"));
    let zeros = scratch.write("zeros.mtx", &matrix("integer", "3 4 0\n"));
    let narrow = scratch.write("narrow.mtx", &matrix("integer", "3 1 1\n1 1 1\n"));
    let three = scratch.write("three.txt", "one\ntwo\nthree\n");
    let gap = scratch.write("gap.txt", "one\n\nthree\n");
    let ended = format!("{broken}: line 5: the file ends after 2 of 5 entries");
    for (flags, words) in [
        (format!("--data {broken} --k 2"), &ended[..]),
        ("--data /nowhere/counts.mtx".to_owned(), "/nowhere/counts.mtx"),
        (
            format!("--data {TINY} --vocab /nowhere/words.txt"),
            "/nowhere/words.txt",
        ),
        (format!("--data {zeros} --k 2"), "all 3 x 4 counts are 0"),
        (format!("--data {narrow} --k 2"), "the counts have 1 column"),
        (format!("--data {TINY} --vocab {three}"), "three.txt has 3 words, but"),
        (format!("--data {TINY} --vocab {three}"), "has 200 columns"),
        (format!("--data {TINY} --vocab {gap}"), "gap.txt: line 2 is empty"),
        (format!("--data {TINY} --k 0"), "topics"),
        (format!("--data {TINY} --k 201"), "--k 201 topics for 80 documents"),
        (format!("--data {TINY} --epsilon 0"), "epsilon: `0` is not"),
        (format!("--data {TINY} --epsilon nan"), "epsilon: `nan` is not"),
        (format!("--data {TINY} --epsilon much"), "epsilon: `much` is not"),
        (format!("--data {TINY} --epsilon 800"), "epsilon / N is 800: "),
        (format!("--data {TINY} --n 0"), "N is 0: "),
        (format!("--data {TINY} --threads 0"), "num_threads"),
        (
            "--rows cells --k 2".to_owned(),
            "--format, --rows and the like say what the file of --data is",
        ),
    ] {
        let error = refused(&scratch, &flags);
        assert!(error.contains(words), "{flags}: {error}");
    }
    let none = run(&format!("--data {TINY} --k 2 --draws 0"), &scratch.path("out")).err();
    assert!(none.is_some_and(|error| error.to_string().contains("num_draws")));
}

/// Cells with words in place of numbers, and a wide table as pandas writes it: the words name the columns. What says nothing of its lines is
/// refused.
#[test]
fn tables_of_words_are_read_with_their_words() {
    let scratch = Scratch::new();
    let quick = "--k 2 --tune 2 --draws 2";
    let long = "doc,word,count\na,sea,3\na,ice,1\nb,sea,2\nb,oil,4\n";
    let wide = ",ice,oil,sea\n0,1,0,3\n1,0,4,2\n";
    for (name, text, flags) in [("long", long, ""), ("wide", wide, "--rows named-counts")] {
        let path = scratch.write(&format!("{name}.csv"), text);
        run(&format!("--data {path} {quick} {flags}"), &scratch.path(name)).unwrap();
        let topics = fs::read_to_string(scratch.path(name).join("topics.tsv")).unwrap();
        for word in ["ice", "oil", "sea"] {
            assert!(topics.contains(&format!("\t{word}\t")), "{name}: {topics}");
        }
    }
    let error = refused(
        &scratch,
        &format!("--data {} --k 2", scratch.path("wide.csv").display()),
    );
    assert!(error.contains("nothing says what a line of 4 columns is"), "{error}");
}
